/* The whole machine in time: SMs, network and memory channels advance together through a source.
 *
 * A request that leaves an SM reaches the tags of the L2 no sooner than `l2.latency` cycles later.
 * So channels can be simulated for that many cycles before the SMs are, and the SMs for as many
 * before the network carries what they sent: a span of cycles is simulated part by part, each part
 * with the caches of the host to itself, and parts of one kind on different threads. In spans of
 * half that length one thread carries the requests of the span before while others advance the
 * channels (gpu_requests_come_later).
 *
 * Within a span an SM depends on others only where it takes a new block, and where its requests may
 * not find room in the network; it stops there until all SMs have come as far (give_blocks,
 * resume_starved). Channels stop likewise where replies may find no room (resume_channels). The
 * result is that of stepping everything cycle by cycle, on any number of threads.
 *
 * Cost: time is linear in cycles in which something happens, memory in resident warps and requests
 * in flight. */
#pragma once

#include "model/evaluate_options.h"
#include "model/timing/memory/channel.h"
#include "model/timing/memory/mmu.h"
#include "model/timing/sm/sm.h"

struct gpu_counts { /* of one launch, or of all */
    uint64_t cycles, blocks;
    struct sm_counts sm;
    struct cache_unit_counts l0, l1i, l1d, l2, tlb;
    struct stream_counts stream;
    struct mmu_counts mmu;
    struct pwc_counts walks;
    struct dram_counts dram;
    struct channel_counts channels;
    uint64_t reply_bytes;
    /* That the network delivered, and could have: flits, or packets where they have none. */
    uint64_t request_flits, request_peak, reply_flits, reply_peak;
    uint64_t l1d_peak;              /* accesses that all banks could have looked up */
    uint64_t l2_cycles, dram_ticks; /* of all slices, and channels */
    /* Of all instances: sums of their gauges, and the times that these are over. */
    uint64_t gauge_sums[GAUGE_COUNT], gauge_times[GAUGE_COUNT];
    uint64_t bypassed_pcs; /* instructions of which some SM bypassed misses */
};

/* What is known of a run as a whole: parts of it do not add up to this. */
struct gpu_totals {
    uint64_t latencies[LATENCY_BUCKETS]; /* histogram of the loads, see latency_bucket */
    uint32_t most[GAUGE_COUNT];          /* in any instance */
    /* Cycles that issue alone takes: of each launch, the most instructions of any scheduler, over
     * the issue width. */
    uint64_t bound;
};

/* Counts at the moments when so many blocks of the source have been given to SMs, in increasing
 * order. An SM that gets no block just then is up to a span ahead. */
struct gpu_marks {
    const uint64_t *blocks;
    struct gpu_counts *counts;
    size_t count;
};

struct gpu_options {
    uint32_t threads;
    uint32_t span;       /* at most this many cycles part by part; 0: as many as can be */
    unsigned classified; /* stages whose misses are classified */
    const struct evaluate_options *evaluate; /* may be NULL */
    const struct gpu_marks *marks;           /* may be NULL */
    /* Called after each launch with its counts; may be NULL. */
    void (*launched)(void *context, uint32_t launch, const struct gpu_counts *counts);
    /* Called with the counts so far after the first span, and then after the first span that ends
     * at or after the cycle that it returned; may be NULL. */
    uint64_t (*sampled)(void *context, const struct gpu_counts *counts);
    void *context;
    struct run_proof *proof; /* model/timing/run_proof.h; may be NULL */
    struct pc_table *pcs;    /* model/cache/pc_table.h: gets counts by instruction; may be NULL */
    struct timing_warps *warps; /* model/timing/base/timing_log.h: gets a row a warp; may be NULL */
    const struct event_watch *events; /* gets what happens, in order; may be NULL */
};

/* A run. It is as long as it is open; `machine`, `source` and `options` must outlive it. */
struct gpu;

/* Begins to run all launches of `source`, which must know its instructions (trace_source_timed). */
enum status gpu_open(const struct machine *machine, const struct trace_source *source,
                     const struct gpu_options *options, struct diagnostics *diagnostics,
                     struct gpu **gpu);
/* Goes on to the end of the first span that ends at or after core cycle `cycle`, or of the run.
 * STATUS_CANCELLED at the end of an earlier span, from which another call goes on. */
enum status gpu_advance(struct gpu *gpu, uint64_t cycle);
bool gpu_ended(const struct gpu *gpu);
/* The first core cycle that has not been simulated. */
uint64_t gpu_cycle(const struct gpu *gpu);
/* The counts and totals so far. Returns the first failure of the run, or STATUS_MEMORY. */
enum status gpu_read(struct gpu *gpu, struct gpu_counts *counts, struct gpu_totals *totals);
void gpu_close(struct gpu *gpu); /* NULL is allowed */

/* Makes a run that stands where `gpu` stands, between two calls of gpu_advance; from there each
 * goes on by itself. `options` are the copy's, and ask for the same views; their `pcs` and `warps`
 * get the launches that end after the copy. The copies of a run are made and closed by one thread.
 * STATUS_MEMORY, or what the source says. Cost: all memory of the run, and its open blocks are read
 * anew. */
enum status gpu_copy(const struct gpu *gpu, const struct gpu_options *options, struct gpu **copy);

/* About how much memory a run takes, but for what its source keeps of the blocks that are open. */
size_t gpu_bytes(const struct gpu *gpu);

/* A hash of where a run stands: of its counts, and of what decides how it goes on: warps,
 * schedulers, throttles, instructions in the pipes, lines and MSHRs of all caches, packets, DRAM
 * requests and walks. It leaves out what policies of replacement and of bypass, and page-walk
 * caches, have learned. Equal runs have equal ones. */
uint64_t gpu_hash(const struct gpu *gpu);

/* All of a run: gpu_open, gpu_advance to its end, gpu_read, gpu_close. */
enum status gpu_run(const struct machine *machine, const struct trace_source *source,
                    const struct gpu_options *options, struct gpu_counts *counts,
                    struct gpu_totals *totals, struct diagnostics *diagnostics);
