/* Decides which settings of one stream are simulated in one walk over the source.
 *
 * A large pass saves work, because its settings share the walk and their first level; but a sweep
 * that is killed loses the passes it was in. With PASS_LEVELS levels the walk is about a tenth of a
 * pass, so larger passes would save little and lose more.
 *
 * Settings are sorted by stream, first level and further levels. A first level is split between
 * passes only if it alone is more than one pass should hold. Settings with the same levels count as
 * one and stay together. Levels of L2s that share passes count little, because the L1D in front of
 * them costs much more. Shared first levels cost so little compared with the walk that all of a
 * stream go into one pass.
 *
 * The first passes of many may be smaller: a sweep then has its first points soon, at the cost of
 * EARLY_PASSES walks more.
 *
 * This also makes enough passes for the threads: if there are few, several threads share one
 * (model/pass/pass_pool.h). At depths whose threads cannot share a pass, each gets at least
 * PASSES_A_THREAD; and where the machines of a pass share nothing either, each is a pass. */
#include "explore/plan/planner_tasks.h"
#include "model/depth_models.h"

enum { PASSES_A_THREAD = 4, GROUPS_A_THREAD = 2 };

/* How many of the first passes are smaller, and of how many at least. */
enum { EARLY_PASSES = 3, EARLY_OF = 8 };

/* From what costs most to share to what costs least, so that a cut of the sorted items into passes
 * separates as little as possible: machines of one stream, of one family of caches, of one first
 * level. `number` makes the order total, hence the plan the same on every machine. */
int pass_item_compare(const struct pass_item *left, const struct pass_item *right)
{
    if (left->stream != right->stream)
        return left->stream < right->stream ? -1 : 1;
    if (left->shared != right->shared)
        return left->shared ? -1 : 1;
    if (left->family_rank != right->family_rank)
        return left->family_rank < right->family_rank ? -1 : 1;
    if (left->family != right->family)
        return left->family < right->family ? -1 : 1;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    if (left->cheap != right->cheap)
        return left->cheap ? 1 : -1;
    if (left->level_rank != right->level_rank)
        return left->level_rank < right->level_rank ? -1 : 1;
    if (left->level != right->level)
        return left->level < right->level ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

size_t pass_levels(size_t levels, enum depth depth, int threads)
{
    if (!depth_can(depth, DEPTH_GROUPED) && !depth_models[depth].shared)
        return 1;
    size_t passes = (levels + PASS_LEVELS - 1) / PASS_LEVELS;
    size_t wanted = depth_can(depth, DEPTH_GROUPED) ? 1 : (size_t)threads * PASSES_A_THREAD;
    if (passes < wanted)
        passes = wanted;
    size_t most = (levels + passes - 1) / passes;
    return most ? most : 1;
}

size_t pass_groups_wanted(size_t passes, size_t following, bool shared, int threads)
{
    const size_t workers = (size_t)threads, wanted = workers * (shared ? 1 : GROUPS_A_THREAD);
    if (workers < 2 || following >= wanted)
        return 1;
    size_t groups = (wanted + passes - 1) / passes;
    return groups > 1 ? groups : 2;
}

/* How many items from items[0] on have the same first level. */
static size_t run_length(const struct pass_item *items, size_t count)
{
    size_t length = 1;
    while (length < count && items[length].first == items[0].first)
        length++;
    return length;
}

/* How many items from items[0] on have the same levels. They are simulated as one cache, the
 * largest; *bytes is its size. */
static size_t level_length(const struct pass_item *items, size_t count, uint64_t *bytes)
{
    size_t length = 0;
    for (*bytes = 0; length < count && items[length].first == items[0].first &&
                     items[length].level == items[0].level;
         length++)
        *bytes = items[length].bytes > *bytes ? items[length].bytes : *bytes;
    return length;
}

/* The cost of items with one first level, in levels. */
static size_t count_levels(const struct pass_item *items, size_t count)
{
    size_t levels = 0, cheap = 0;
    uint64_t bytes;
    for (size_t i = 0; i < count; i += level_length(items + i, count - i, &bytes))
        *(items[i].cheap ? &cheap : &levels) += 1;
    return levels + (cheap + CHEAP_LEVELS - 1) / CHEAP_LEVELS;
}

/* How many items from items[0] on go into the next pass. Their first levels are not shared. */
static size_t alone_length(const struct pass_item *items, size_t count, size_t most)
{
    uint64_t bytes = 0;
    size_t length = 0, levels = 0;
    while (length < count && levels < most && items[length].stream == items[0].stream) {
        size_t run = run_length(items + length, count - length);
        size_t wanted = count_levels(items + length, run);
        if (length && wanted > most - levels && wanted <= most)
            break; /* leave this first level whole for the next pass */
        for (size_t end = length + run, cheap = 0; length < end;) {
            bool counts = !items[length].cheap || cheap++ % CHEAP_LEVELS == 0;
            if (counts && levels == most)
                return length;
            uint64_t own;
            size_t next = level_length(items + length, end - length, &own);
            if (bytes && bytes + own > PASS_BYTES)
                return length;
            bytes += own;
            length += next;
            levels += counts;
        }
    }
    return length;
}

/* The same for items whose first levels are shared: only memory limits the pass. */
static size_t shared_length(const struct pass_item *items, size_t count)
{
    uint64_t bytes = 0;
    size_t length = 0;
    while (length < count && items[length].shared && items[length].stream == items[0].stream) {
        size_t run = run_length(items + length, count - length);
        uint64_t own = 0; /* of the largest, which contains the others */
        for (size_t i = 0; i < run; i++)
            own = items[length + i].bytes > own ? items[length + i].bytes : own;
        if (length && bytes + own > PASS_BYTES)
            break;
        bytes += own;
        length += run;
    }
    return length;
}

/* The limit of the first passes: an eighth of a pass, then a quarter and half, but whole first
 * levels. */
static size_t early_most(const struct pass_item *items, size_t count, size_t most, size_t pass)
{
    const size_t first = count_levels(items, run_length(items, count));
    const size_t share = most >> (EARLY_PASSES - pass);
    return share > first ? share : first < most ? first : most;
}

size_t pass_cut(const struct pass_item *items, size_t count, size_t most, bool early, size_t *ends)
{
    size_t passes = 0, first = 0;
    early = early && count_levels(items, count) / EARLY_OF >= most;
    while (first < count) {
        const struct pass_item *next = &items[first];
        const size_t left = count - first;
        const size_t limit =
            early && passes < EARLY_PASSES ? early_most(next, left, most, passes) : most;
        first += next->shared ? shared_length(next, left) : alone_length(next, left, limit);
        ends[passes++] = first;
    }
    return passes;
}
