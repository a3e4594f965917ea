/* One cache in time: an L1D, an L1I or a slice of the L2, with lines that are reserved for data in
 * flight, MSHRs that requests merge into, and a queue of what it sends to the next level.
 *
 * The rules are those of GPGPU-Sim 4.2 (docs/MODELS.md, "Timing"): what counts as a hit, a pending
 * hit, a miss or a sector miss, in which order a request's needs are tested, and which way is
 * replaced. A request that the cache cannot take changes nothing and is tried again by the caller.
 * Invariants: a line with a reserved sector is never replaced; every MSHR is freed when the
 * last request that joined it is taken (cache_unit_take).
 *
 * Cost: a look-up compares the tags of a set; MSHRs are found by hashing. */
#pragma once

#include "base/arrays.h"
#include "model/bypass/bypass.h"
#include "model/cache/geometry.h"
#include "model/cache/pc_table.h"
#include "model/throttle/throttle.h"
#include "model/timing/base/gauge.h"
#include "model/timing/base/limit.h"
#include "model/timing/base/packet.h"
#include "model/timing/base/timing_events.h"

enum unit_outcome {
    UNIT_HIT,
    UNIT_PENDING, /* the data are on their way (GPGPU-Sim: HIT_RESERVED) */
    UNIT_MISS,
    UNIT_SECTOR_MISS, /* the line is there, this sector is not */
    UNIT_OUTCOMES,
    /* The request could not be taken, for one of these reasons. */
    UNIT_FAIL = UNIT_OUTCOMES,
    UNIT_FAIL_LINE = UNIT_FAIL, /* all lines of the set are reserved, or too few are dirty */
    UNIT_FAIL_MISS_QUEUE,
    UNIT_FAIL_MSHR,
    UNIT_FAIL_MERGE,
    UNIT_FAIL_WRITE, /* a store to a block for which a store and then a read wait */
    UNIT_RESULTS
};

static inline bool unit_missed(enum unit_outcome outcome)
{
    return outcome == UNIT_MISS || outcome == UNIT_SECTOR_MISS;
}

enum { UNIT_RECENT = 8 };

struct cache_unit_counts {
    uint64_t reads[UNIT_OUTCOMES], writes[UNIT_OUTCOMES];
    uint64_t fails[UNIT_RESULTS - UNIT_FAIL]; /* tries that failed, by reason */
    uint64_t writebacks, read_bytes, write_bytes;
    uint64_t bytes;    /* of the requests that were taken */
    uint64_t bypassed; /* of the reads that missed or were merged, those that did not allocate */
    uint64_t repeated; /* accesses to the line of the one before, which read no tags (same_line) */
    uint64_t classes[MISS_CLASSES]; /* of its misses, where it has a shadow */
};

struct unit_line {
    /* Sectors: with data (clean or dirty); in flight; dirty; written ones that can be read; and
     * what becomes of those in flight. A sector is in at most one of `valid` and `reserved`. */
    uint32_t valid, reserved, dirty, readable, fill_dirty, fill_readable;
};

#define NO_TAG UINT64_MAX /* of an empty line */

/* What a search for a victim must know of a line. */
enum unit_hold { HOLD_DATA = 1, HOLD_RESERVED = 2, HOLD_DIRTY = 4 };

struct mshr_target { /* a request merged into an MSHR */
    uint32_t id, next;
    uint64_t issued, joined;
    uint32_t touched;
    uint16_t sm;
    uint8_t kind, flags;
    uint64_t address;
    uint32_t pc;
    /* As of its packet; from cache_unit_take: what its data spent there (`l2`: above it alone). */
    uint32_t l2, dram;
    uint32_t waited; /* from cache_unit_take: cycles from its merge to the data */
    uint16_t bytes, warp;
};

struct mshr { /* a block in flight */
    uint64_t block;
    uint64_t index;       /* of its line, for the set index */
    uint32_t line;        /* index of its line; on_fill: not known */
    bool passed;          /* no request merged into it allocates */
    uint32_t first, last; /* targets, in order */
    uint32_t targets;     /* how many */
    uint32_t parts;       /* replies that must still come */
    uint32_t next;        /* in its hash chain, or in the list of free ones */
    uint32_t ready_next;
    bool writing;          /* a store waits for the block */
    bool read_after_write; /* ... and a read after it */
    uint64_t filled;       /* when the last reply came */
    uint32_t l2, dram;     /* of that reply */
};

struct unit_effect;

