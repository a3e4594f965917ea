/* Text files compiled into the program by cmake/Embed.cmake. Each array ends with a NULL name. */
#pragma once

#include <stddef.h>

struct embedded_file {
    const char *name; /* without folder and extension */
    const char *text; /* NUL-terminated */
    size_t size;      /* bytes, without the NUL */
};

extern const struct embedded_file embedded_machines[]; /* configs/machines, in config */
extern const struct embedded_file embedded_recipes[];  /* traces, in workload */
