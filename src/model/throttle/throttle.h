/* Throttling: which warps of an SM may issue no loads of global or local memory, because too many
 * of them would thrash the L1D or crowd the network. Each row of THROTTLE_LIST (schema/families.h)
 * is a policy behind one table of functions, in a file of its own (throttle_NAME.c) with its paper
 * in the head. It works beside any warp scheduler and any bypass policy of the L1D.
 *
 * The L1D (model/timing/cache) says what it misses, evicts, stores and fills, the SM which warps
 * come, issue and leave. The SM reads `stopped`.
 *
 * Invariant: all that a policy knows is what these calls told it, so an SM's decisions depend on
 * nothing but that SM. Cost: nothing without a policy (the owner has a null pointer), else a row of
 * memory per line, and what the policy does. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arrays.h"
#include "base/status.h"
#include "model/throttle/warp_ages.h"
#include "schema/machine.h"
#include "schema/memory_array.h"

enum { THROTTLE_SCHEDULERS = 16 };

struct throttle_line { /* of the L1D */
    uint64_t line;     /* number */
    uint16_t warp;     /* that allocated it */
};

struct throttle;

struct throttle_kind { /* functions may be NULL */
    size_t size;       /* of its struct, which begins with struct throttle */
    /* The memories that it needs beside an L1D of `lines`, at most MEMORY_ARRAYS; returns how
     * many. */
    size_t (*arrays)(const struct machine *machine, uint64_t lines, struct memory_array *arrays);
    void (*launched)(struct throttle *throttle);
    void (*warp_came)(struct throttle *throttle, uint32_t warp);
    void (*warp_left)(struct throttle *throttle, uint32_t warp);
    /* A load of a warp missed and was taken; an access evicted a line; a store was taken. */
    void (*missed)(struct throttle *throttle, uint32_t warp, uint64_t line, uint64_t now);
    void (*evicted)(struct throttle *throttle, const struct throttle_line *line);
    void (*stored)(struct throttle *throttle, uint64_t line);
    /* Data arrived; `network` cycles of their way they spent outside of the L2 and the DRAM. */
    void (*filled)(struct throttle *throttle, uint32_t network);
    /* In the first cycle at or after throttle->wake; wake is then never until it is set again. */
    void (*tick)(struct throttle *throttle, uint64_t now);
};

struct throttle { /* of one SM; members embed it as their first field */
    const struct throttle_kind *kind;
    uint32_t schedulers;
    struct arrays arrays;        /* of the whole member */
    struct throttle_line *lines; /* of the L1D, by their numbers in it */
    struct warp_ages ages;
    uint32_t issued[SM_WARPS]; /* instructions of each warp since it came; the SM counts them */
    /* Slots of each scheduler whose warps may not issue loads. */
    uint64_t stopped[THROTTLE_SCHEDULERS];
    uint64_t wake; /* the cycle in which `tick` is due; UINT64_MAX: never */
};

/* Declares throttle_kind_THROTTLE_CCWS and so on. */
#define THROTTLE_DECLARATION(constant, ...)                                                        \
    extern const struct throttle_kind throttle_kind_##constant;
THROTTLE_LIST(THROTTLE_DECLARATION)

/* For an L1D of so many lines at most. *throttle stays NULL where no warp is ever stopped.
 * STATUS_MEMORY. */
enum status throttle_create(const struct machine *machine, uint32_t lines,
                            struct throttle **throttle);
void throttle_free(struct throttle *throttle); /* NULL is allowed */
/* One in the same state; NULL: no memory. */
struct throttle *throttle_copy(const struct throttle *throttle);

/* ---- what the SM and its L1D tell ---- */

void throttle_launch(struct throttle *throttle);
void throttle_warp_came(struct throttle *throttle, uint32_t warp, uint64_t age);
void throttle_warp_left(struct throttle *throttle, uint32_t warp);
void throttle_tick(struct throttle *throttle, uint64_t now);
/* The line at this place of the L1D is allocated anew, unless it was `empty` by eviction. */
void throttle_replace(struct throttle *throttle, uint32_t place, bool empty,
                      const struct throttle_line *line);
static inline void throttle_missed(struct throttle *throttle, uint32_t warp, uint64_t line,
                                   uint64_t now)
{
    if (throttle->kind->missed)
        throttle->kind->missed(throttle, warp, line, now);
}
static inline void throttle_stored(struct throttle *throttle, uint64_t line)
{
    if (throttle->kind->stored)
        throttle->kind->stored(throttle, line);
}
static inline void throttle_filled(struct throttle *throttle, uint32_t network)
{
    if (throttle->kind->filled)
        throttle->kind->filled(throttle, network);
}

/* ---- for members ---- */

/* Lets a warp issue loads or not. */
void throttle_stop(struct throttle *throttle, uint32_t warp, bool stop);
