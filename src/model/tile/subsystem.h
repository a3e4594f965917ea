/* The tile cache of a GPU that draws, in time: what the rasteriser hands over, the banks, the bus.
 *
 * The rasteriser hands over the requests of a stream in their order, up to tile.pipelines per
 * cycle, one at most to each bank, and waits while the next one's bank has no room. Within a cycle
 * the banks go first, the one with number 0 in front. A pass ends when all its requests have been
 * executed, all changed lines are in memory and the cache is empty, as where a texture unit or the
 * screen reads the surface next.
 *
 * With `carry` lines hold data: after the run the memory must be that of tile_reference, whatever
 * the configuration. Cycles in which nothing can happen are skipped; the counts are those of
 * stepping through all (tests/support/slow_tiles.c). Cost: tens of nanoseconds per cycle. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "model/tile/bank.h"
#include "schema/ideals.h"

/* How many requests lie in a miss queue, by cycles and banks. */
enum { TILE_QUEUE_MAX = 256 * 256 };

struct tile_counts {
    struct bank_counts banks; /* of all together; `longest` is the longest */
    uint64_t requests, reads;
    uint64_t loaded, stored;      /* lines from and to memory, past an L2 */
    uint64_t cycles, bank_cycles; /* bank_cycles: cycles that banks worked, without the ends of
                                   * passes */
    uint64_t input_stalls, bank_stalls; /* of the rasteriser: no room; one per cycle and bank */
    uint64_t queue_sum;                 /* requests in queues, summed over bank_cycles */
    uint64_t queue_p99;
    struct screen_load load;
};

struct tile_run_options {
    struct ideal_set ideals;  /* those that are no values of the machine */
    bool carry;               /* lines hold data */
    struct tile_maps *maps;   /* or NULL */
    struct tile_parts *parts; /* or NULL */
    const uint64_t *delays;   /* of reads, instead of latency and jitter (struct bus) */
    uint32_t delay_count;
    void (*done)(void *context, uint64_t serial); /* each request, as it is executed */
    bank_saw *saw;                                /* each event of a bank */
    void *context;
    const atomic_bool *cancel;
};

/* A machine that can be stepped and looked at. */
struct tile_subsystem {
    struct bank_shared shared;
    struct screen screen;
    struct bank banks[SCREEN_BANKS_MAX];
    uint32_t bank_count;
    bool even;      /* banks share what they do in a cycle, and their FIFOs (IDEAL_TILE_BANKS) */
    uint64_t now;   /* the next cycle */
    uint64_t until; /* cycles in which nothing can happen are skipped up to here */
    struct tile_counts counts;
    uint64_t *occupancy; /* [entries + 1]: bank_cycles by requests in the queue */
    struct tile_parts *parts;
};

/* STATUS_MEMORY or STATUS_INVALID (a machine without such a cache) leaves nothing to free. The
 * stream and the machine must outlive it. */
enum status tile_subsystem_init(struct tile_subsystem *tiles, const struct machine *machine,
                                const struct tile_stream *stream,
                                const struct tile_run_options *options);
void tile_subsystem_free(struct tile_subsystem *tiles);

/* Whether a bank can take a request: of even banks, whether all together can. */
bool tile_subsystem_has_room(const struct tile_subsystem *tiles, uint32_t bank);

/* One cycle, in which requests from `batch`, from *next on, are handed over. */
void tile_subsystem_step(struct tile_subsystem *tiles, const struct tile_batch *batch,
                         uint32_t *next);

/* ---- the end of a pass (model/tile/tile_run.h) ---- */

bool tile_subsystem_idle(const struct tile_subsystem *tiles);
/* Writes every changed line to memory and empties the cache. Returns the cycle in which all is
 * written. */
uint64_t tile_subsystem_empty(struct tile_subsystem *tiles);
/* Sums up the counts of a run that is over. */
void tile_subsystem_finish(struct tile_subsystem *tiles);

/* One that stands where another one does, without data, maps or parts; whoever looks on is of
 * `options`. STATUS_MEMORY. */
enum status tile_subsystem_copy(struct tile_subsystem *tiles, const struct tile_subsystem *from,
                                const struct tile_run_options *options);
