/* The reuse-distance model of GPU caches exactly as its authors' program computes it (C. Nugteren
 * et al., "A detailed GPU cache model based on reuse distance theory", HPCA 2014;
 * tue-es/gpu-cache-model 0a79fd18), including where the program differs from the paper:
 * - One core runs all blocks in groups that are resident together, each group to its end. Threads
 *   and blocks limit residence (gpu.max_threads, gpu.max_blocks); registers and shared memory do
 *   not.
 * - The k-th loads of the threads of a warp are one instruction. A request is one distinct line of
 *   a segment of 32 lanes (16 if a thread loads 8 B, 8 for 16 B), issued by the first lane that
 *   touches it. Accesses of 8 B and more issue in two or more portions, each looked up before any
 *   of it takes effect.
 * - The hash is always Fermi's for 64 sets, modulo the number of sets; above 64 sets some stay
 *   empty. l1d.index is not read, so `fermi` is legal for any number of sets here.
 * - An access to a line in flight does not join: it has its own latency and its own effect. There
 *   is no limit per warp, although the paper measured one: l1d.mshr.per_warp is not read. Only the
 *   first lane of a warp can be refused, and the lines in flight are counted once per slot, so the
 *   MSHR limit is soft.
 * - Hits take effect before misses at one time. A warp that ends takes one more slot. Timing treats
 *   distance = ways as a miss, the report as a hit.
 * - The classes are differences of runs (C: infinite distances, M: misses): compulsory C2, latency
 *   C0 - C2, associativity M0 - M1, mshr M0 - M3, capacity the rest; each at least 0. Where the
 *   rest is negative one class is increased by the overlap. They need not add up, and the report
 *   says so.
 * - Latencies are those of std::normal_distribution over std::mt19937(seed) in libstdc++; all runs
 *   start from the same state. (The program itself takes its seed from the operating system.)
 * Addresses are not cut to 32 bits, and launches are simulated separately and added up.
 *
 * A launch is prepared once per line size (coalescing and line ids) and
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
    struct record_counts counts;
};

/* Reads the loads of `spaces` (schema/spaces.h). STATUS_INVALID, naming the block and warp, for
 * input that the program silently gets wrong: threads of a warp that load different numbers of
 * times, and accesses that cross lines. */
enum status published_prepare(const struct trace_source *source, uint32_t launch, uint64_t line,
                              unsigned spaces, struct published_loads **loads,
                              struct diagnostics *diagnostics);
void published_free(struct published_loads *loads);
uint64_t published_bytes(const struct published_loads *loads);

/* Simulates the runs in `wanted` (bit r = run r) into runs[r]. `detail` is NULL or collects what it
 * has places for, of run 0. `cancel` may be NULL. STATUS_CANCELLED, STATUS_MEMORY. */
enum status published_simulate(const struct published_loads *loads,
                               const struct reuse_config *config, unsigned wanted,
                               struct reuse_run runs[REUSE_RUNS], struct reuse_detail *detail,
                               const atomic_bool *cancel);

/* The five classes as the program prints them: differences of runs, clamped at 0. They do not add
 * up to the misses. */
void published_classes(const struct reuse_run runs[REUSE_RUNS], int64_t classes[REUSE_CLASSES]);
