/* The design space of a study: workloads x axes, numbered in mixed radix. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/diag.h"
#include "schema/study.h"

/* Point index: the workload is the most significant digit, then the axes in file order, the last
 * axis the fastest. Fits 2^62 or space_open refuses. The study must outlive the space. */
struct space {
    const struct study *study;
    uint64_t machines;         /* product of the axes */
    uint64_t points;           /* machines x workloads */
    const atomic_bool *cancel; /* ends a census with STATUS_CANCELLED; NULL, or set by the caller */
};

enum status space_open(const struct study *study, struct space *space,
                       struct diagnostics *diagnostics);

/* The machine of a machine index in [0, machines). */
void space_machine(const struct space *space, uint64_t index, struct machine *machine);
/* The digit of axis `axis` in a machine index. */
size_t space_digit(const struct space *space, uint64_t index, size_t axis);

/* Whether walks of some machine may go through its L2 (machine_couples). */
bool space_couples(const struct space *space);

struct removal {      /* how many machines one constraint or rule removes, applied in order */
    const char *kind; /* "the rule", "where:" or "equal:" */
    const char *what; /* the name of the machine rule, the text of the constraint, or the budget
                       * that it was made of */
    uint64_t machines;
};

struct census {
    uint64_t legal;           /* machines left */
    struct removal *removals; /* the rules that removed something, then every constraint */
    size_t removal_count;
    uint8_t *bitmap; /* one bit a machine index: legal */
};

/* Largest space that a census enumerates; larger ones are STATUS_UNSUPPORTED. */
#define CENSUS_MACHINES ((uint64_t)1 << 28)

/* Applies machine rules and the `where` conditions to every machine. A machine that breaks several
 * rules counts for the first. */
enum status space_census(const struct space *space, struct census *census,
                         struct diagnostics *diagnostics);
void census_free(struct census *census);

static inline bool bit_test(const uint8_t *bitmap, uint64_t index)
{
    return bitmap[index / 8] >> (index % 8) & 1;
}

static inline void bit_set(uint8_t *bitmap, uint64_t index)
{
    bitmap[index / 8] |= (uint8_t)(1u << (index % 8));
}
