#include "support/slow_fetch.h"

#include <stdlib.h>

#include "schema/families.h"
#include "support/zeroed.h"

enum { LINES = 4096, WAITERS = 256, REQUESTS = 1 << 16, L0S = 16 };

struct slow_way {
    uint64_t line, used;
    bool full;
};

struct slow_miss {
    uint64_t line, order, ready; /* order: in which it was filled; ready: when it may go on */
    unsigned waiters[WAITERS], count, taken, parts;
    bool live, filled;
};

struct slow_icache {
    uint64_t sets, ways, entries, merge, queue;
    bool fifo;
    struct slow_way way[LINES];
    struct slow_miss misses[WAITERS]; /* live ones come before free ones */
    unsigned queued[WAITERS], queue_count;
    uint64_t fills, accesses, sends, repeated, last;
};

struct request { /* to the next level: a miss of the L1I, or a line of the stream buffer */
    uint64_t line;
    unsigned miss, here;
    bool ahead, dropped, taken;
};

struct hit {
    uint64_t due;
    unsigned who;
};

struct slow_fetch {
    const struct instruction_cache_config *config;
    unsigned parts;
    struct slow_icache l1i, l0s[L0S];
    struct hit hits[WAITERS], to_l0[WAITERS];
    unsigned hit_count, to_l0_count, asks, gives;
    struct request requests[REQUESTS]; /* never used again */
    unsigned request_count;
    unsigned stream[LINES], stream_count; /* requests in the buffer, sent or not */
    unsigned unsent[LINES], unsent_count;
    uint64_t buffer_hits, prefetches;
};

struct slow_fetch *slow_fetch_new(const struct instruction_cache_config *config, unsigned parts)
{
    struct slow_fetch *fetch = zeroed(1, sizeof *fetch);
    fetch->config = config;
    fetch->parts = parts;
    fetch->l1i.ways = config->ways;
    fetch->l1i.sets = config->size / config->line / config->ways;
    fetch->l1i.entries = config->entries;
    fetch->l1i.merge = config->merge;
    fetch->l1i.queue = config->miss_queue;
    fetch->l1i.fifo = config->replacement == REPLACEMENT_FIFO;
    for (uint64_t i = 0; config->l0.size && i < config->l0.count; i++) {
        struct slow_icache *l0 = &fetch->l0s[i];
        l0->ways = config->l0.size / config->line;
        l0->sets = 1;
        l0->entries = l0->merge = l0->queue = WAITERS;
    }
    return fetch;
}

void slow_fetch_free(struct slow_fetch *fetch)
{
    free(fetch);
}

/* ---- a cache ---- */

static struct slow_way *row_of(struct slow_icache *cache, uint64_t line)
{
    return &cache->way[line % cache->sets * cache->ways];
}

/* An empty way, the last of them, or the one used longest ago, the first of several. */
static void fill(struct slow_icache *cache, unsigned at, uint64_t now)
{
    struct slow_miss *miss = &cache->misses[at];
    struct slow_way *row = row_of(cache, miss->line);
    uint64_t way = 0;
    for (uint64_t i = 1; i < cache->ways; i++)
        if (row[i].used < row[way].used)
            way = i;
    for (uint64_t i = 0; i < cache->ways; i++)
        if (!row[i].full)
            way = i;
    row[way] = (struct slow_way){miss->line, now, true};
    miss->filled = true;
    miss->order = cache->fills++;
}

static void fill_part(struct slow_icache *cache, unsigned at, uint64_t now)
{
    if (!--cache->misses[at].parts)
        fill(cache, at, now);
}

/* Takes the next that waited for a line which is there; -1: none does. */
static int take(struct slow_icache *cache)
{
    struct slow_miss *first = NULL;
    for (unsigned i = 0; i < WAITERS; i++)
        if (cache->misses[i].live && cache->misses[i].filled &&
            (!first || cache->misses[i].order < first->order))
            first = &cache->misses[i];
    if (!first)
        return -1;
    const int who = (int)first->waiters[first->taken++];
    first->live = first->taken < first->count;
    return who;
}

static unsigned live(const struct slow_icache *cache)
{
    unsigned count = 0;
    for (unsigned i = 0; i < WAITERS; i++)
        count += cache->misses[i].live;
    return count;
}

