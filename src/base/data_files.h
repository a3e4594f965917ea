/* Where machines, studies, recipes and traces lie that are named without their folder.
 *
 * A relative name is looked for in the working folder and then in the folders of its kind, so that
 * `warpscape run -w cpwc-example.addr` means the same wherever it is typed. The order is
 *
 *   1. $WARPSCAPE_TRACES (traces and recipes only), which names the folder itself
 *   2. ./configs/machines, ./configs/studies, ./traces
 *   3. $XDG_DATA_HOME/warpscape, by default ~/.local/share/warpscape, with the same three in it
 *   4. the files that come with the program: ../share/warpscape beside its bin, or the source tree
 *      that it was built in
 *
 * The folders of 1 to 3 are the user's own. What lies in the fourth is compiled into the program
 * too, but for the traces. A name with a folder ("configs/studies/reuse.yaml") is looked for below
 * each root, so what the documentation says holds in every folder. A name that begins with "/",
 * "./" or "../" means that very file. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum data_kind { DATA_MACHINES, DATA_STUDIES, DATA_TRACES };
enum data_scope { DATA_OWN, DATA_ALL }; /* the user's folders, or the program's as well */

/* *path is the first file of that name, malloc'ed, or NULL where there is none. Where no file is
 * called `name` itself, "name.yaml" will do. */
enum status data_file_find(enum data_kind kind, enum data_scope scope, const char *name,
                           char **path);

/* The names of the YAML files (without ".yaml") in the user's own folders, and of those that are
 * compiled in, sorted, each once. This is what lists and completion offer. */
struct data_names {
    char **items;
    size_t count, capacity;
};
struct embedded_file;
enum status data_names_list(enum data_kind kind, const struct embedded_file *embedded,
                            struct data_names *names);
void data_names_free(struct data_names *names);

/* "$VARIABLE/warpscape/name", or "~/below/warpscape/name" where the variable is not set (the XDG
 * base directories); an empty `name` means the folder. malloc'ed; NULL: no home, or no memory. */
char *home_file(const char *variable, const char *below, const char *name);
