/* A stream of requests kept in memory, with the launches between them: what a level has sent to the
 * next one once can be simulated again without the levels before it.
 *
 * Requests are kept by instance (SM), each instance's in a section of its own, in 8 bytes each: the
 * number of the 16 bytes where it starts (cache/line_ids.h), the number of what else it is, and its
 * place in the common order. So a level whose instances know nothing of each other is replayed
 * section by section, on any number of threads, and a level behind all of them in order of places.
 * Requests at one place are of one instance and stay in its order. Blocks of at most LOG_PLACES
 * places follow one another; a launch begins a block.
 *
 * Not kept, as no level reads it: which parts of its bytes a load uses. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "model/cache/line_ids.h"
#include "model/gpu/issue.h"

enum { LOG_PLACES = 1 << 16 };

struct log_item {
    uint32_t granule; /* line id of 16 bytes; with LOG_ODD the number of an odd request */
    uint16_t kind;    /* of the section's kinds, or LOG_ODD */
    uint16_t place;   /* in its block */
};

/* A request that has no line id or kind is kept as it is. Kinds are at most LOG_KINDS. */
enum { LOG_KINDS = 1 << 15, LOG_ODD = UINT16_MAX };

struct log_section { /* of one instance */
    struct log_item *items;
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

struct log_block {
    const struct trace_launch *launch; /* that begins with this block, or NULL */
    uint32_t places;
    uint32_t number; /* of its first place, modulo 2^32 */
};

/* What has a place of its own where a log is recorded in order. */
enum log_places {
    PLACE_REQUEST,     /* each request */
    PLACE_INSTRUCTION, /* each warp instruction, by REQUEST_FIRST */
    PLACE_PC           /* each value of pc: numbers that ascend, modulo 2^32; they are given back */
};

struct request_log {
    struct log_section *sections;
    struct log_block *blocks;
    unsigned instances;
    enum log_places places;
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
struct request_log *request_log_create(unsigned instances, enum log_places places, uint64_t limit);
void request_log_free(struct request_log *log); /* NULL is allowed */

/* ---- Recording in order. The launch must outlive the log. Where there is no room the log gives
 * up: recording never fails, it is in vain. */
void request_log_launch(struct request_log *log, const struct trace_launch *launch);
/* All instances are below those of the log; no warp instruction is split over calls. */
void request_log_append(struct request_log *log, const struct request *requests, size_t count);

/* ---- Recording instance by instance: first all blocks, then for each instance, by any thread,
 * what it has in each of them. */
enum status request_log_add_block(struct request_log *log, struct log_block block);
void request_log_put(struct request_log *log, unsigned instance, uint16_t place,
                     const struct request *request);
void request_log_end_block(struct request_log *log, unsigned instance);

/* The stream went on to this place, and nothing more came. */
void request_log_reach(struct request_log *log, uint32_t number);
/* Nothing more comes; then it may be read. Returns request_log_whole. */
bool request_log_finish(struct request_log *log);

/* ---- Reading. */

/* False once it has given up. */
bool request_log_whole(const struct request_log *log);
uint64_t request_log_requests(const struct request_log *log);
uint64_t request_log_bytes(const struct request_log *log);
/* For what is kept of each item: where those of each instance begin if they follow each other, and
 * the end. malloc'ed; NULL: no memory. */
size_t *request_log_starts(const struct request_log *log);

/* The request of one item: its address and all that is kept of it. */
static inline void request_log_decode(const struct log_section *section, struct log_item item,
                                      struct request *request)
{
    if (item.kind == LOG_ODD) {
        *request = section->odd[item.granule];
        return;
    }
    *request = section->kinds[item.kind];
    request->address = line_ids_address(&section->ids, item.granule);
}

static inline uint64_t request_log_address(const struct log_section *section, struct log_item item)
{
    if (item.kind == LOG_ODD)
        return section->odd[item.granule].address;
    return line_ids_address(&section->ids, item.granule);
}

/* The items of one instance in a block: from *first to the end that is returned. */
static inline size_t request_log_items(const struct request_log *log, unsigned instance,
                                       size_t block, size_t *first)
{
    const struct log_section *section = &log->sections[instance];
    *first = block ? section->ends[block - 1] : 0;
    return section->ends[block];
}

struct log_reference { /* an item */
    uint32_t instance, index;
};

struct log_order { /* the items of a block in order; zeroed at first */
    struct log_reference *items;
    size_t count, capacity;
    uint32_t *starts;
};

enum status request_log_sort_block(const struct request_log *log, size_t block,
                                   struct log_order *order);
void log_order_free(struct log_order *order);

/* Gives everything to the sink, in batches that split no place; progress is called after
 * each, with no counts but `transactions`, those played so far. */
enum status request_log_play(const struct request_log *log, const struct issue_sink *sink);

/* Where a pass keeps the streams of its first machine; NULL: not wanted. */
struct request_logs {
    struct request_log *stream; /* all requests */
    struct request_log *misses; /* what the L1D sends to the L2 */
    struct request_log *walks;  /* the TLB's misses: look-ups of pages (lru/cache_batch.h) */
};
