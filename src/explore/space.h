/* The design space of a study: workloads x axes, numbered in mixed radix. */
#pragma once

#include <stdint.h>

#include "base/diag.h"
#include "schema/study.h"

/* Point index: the workload is the most significant digit, then the axes in file order, the last
 * axis the fastest. Fits 2^62 or space_open refuses. */
struct space {
    const struct study *study;
    uint64_t machines; /* product of the axes */
    uint64_t points;   /* machines x workloads */
};

enum status space_open(const struct study *study, struct space *space,
                       struct diagnostics *diagnostics);

/* The machine of a machine index in [0, machines). */
void space_machine(const struct space *space, uint64_t index, struct machine *machine);
/* The digit of axis `axis` in a machine index. */
size_t space_digit(const struct space *space, uint64_t index, size_t axis);

struct removal { /* how many machines one constraint or rule removes, applied in order */
    const char *what; /* text of the constraint, or the name of the machine rule */
    uint64_t machines;
};

struct census {
    uint64_t legal; /* machines left */
    struct removal *removals;
    size_t removal_count;
    uint8_t *bitmap; /* one bit a machine index: legal */
};

/* Applies machine rules and the `where` conditions to every machine. */
enum status space_census(const struct space *space, struct census *census,
                         struct diagnostics *diagnostics);
void census_free(struct census *census);
