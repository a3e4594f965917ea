/* Runs of Accel-Sim, read from a CSV file that its owner measured (reference data, not part of the
 * program): one row for each kernel of a run, with the command that makes its trace, the GPU, the
 * options that differ from the GPU's own, and counters. The first line names the columns; those
 * that are not known here are ignored.
 *
 * Cost: all rows stay in memory. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"

/* X(ID, column, field of struct metrics, name of that metric, base): what is compared. `base` is
 * the count that a difference is a share of. Cycles come first. */
#define ACCELSIM_COUNT_LIST(X)                                                                     \
    X(CYCLES, "cycles", core_cycles, "core.cycles", CYCLES)                                        \
    X(INSTRUCTIONS, "warp_insn", stream_warp_instructions, "stream.warp_instructions",             \
      INSTRUCTIONS)                                                                                \
    X(L1D_ACCESSES, "l1d_accesses", l1d_accesses, "l1d.accesses", L1D_ACCESSES)                    \
    X(L1D_MISSES, "l1d_misses", l1d_misses, "l1d.misses", L1D_ACCESSES)                            \
    X(L1D_PENDING, "l1d_pending_hits", l1d_pending_hits, "l1d.pending_hits", L1D_ACCESSES)         \
    X(FAIL_LINE, "l1d_LINE_ALLOC_FAIL", l1d_fail_line, "l1d.fail.line", L1D_ACCESSES)              \
    X(FAIL_QUEUE, "l1d_MISS_QUEUE_FULL", l1d_fail_miss_queue, "l1d.fail.miss_queue", L1D_ACCESSES) \
    X(FAIL_ENTRY, "l1d_MSHR_ENRTY_FAIL", l1d_fail_mshr_entry, "l1d.fail.mshr_entry", L1D_ACCESSES) \
    X(FAIL_MERGE, "l1d_MSHR_MERGE_ENRTY_FAIL", l1d_fail_mshr_merge, "l1d.fail.mshr_merge",         \
      L1D_ACCESSES)                                                                                \
    X(FAIL_WRITE, "l1d_MSHR_RW_PENDING", l1d_fail_write, "l1d.fail.write", L1D_ACCESSES)           \
    X(L2_ACCESSES, "l2_accesses", l2_accesses, "l2.accesses", L2_ACCESSES)                         \
    X(L2_MISSES, "l2_misses", l2_misses, "l2.misses", L2_ACCESSES)                                 \
    X(L2_PENDING, "l2_pending_hits", l2_pending_hits, "l2.pending_hits", L2_ACCESSES)              \
    X(DRAM_READS, "dram_reads", dram_reads, "dram.reads", L2_ACCESSES)                             \
    X(DRAM_WRITES, "dram_writes", dram_writes, "dram.writes", L2_ACCESSES)

/* Their counts of reads of the L1D that have no counterpart at every depth of ours. */
#define ACCELSIM_READ_LIST(X)                                                                      \
    X(HIT, "l1d_rd_hit")                                                                           \
    X(MISS, "l1d_rd_miss")                                                                         \
    X(SECTOR_MISS, "l1d_rd_sector_miss")

enum accelsim_count {
#define ACCELSIM_ENUM(id, ...) ACCELSIM_##id,
    ACCELSIM_COUNT_LIST(ACCELSIM_ENUM) ACCELSIM_COUNTS
#undef ACCELSIM_ENUM
};
enum accelsim_read {
#define ACCELSIM_ENUM(id, ...) ACCELSIM_READ_##id,
    ACCELSIM_READ_LIST(ACCELSIM_ENUM) ACCELSIM_READS
#undef ACCELSIM_ENUM
};

struct accelsim_row {
    const char *run, *family, *trace, *gpu, *options, *kernel_name; /* they point into `line` */
    char *line;
    unsigned kernel; /* of its run, from 1 */
    double theirs[ACCELSIM_COUNTS], reads[ACCELSIM_READS];
    double ours[ACCELSIM_COUNTS]; /* NaN until accelsim_study_run has filled them */
};

struct accelsim_rows {
    struct accelsim_row *items; /* the kernels of a run follow one another */
    size_t count, capacity;
};

/* Reads the rows of `count` files whose family, GPU, trace and options contain every word of
 * `only`, whatever the case (NULL: all). Frees them itself on failure. STATUS_NOT_FOUND if no row
 * is left. */
enum status accelsim_rows_read(const char *const *paths, size_t count, const char *only,
                               struct accelsim_rows *rows, struct diagnostics *diagnostics);
void accelsim_rows_free(struct accelsim_rows *rows);

/* Whether two rows are of one run. */
bool accelsim_same_run(const struct accelsim_row *a, const struct accelsim_row *b);
