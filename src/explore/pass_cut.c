/* Which settings of one stream are simulated in one walk over it.
 *
 * A large pass shares the walk over the source and its first level; a killed sweep loses the passes
 * that it was in. At PASS_SETTINGS the walk is a tenth of a pass: larger ones would save little and
 * lose more. Settings go in the order (stream, first level), and a first level is cut only where it
 * alone is more than a pass should hold. Shared levels cost so little beside the walk that all of a
 * stream go in one pass.
 *
 * Threads need no more passes than that: where there are few, several share one (model/crew.h). At
 * the reuse depth they cannot. */
#include "explore/planner_tasks.h"

enum { PASSES_A_THREAD = 4, LANES_A_THREAD = 2 };

int pass_item_compare(const struct pass_item *left, const struct pass_item *right)
{
    if (left->stream != right->stream)
        return left->stream < right->stream ? -1 : 1;
    if (left->shared != right->shared)
        return left->shared ? -1 : 1;
    if (left->family != right->family)
        return left->family < right->family ? -1 : 1;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

size_t pass_settings(size_t settings, enum depth depth, int threads)
{
    size_t passes = (settings + PASS_SETTINGS - 1) / PASS_SETTINGS;
    size_t wanted = depth == DEPTH_REUSE ? (size_t)threads * PASSES_A_THREAD : 1;
    if (passes < wanted)
        passes = wanted;
    size_t most = (settings + passes - 1) / passes;
    return most ? most : 1;
}

size_t pass_lanes_wanted(size_t passes, size_t following, bool shared, int threads)
{
    const size_t workers = (size_t)threads, wanted = workers * (shared ? 1 : LANES_A_THREAD);
    if (workers < 2 || following >= wanted)
        return 1;
    size_t lanes = (wanted + passes - 1) / passes;
    return lanes > 1 ? lanes : 2;
}

/* How many items from items[0] on have its first level. */
static size_t run_length(const struct pass_item *items, size_t count)
{
    size_t length = 1;
    while (length < count && items[length].first == items[0].first)
        length++;
    return length;
}

/* How many of `count` items have room in a pass that holds *bytes; adds theirs. */
static size_t fitting(const struct pass_item *items, size_t count, uint64_t *bytes)
{
    size_t length = 0;
    while (length < count && !(*bytes && *bytes + items[length].bytes > PASS_BYTES))
        *bytes += items[length++].bytes;
    return length;
}

/* How many items from items[0] on go into the next pass; none of them shares its level. */
static size_t alone_length(const struct pass_item *items, size_t count, size_t most)
{
    uint64_t bytes = 0;
    size_t length = 0;
    while (length < count && length < most && items[length].stream == items[0].stream) {
        size_t wanted = run_length(items + length, count - length);
        if (length && wanted > most - length && wanted <= most)
            break; /* the next pass takes it whole */
        if (wanted > most - length)
            wanted = most - length;
        size_t taken = fitting(items + length, wanted, &bytes);
        length += taken;
        if (taken < wanted)
            break;
    }
    return length;
}

/* The same for shared levels. */
static size_t shared_length(const struct pass_item *items, size_t count)
{
    uint64_t bytes = 0;
    size_t length = 0;
    while (length < count && items[length].shared && items[length].stream == items[0].stream) {
        size_t run = run_length(items + length, count - length);
        uint64_t own = 0; /* of the deepest: it holds the others */
        for (size_t i = 0; i < run; i++)
            own = items[length + i].bytes > own ? items[length + i].bytes : own;
        if (length && bytes + own > PASS_BYTES)
            break;
        bytes += own;
        length += run;
    }
    return length;
}

size_t pass_cut(const struct pass_item *items, size_t count, size_t most, size_t *ends)
{
    size_t passes = 0, first = 0;
    while (first < count) {
        first += items[first].shared ? shared_length(items + first, count - first)
                                     : alone_length(items + first, count - first, most);
        ends[passes++] = first;
    }
    return passes;
}
