/* Ranks what passes are cut from (explore/plan/planner_tasks.h): neighbours among families, and
 * among the levels of a family too large for a pass, differ in as many axes as they can, because
 * the passes of a sweep that is stopped early should not be a corner of its space. Families stay
 * whole, since their settings share work. */
#include "explore/plan/planner_tasks.h"

#include <stdlib.h>

#include "explore/plan/balance.h"
#include "explore/plan/task_order.h"

static int compare_items(const void *a, const void *b)
{
    return pass_item_compare(a, b);
}

static bool same_family(const struct pass_item *a, const struct pass_item *b)
{
    return a->stream == b->stream && a->shared == b->shared && a->family == b->family;
}

static bool same_level(const struct pass_item *a, const struct pass_item *b)
{
    return same_family(a, b) && a->first == b->first && a->level == b->level;
}

/* Sets ranks[i] for the groups of neighbours among the items that `same` tells. */
static enum status rank_groups(const struct part *part, struct pass_item *items, size_t count,
                               bool (*same)(const struct pass_item *, const struct pass_item *),
                               uint64_t seed, uint32_t *ranks)
{
    struct balance *balance = balance_create(task_cells(part));
    size_t *order = malloc((count + 1) * sizeof *order), groups = 0;
    enum status status = balance && order ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        task_fill_setting(balance, part, items[i].number);
        if (i + 1 == count || !same(&items[i], &items[i + 1])) {
            status = balance_item(balance, 0);
            groups++;
        }
    }
    if (!status)
        status = balance_order(balance, seed, order);
    for (size_t i = 0; i < groups && !status; i++)
        ranks[order[i]] = (uint32_t)i;
    balance_free(balance);
    free(order);
    return status;
}

/* Ranks the families of one stream. */
static enum status rank_families(const struct part *part, struct pass_item *items, size_t count,
                                 uint64_t seed, uint32_t *ranks)
{
    enum status status = rank_groups(part, items, count, same_family, seed, ranks);
    for (size_t i = 0, group = 0; i < count && !status; i++) {
        items[i].family_rank = ranks[group];
        group += i + 1 < count && !same_family(&items[i], &items[i + 1]);
    }
    return status;
}

/* Ranks the levels of one family if they do not fit a pass. */
static enum status rank_levels(const struct part *part, struct pass_item *items, size_t count,
                               size_t most, uint64_t seed, uint32_t *ranks)
{
    size_t levels = 1, group = 0;
    for (size_t i = 1; i < count; i++)
        levels += !same_level(&items[i - 1], &items[i]);
    if (levels <= most)
        return STATUS_OK;
    enum status status = rank_groups(part, items, count, same_level, seed, ranks);
    for (size_t i = 0; i < count && !status; i++) {
        items[i].level_rank = ranks[group];
        group += i + 1 < count && !same_level(&items[i], &items[i + 1]);
    }
    return status;
}

enum status pass_rank(const struct part *part, struct pass_item *items, size_t count, size_t most,
                      uint64_t seed)
{
    uint32_t *ranks = malloc((count + 1) * sizeof *ranks);
    enum status status = ranks ? STATUS_OK : STATUS_MEMORY;
    if (count && !status)
        qsort(items, count, sizeof *items, compare_items);
    /* A pass of one level needs no neighbours, and shared levels are one pass. */
    for (size_t first = 0, end; first < count && most > 1 && !status; first = end) {
        for (end = first + 1; end < count && same_family(&items[first], &items[end]);)
            end++;
        if (!items[first].shared)
            status = rank_levels(part, items + first, end - first, most, seed, ranks);
    }
    for (size_t first = 0, end; first < count && most > 1 && !status; first = end) {
        for (end = first + 1; end < count && items[first].stream == items[end].stream &&
                              items[first].shared == items[end].shared;)
            end++;
        if (!items[first].shared)
            status = rank_families(part, items + first, end - first, seed, ranks);
    }
    if (count && !status)
        qsort(items, count, sizeof *items, compare_items);
    free(ranks);
    return status;
}
