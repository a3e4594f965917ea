/* Which load misses bypass an L1D: each policy is a table of functions in a file of its own
 * (bypass_NAME.c) with its paper in the head.
 *
 * The L1D (model/timing/cache/cache_unit.h) asks at each look-up of a load that finds no line of
 * its own, as often as the request is tried: bypass_ask changes nothing that a second question
 * would see. Once the request is taken it says so (bypass_accept). A bypassed miss needs no line;
 * what others brought it still hits. A miss of a sector whose line is there, a store and an atomic
 * are never asked about.
 *
 * A policy may also have queues in front of the L1D in which requests are put in another order
 * (model/timing/sm/reorder.h keeps them): it says which one a request enters and which goes on.
 *
 * Invariant: all that a policy knows is what these calls told it, so an SM's decisions depend on
 * nothing but that SM, and with l1d.bypass.shared on what others told it at exchanges, which come
 * every BYPASS_EXCHANGE cycles when all SMs have come as far. Cost: nothing without a policy (the
 * owner has a null pointer), else a hash look-up a miss and what the policy does. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arrays.h"
#include "base/key_table.h"
#include "base/status.h"
#include "model/cache/pc_table.h"
#include "model/throttle/warp_ages.h"
#include "schema/machine.h"
#include "schema/memory_array.h"
#include "trace/instructions.h"

enum {
    BYPASS_EXCHANGE = 64, /* cycles from one exchange between SMs to the next */
    BYPASS_NO_LINE = UINT32_MAX
};

/* A load that l1d.bypass.loads numbers by its pc. */
static inline bool bypass_numbers_load(const struct instruction *row)
{
    return row->flags & INSTRUCTION_LOAD &&
           !(row->flags & (INSTRUCTION_SHARED | INSTRUCTION_ATOMIC));
}

enum bypass_verdict {
    BYPASS_ALLOCATE, /* it takes the line chosen */
    BYPASS_PASS,     /* it takes none */
    BYPASS_WAIT      /* it is tried again, as where all lines are reserved; data in flight, or
                      * bypass->wake, must end that */
};

enum bypass_fail { /* why the L1D could not take a load */
                   BYPASS_FAIL_LINE,
                   BYPASS_FAIL_MISS_QUEUE,
                   BYPASS_FAIL_MSHR,
                   BYPASS_FAIL_MERGE,
                   BYPASS_FAIL_WRITE
};

struct bypass_access { /* a load at the tags */
    uint64_t line;     /* number of its line */
    uint64_t now;
    uint32_t pc;
    uint32_t set;
    uint16_t warp;  /* its slot in the SM */
    uint16_t parts; /* accesses that its instruction makes */
};

struct bypass_choice {    /* where a miss would allocate */
    uint32_t first, ways; /* the lines of the set are numbered from `first` */
    uint32_t way;         /* that would be replaced; BYPASS_NO_LINE: none can be. A policy may name
                           * another that is free to go */
    const uint8_t *holds; /* of its ways: what keeps each from being replaced, 0: it is empty */
    uint8_t kept;         /* the bits of `holds` that keep a line from being replaced now */
};

/* What is known of each line of the L1D. */
struct bypass_line {
    uint64_t key;  /* of the instruction that took it: bypass_key */
    uint64_t last; /* of the one that accessed it last */
    uint64_t line; /* number */
    uint32_t hits; /* since it was taken */
    uint32_t warp; /* that took it */
};

struct bypass_fill { /* data arrived */
    uint64_t now;
    uint32_t pc;
    uint32_t waited; /* cycles since the first request asked */
    uint16_t warp;
    bool passed; /* they bypass */
    bool l2_hit; /* the DRAM was not asked */
};

/* An instruction of the launch that runs, for people: why it is bypassed, and since when. */
struct bypass_pc {
    uint64_t key;
    uint64_t taken, passed; /* its misses with and without a line */
    uint64_t since;         /* the cycle of the first without */
};

struct bypass;

struct bypass_kind { /* a policy: a row of BYPASS_LIST; functions may be NULL but for `ask` */
    const char *name;
    size_t size; /* of its struct, which begins with struct bypass */
    enum status (*init)(struct bypass *bypass);
    /* Memory that bypass->arrays does not know: frees it; and gives a copy memory of its own, as
     * array_copy does. */
    void (*free)(struct bypass *bypass);
    bool (*copy)(struct bypass *bypass);
    /* Adds the state of such a member to a hash (base/mix.h). NULL: it has nothing but numbers and
     * bypass->arrays, whose elements have no padding. */
    void (*mix)(const struct bypass *bypass, uint64_t *hash);
    /* The memories that it needs beside an L1D of `lines`, at most MEMORY_ARRAYS; returns how
     * many. */
    size_t (*arrays)(const struct machine *machine, uint64_t lines, struct memory_array *arrays);
    enum bypass_verdict (*ask)(struct bypass *bypass, const struct bypass_access *access,
                               struct bypass_choice *choice);
    /* A miss was taken; `line` is its line, BYPASS_NO_LINE: it was bypassed. */
    void (*accepted)(struct bypass *bypass, const struct bypass_access *access, uint32_t line);
    /* An access found its line; `pending`: its data are still on their way. */
    void (*hit)(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                bool pending);
    /* A load could not be taken. It is told at each try, and how often one tries depends on how far
     * the SM is advanced at once: what follows must be the same however often it is told. Where
     * the next try may end otherwise, bypass->wake is the next cycle. */
    void (*failed)(struct bypass *bypass, const struct bypass_access *access,
                   enum bypass_fail reason);
    /* A store was taken, to this line. */
    void (*stored)(struct bypass *bypass, uint64_t line);
    /* A line is replaced by `access`. */
    void (*evicted)(struct bypass *bypass, const struct bypass_line *line,
                    const struct bypass_access *access);
    void (*filled)(struct bypass *bypass, const struct bypass_fill *fill);
    /* The queue in front of the L1D, of l1d.bypass.queues, that a request of an instruction enters;
     * which of those that hold requests (`counts`, not all 0) goes on; and that it did. NULL: there
     * are no queues. */
    uint32_t (*queue)(const struct bypass *bypass, uint32_t warp, uint32_t pc);
    uint32_t (*drain)(const struct bypass *bypass, const uint32_t *counts);
    void (*drained)(struct bypass *bypass, uint32_t queue);
    void (*launched)(struct bypass *bypass);
    /* The L1Ds of all SMs tell each other what happened since the last exchange. NULL: they never
     * do. */
    void (*exchange)(struct bypass *const *all, uint32_t count);
    /* A block left the SM. `first`: it was the first of the launch on this SM. */
    void (*block_ended)(struct bypass *bypass, bool first);
    /* In the first cycle at or after bypass->wake, with the instructions issued so far; wake is
     * then never until it is set again. */
    void (*tick)(struct bypass *bypass, uint64_t now, uint64_t instructions);
    /* What a verdict on an instruction rests on; false: it knows nothing of it. */
    bool (*explain)(const struct bypass *bypass, uint64_t key, uint64_t *times, uint64_t *count);
};

