#include "tests/support/temporary.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char temporary_folder[TEMPORARY_PATH];

static void die(const char *what)
{
    perror(what);
    abort();
}

void temporary_create(char folder[TEMPORARY_PATH])
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, TEMPORARY_PATH, "%s/warpscape-test-XXXXXX",
             parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        die(folder);
}

const char *temporary_path(const char *folder, const char *name, char path[TEMPORARY_PATH])
{
    snprintf(path, TEMPORARY_PATH, "%s/%s", folder, name);
    return path;
}

const char *temporary_file(const char *folder, const char *name, const void *bytes, size_t size,
                           char path[TEMPORARY_PATH])
{
    temporary_path(folder, name, path);
    FILE *out = fopen(path, "wb");
    size_t length = size ? size : strlen(bytes);
    if (!out || fwrite(bytes, 1, length, out) != length || fclose(out))
        die(path);
    return path;
}

void temporary_remove(const char *folder)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    char path[TEMPORARY_PATH];
    while (entries && (entry = readdir(entries)))
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            unlink(path);
    if (entries)
        closedir(entries);
    rmdir(folder);
}

int temporary_make(void **state)
{
    (void)state;
    temporary_create(temporary_folder);
    return 0;
}

int temporary_clear(void **state)
{
    (void)state;
    temporary_remove(temporary_folder);
    return 0;
}
