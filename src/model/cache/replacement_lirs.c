/* Low inter-reference recency (S. Jiang and X. Zhang, "LIRS: an efficient low inter-reference
 * recency set replacement policy", SIGMETRICS 2002). All ways but one hold lines whose last two
 * uses were close together; the others wait in a queue, and leave first. A stack by last use, which
 * also knows lines that left, says whether a waiting or a new line was used again sooner than the
 * coldest of the close ones: then the two change places. Made for whole caches; here each set is
 * one.
 *
 * The paper keeps 1 % of a cache for waiting lines: one way of a set. It bounds the lines that left
 * by memory: here as many as the ways. Invariant: the last line of the stack is a close one. Cost:
 * linear in the ways. */
#include <stdio.h>

#include "model/cache/replacement.h"
#include "model/cache/way_list.h"

enum { GONE = UINT16_MAX };

struct seen { /* a line in the stack */
    uint64_t line;
    uint16_t way; /* GONE: it left */
    bool close;
};

struct lirs {
    uint32_t count, close; /* of the stack, oldest first; of close lines */
    struct seen stack[];
};

struct parts {
    struct lirs *lirs;
    struct ways_kept *waiting;
    uint64_t *lines;
};

static size_t lirs_state_bytes(uint32_t ways)
{
    return sizeof(struct lirs) + (2 * (size_t)ways + 1) * sizeof(struct seen) + ways_bytes(ways) +
           sizeof(uint64_t) * ways;
}

static inline struct parts parts_of(const struct set_access *at)
{
    struct parts parts = {.lirs = at->state};
    char *rest = (char *)(parts.lirs->stack + 2 * at->ways + 1);
    parts.waiting = (void *)rest;
    parts.lines = (void *)(rest + ways_bytes(at->ways));
    return parts;
}

static uint32_t stack_find(const struct lirs *lirs, uint64_t line)
{
    uint32_t place = 0;
    while (place < lirs->count && lirs->stack[place].line != line)
        place++;
    return place;
}

static struct seen stack_take(struct lirs *lirs, uint32_t place)
{
    const struct seen seen = lirs->stack[place];
    lirs->count--;
    memmove(lirs->stack + place, lirs->stack + place + 1,
            (lirs->count - place) * sizeof *lirs->stack);
    return seen;
}

/* The stack ends with a close line. */
static void prune(struct lirs *lirs)
{
    while (lirs->count && !lirs->stack[0].close)
        stack_take(lirs, 0);
}

static void forget_oldest(struct lirs *lirs, uint32_t ways)
{
    uint32_t gone = 0, oldest = 0;
    for (uint32_t place = lirs->count; place-- > 0;)
        if (lirs->stack[place].way == GONE) {
            gone++;
            oldest = place;
        }
    if (gone > ways)
        stack_take(lirs, oldest);
}

static void stack_push(struct lirs *lirs, uint64_t line, uint32_t way, bool close)
{
    lirs->stack[lirs->count++] = (struct seen){line, (uint16_t)way, close};
    lirs->close += close;
}

/* Where one line too many is close, the coldest of them waits. */
static void demote(const struct parts *parts, uint32_t ways)
{
    struct lirs *lirs = parts->lirs;
    if (lirs->close < ways)
        return;
    const struct seen coldest = stack_take(lirs, 0);
    lirs->close--;
    ways_push(parts->waiting, coldest.way);
    prune(lirs);
}

static void lirs_drop(const struct set_access *at, uint32_t way)
{
    const struct parts parts = parts_of(at);
    struct lirs *lirs = parts.lirs;
    const uint32_t place = stack_find(lirs, parts.lines[way]);
    ways_take(parts.waiting, way);
    if (place < lirs->count && lirs->stack[place].way == way) {
        lirs->close -= lirs->stack[place].close;
        stack_take(lirs, place);
    }
    prune(lirs);
}

static void lirs_hit(const struct set_access *at, uint32_t way)
{
    const struct parts parts = parts_of(at);
    struct lirs *lirs = parts.lirs;
    const uint32_t place = stack_find(lirs, at->line);
    const bool known = place < lirs->count;
    const bool close = known && lirs->stack[place].close;
    if (known) {
        stack_take(lirs, place);
        lirs->close -= close;
    }
    const bool waited = ways_take(parts.waiting, way);
    stack_push(lirs, at->line, way, known);
    if (known)
        demote(&parts, at->ways);
    else if (waited)
        ways_push(parts.waiting, way);
    prune(lirs);
}

/* The old line leaves: a waiting one stays known if the stack knows it. */
static void leave(const struct set_access *at, const struct parts *parts, uint32_t way)
{
    if (!ways_take(parts->waiting, way)) {
        lirs_drop(at, way);
        return;
    }
    const uint32_t place = stack_find(parts->lirs, parts->lines[way]);
    if (place < parts->lirs->count && parts->lirs->stack[place].way == way)
        parts->lirs->stack[place].way = GONE;
}

static void lirs_fill(const struct set_access *at, uint32_t way)
{
    const struct parts parts = parts_of(at);
    struct lirs *lirs = parts.lirs;
    leave(at, &parts, way);
    forget_oldest(lirs, at->ways);
    const uint32_t place = stack_find(lirs, at->line);
    const bool known = place < lirs->count;
    if (known)
        stack_take(lirs, place);
    const bool close = known || lirs->close + 1 < at->ways;
    parts.lines[way] = at->line;
    stack_push(lirs, at->line, way, close);
    if (close)
        demote(&parts, at->ways);
    else
        ways_push(parts.waiting, way);
    prune(lirs);
}

static uint32_t lirs_victim(const struct set_access *at)
{
    const struct parts parts = parts_of(at);
    return parts.waiting->count ? parts.waiting->ways[0] : parts.lirs->stack[0].way;
}

static const char *lirs_explain(const struct set_access *at, char *text, size_t size)
{
    snprintf(text, size, "first of %u resident HIR lines", parts_of(at).waiting->count);
    return text;
}

/* The stack from the last used line on, as ways; a star follows those that are close. */
static const char *lirs_print(const struct set_access *at, char *text, size_t size)
{
    const struct lirs *lirs = at->state;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t place = lirs->count; place-- > 0 && used + 8 < size;) {
        const struct seen *seen = &lirs->stack[place];
        if (seen->way == GONE)
            used += (size_t)snprintf(text + used, size - used, "- ");
        else
            used += (size_t)snprintf(text + used, size - used, "%u%s ", seen->way,
                                     seen->close ? "*" : "");
    }
    return text;
}

const struct replacement_policy policy_REPLACEMENT_LIRS = {
    .state_bytes = lirs_state_bytes,
    .hit = lirs_hit,
    .fill = lirs_fill,
    .drop = lirs_drop,
    .victim = lirs_victim,
    .explain = lirs_explain,
    .print = lirs_print,
};
