/* Files that were opened lately, the newest first: $XDG_STATE_HOME/warpscape/recent, a line each,
 * "machine /home/me/mine.yaml". Whatever else stands in that file is passed over. */
#pragma once

#include <stddef.h>

#include "ui/terminal/line_editor.h"

enum recent_kind { RECENT_MACHINE, RECENT_STUDY, RECENT_STORE, RECENT_WORKLOAD, RECENT_KINDS };

enum { RECENT_OF_A_KIND = 8, RECENT_MAX = RECENT_KINDS * RECENT_OF_A_KIND };
enum { RECENT_PATH = LINE_MAX_BYTES / 2 }; /* longer ones are not kept */

/* What they are called in the file; the commands that open them have the same names. */
extern const char *const recent_commands[RECENT_KINDS];

struct recent_files {
    size_t count;
    struct recent_file {
        enum recent_kind kind;
        char path[RECENT_PATH]; /* absolute, printable */
    } items[RECENT_MAX];
};

/* None where there is no such file. */
void recent_read(struct recent_files *files);
/* Puts a file in front, by its absolute path. A name that is no file, and a path that is too long
 * or cannot be printed, are not kept. */
void recent_add(enum recent_kind kind, const char *path);
