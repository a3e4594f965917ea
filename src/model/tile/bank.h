/* One bank of a tile cache, cycle by cycle: a FIFO of requests, one look-up per cycle, and a queue
 * of what missed.
 *
 * The miss queue keeps a chain for each line that it waits for: a head, a tail, and in each entry
 * the next one. A miss of a line that has a chain becomes its new tail and reads nothing; any other
 * begins a chain and reads its line. Returned data are not written into the cache: they go to the
 * head, each result goes on to the next entry of the chain (so its line's writes merge), and the
 * last one writes the line back, which updates tags and data and takes the ports from the look-up
 * for that cycle. So chains are executed in the order in which data return, and requests of one
 * line in their own order, which is all that a picture needs (Zhao, Zhang and Zhang, 2022). What
 * the paper leaves open: a full queue stalls the look-up; the chain of a line exists until it is
 * written back, so nobody reads a line that is on its way; a victim is written to memory where it
 * changed; a line that is overwritten as a whole, or known to be cleared, need not be read; and a
 * hit waits while an entry is executed, because a bank has one unit that executes.
 *
 * With tile.prefetch a bank reads lines ahead, which the paper names as future work: after a miss
 * that reads its line, those to the right of it that are the bank's, one per cycle in which no
 * request is looked up. A chain whose head executes nothing stands for such a line, so requests of
 * it join, and the last one writes it back as always. A prefetch leaves an entry and a chain to the
 * requests, looks at no clear bits and ends with its pass.
 *
 * Other kinds (enum tile_queue_kind) are the same bank with other rules, which are traits: without
 * chains each entry reads for itself and looks the line up again after another one; a conventional
 * queue writes returned data into the cache first, then its requests execute there one by one, on
 * ports of their own; and a blocking bank looks nothing up while it waits.
 *
 * Invariant: requests of one line are executed in their order, on what the one before left; so with
 * data (tile_run_options.carry) memory ends as tile_reference leaves it. Cost of a cycle: linear in
 * the chains, and in the ways. */
#pragma once

#include "model/tile/bus.h"
#include "model/tile/maps.h"
#include "model/tile/screen.h"
#include "model/tile/tags.h"

enum { BANK_NONE = UINT32_MAX };

struct bank_counts {
    uint64_t cleared, accesses, misses;
    uint64_t chains, chained; /* chains begun; misses that joined one */
    uint64_t unread;          /* chains that needed no read */
    uint64_t prefetches;      /* lines read ahead of their requests */
    uint64_t longest;         /* requests of the longest chain */
    uint64_t cache_writes, refills, tag_updates, writebacks;
    uint64_t stalls[BANK_STALLS];
};

struct bank_item { /* a request on its way */
    struct tile_request request;
    uint64_t line;   /* number in its bank */
    uint64_t serial; /* in the stream; BANK_AHEAD: a prefetch */
};
#define BANK_AHEAD UINT64_MAX

static inline bool bank_item_is_ahead(const struct bank_item *item)
{
    return item->serial == BANK_AHEAD;
}

struct bank_entry {
    struct bank_item item;
    uint32_t next; /* of its chain, or of the free entries; BANK_NONE: the last */
};

struct bank_chain {
    uint64_t line, address;
    uint64_t due; /* cycle in which its data are there */
    uint32_t head, tail;
    uint32_t length;  /* entries so far, those executed included */
    uint32_t waiting; /* of these, those in the queue */
    bool ahead;       /* a prefetch began it */
    uint32_t slot;    /* refilled: of the tags */
    bool unread;      /* it needed no data from memory */
    bool refilled;    /* its line is in the cache already */
    bool changed;     /* a result so far changed the line */
    bool behind;      /* another chain of its line is older (without joins) */
    bool stale;       /* it began after another chain: its data may be old */
};

struct bank {
    uint32_t number;
    struct bank_item *fifo; /* a ring */
    uint32_t (*fifo_values)[TILE_VALUES];
    uint32_t fifo_first, fifo_count;
    struct bank_entry *entries;
    uint32_t (*values)[TILE_VALUES]; /* [entries]: new values; NULL without data */
    uint32_t (*lines)[TILE_VALUES];  /* [entries]: what the line held before the entry */
    uint32_t free_entry, used;       /* used: entries in the queue */
    struct bank_chain *chains;       /* the oldest first */
    uint32_t chain_count;
    uint32_t running;          /* index of the chain that is executed, or BANK_NONE */
    struct tile_request ahead; /* the line that was read last, of those to read ahead */
    uint32_t ahead_left;       /* how many lines to its right are still to be read */
    uint64_t next_due;
    enum bank_stall stall; /* of the last cycle */
    bool moved;            /* something happened in the last cycle */
    uint64_t waited;       /* number of the request that was said to wait last, plus 1, */
    enum bank_stall cause; /* ... and what it waited for */
    struct bank_counts counts;
};

