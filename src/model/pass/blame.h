/* Blame: which array, instruction, launch and set the requests, misses, bytes and evictions of an
 * L1D and an L2 belong to, and whose lines they made leave.
 *
 * Invariant: the rows of each table, with what flushes counted, add up to the counts of the whole
 * run at the functional depth. A request belongs to the array that it addresses, to the instruction
 * that sent it or caused it, to the running launch, and to the set of its last line. What it makes
 * the cache send, write-backs of the line that had to leave included, is its own. Page walks that
 * read through the L2 are an instruction of their own, and their tables no array. A read that looks
 * in the near half of an L2 in vain counts at its home, as in the counts. Cost: a run in which
 * every access is told (model/cache/cache_watch.h), and 200 B for each row. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "base/key_table.h"
#include "model/cache/cache.h"
#include "schema/machine.h"
#include "trace/stream.h"

/* The tables of a cache: X(constant, word, what a row is). */
#define BLAME_LIST(X)                                                                              \
    X(BLAME_ARRAYS, "array", "array")                                                              \
    X(BLAME_INSTRUCTIONS, "instruction", "instruction")                                            \
    X(BLAME_LAUNCHES, "launch", "launch")                                                          \
    X(BLAME_SETS, "set", "set")
enum blame_table_kind {
#define BLAME_ENUM(id, word, what) id,
    BLAME_LIST(BLAME_ENUM)
#undef BLAME_ENUM
        BLAME_TABLES
};

struct blame_row {
    /* The number of an array (struct blame: array_count is none of them), a launch or a set of one
     * instance; of an instruction see blame_pc. */
    uint64_t key;
    uint64_t requests; /* that looked the cache up */
    struct cache_counts counts;
    uint64_t evictions; /* lines that had to leave for it */
    uint64_t evicted;   /* arrays: its own lines that had to leave */
};

struct blame_table {
    struct key_table keys; /* numbers of rows, until they are sorted */
    struct blame_row *rows;
    size_t count, capacity;
};

struct blame_cache {
    unsigned stage;                          /* STAGE_L1D or STAGE_L2 */
    struct blame_table tables[BLAME_TABLES]; /* most misses first */
    struct blame_row total;                  /* of all rows */
    struct cache_counts flushed;             /* what flushes sent, which belongs to nobody */
    uint64_t *evictions; /* [evicting array][array of the line], each to array_count */
};

enum { BLAME_CACHES = 2 };
struct blame {
    const struct trace_array *arrays; /* by address, apart */
    size_t array_count;
    const struct trace_source *source;
    const struct trace_launch *launches; /* of the source */
    struct blame_cache caches[BLAME_CACHES];
    size_t cache_count;
};

/* Of an instruction: its pc, its operation (BLAME_WALK: page walks), and the first launch of its
 * kernel. */
enum { BLAME_WALK = OP_COUNT };
struct blame_pc {
    uint32_t pc, launch;
    uint8_t op;
};
static inline struct blame_pc blame_pc_of(uint64_t key)
{
    return (struct blame_pc){(uint32_t)key, (uint32_t)(key >> 40), key >> 32 & 0xff};
}
/* The line of its source; 0: not known. Linear in the instructions of the kernel. */
uint32_t blame_line(const struct blame *blame, struct blame_pc pc);

/* Runs a source through the caches of a machine without violations. The arrays must be in order of
 * their addresses and must not overlap; they and the source must outlive the result.
 * STATUS_UNSUPPORTED: the machine has no cache for kernels, or one that needs the future;
 * STATUS_INVALID as of evaluate; STATUS_CANCELLED. The caller frees *blame in any case. */
enum status blame_run(const struct machine *machine, const struct trace_source *source,
                      const struct trace_array *arrays, size_t array_count,
                      const atomic_bool *cancel, struct blame *blame,
                      struct diagnostics *diagnostics);
void blame_free(struct blame *blame);

/* Evictions of lines of array `victim` by requests to array `by`. */
static inline uint64_t blame_evictions(const struct blame *blame, const struct blame_cache *cache,
                                       size_t by, size_t victim)
{
    return cache->evictions[by * (blame->array_count + 1) + victim];
}
