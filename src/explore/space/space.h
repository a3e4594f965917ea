/* The design space of a study: the product of its workloads and axes, numbered in mixed radix.
 * Nothing is stored per point: a machine is decoded from its index when it is needed. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/diag.h"
#include "schema/study.h"

/* In a point index the workload is the most significant digit. The axes follow in file order; the
 * last one varies fastest. space_open refuses spaces beyond 2^62 points. The study must outlive the
 * space. */
struct space {
    const struct study *study;
    uint64_t machines;            /* product of the axes */
    uint64_t points;              /* machines x workloads */
    const struct machine *listed; /* the machines, where they are no product of axes; else NULL */
    const atomic_bool *cancel; /* ends what looks at all machines with STATUS_CANCELLED; or NULL */
};

static inline bool space_cancelled(const struct space *space)
{
    return space->cancel && atomic_load(space->cancel);
}

enum status space_open(const struct study *study, struct space *space,
                       struct diagnostics *diagnostics);
/* The space of these machines on the workloads of a study; both must outlive it. */
struct space space_of_machines(const struct study *study, const struct machine *machines,
                               size_t count);

/* Decodes a machine index in [0, machines). */
void space_machine(const struct space *space, uint64_t index, struct machine *machine);
/* The index into the values of axis `axis` that a machine index has. */
size_t space_digit(const struct space *space, uint64_t index, size_t axis);
/* The index of the machine whose axes have the values of `machine`, or their first ones where they
 * do not have that; *there (may be NULL): all axes have it. */
uint64_t space_own(const struct study *study, const struct machine *machine, bool *there);

/* Whether the page walks of some machine in the space may go through its L2 (machine_couples). */
bool space_couples(const struct space *space);

/* How many machines one rule or condition removes, when they are applied in order. */
struct removal {
    const char *kind; /* "the rule", "where:" or "equal:" */
    const char *what; /* the name of the rule, the text of the condition, or the budget that the
                       * condition was made from */
    uint64_t machines;
};

struct census {
    uint64_t legal;           /* machines that remain */
    struct removal *removals; /* the rules that removed something, then every condition */
    size_t removal_count;
    uint8_t *bitmap; /* one bit per machine index: legal */
};

/* The largest space that a census enumerates; larger ones are STATUS_UNSUPPORTED. */
#define CENSUS_MACHINES ((uint64_t)1 << 28)

/* Applies the machine rules and the `where` conditions to every machine of the space. A machine
 * that breaks several rules counts for the first. Takes O(machines) time and one bit of memory per
 * machine. */
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