struct cache_unit {
    /* How it looks requests up: as it is, or with every one a hit (cache_unit_set_hits). */
    enum unit_outcome (*access)(struct cache_unit *unit, const struct packet *request,
                                uint64_t index, uint64_t now, struct unit_effect *effect);
    const struct replacement_policy *policy; /* NULL: lru or fifo by `used` */
    bool fifo, on_fill, sectored, through, local_back, evict;
    uint32_t clean_parts; /* all sectors, where a store may leave one in parts that is not dirty */
    bool above;           /* of an SM: its replies say where they spent their time */
    bool instructions; /* L1I and TLBs: reads alone; tests one free place of the miss queue, not two
                        */
    bool strays;       /* data go to the line that was reserved, whatever it holds now */
    bool any_way;      /* the policy chooses the way even while some are empty */
    bool blocking;     /* while a block is in flight every request is refused */
    bool same_line;    /* a request to the line of the one before changes no order, */
    bool repeats;      /* as the one that is looked up now */
    uint64_t last_line;
    int write_allocate;
    uint32_t block_bytes; /* of an MSHR: a sector, or a line */
    uint32_t part_bytes;  /* a miss is answered in parts of so many; its owner may make it less */
    uint32_t ways;        /* of this launch */
    uint64_t seed;
    uint64_t dirty_limit; /* dirty lines from which dirty ones may be replaced */
    uint64_t dirty_lines;
    /* [sets x most ways], in rows of `ways_max`: */
    uint64_t *tags; /* numbers of the lines; NO_TAG: empty */
    uint64_t *used; /* last accesses; FIFO: allocations */
    uint8_t *holds; /* of enum unit_hold */
    uint8_t *marks; /* a byte of a hash of each tag that was put there last (mark_of) */
    struct unit_line *lines;
    bool empty;  /* since it was flushed */
    bool evicts; /* a line was replaced or dropped, or a request found none to replace */
    bool failed; /* no memory for a request: nothing that it does means anything any more */
    uint32_t ways_max;
    uint32_t *written;     /* [lines x sectors]: which 32nds of a sector were written */
    unsigned char *states; /* replacement state of each set */
    size_t state_bytes;
    void *shared; /* ... of all sets */
    struct mshr *mshrs;
    uint32_t *heads;     /* hash of blocks */
    uint32_t mshrs_made; /* in `mshrs` */
    uint32_t head_mask, mshrs_used, free_mshr;
    struct limit entries, merge, places; /* MSHRs; requests of one; what waits in `misses` */
    struct gauge in_use, merged, queued; /* of these limits */
    uint32_t ready_first, ready_last;    /* entries whose data are there */
    struct mshr_target *targets;
    uint32_t target_count, free_target;
    struct bypass *bypass;     /* an L1D's, which its owner frees; NULL: every miss allocates */
    struct throttle *throttle; /* of its SM, whose owner frees it; NULL: no warp is stopped */
    struct packet_pool packets;
    struct packet_queue misses;   /* to the next level */
    struct event_log *events;     /* gets what happens here; NULL: nobody watches */
    const uint64_t *event_cycle;  /* ... in this cycle of its owner, */
    uint16_t event_place;         /* ... as of this place, */
    uint8_t event_first;          /* ... in kinds from EVENT_l1d_hit or EVENT_l2_hit on */
    struct shadow *shadow;        /* classifies its misses (cache_classes.h); NULL: nobody asked */
    enum miss_class last_class;   /* of the last miss */
    uint64_t changes;             /* of anything that a request's outcome depends on */
    uint32_t recent[UNIT_RECENT]; /* by the last bits of their numbers: lines that reads hit */
    struct cache_unit_counts counts;
    struct geometry geometry; /* large, so last, as is: */
    struct arrays arrays;     /* those above but for MSHRs, targets and packets */
};

/* What happened beside the outcome of an access. */
struct unit_effect {
    bool sent_write;  /* the store itself goes to the next level, which acknowledges it */
    bool sent_fetch;  /* a store that misses made the cache read its block */
    bool sent_past;   /* the load itself goes to the next level, which answers past this cache */
    uint32_t evicted; /* bytes read out for a write-back */
};

/* `ways` is the most that any launch has. STATUS_INVALID: not a legal cache. STATUS_UNSUPPORTED:
 * its replacement needs the future. */
enum status cache_unit_init(struct cache_unit *unit, const struct cache_config *config,
                            uint64_t ways, uint64_t seed);
void cache_unit_free(struct cache_unit *unit);
/* The unit is a copy of the bytes of another one, and gets memory of its own (base/arrays.h) but
 * for its bypass policy. */
