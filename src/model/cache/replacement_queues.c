/* Two queues in a set, the first a trial for new lines. Made for whole caches; here each set is
 * one.
 *
 * slru: segmented LRU (R. Karedla, J. S. Love and B. G. Wherry, "Caching strategies to improve disk
 *   system performance", IEEE Computer 27(3), 1994). A hit moves a line into the protected segment,
 * of half the ways; what falls out of it becomes the youngest on trial again. 2q: T. Johnson and D.
 * Shasha, "2Q: a low overhead high performance buffer management replacement algorithm", VLDB 1994,
 * the full version. A quarter of the ways is a FIFO on trial; a line that comes back while it is
 * among the last half as many as the ways that left it goes into an LRU list. s3fifo: J. Yang, Y.
 * Zhang, Z. Qiu, Y. Yue and K. V. Rashmi, "FIFO queues are all you need for cache eviction", SOSP
 * 2023. A tenth of the ways, at least one, is on trial; a line that was used twice there goes on to
 * the main FIFO, which reinserts lines that were used, and so does one that comes back soon after
 * it left the trial.
 *
 * Cost: linear in the ways. */
#include <stdio.h>

#include "model/cache/replacement.h"
#include "model/cache/way_list.h"

/* A set's state: the lists of ways on trial and kept, the uses and the lines of the ways, and the
 * lines that left the trial. */
struct queues {
    struct ways_kept *trial, *kept;
    uint8_t *uses;
    uint64_t *lines;
    struct lines_kept *left;
};

static inline uint32_t rounded(uint32_t ways)
{
    return (ways + 7) & ~7u;
}

static size_t queues_state_bytes(uint32_t ways)
{
    return 2 * ways_bytes(ways) + rounded(ways) + sizeof(uint64_t) * ways + lines_bytes(ways);
}

static inline struct queues queues_of(const struct set_access *at)
{
    char *state = at->state;
    struct queues queues = {.trial = (void *)state, .kept = (void *)(state + ways_bytes(at->ways))};
    state += 2 * ways_bytes(at->ways);
    queues.uses = (void *)state;
    queues.lines = (void *)(state + rounded(at->ways));
    queues.left = (void *)(queues.lines + at->ways);
    return queues;
}

static void queues_drop(const struct set_access *at, uint32_t way)
{
    const struct queues queues = queues_of(at);
    if (!ways_take(queues.trial, way))
        ways_take(queues.kept, way);
}

static size_t print_list(const struct ways_kept *list, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t i = 0; i < list->count && used + 5 < size; i++)
        used += (size_t)snprintf(text + used, size - used, " %u", list->ways[i]);
    return used;
}

/* Oldest first. */
static const char *queues_print(const struct set_access *at, char *text, size_t size)
{
    const struct queues queues = queues_of(at);
    size_t used = (size_t)snprintf(text, size, "trial");
    used += print_list(queues.trial, text + used, size - used);
    if (used + 8 < size)
        used += (size_t)snprintf(text + used, size - used, ", kept");
    print_list(queues.kept, text + used, size - used);
    return text;
}

/* ---- slru ---- */

static void slru_hit(const struct set_access *at, uint32_t way)
{
    const struct queues queues = queues_of(at);
    queues_drop(at, way);
    ways_push(queues.kept, way);
    if (queues.kept->count > at->ways / 2)
        ways_push(queues.trial, ways_take_place(queues.kept, 0));
}

static void slru_fill(const struct set_access *at, uint32_t way)
{
    queues_drop(at, way);
    ways_push(queues_of(at).trial, way);
}

static uint32_t slru_victim(const struct set_access *at)
{
    const struct queues queues = queues_of(at);
    return queues.trial->count ? queues.trial->ways[0] : queues.kept->ways[0];
}

static const char *slru_explain(const struct set_access *at, char *text, size_t size)
{
    snprintf(text, size, "least recent of %s",
             queues_of(at).trial->count ? "the probationary lines"
                                        : "the protected lines, as none is probationary");
    return text;
}

const struct replacement_policy policy_REPLACEMENT_SLRU = {
    .state_bytes = queues_state_bytes,
    .hit = slru_hit,
    .fill = slru_fill,
    .drop = queues_drop,
    .victim = slru_victim,
    .explain = slru_explain,
    .print = queues_print,
};

/* ---- 2q ---- */

