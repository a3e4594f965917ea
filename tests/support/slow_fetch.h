/* The slow, obvious twin of what an SM fetches through (model/timing/sm/fetch.c, fetch_l0.c,
 * stream_buffer.h), written from docs/MODELS.md: L0s, an L1I of LRU or FIFO, a stream buffer.
 * Every array is searched from one end to the other; nothing is skipped. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "schema/machine.h"

struct slow_fetch;

struct slow_fetch_counts {
    uint64_t l0_accesses, l0_misses; /* misses: lines asked for */
    uint64_t accesses, misses, tag_reads, buffer_hits, prefetches;
};

enum slow_answer { SLOW_HERE, SLOW_LATER, SLOW_REFUSED };

/* `parts`: replies to a request. Never NULL: aborts if memory is short. */
struct slow_fetch *slow_fetch_new(const struct instruction_cache_config *config, unsigned parts);
void slow_fetch_free(struct slow_fetch *fetch);

/* What happens in a cycle before anything is fetched. */
void slow_fetch_begin(struct slow_fetch *fetch, uint64_t now);
/* A warp whose fetch comes in this cycle, through a pipeline of hits or from an L0 that missed; -1:
 * none. */
int slow_fetch_due(struct slow_fetch *fetch, uint64_t now);
/* The same of the misses of an L1I without L0s, which take the place of a fetch. */
int slow_fetch_ready(struct slow_fetch *fetch);
/* Whether no fetch is looked up now. */
bool slow_fetch_blocked(const struct slow_fetch *fetch);
/* A warp asks for the line of an address. */
enum slow_answer slow_fetch_ask(struct slow_fetch *fetch, unsigned warp, uint64_t address,
                                uint64_t now);
/* A warp that has no further instruction learns that as if it had fetched. */
enum slow_answer slow_fetch_end(struct slow_fetch *fetch, unsigned warp, uint64_t now);
/* What goes to the next level: the number that its replies say; -1: nothing. */
int64_t slow_fetch_send(struct slow_fetch *fetch);
void slow_fetch_reply(struct slow_fetch *fetch, int64_t number, uint64_t now);

struct slow_fetch_counts slow_fetch_read_counts(const struct slow_fetch *fetch);
