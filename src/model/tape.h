/* A stream of requests kept in memory, with the launches between them: what a level has sent to the
 * next one once can be simulated again without the levels before it.
 *
 * Requests are kept by unit (SM), each unit's on a track of its own, in 8 bytes each: the number of
 * the 16 bytes where it starts (cache/line_ids.h), the number of what else it is, and its place in
 * the common order. So a level whose units know nothing of each other is replayed track by track,
 * on any number of threads, and a level behind all of them in order of places. Requests at one
 * place are of one unit and stay in its order. Blocks of at most TAPE_PLACES places follow one
 * another; a launch begins a block.
 *
 * Not kept, as no level reads it: which parts of its bytes a load uses. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "model/cache/line_ids.h"
#include "model/gpu/issue.h"

enum { TAPE_PLACES = 1 << 16 };

struct tape_item {
    uint32_t granule; /* line id of 16 bytes; with TAPE_ODD the number of an odd request */
    uint16_t kind;    /* of the track's kinds, or TAPE_ODD */
    uint16_t place;   /* in its block */
};

/* A request that has no line id or kind is kept as it is. Kinds are at most TAPE_KINDS. */
enum { TAPE_KINDS = 1 << 15, TAPE_ODD = UINT16_MAX };

struct tape_track { /* of one unit */
    struct tape_item *items;
    uint32_t *ends; /* of each block: the first item behind it */
    size_t count, capacity, end_count, end_capacity;
    struct line_ids ids;
    struct request *kinds;           /* without an address */
    struct key_table words, kind_of; /* of kinds: all but the pc; number of that, then the pc */
    struct request *odd;
    size_t kind_count, kind_capacity, odd_count, odd_capacity;
    /* What was found last: neighbours are alike. */
    uint64_t last_word, last_region;
    uint32_t last_pc, last_number;
    uint16_t last_kind;
};

struct tape_block {
    const struct trace_launch *launch; /* that begins with this block, or NULL */
    uint32_t places;
    uint32_t number; /* of its first place, modulo 2^32 */
};

/* What has a place of its own where a tape is recorded in order. */
enum tape_places {
    PLACE_REQUEST,     /* each request */
    PLACE_INSTRUCTION, /* each warp instruction, by REQUEST_FIRST */
    PLACE_PC           /* each value of pc: numbers that ascend, modulo 2^32; they are given back */
};

struct tape {
    struct tape_track *tracks;
    struct tape_block *blocks;
    unsigned units;
    enum tape_places places;
    size_t block_count, block_capacity;
    size_t block_requests; /* of the block that is recorded in order */
    uint32_t number;       /* of the last place, whether anything was recorded there or not */
    uint64_t limit;
    atomic_ullong bytes;
    atomic_bool given_up;
    /* Of all requests, once it is finished. */
    bool stores_locally; /* some store goes to local memory */
    uint16_t largest;    /* bytes of one */
    unsigned spaces;     /* that they access (schema/spaces.h) */
};

/* Keeps at most `limit` bytes; NULL: no memory. */
struct tape *tape_create(unsigned units, enum tape_places places, uint64_t limit);
void tape_free(struct tape *tape); /* NULL is allowed */

/* ---- Recording in order. The launch must outlive the tape. Where there is no room the tape gives
 * up: recording never fails, it is in vain. */
void tape_launch(struct tape *tape, const struct trace_launch *launch);
/* All units are below those of the tape; no warp instruction is split over calls. */
void tape_append(struct tape *tape, const struct request *requests, size_t count);

/* ---- Recording unit by unit: first all blocks, then for each unit, by any thread, what it has in
 * each of them. */
enum status tape_add_block(struct tape *tape, struct tape_block block);
void tape_put(struct tape *tape, unsigned unit, uint16_t place, const struct request *request);
void tape_end_block(struct tape *tape, unsigned unit);

/* The stream went on to this place, and nothing more came. */
void tape_reach(struct tape *tape, uint32_t number);
/* Nothing more comes; then it may be read. Returns tape_whole. */
bool tape_finish(struct tape *tape);

/* ---- Reading. */

/* False once it has given up. */
bool tape_whole(const struct tape *tape);
uint64_t tape_requests(const struct tape *tape);
uint64_t tape_bytes(const struct tape *tape);
/* For what is kept of each item: where those of each unit begin if they follow each other, and the
 * end. malloc'ed; NULL: no memory. */
size_t *tape_starts(const struct tape *tape);

/* The request of one item: its address and all that is kept of it. */
static inline void tape_decode(const struct tape_track *track, struct tape_item item,
                               struct request *request)
{
    if (item.kind == TAPE_ODD) {
        *request = track->odd[item.granule];
        return;
    }
    *request = track->kinds[item.kind];
    request->address = line_ids_address(&track->ids, item.granule);
}

static inline uint64_t tape_address(const struct tape_track *track, struct tape_item item)
{
    if (item.kind == TAPE_ODD)
        return track->odd[item.granule].address;
    return line_ids_address(&track->ids, item.granule);
}

/* The items of one unit in a block: from *first to the end that is returned. */
static inline size_t tape_items(const struct tape *tape, unsigned unit, size_t block, size_t *first)
{
    const struct tape_track *track = &tape->tracks[unit];
    *first = block ? track->ends[block - 1] : 0;
    return track->ends[block];
}

struct tape_reference { /* an item */
    uint32_t unit, index;
};

struct tape_order { /* the items of a block in order; zeroed at first */
    struct tape_reference *items;
    size_t count, capacity;
    uint32_t *starts;
};

enum status tape_sort_block(const struct tape *tape, size_t block, struct tape_order *order);
void tape_order_free(struct tape_order *order);

/* Gives everything to the sink, in batches that split no place; progress is called after
 * each, with no counts but `transactions`, those played so far. */
enum status tape_play(const struct tape *tape, const struct issue_sink *sink);

/* Where a pass keeps the streams of its first machine; NULL: not wanted. */
struct tapes {
    struct tape *stream; /* all requests */
    struct tape *misses; /* what the L1D sends to the L2 */
    struct tape *walks;  /* the TLB's misses, as look-ups of pages (model/lookups.h) */
};
