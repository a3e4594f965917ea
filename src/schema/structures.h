/* The structures of a machine that take silicon area.
 *
 * Their metrics (schema/metrics.h), the totals of a machine (model/area) and the budgets of studies
 * read this table. A new structure is one row here and one function in the model that owns it,
 * which describes the memories it consists of (model/gpu/structure_arrays.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "schema/stages.h"

enum structure_copies { ONE_AN_SM, ONE_A_MACHINE };

/* S(X, path, field, stage, copies, traits, accesses, fills, who, one). `stage` is the stage that
 * has the structure. `copies` says how many of the measured thing a machine holds, `traits` are
 * those of its metrics. `accesses` is the metric that counts how often it is read in a run, `fills`
 * how often it is filled, if a fill writes anything (memory_array.fill_bits). `who` is what bits
 * and area are of; `one` is what a single access reads. */
#define STRUCTURE_LIST(S, X)                                                                       \
    S(X, "ibuffer", ibuffer, STAGE_STREAM, ONE_AN_SM, 0, stream_warp_instructions,                 \
      stream_warp_instructions, "the instruction buffers of one SM",                               \
      "the instruction buffers of one SM")                                                         \
    S(X, "l1i", l1i, STAGE_STREAM, ONE_AN_SM, 0, stream_warp_instructions,                         \
      stream_warp_instructions, "the L1I of one SM with its MSHRs and miss queue",                 \
      "the L1I of one SM")                                                                         \
    S(X, "scheduler.throttle", scheduler_throttle, STAGE_L1D, ONE_AN_SM, METRIC_SPARSE,            \
      l1d_accesses, l1d_accesses, "the warp throttle of one SM", "the warp throttle of one SM")    \
    S(X, "l1d", l1d, STAGE_L1D, ONE_AN_SM, 0, l1d_accesses, l1d_read_misses, "the L1D of one SM",  \
      "the L1D of one SM")                                                                         \
    S(X, "l1d.mshr", l1d_mshr, STAGE_L1D, ONE_AN_SM, 0, l1d_misses, l1d_read_misses,               \
      "the MSHRs and miss queue of one L1D", "the MSHRs and miss queue of one L1D")                \
    S(X, "l1d.bypass", l1d_bypass, STAGE_L1D, ONE_AN_SM, METRIC_SPARSE, l1d_accesses,              \
      l1d_accesses, "the bypass policy of one L1D", "the bypass policy of one L1D")                \
    S(X, "l2", l2, STAGE_L2, ONE_A_MACHINE, 0, l2_accesses, l2_read_misses, "all L2 slices",       \
      "one L2 slice")                                                                              \
    S(X, "l2.mshr", l2_mshr, STAGE_L2, ONE_A_MACHINE, 0, l2_misses, l2_read_misses,                \
      "the MSHRs and miss queues of all L2 slices", "the MSHRs and miss queue of one L2 slice")    \
    S(X, "tlb", tlb, STAGE_TLB, ONE_AN_SM, 0, tlb_accesses, tlb_misses, "the TLB of one SM",       \
      "the TLB of one SM")                                                                         \
    S(X, "l2tlb", l2tlb, STAGE_PWC, ONE_A_MACHINE, 0, l2tlb_accesses, l2tlb_misses, "the L2 TLB",  \
      "the L2 TLB")                                                                                \
    S(X, "pwc", pwc, STAGE_PWC, ONE_A_MACHINE, 0, walk_count, walk_count, "the page-walk cache",   \
      "the page-walk cache")                                                                       \
    S(X, "walker", walker, STAGE_PWC, ONE_A_MACHINE, 0, walk_count, walk_count, "the walk queue",  \
      "the walk queue")                                                                            \
    S(X, "tile", tile, STAGE_TILE, ONE_A_MACHINE, 0, tile_accesses, tile_misses,                   \
      "all banks of the tile cache", "one bank of the tile cache")                                 \
    S(X, "tile.queue", tile_queue, STAGE_TILE, ONE_A_MACHINE, 0, tile_misses, tile_misses,         \
      "the miss queues of the tile cache", "one bank's miss queue")                                \
    S(X, "tile.l2", tile_l2, STAGE_TILE, ONE_A_MACHINE, METRIC_SPARSE, tile_l2_accesses,           \
      tile_l2_misses, "the L2 beyond the tile cache", "the L2 beyond the tile cache")

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
    bool sparse; /* it may be there and take nothing */
    size_t bits; /* the offset of its first metric in struct metrics; the others follow in the
                  * order of ARRAY_METRICS */
};

extern const struct structure_info structure_table[STRUCTURE_COUNT];