/* SLOW_HERE: a hit. SLOW_LATER: `who` waits; a miss that is none's yet stands last in the queue. */
static enum slow_answer look_up(struct slow_icache *cache, unsigned who, uint64_t line,
                                unsigned parts, uint64_t now)
{
    struct slow_way *row = row_of(cache, line);
    int at = -1;
    bool hit = false;
    for (uint64_t i = 0; i < cache->ways; i++)
        if (row[i].full && row[i].line == line) {
            row[i].used = cache->fifo ? row[i].used : now;
            hit = true;
        }
    for (unsigned i = 0; i < WAITERS; i++)
        if (cache->misses[i].live && cache->misses[i].line == line)
            at = (int)i;
    if (!hit && cache->queue_count >= cache->queue)
        return SLOW_REFUSED;
    if (!hit && (at < 0 ? live(cache) >= cache->entries
                        : cache->misses[at].count - cache->misses[at].taken >= cache->merge))
        return SLOW_REFUSED;
    cache->accesses++;
    cache->repeated += cache->last == line + 1;
    cache->last = line + 1;
    if (hit)
        return SLOW_HERE;
    if (at < 0) {
        for (at = 0; cache->misses[at].live;)
            at++;
        cache->misses[at] = (struct slow_miss){.line = line, .parts = parts, .live = true};
        cache->queued[cache->queue_count++] = (unsigned)at;
        cache->sends++;
    }
    cache->misses[at].waiters[cache->misses[at].count++] = who;
    return SLOW_LATER;
}

static unsigned dequeue(struct slow_icache *cache)
{
    const unsigned first = cache->queued[0];
    cache->queue_count--;
    for (unsigned i = 0; i < cache->queue_count; i++)
        cache->queued[i] = cache->queued[i + 1];
    return first;
}

/* ---- the stream buffer ---- */

static void drop_unsent(struct slow_fetch *fetch)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < fetch->unsent_count; i++)
        if (!fetch->requests[fetch->unsent[i]].dropped)
            fetch->unsent[kept++] = fetch->unsent[i];
    fetch->unsent_count = kept;
}

/* Whether the buffer has the line of a miss at its head, and what it reads ahead from now on. */
static bool stream(struct slow_fetch *fetch, unsigned miss, uint64_t line)
{
    const bool found = fetch->stream_count && fetch->requests[fetch->stream[0]].line == line;
    if (found) {
        struct request *head = &fetch->requests[fetch->stream[0]];
        head->taken = true;
        head->miss = miss;
        fetch->buffer_hits++;
        fetch->stream_count--;
        for (unsigned i = 0; i < fetch->stream_count; i++)
            fetch->stream[i] = fetch->stream[i + 1];
    } else {
        for (unsigned i = 0; i < fetch->stream_count; i++)
            fetch->requests[fetch->stream[i]].dropped = true;
        fetch->stream_count = 0;
        drop_unsent(fetch);
    }
    for (uint64_t next = line + 1; fetch->stream_count < fetch->config->buffer; next++) {
        bool held = false;
        for (unsigned i = 0; i < fetch->stream_count; i++)
            held |= fetch->requests[fetch->stream[i]].line == next;
        if (held)
            continue;
        const unsigned number = fetch->request_count++;
        fetch->requests[number] = (struct request){.line = next, .ahead = true};
        fetch->stream[fetch->stream_count++] = number;
        fetch->unsent[fetch->unsent_count++] = number;
    }
    return found;
}

/* ---- what an SM sees ---- */

static enum slow_answer ask_l1i(struct slow_fetch *fetch, unsigned who, uint64_t line, uint64_t now)
{
    struct slow_icache *l1i = &fetch->l1i;
    const unsigned queued = l1i->queue_count;
    if (slow_fetch_blocked(fetch))
        return SLOW_REFUSED;
    const enum slow_answer answer = look_up(l1i, who, line, fetch->parts, now);
    if (l1i->queue_count > queued && fetch->config->buffer &&
        stream(fetch, l1i->queued[queued], line))
        l1i->queue_count--;
    return answer;
}

static void fill_l0(struct slow_fetch *fetch, unsigned id, uint64_t now)
{
    fill_part(&fetch->l0s[id / WAITERS], id % WAITERS, now);
}

static void serve_l0s(struct slow_fetch *fetch, uint64_t now)
{
    const uint64_t count = fetch->config->l0.count;
    if (fetch->to_l0_count && fetch->to_l0[0].due <= now) {
        fill_l0(fetch, fetch->to_l0[0].who, now);
        fetch->to_l0_count--;
        for (unsigned i = 0; i < fetch->to_l0_count; i++)
            fetch->to_l0[i] = fetch->to_l0[i + 1];
    }
    const int ready = take(&fetch->l1i);
    if (ready >= 0) {
        fill_l0(fetch, (unsigned)ready, now);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        const unsigned at = (unsigned)((fetch->asks + i) % count);
        struct slow_icache *l0 = &fetch->l0s[at];
        if (!l0->queue_count || l0->misses[l0->queued[0]].ready > now)
            continue;
        if (!slow_fetch_blocked(fetch))
            fetch->asks = at + 1;
        const unsigned who = at * WAITERS + l0->queued[0];
        const enum slow_answer answer = ask_l1i(fetch, who, l0->misses[l0->queued[0]].line, now);
        if (answer != SLOW_REFUSED)
            dequeue(l0);
        if (answer == SLOW_HERE)
            fetch->to_l0[fetch->to_l0_count++] = (struct hit){now + fetch->config->latency, who};
        return;
    }
}