struct bypass { /* of one L1D; members embed it as their first field */
    const struct bypass_kind *kind;
    const struct machine *machine;
    const struct bypass_config *config;
    uint32_t sm, sets, ways; /* ways: the most of any launch */
    uint32_t launch_ways;    /* of this launch: the first ones of each set */
    struct bypass_line *lines;
    uint64_t kernel; /* upper half of the keys of this launch */
    uint32_t *loads; /* pcs of the kernel's loads, ascending */
    size_t load_count, load_capacity;
    struct key_table keys; /* instructions of this launch that missed */
    struct bypass_pc *pcs; /* by their number */
    size_t pc_capacity;
    struct key_table passing;  /* instructions that were bypassed in any launch */
    uint64_t passed;           /* misses that were bypassed */
    bool decides;              /* a verdict was not that of an L1D without a policy, or queues or
                                * exchanges may have changed something else */
    uint16_t blocks[SM_WARPS]; /* slot of the thread block of each warp */
    struct warp_ages ages;
    uint64_t wake; /* the cycle in which `tick` is due; UINT64_MAX: never */
    enum status status;
    struct arrays arrays; /* of the whole member */
};

extern const struct bypass_kind *const bypass_kinds[BYPASS_COUNT];

/* For an L1D of so many sets and ways at most. *bypass stays NULL where every miss allocates.
 * STATUS_MEMORY. */
enum status bypass_create(const struct machine *machine, uint32_t sm, uint32_t sets, uint32_t ways,
                          struct bypass **bypass);
void bypass_free(struct bypass *bypass); /* NULL is allowed */
/* A policy that stands where this one stands; NULL: there is no memory. */
struct bypass *bypass_copy(const struct bypass *bypass);
/* Adds to a hash (base/mix.h) what its further decisions follow from. */
void bypass_mix(const struct bypass *bypass, uint64_t *hash);

/* ---- what the L1D and its SM tell ---- */

enum bypass_verdict bypass_ask(struct bypass *bypass, const struct bypass_access *access,
                               struct bypass_choice *choice);
/* The request was taken; `line` is BYPASS_NO_LINE if it was bypassed. */
void bypass_accept(struct bypass *bypass, const struct bypass_access *access, uint32_t line);
void bypass_hit(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                bool pending);
static inline void bypass_failed(struct bypass *bypass, const struct bypass_access *access,
                                 enum bypass_fail reason)
{
    if (bypass->kind->failed)
        bypass->kind->failed(bypass, access, reason);
}
static inline void bypass_stored(struct bypass *bypass, uint64_t line)
{
    if (bypass->kind->stored)
        bypass->kind->stored(bypass, line);
}
/* The line is replaced by one for `access`, unless it was empty. */
void bypass_replace(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                    bool empty);
void bypass_fill(struct bypass *bypass, const struct bypass_fill *fill);
/* STATUS_MEMORY. */
enum status bypass_launch(struct bypass *bypass, uint32_t ways, const char *kernel,
                          const struct trace_code *code);
void bypass_warp_came(struct bypass *bypass, uint32_t warp, uint32_t block, uint64_t age);
void bypass_warp_left(struct bypass *bypass, uint32_t warp);
void bypass_block_ended(struct bypass *bypass, bool first);
void bypass_tick(struct bypass *bypass, uint64_t now, uint64_t instructions);

/* Whether the L1Ds of all SMs have an exchange in every cycle that is a multiple of
 * BYPASS_EXCHANGE, and the exchange. */
bool bypass_exchanges(const struct machine *machine);
void bypass_exchange(struct bypass *const *all, uint32_t count);

/* Adds what is known of the launch's instructions to their rows. STATUS_MEMORY. */
enum status bypass_report(const struct bypass *bypass, struct pc_table *table);

/* ---- for members ---- */

static inline uint64_t bypass_key(const struct bypass *bypass, uint32_t pc)
{
    return bypass->kernel | pc;
}
/* What a miss does that is not bypassed: it takes the line chosen, or waits where there is none. */
static inline enum bypass_verdict bypass_take(const struct bypass_choice *choice)
{
    return choice->way == BYPASS_NO_LINE ? BYPASS_WAIT : BYPASS_ALLOCATE;
}
