/* A stream of requests kept in memory, with the launches between them. It lets a later simulation
 * replay what one level sent to the next without simulating the earlier levels again.
 *
 * Requests are kept per instance (SM), in one section each, at 8 bytes per request: the number of
 * its 16-byte granule (cache/line_ids.h), the number of its kind (all other fields), and its place
 * in the common order. So a level with independent instances is replayed section by section on any
 * number of threads, and a level after all instances in the order of places. Requests at the same
 * place belong to one instance and keep its order. The stream is cut into blocks of at most
 * LOG_PLACES places; a launch starts a new block.
 *
 * Not kept, because no level reads it: which parts of its bytes a load uses. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "model/cache/line_ids.h"
#include "model/gpu/issue.h"

enum { LOG_PLACES = 1 << 16 };

struct log_item {
    uint32_t granule; /* id of its 16-byte granule; with LOG_ODD, number of the odd request */
    uint16_t kind;    /* number among the section's kinds, or LOG_ODD */
    uint16_t place;   /* place in its block */
};

/* A request without a line id or a kind is stored whole. There are at most LOG_KINDS kinds. */
enum { LOG_KINDS = 1 << 15, LOG_ODD = UINT16_MAX };

struct log_section { /* the requests of one instance */
    struct log_item *items;
    uint32_t *ends; /* [block]: the first item after it */
    size_t count, capacity, end_count, end_capacity;
    struct line_ids ids;
    struct request *kinds; /* [kind]: a request without its address */
    /* `words`: all fields of a kind but the pc; `kind_of`: number of the word, then the pc. */
    struct key_table words, kind_of;
    struct request *odd;
    size_t kind_count, kind_capacity, odd_count, odd_capacity;
    /* The last results, because consecutive requests are alike. */
    uint64_t last_word, last_region;
    uint32_t last_pc, last_number;
    uint16_t last_kind;
};

struct log_block {
    const struct trace_launch *launch; /* launch that starts this block, or NULL */
    uint32_t places;
    uint32_t number; /* number of its first place, modulo 2^32 */
};

/* What gets its own place when a log is recorded in order. */
enum log_places {
    PLACE_REQUEST,     /* each request */
    PLACE_INSTRUCTION, /* each warp instruction, by REQUEST_FIRST */
    PLACE_PC /* each value of pc: ascending numbers, modulo 2^32, which reading restores */
};

struct request_log {
    struct log_section *sections;
    struct log_block *blocks;
    unsigned instances;
    enum log_places places;
    size_t block_count, block_capacity;
    size_t block_requests; /* requests of the block being recorded in order */
    uint32_t number;       /* number of the last place, recorded or not */
    uint64_t limit;
    atomic_ullong bytes;
    atomic_bool given_up;
    /* About all requests, valid once the log is finished. */
    bool stores_locally; /* some store goes to local memory */
    uint16_t largest;    /* bytes of the largest request */
    unsigned spaces;     /* spaces that they access (schema/spaces.h) */
};

/* Creates a log that gives up beyond `limit` bytes. NULL: no memory. */
struct request_log *request_log_create(unsigned instances, enum log_places places, uint64_t limit);
void request_log_free(struct request_log *log); /* NULL is allowed */

/* ---- Recording in order. The launch must outlive the log. If space runs out the log gives up:
 * recording then has no effect, and request_log_whole is false. */
void request_log_launch(struct request_log *log, const struct trace_launch *launch);
/* Appends requests. All instances must exist in the log, and no warp instruction may be split over
 * calls. */
void request_log_append(struct request_log *log, const struct request *requests, size_t count);

/* ---- Recording instance by instance: first add all blocks, then record for each instance, on any
 * thread, its requests in each of them. */
enum status request_log_add_block(struct request_log *log, struct log_block block);
void request_log_put(struct request_log *log, unsigned instance, uint16_t place,
                     const struct request *request);
void request_log_end_block(struct request_log *log, unsigned instance);

/* The stream went on to this place without further requests. */
void request_log_reach(struct request_log *log, uint32_t number);
/* Ends the recording; the log may then be read. Returns request_log_whole. */
bool request_log_finish(struct request_log *log);

/* ---- Reading. */

/* False once the log has given up. */
bool request_log_whole(const struct request_log *log);
uint64_t request_log_requests(const struct request_log *log);
uint64_t request_log_bytes(const struct request_log *log);
/* Index of the first item of each instance if all sections are concatenated, and the total; for
 * arrays with a value per item. Free it with free(). NULL: no memory. */
size_t *request_log_starts(const struct request_log *log);

/* Decodes an item: its address and everything else that was kept. */
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

/* The items of one instance in a block: from *first to the returned end. */
static inline size_t request_log_items(const struct request_log *log, unsigned instance,
                                       size_t block, size_t *first)
{
    const struct log_section *section = &log->sections[instance];
    *first = block ? section->ends[block - 1] : 0;
    return section->ends[block];
}

struct log_reference { /* refers to an item */
    uint32_t instance, index;
};

struct log_order { /* the items of a block in the common order; zero it before the first use */
    struct log_reference *items;
    size_t count, capacity;
    uint32_t *starts;
};

enum status request_log_sort_block(const struct request_log *log, size_t block,
                                   struct log_order *order);
void log_order_free(struct log_order *order);

/* Sends everything to the sink, in batches that split no place. Progress is called after each
 * block; its counts have only `transactions`, the requests played so far. */
enum status request_log_play(const struct request_log *log, const struct issue_sink *sink);

/* The logs in which a pass records the streams of its first machine; NULL: not wanted. */
struct request_logs {
    struct request_log *stream; /* all requests */
    struct request_log *misses; /* what its L1D sends to the L2 */
    struct request_log *walks;  /* misses of its TLB: look-ups of pages (lru/cache_batch.h) */
};