/* What a bank does, for those who look on (tile_run_options.saw). */
enum bank_event_kind {
    BANK_CLEARED,    /* the clear bits answer a request */
    BANK_HIT,        /* a request finds its line, and is executed */
    BANK_BEGUN,      /* a miss begins a chain */
    BANK_JOINED,     /* a miss becomes the tail of a chain */
    BANK_PREFETCHED, /* a chain without requests begins: its line is read ahead */
    BANK_STALLED,    /* a request waits for its look-up (once a cause and request) */
    BANK_FORWARDED,  /* the head of a chain was executed; its result goes on to the next entry */
    BANK_WRITTEN,    /* the last of a chain was executed; its line is written back */
    BANK_FILLED,     /* returned data are written into the cache */
    BANK_EXECUTED,   /* an entry was executed in the cache, which has its line by now */
    BANK_READ_AGAIN, /* what an older chain left of the line is in memory again */
    BANK_EMPTIED     /* the pass ends: changed lines are in memory, the cache is empty */
};
struct bank_event {
    enum bank_event_kind kind;
    enum bank_stall stall; /* of BANK_STALLED */
    uint64_t cycle;
    const struct bank_item *item; /* NULL: BANK_EMPTIED */
    uint32_t entry, other;        /* its entry, and the next one of its chain (BANK_JOINED: the one
                                   * before);        BANK_NONE: there is none */
    uint64_t due;                 /* of BANK_BEGUN, BANK_PREFETCHED, BANK_READ_AGAIN: when the data
                                   * are there */
    bool first;                   /* the chain's data have just returned */
    bool unread;                  /* of a chain that needed no data */
    bool behind;                  /* of BANK_BEGUN: an older chain of its line exists */
    struct tags_victim victim;    /* of BANK_WRITTEN, BANK_FILLED: what had to leave */
};
struct bank;
/* The bank is as after the event. */
typedef void bank_saw(void *context, const struct bank *bank, const struct bank_event *event);

/* What the banks of a cache share. */
struct bank_shared {
    const struct tile_config *config;
    unsigned traits;          /* enum tile_queue_trait */
    uint32_t fifo;            /* requests in a bank's FIFO, at most */
    uint32_t entries, chains; /* of a bank's queue, at most */
    uint32_t merge;           /* requests of a chain in the queue, at most */
    bool reads_all;           /* every miss reads its line */
    bool free_ports;          /* the queue takes nothing from the look-up (IDEAL_TILE_PORTS) */
    struct tags tags;
    struct bus bus;
    uint32_t (*data)[TILE_VALUES]; /* [tags.slots]; NULL without data */
    struct tile_memory memory;
    const struct screen *screen;
    const struct tile_surface *surfaces; /* of the stream */
    struct tile_maps *maps;              /* or NULL */
    bank_saw *saw;                       /* or NULL */
    bool stop;                           /* set by those who have seen enough */
    /* Told of each request when it has been executed; or NULL. */
    void (*done)(void *context, uint64_t serial);
    void *context;
    uint64_t wrong; /* requests whose values did not pass as the stream says */
};

/* What the configuration says of a bank's queue: traits, entries, chains, merge. */
void bank_limits(struct bank_shared *shared, const struct tile_config *config);
enum status bank_init(struct bank *bank, const struct bank_shared *shared, uint32_t number);
void bank_free(struct bank *bank);
/* One in the same state, of a cache without data. STATUS_MEMORY. */
enum status bank_copy(struct bank *bank, const struct bank_shared *shared, const struct bank *from);

static inline bool bank_has_room(const struct bank *bank, const struct bank_shared *shared)
{
    return bank->fifo_count < shared->fifo;
}
/* Puts a request into the FIFO, which must have room. `values` may be NULL without data. */
void bank_put(struct bank *bank, const struct bank_shared *shared, const struct bank_item *item,
              const uint32_t *values);

/* One cycle: the queue goes first, then the look-up. */
void bank_step(struct bank *bank, struct bank_shared *shared, uint64_t now);

/* Counts cycles whose look-up did as that of the last one. */
void bank_stalled(struct bank *bank, const struct bank_shared *shared, uint64_t cycles);

/* Nothing waits in it. */
static inline bool bank_idle(const struct bank *bank)
{
    return !bank->fifo_count && !bank->chain_count;
}
