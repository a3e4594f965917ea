#include "ui/session/state_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = !mkdir(path, 0777) || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

bool state_file(const char *name, char *path, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length;
    if (state && *state)
        length = snprintf(path, size, "%s/warpscape/%s", state, name);
    else
        length = snprintf(path, size, "%s/.local/state/warpscape/%s", home ? home : ".", name);
    return length > 0 && (size_t)length < size && make_folders(path);
}

enum { STATE_BYTES_MAX = 1 << 20, STATE_PATH = 4096 };

bool state_file_exists(const char *name)
{
    char path[STATE_PATH];
    return state_file(name, path, sizeof path) && !access(path, R_OK);
}

/* At most `size` bytes; fewer than the file has if it shrinks meanwhile. */
static size_t state_read_all(int file, char *text, size_t size)
{
    size_t used = 0;
    for (ssize_t got; used < size && (got = read(file, text + used, size - used)) > 0;)
        used += (size_t)got;
    return used;
}

enum status state_file_read(const char *name, char **text, size_t *length,
                            struct diagnostics *diagnostics)
{
    char path[STATE_PATH];
    struct stat there;
    enum status status = STATUS_OK;
    *text = NULL;
    if (!state_file(name, path, sizeof path))
        return STATUS_NOT_FOUND;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT
                   ? STATUS_NOT_FOUND
                   : diagnostics_error(diagnostics, STATUS_IO, "%s: %s", path, strerror(errno));
    if (fstat(file, &there) || !S_ISREG(there.st_mode))
        status = diagnostics_error(diagnostics, STATUS_INVALID, "%s: not a regular file", path);
    else if (there.st_size > STATE_BYTES_MAX)
        status = diagnostics_error(diagnostics, STATUS_INVALID, "%s: larger than 1 MiB", path);
    else if (!(*text = malloc((size_t)there.st_size + 1)))
        status = STATUS_MEMORY;
    if (*text) {
        *length = state_read_all(file, *text, (size_t)there.st_size);
        (*text)[*length] = '\0';
    }
    close(file);
    return status;
}
