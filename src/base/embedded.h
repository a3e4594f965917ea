/* Text files that cmake/Embed.cmake compiles into the program, so that a single binary has the
 * built-in machines, studies and recipes. Each array ends with an entry whose name is NULL. */
#pragma once

#include <stddef.h>

#include "base/diag.h"

struct embedded_file {
    const char *name; /* without folder and extension */
    const char *text; /* NUL-terminated */
    size_t size;      /* bytes, without the NUL */
};

extern const struct embedded_file embedded_machines[]; /* configs/machines, in config */
extern const struct embedded_file embedded_studies[];  /* configs/studies, in config */
extern const struct embedded_file
    embedded_experiments[];                           /* configs/experiments/NAME.yaml, in config */
extern const struct embedded_file embedded_cards[];   /* configs/cards.yaml, in config */
extern const struct embedded_file embedded_rows[];    /* configs/experiments/NAME.csv, in explore */
extern const struct embedded_file embedded_recipes[]; /* traces, in workload */
extern const struct embedded_file embedded_simt[];    /* traces/simt, in workload: assembly */

/* Finds a file by name; NULL if there is none. Compares name by name: the arrays are short. */
const struct embedded_file *embedded_find(const struct embedded_file *files, const char *name);

/* Reports that `what` ("machine") has no built-in `name` and that no file has that name either, and
 * suggests the nearest name. Returns STATUS_NOT_FOUND. */
enum status embedded_missing(const struct embedded_file *files, const char *what, const char *name,
                             struct diagnostics *diagnostics);

/* The first line of the comment at the head of a file, without what marks it; "" if it has none.
 * Returns `text`. */
enum { EMBEDDED_COMMENT = 160 };
const char *embedded_comment(const struct embedded_file *file, char text[EMBEDDED_COMMENT]);