static inline uint32_t trial_share(uint32_t ways)
{
    return ways < 4 ? 1 : ways / 4;
}

static inline uint32_t left_share(uint32_t ways)
{
    return ways < 2 ? 1 : ways / 2;
}

static void two_hit(const struct set_access *at, uint32_t way)
{
    const struct queues queues = queues_of(at);
    if (ways_take(queues.kept, way))
        ways_push(queues.kept, way);
}

static uint32_t two_victim(const struct set_access *at)
{
    const struct queues queues = queues_of(at);
    const bool trial = queues.trial->count > trial_share(at->ways) || !queues.kept->count;
    return trial ? queues.trial->ways[0] : queues.kept->ways[0];
}

static void two_fill(const struct set_access *at, uint32_t way)
{
    const struct queues queues = queues_of(at);
    const bool returns = lines_take(queues.left, at->line);
    if (ways_take(queues.trial, way))
        lines_push(queues.left, queues.lines[way], left_share(at->ways));
    else
        ways_take(queues.kept, way);
    queues.lines[way] = at->line;
    ways_push(returns ? queues.kept : queues.trial, way);
}

static const char *two_explain(const struct set_access *at, char *text, size_t size)
{
    const struct queues queues = queues_of(at);
    if (queues.trial->count > trial_share(at->ways) || !queues.kept->count)
        snprintf(text, size, "%u probationary, more than %u: the oldest of them",
                 queues.trial->count, trial_share(at->ways));
    else
        snprintf(text, size, "%u probationary, not more than %u: least recent of the others",
                 queues.trial->count, trial_share(at->ways));
    return text;
}

const struct replacement_policy policy_REPLACEMENT_2Q = {
    .state_bytes = queues_state_bytes,
    .hit = two_hit,
    .fill = two_fill,
    .drop = queues_drop,
    .victim = two_victim,
    .explain = two_explain,
    .print = queues_print,
};

/* ---- s3fifo ---- */

enum { USES_MOST = 3 };

static inline uint32_t small_share(uint32_t ways)
{
    return ways < 10 ? 1 : ways / 10;
}

static void s3_hit(const struct set_access *at, uint32_t way)
{
    uint8_t *uses = queues_of(at).uses;
    uses[way] += uses[way] < USES_MOST;
}

/* The oldest line that was not used; used ones go round and lose a use. */
static uint32_t main_victim(const struct queues *queues)
{
    for (;;) {
        const uint32_t way = queues->kept->ways[0];
        if (!queues->uses[way])
            return way;
        queues->uses[way]--;
        ways_push(queues->kept, ways_take_place(queues->kept, 0));
    }
}

static uint32_t s3_victim(const struct set_access *at)
{
    const struct queues queues = queues_of(at);
    const uint32_t small = small_share(at->ways), most = at->ways - small;
    const bool tries = queues.trial->count >= small || !queues.kept->count;
    while (tries && queues.trial->count) {
        const uint32_t way = queues.trial->ways[0];
        if (queues.uses[way] <= 1)
            return way;
        queues.uses[way] = 0;
        ways_take_place(queues.trial, 0);
        ways_push(queues.kept, way);
        if (queues.kept->count > most)
            return main_victim(&queues);
    }
    return main_victim(&queues);
}

static void s3_fill(const struct set_access *at, uint32_t way)
{
    const struct queues queues = queues_of(at);
    const bool returns = lines_take(queues.left, at->line);
    const uint32_t most = at->ways - small_share(at->ways);
    if (ways_take(queues.trial, way))
        lines_push(queues.left, queues.lines[way], most);
    else
        ways_take(queues.kept, way);
    queues.lines[way] = at->line;
    queues.uses[way] = 0;
    ways_push(returns ? queues.kept : queues.trial, way);
}

static const char *s3_explain(const struct set_access *at, char *text, size_t size)
{
    const struct queues queues = queues_of(at);
    snprintf(text, size, "%u on trial of %u: %s", queues.trial->count, small_share(at->ways),
             queues.trial->count >= small_share(at->ways)
                 ? "the oldest of them, unless it was used twice"
                 : "the oldest of the others that was not used");
    return text;
}

const struct replacement_policy policy_REPLACEMENT_S3FIFO = {
    .state_bytes = queues_state_bytes,
    .hit = s3_hit,
    .fill = s3_fill,
    .drop = queues_drop,
    .victim = s3_victim,
    .explain = s3_explain,
    .print = queues_print,
};
