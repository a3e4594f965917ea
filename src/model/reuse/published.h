/* The reuse-distance model of GPU caches exactly as its authors' program computes it (C. Nugteren
 * et al., "A detailed GPU cache model based on reuse distance theory", HPCA 2014;
 * tue-es/gpu-cache-model), including where the program differs from the paper: docs/MODELS.md,
 * "Reuse distance".
 *
 * One core runs all blocks. A launch is prepared once per line size (coalescing and line ids) and
 * simulated any number of times. A request takes constant time (with a histogram, logarithmic);
 * warps that wake at the same time are sorted by insertion. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "model/reuse/loads.h"
#include "model/reuse/reuse.h"
#include "trace/stream.h"

enum { PUBLISHED_THREADS = 32768 }; /* size of the program's array of threads */

/* The coalesced loads of one launch. */
struct published_loads {
    uint32_t block_threads, warps_per_block;
    uint32_t blocks;      /* up to and including the last that loads */
    uint32_t warps;       /* warps of these blocks; the last block may have fewer */
    uint32_t *warp_first; /* [warps + 1]: index of a warp's first instruction */
    uint32_t *active;     /* [warps]: mask of threads that load, the same for all loads of a warp */
    uint32_t *first;      /* [instructions + 1]: index of an instruction's first request */
    /* [instructions]: mask of the threads that issue its requests, in lane order */
    uint32_t *owners;
    uint8_t *bytes;    /* [instructions]: bytes of one thread's access */
    uint32_t *pcs;     /* [instructions] */
    uint32_t *lines;   /* [requests]: line ids */
    uint64_t *numbers; /* [line_count]: line number of each id */
    uint32_t line_count;
    uint32_t instructions, requests;
    uint64_t thread_loads;
    struct feed_counts counts;
};

/* Reads the loads of `spaces` (schema/spaces.h). STATUS_INVALID, naming the block and warp, for
 * input that the program silently gets wrong: threads of a warp that load different numbers of
 * times, and accesses that cross lines. */
enum status published_prepare(const struct trace_source *source, uint32_t launch, uint64_t line,
                              unsigned spaces, struct published_loads **loads,
                              struct diagnostics *diagnostics);
void published_free(struct published_loads *loads);
uint64_t published_bytes(const struct published_loads *loads);

/* Simulates the runs in `wanted` (bit r = run r) into runs[r]. `histogram` is NULL or collects the
 * distances of run 0. `cancel` may be NULL. STATUS_CANCELLED, STATUS_MEMORY. */
enum status published_simulate(const struct published_loads *loads,
                               const struct reuse_config *config, unsigned wanted,
                               struct reuse_run runs[REUSE_RUNS], struct reuse_histogram *histogram,
                               const atomic_bool *cancel);

/* The same, with more detail of run 0 than a histogram; `detail` may be NULL. */
enum status published_simulate_detail(const struct published_loads *loads,
                                      const struct reuse_config *config, unsigned wanted,
                                      struct reuse_run runs[REUSE_RUNS],
                                      struct reuse_detail *detail, const atomic_bool *cancel);

/* The five classes as the program prints them: differences of runs, clamped at 0. They do not add
 * up to the misses. */
void published_classes(const struct reuse_run runs[REUSE_RUNS], int64_t classes[REUSE_CLASSES]);
