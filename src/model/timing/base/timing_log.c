#include "model/timing/base/timing_log.h"

#include <stdlib.h>

int timing_warps_compare(const struct timing_warp *a, const struct timing_warp *b, bool blocks)
{
    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return blocks ? 0 : (a->warp > b->warp) - (a->warp < b->warp);
}

static int compare_warps(const void *left, const void *right)
{
    return timing_warps_compare(left, right, false);
}

void timing_warps_sort(struct timing_warps *warps)
{
    if (warps->count)
        qsort(warps->items, warps->count, sizeof *warps->items, compare_warps);
}

void timing_log_free(struct timing_log *log)
{
    free(log->launches.items);
    free(log->times.items);
    free(log->warps.items);
    log->launches = log->times = (struct timing_parts){0};
    log->warps = (struct timing_warps){0};
}
