/* The structures of a machine that take silicon area.
 *
 * Their metrics (schema/metrics.h), the totals of a machine (model/area) and the budgets of studies
 * read this table. A new structure is one row here and one function in model/area/area.c that
 * names the memories it consists of (schema/memory_array.h). */
#pragma once

#include <stddef.h>

#include "schema/stages.h"

enum structure_copies { ONE_AN_SM, ONE_A_MACHINE };

/* S(X, path, field, stage, copies, traits, accesses, who, one). `stage` is the stage that has the
 * structure. `copies` says how many of the measured thing a machine holds, `traits` are those of
 * its metrics. `accesses` is the metric that counts how often it is read in a run. `who` is what
 * bits and area are of; `one` is what a single access reads. */
#define STRUCTURE_LIST(S, X)                                                                       \
    S(X, "l1d", l1d, STAGE_L1D, ONE_AN_SM, 0, l1d_accesses, "one SM's L1D", "one SM's L1D")        \
    S(X, "l1d.mshr", l1d_mshr, STAGE_L1D, ONE_AN_SM, 0, l1d_misses,                                \
      "one L1D's miss-status holding registers", "one L1D's miss-status holding registers")        \
    S(X, "l1d.bypass", l1d_bypass, STAGE_L1D, ONE_AN_SM, METRIC_SPARSE, l1d_accesses,              \
      "one L1D's bypass policy", "one L1D's bypass policy")                                        \
    S(X, "l2", l2, STAGE_L2, ONE_A_MACHINE, 0, l2_accesses, "all L2 slices", "one L2 slice")       \
    S(X, "tlb", tlb, STAGE_TLB, ONE_AN_SM, 0, tlb_accesses, "one SM's TLB", "one SM's TLB")        \
    S(X, "l2tlb", l2tlb, STAGE_PWC, ONE_A_MACHINE, 0, l2tlb_accesses, "the shared TLB",            \
      "the shared TLB")                                                                            \
    S(X, "pwc", pwc, STAGE_PWC, ONE_A_MACHINE, 0, walk_count, "the page-walk cache",               \
      "the page-walk cache")                                                                       \
    S(X, "walker", walker, STAGE_PWC, ONE_A_MACHINE, 0, walk_count,                                \
      "the buffer in which walks wait", "the buffer in which walks wait")                          \
    S(X, "tile", tile, STAGE_TILE, ONE_A_MACHINE, 0, tile_accesses, "all banks of the tile cache", \
      "one bank of the tile cache")                                                                \
    S(X, "tile.queue", tile_queue, STAGE_TILE, ONE_A_MACHINE, 0, tile_misses,                      \
      "the miss queues of the tile cache", "one bank's miss queue")

enum structure_id {
#define STRUCTURE_ID(X, path, field, ...) STRUCTURE_##field,
    STRUCTURE_LIST(STRUCTURE_ID, )
#undef STRUCTURE_ID
        STRUCTURE_COUNT
};

struct structure_info {
    const char *path;
    unsigned stage;
    enum structure_copies copies;
    size_t bits; /* the offset of its first metric in struct metrics; the others follow in the
                  * order of ARRAY_METRICS */
};

extern const struct structure_info structure_table[STRUCTURE_COUNT];
