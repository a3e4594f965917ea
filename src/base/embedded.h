/* Text files compiled into the program by cmake/Embed.cmake. Each array ends with a NULL name. */
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
extern const struct embedded_file embedded_recipes[];  /* traces, in workload */

/* The file of that name, or NULL. */
const struct embedded_file *embedded_find(const struct embedded_file *files, const char *name);

/* Reports STATUS_NOT_FOUND, with the nearest name: "no machine and no file 'gtx48'; ...". */
enum status embedded_missing(const struct embedded_file *files, const char *what, const char *name,
                             struct diagnostics *diagnostics);
