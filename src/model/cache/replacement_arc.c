/* Adaptive replacement (N. Megiddo and D. S. Modha, "ARC: a self-tuning, low overhead replacement
 * cache", FAST 2003). Lines seen once and lines seen again are two lists by last use, and so are
 * the lines that left either. A line that comes back moves the share of the list that it had left.
 * Made for whole caches; here each set is one, and the paper's c is the number of ways.
 *
 * Invariant: with the lines that left, no more than `ways` were seen once and no more than twice
 * `ways` are known. Cost: linear in the ways. */
#include <stdio.h>

#include "model/cache/replacement.h"
#include "model/cache/way_list.h"

/* A set's state. */
struct lists {
    uint64_t *target;                          /* the paper's p: how many seen once shall stay */
    uint64_t *lines;                           /* of the ways */
    struct ways_kept *once, *again;            /* T1 and T2 */
    struct lines_kept *left_once, *left_again; /* B1 and B2 */
};

static size_t arc_state_bytes(uint32_t ways)
{
    return sizeof(uint64_t) * (1 + (size_t)ways) + 2 * ways_bytes(ways) + lines_bytes(ways) +
           lines_bytes(2 * ways);
}

static inline struct lists lists_of(const struct set_access *at)
{
    struct lists lists = {.target = at->state};
    lists.lines = lists.target + 1;
    char *rest = (char *)(lists.lines + at->ways);
    lists.once = (void *)rest;
    lists.again = (void *)(rest + ways_bytes(at->ways));
    rest += 2 * ways_bytes(at->ways);
    lists.left_once = (void *)rest;
    lists.left_again = (void *)(rest + lines_bytes(at->ways));
    return lists;
}

static void arc_drop(const struct set_access *at, uint32_t way)
{
    const struct lists lists = lists_of(at);
    if (!ways_take(lists.once, way))
        ways_take(lists.again, way);
}

static void arc_hit(const struct set_access *at, uint32_t way)
{
    arc_drop(at, way);
    ways_push(lists_of(at).again, way);
}

/* The share of lines seen once when this line comes: one that left moves it. */
static uint64_t next_target(const struct set_access *at, const struct lists *lists, bool *was_again)
{
    const uint64_t once = lists->left_once->count, again = lists->left_again->count;
    uint64_t target = *lists->target;
    *was_again = false;
    if (lines_have(lists->left_once, at->line)) {
        target += once && again > once ? again / once : 1;
        return target < at->ways ? target : at->ways;
    }
    if (!lines_have(lists->left_again, at->line))
        return target;
    *was_again = true;
    const uint64_t step = again && once > again ? once / again : 1;
    return target > step ? target - step : 0;
}

/* The paper's REPLACE, and its case of a full first list that nothing left. */
static uint32_t arc_victim(const struct set_access *at)
{
    const struct lists lists = lists_of(at);
    const uint32_t once = lists.once->count;
    bool was_again;
    const uint64_t target = next_target(at, &lists, &was_again);
    const bool first = once == at->ways || !lists.again->count ||
                       (once && (once > target || (was_again && once == target)));
    return first ? lists.once->ways[0] : lists.again->ways[0];
}

/* Forgets lines that left until there is room for one more that is new. */
static void arc_make_room(const struct lists *lists, uint32_t ways)
{
    if (lists->once->count + lists->left_once->count >= ways) {
        lines_take_oldest(lists->left_once);
        return;
    }
    const uint64_t known = lists->once->count + lists->left_once->count + lists->again->count +
                           lists->left_again->count;
    if (known >= 2 * (uint64_t)ways)
        lines_take_oldest(lists->left_again);
}

/* The four cases of the paper's ARC(c): a line known from either ghost list moves the target first
 * and comes in as seen again; one that nobody knows makes room in the ghosts. Each line that leaves
 * a list of the cache becomes the newest ghost of that list, except from a set full of lines seen
 * once, which forgets it (case IV A). */
static void arc_fill(const struct set_access *at, uint32_t way)
{
    const struct lists lists = lists_of(at);
    bool was_again;
    const bool full = lists.once->count == at->ways;
    *lists.target = next_target(at, &lists, &was_again);
    const bool was_once = lines_take(lists.left_once, at->line);
    if (was_again)
        lines_take(lists.left_again, at->line);
    if (!was_once && !was_again)
        arc_make_room(&lists, at->ways);
    if (ways_take(lists.once, way)) {
        if (!full || was_again)
            lines_push(lists.left_once, lists.lines[way], at->ways);
    } else if (ways_take(lists.again, way)) {
        lines_push(lists.left_again, lists.lines[way], 2 * at->ways);
    }
    lists.lines[way] = at->line;
    ways_push(was_once || was_again ? lists.again : lists.once, way);
}

static const char *arc_explain(const struct set_access *at, char *text, size_t size)
{
    const struct lists lists = lists_of(at);
    bool was_again;
    const uint64_t target = next_target(at, &lists, &was_again);
    const uint32_t way = arc_victim(at);
    snprintf(text, size, "%u seen once, of which %u shall stay: least recent of those seen %s",
             lists.once->count, (unsigned)target,
             ways_find(lists.once, way) != WAY_LIST_NONE ? "once" : "again");
    return text;
}

static const char *arc_print(const struct set_access *at, char *text, size_t size)
{
    const struct lists lists = lists_of(at);
    snprintf(text, size, "once %u, again %u, left %u and %u, share %u", lists.once->count,
             lists.again->count, (unsigned)lists.left_once->count,
             (unsigned)lists.left_again->count, (unsigned)*lists.target);
    return text;
}

const struct replacement_policy policy_REPLACEMENT_ARC = {
    .state_bytes = arc_state_bytes,
    .hit = arc_hit,
    .fill = arc_fill,
    .drop = arc_drop,
    .victim = arc_victim,
    .explain = arc_explain,
    .print = arc_print,
};
