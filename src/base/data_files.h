/* Finds machines, studies, recipes and traces by name.
 *
 * A relative name is looked up in the working folder and then in the folders of its kind, so
 * `warpscape run -w cpwc-example.addr` means the same wherever it is typed. The order is
 *
 *     1. $WARPSCAPE_TRACES (traces and recipes only), which names the folder itself
 *     2. ./configs/machines, ./configs/studies, ./configs/experiments, ./traces
 *     3. $XDG_DATA_HOME/warpscape, by default ~/.local/share/warpscape, with the same folders
 *     4. the program's own files: ../share/warpscape beside its bin, or the tree it was built in
 *
 * Folders 1 to 3 belong to the user. The files of 4, except the traces, are compiled into the
 * program too. A name with a folder ("configs/studies/reuse.yaml") is looked up below each root, so
 * the commands in the documentation work in every folder. A name that begins with "/", "./" or
 * "../" means exactly that file. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum data_kind { DATA_MACHINES, DATA_STUDIES, DATA_EXPERIMENTS, DATA_TRACES };
enum data_scope { DATA_OWN, DATA_ALL }; /* the user's folders, or the program's as well */

/* Sets *path to the first file called `name` or "name.yaml" in the order above; in each folder
 * `name` comes first. *path is malloc'ed, and NULL if there is no such file: that is not an error.
 * STATUS_MEMORY is the only failure. */
enum status data_file_find(enum data_kind kind, enum data_scope scope, const char *name,
                           char **path);

/* What lists and shell completion offer: the names (without ".yaml") of the YAML files in the
 * user's own folders and of the embedded ones, sorted, each once. Adding a name compares it with
 * all the others, which is cheap for the tens of files that these folders hold. */
struct data_names {
    char **items;
    size_t count, capacity;
};
struct embedded_file;
enum status data_names_list(enum data_kind kind, const struct embedded_file *embedded,
                            struct data_names *names);
void data_names_free(struct data_names *names);

/* "$VARIABLE/warpscape/name", or "~/below/warpscape/name" if the variable is unset or relative (the
 * XDG base directory specification says to ignore a relative one). An empty `name` gives the folder
 * itself. malloc'ed; NULL if there is no home folder or no memory. */
char *home_file(const char *variable, const char *below, const char *name);

/* Whether a path is one of a file, which may be a pipe or a device; or of a folder. */
bool file_exists(const char *path);
bool folder_exists(const char *path);

/* Makes the missing folders above a file, as far as it can: opening the file then reports what is
 * wrong. */
void folders_make(const char *path);