void slow_fetch_begin(struct slow_fetch *fetch, uint64_t now)
{
    for (unsigned i = 0; i < fetch->request_count; i++) {
        struct request *request = &fetch->requests[i];
        for (; request->taken && request->here; request->here--)
            fill_part(&fetch->l1i, request->miss, now);
    }
    if (fetch->config->l0.size)
        serve_l0s(fetch, now);
}

int slow_fetch_due(struct slow_fetch *fetch, uint64_t now)
{
    if (fetch->hit_count && fetch->hits[0].due <= now) {
        const int warp = (int)fetch->hits[0].who;
        fetch->hit_count--;
        for (unsigned i = 0; i < fetch->hit_count; i++)
            fetch->hits[i] = fetch->hits[i + 1];
        return warp;
    }
    for (uint64_t i = 0; fetch->config->l0.size && i < fetch->config->l0.count; i++) {
        const unsigned at = (unsigned)((fetch->gives + i) % fetch->config->l0.count);
        const int warp = take(&fetch->l0s[at]);
        if (warp < 0)
            continue;
        fetch->gives = at + 1;
        return warp;
    }
    return -1;
}

int slow_fetch_ready(struct slow_fetch *fetch)
{
    return fetch->config->l0.size ? -1 : take(&fetch->l1i);
}

bool slow_fetch_blocked(const struct slow_fetch *fetch)
{
    return fetch->config->blocking && live(&fetch->l1i);
}

enum slow_answer slow_fetch_end(struct slow_fetch *fetch, unsigned warp, uint64_t now)
{
    const uint64_t latency =
        fetch->config->l0.size ? fetch->config->l0.latency : fetch->config->latency;
    if (latency == 1)
        return SLOW_HERE;
    fetch->hits[fetch->hit_count++] = (struct hit){now + latency, warp};
    return SLOW_LATER;
}

enum slow_answer slow_fetch_ask(struct slow_fetch *fetch, unsigned warp, uint64_t address,
                                uint64_t now)
{
    const uint64_t line = address / fetch->config->line;
    enum slow_answer answer;
    if (fetch->config->l0.size) {
        struct slow_icache *l0 = &fetch->l0s[warp % fetch->config->l0.count];
        const unsigned queued = l0->queue_count;
        answer = look_up(l0, warp, line, 1, now);
        if (l0->queue_count > queued)
            l0->misses[l0->queued[queued]].ready = now + fetch->config->l0.latency;
    } else {
        answer = ask_l1i(fetch, warp, line, now);
    }
    return answer == SLOW_HERE ? slow_fetch_end(fetch, warp, now) : answer;
}

int64_t slow_fetch_send(struct slow_fetch *fetch)
{
    if (fetch->l1i.queue_count) {
        const unsigned miss = dequeue(&fetch->l1i), number = fetch->request_count++;
        fetch->requests[number] = (struct request){.miss = miss};
        return number;
    }
    if (!fetch->unsent_count)
        return -1;
    const unsigned number = fetch->unsent[0];
    fetch->unsent_count--;
    for (unsigned i = 0; i < fetch->unsent_count; i++)
        fetch->unsent[i] = fetch->unsent[i + 1];
    fetch->prefetches++;
    return number;
}

void slow_fetch_reply(struct slow_fetch *fetch, int64_t number, uint64_t now)
{
    struct request *request = &fetch->requests[number];
    if (request->ahead)
        request->here++;
    else
        fill_part(&fetch->l1i, request->miss, now);
}

struct slow_fetch_counts slow_fetch_read_counts(const struct slow_fetch *fetch)
{
    struct slow_fetch_counts counts = {
        .accesses = fetch->l1i.accesses,
        .misses = fetch->l1i.sends,
        .tag_reads = fetch->l1i.accesses - (fetch->config->same_line ? fetch->l1i.repeated : 0),
        .buffer_hits = fetch->buffer_hits,
        .prefetches = fetch->prefetches,
    };
    for (unsigned i = 0; i < L0S; i++) {
        counts.l0_accesses += fetch->l0s[i].accesses;
        counts.l0_misses += fetch->l0s[i].sends;
    }
    return counts;
}
