/* Says when another program has written a file: its folder is watched, since editors put a new file
 * in the place of the old one. Costs nothing while nothing changes. */
#pragma once

#include <stdbool.h>

struct file_watch {
    int fd; /* becomes readable when something in the folder was written; -1: nothing is watched */
    int folder; /* the number of that watch */
    char *path; /* NULL: none */
};

void file_watch_init(struct file_watch *watch);
/* Watches this file and no other; NULL: none. Cheap if it is watched already. */
void file_watch_set(struct file_watch *watch, const char *path);
/* Takes what has happened; whether the file was written or replaced. */
bool file_watch_take(struct file_watch *watch);
void file_watch_free(struct file_watch *watch);