MUST_CHECK bool cache_unit_copy(struct cache_unit *unit);

/* Sets how many ways a launch has, and empties the cache if that changes. */
void cache_unit_set_ways(struct cache_unit *unit, uint64_t ways);
/* Whether a line is taken when its data arrive; cache_unit_init sets what a cache does that knows
 * no launches. */
static inline void cache_unit_set_on_fill(struct cache_unit *unit, bool on_fill)
{
    unit->on_fill = on_fill;
}
/* Drops every line. Lines in flight arrive without finding their place. */
void cache_unit_flush(struct cache_unit *unit);

/* Looks a request up at `now`. `index` is the number of its line as the set index sees it. A
 * request spans one block at most. */
static inline enum unit_outcome cache_unit_access(struct cache_unit *unit,
                                                  const struct packet *request, uint64_t index,
                                                  uint64_t now, struct unit_effect *effect)
{
    return unit->access(unit, request, index, now, effect);
}
/* From now on every request finds its data, and no line is kept: an ideal. A store goes on to the
 * next level where a hit's does (write_through, write_evict), else it is absorbed. */
void cache_unit_set_hits(struct cache_unit *unit);
/* The same of requests with PACKET_HITS. */
void cache_unit_set_some_hits(struct cache_unit *unit);
/* What `access` is otherwise. */
enum unit_outcome unit_access(struct cache_unit *unit, const struct packet *request, uint64_t index,
                              uint64_t now, struct unit_effect *effect);

/* Whether it refuses everything until a block in flight has been taken. */
static inline bool cache_unit_blocked(const struct cache_unit *unit)
{
    return unit->blocking && unit->mshrs_used;
}

/* As cache_unit_access for a read of a cache without sectors (L1I, TLB) that hits a line which was
 * hit not long ago, and none of whose kin was since. False: not known to hit, and nothing is
 * changed. */
static inline bool cache_unit_read_again(struct cache_unit *unit, uint64_t number, uint64_t now)
{
    const uint32_t line = unit->recent[number % UNIT_RECENT];
    if (unit->tags[line] != number || !unit->lines[line].valid || unit->policy ||
        cache_unit_blocked(unit))
        return false;
    unit->counts.repeated += unit->same_line && unit->last_line == number;
    unit->last_line = number;
    if (!unit->fifo)
        unit->used[line] = now;
    unit->counts.reads[UNIT_HIT]++;
    unit->changes++;
    return true;
}

/* What happens goes to `log` from now on, with `place`, in kinds from `first` on and in the cycle
 * that *cycle then says; NULL: nobody watches. */
static inline void cache_unit_watch(struct cache_unit *unit, uint32_t place, enum event_kind first,
                                    const uint64_t *cycle, struct event_log *log)
{
    unit->events = log;
    unit->event_cycle = cycle;
    unit->event_place = (uint16_t)place;
    unit->event_first = (uint8_t)first;
}
/* Tells whoever watches what became of a request, a refused one too; `id` and `cycle` are the
 * event's. */
void cache_unit_tell(const struct cache_unit *unit, const struct packet *request, uint32_t id,
                     uint64_t cycle, enum unit_outcome outcome);

/* A reply arrived; its id is that of the miss. */
void cache_unit_fill(struct cache_unit *unit, const struct packet *reply, uint64_t now);

/* Whether a request waits that has its data; takes one. */
static inline bool cache_unit_has_ready(const struct cache_unit *unit)
{
    return unit->ready_first != UINT32_MAX;
}
struct mshr_target cache_unit_take(struct cache_unit *unit, uint64_t now);

/* The requests that wait in its MSHRs. */
uint64_t cache_unit_waiting(const struct cache_unit *unit);

/* The head of the misses went on. */
static inline void cache_unit_sent(struct cache_unit *unit, uint64_t now)
{
    gauge_leave(&unit->queued, now);
    packet_queue_pop(&unit->packets, &unit->misses);
    unit->changes++;
}

/* Whether a request that was refused when the cache had seen `changes` is sure to be refused for
 * the same reason again. (Some policies choose another victim each time that they are asked.) */
static inline bool cache_unit_refuses(const struct cache_unit *unit, uint64_t changes)
{
    return unit->changes == changes && !unit->policy && !unit->bypass;
}
/* Counts such a try. */
static inline void cache_unit_refuse(struct cache_unit *unit, enum unit_outcome reason)
{
    unit->counts.fails[reason - UNIT_FAIL]++;
}
