/* Where on its surfaces a tile cache works, misses and waits: counts by line, and requests by bank
 * over time. A run fills them if it is asked to (tile_run_options).
 *
 * Cost: 24 B a line of the surfaces; a few additions a request. */
#pragma once

#include "model/tile/screen.h"

enum tile_count {
    TILE_COUNT_REQUESTS,
    TILE_COUNT_VALUES, /* values that these work on, those of clears left out */
    TILE_COUNT_MISSES,
    TILE_COUNT_READS,
    TILE_COUNT_CHAIN,  /* requests of its longest chain */
    TILE_COUNT_STALLS, /* cycles in which a look-up of the line waited */
    TILE_COUNTS
};

struct tile_maps {                     /* zero-initialized: empty */
    uint32_t *counts[TILE_COUNTS];     /* [lines]; one allocation, which counts[0] owns */
    uint64_t first[TILE_SURFACES_MAX]; /* of each surface in these arrays */
    uint32_t columns[TILE_SURFACES_MAX];
    uint64_t lines;
};

/* Zeroed maps for the surfaces of a stream. STATUS_MEMORY. */
enum status tile_maps_init(struct tile_maps *maps, const struct tile_stream *stream);
void tile_maps_free(struct tile_maps *maps);

static inline uint64_t tile_maps_place(const struct tile_maps *maps, uint32_t surface, uint32_t x,
                                       uint32_t y)
{
    return maps->first[surface] + (uint64_t)y * maps->columns[surface] + x;
}

static inline void tile_maps_add(const struct tile_maps *maps, const struct tile_request *request,
                                 enum tile_count count, uint64_t more)
{
    maps->counts[count][tile_maps_place(maps, request->surface, request->x, request->y)] +=
        (uint32_t)more;
}

/* Counts a request that comes. */
static inline void tile_maps_request(const struct tile_maps *maps,
                                     const struct tile_request *request)
{
    tile_maps_add(maps, request, TILE_COUNT_REQUESTS, 1);
    if (request->primitive != TILE_NO_PRIMITIVE)
        tile_maps_add(maps, request, TILE_COUNT_VALUES,
                      (unsigned)__builtin_popcount(request->mask));
}

/* Why a look-up did not happen in a cycle in which a request waited for it. */
enum bank_stall {
    BANK_RUNS,
    BANK_STALL_QUEUE,     /* the queue cannot take the miss */
    BANK_STALL_MISS,      /* a miss is outstanding, and the bank blocks */
    BANK_STALL_WRITEBACK, /* a result of the queue is written, which takes the ports */
    BANK_STALL_EXECUTE,   /* a hit, while an entry of the queue is executed */
    BANK_STALLS
};

/* Time in equal parts, each with what happened in it. The parts grow while the run goes on, so
 * nobody need know how long it will be: two neighbours become one whenever they fill the array. */
enum { TILE_PARTS_MAX = 512 };
struct tile_part {
    uint64_t requests[SCREEN_BANKS_MAX]; /* handed over to each bank */
    uint64_t stalls[BANK_STALLS];        /* cycles of look-ups, by cause, sum over banks */
    uint64_t input_stalls, bank_stalls;  /* of the rasteriser, as in tile_counts */
    uint64_t queued;                     /* requests in miss queues, sum over cycles and banks */
};
struct tile_parts {  /* zero-initialized: empty */
    uint64_t cycles; /* of a part; 0: nothing happened yet */
    struct tile_part items[TILE_PARTS_MAX];
};

void tile_part_add(struct tile_part *to, const struct tile_part *from);
/* The part of a cycle. */
struct tile_part *tile_parts_at(struct tile_parts *parts, uint64_t cycle);
