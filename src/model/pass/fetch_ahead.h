/* What stands around an instruction cache at the functional depth, where a line that is asked for
 * is there at once. (In time: model/timing/sm/fetch_l0.c and stream_buffer.h.)
 *
 * L0s: small caches in front of it, fully associative, LRU; the warps of an SM take turns among
 * them (R. Huerta et al., "Dissecting and modeling the architecture of modern GPU cores", MICRO
 * 2025: one for each sub-core). A stream buffer after it: a queue of the lines that follow a miss.
 * Only its head is compared; a miss that finds its line there takes it, and the queue reads one
 * more; any other miss makes it begin anew (N. Jouppi, ISCA 1990, section 4).
 *
 * Neither changes what the cache holds but for the fetches that L0s keep from it. Cost: an L0
 * compares its lines from the last used on. */
#pragma once

#include "model/gpu/request.h"
#include "schema/machine.h"

struct fetch_ahead;

struct fetch_ahead_counts {
    uint64_t l0_accesses, l0_misses, buffer_hits, prefetches;
};

/* *ahead is NULL where the machine has neither. STATUS_MEMORY. */
enum status fetch_ahead_create(const struct machine *machine, struct fetch_ahead **ahead);
void fetch_ahead_free(struct fetch_ahead *ahead); /* may be NULL */

/* Copies the fetches that the L0s miss, in order; returns how many they are. `counted`: that is on,
 * besides what each request says. */
size_t fetch_ahead_miss(struct fetch_ahead *ahead, const struct request *fetches, size_t count,
                        bool counted, struct request *out);
/* Looks the misses of the cache up in the stream buffers. */
void fetch_ahead_stream(struct fetch_ahead *ahead, const struct request *misses, size_t count,
                        bool counted);

struct fetch_ahead_counts fetch_ahead_read_counts(const struct fetch_ahead *ahead);
