#include "ui/session/recent.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"
#include "base/printable.h"
#include "ui/terminal/user_files.h"

enum { STATE_PATH = 4096 };

const char *const recent_commands[RECENT_KINDS] = {"machine", "study", "store", "workload"};

static bool is_path(const char *text)
{
    if (text[0] != '/' || strlen(text) >= RECENT_PATH)
        return false;
    while (*text) {
        const size_t length = printable_length(text);
        if (!length || (unsigned char)*text < ' ')
            return false;
        text += length;
    }
    return true;
}

/* Behind those that are there: again, or too many of a kind, it is left out. */
static void recent_append(struct recent_files *files, enum recent_kind kind, const char *path)
{
    size_t same_kind = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (files->items[i].kind != kind)
            continue;
        same_kind++;
        if (!strcmp(files->items[i].path, path))
            return;
    }
    if (same_kind == RECENT_OF_A_KIND || !is_path(path))
        return;
    struct recent_file *file = &files->items[files->count++];
    file->kind = kind;
    snprintf(file->path, sizeof file->path, "%s", path);
}

static void recent_read_line(struct recent_files *files, char *line)
{
    char *path = strchr(line, ' ');
    if (!path)
        return;
    *path++ = '\0';
    for (int kind = 0; kind < RECENT_KINDS; kind++)
        if (!strcmp(line, recent_commands[kind]))
            recent_append(files, (enum recent_kind)kind, path);
}

void recent_read(struct recent_files *files)
{
    char *text, *rest;
    size_t size;
    files->count = 0;
    if (state_file_read("recent", &text, &size, NULL))
        return;
    rest = text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        recent_read_line(files, line);
    free(text);
}

static void write_files(const struct recent_files *files)
{
    char path[STATE_PATH];
    struct output_file file;
    if (!state_file("recent", path, sizeof path) ||
        output_file_open(path, OUTPUT_REPLACE | OUTPUT_FILES_ONLY, &file, NULL))
        return;
    for (size_t i = 0; i < files->count; i++)
        fprintf(file.stream, "%s %s\n", recent_commands[files->items[i].kind],
                files->items[i].path);
    (void)output_file_commit(&file, NULL); /* the list is a convenience */
}

void recent_add(enum recent_kind kind, const char *path)
{
    char *whole = realpath(path, NULL);
    if (!whole && path[0] == '/') /* the store of a sweep that only begins */
        whole = strdup(path);
    struct recent_files *files = calloc(2, sizeof *files);
    if (whole && files) {
        recent_append(&files[0], kind, whole);
        recent_read(&files[1]);
        for (size_t i = 0; i < files[1].count; i++)
            recent_append(&files[0], files[1].items[i].kind, files[1].items[i].path);
        write_files(&files[0]);
    }
    free(files);
    free(whole);
}
