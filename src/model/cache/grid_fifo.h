/* FIFO lists of grid.h. FIFO has no inclusion, so a set has one queue for every number of ways from
 * 1 to GRID_FIFO_WAYS, and all of them are searched at once: they lie side by side in five vectors,
 * newest code first, with one lane between two of them that stays 0. A queue moves by a lane when
 * it misses. The queue of one way holds the line of the last access: it is the filter for more
 * sets. */
#pragma once

#include "model/cache/grid_kernel.h"

enum {
    GRID_FIFO_WAYS = 16,
    GRID_FIFO_VECTORS = 5,
    GRID_FIFO_PLANE = 512, /* bytes from one plane to the next; 320 are used */
};

/* Where the queue of each number of ways begins, in lanes of 16 bits. */
#define GRID_FIFO_LANE(vector, lane) (32 * (vector) + (lane))
static const uint16_t grid_fifo_lanes[GRID_FIFO_WAYS + 1] = {
    [16] = GRID_FIFO_LANE(0, 0),  [15] = GRID_FIFO_LANE(0, 17), [14] = GRID_FIFO_LANE(1, 0),
    [13] = GRID_FIFO_LANE(1, 15), [3] = GRID_FIFO_LANE(1, 29),  [12] = GRID_FIFO_LANE(2, 0),
    [11] = GRID_FIFO_LANE(2, 13), [6] = GRID_FIFO_LANE(2, 25),  [10] = GRID_FIFO_LANE(3, 0),
    [9] = GRID_FIFO_LANE(3, 11),  [8] = GRID_FIFO_LANE(3, 21),  [2] = GRID_FIFO_LANE(3, 30),
    [7] = GRID_FIFO_LANE(4, 0),   [5] = GRID_FIFO_LANE(4, 8),   [4] = GRID_FIFO_LANE(4, 14),
    [1] = GRID_FIFO_LANE(4, 19),
};

/* hits[w - 1] are those with w ways. Only the first work of the job is looked at. */
void grid_fifo_avx512(struct grid_job *job);

/* True where the queue has the code; else it takes it. */
GRID_TEMPLATE int grid_fifo_use(uint16_t *queue, uint16_t low, uint16_t high, unsigned ways,
                                unsigned planes)
{
    uint16_t *upper = queue + GRID_FIFO_PLANE / sizeof(uint16_t);
    for (unsigned i = 0; i < ways; i++)
        if (queue[i] == low && (planes == 1 || upper[i] == high))
            return 1;
    for (unsigned i = ways - 1; i > 0; i--) {
        queue[i] = queue[i - 1];
        if (planes == 2)
            upper[i] = upper[i - 1];
    }
    queue[0] = low;
    if (planes == 2)
        upper[0] = high;
    return 0;
}

GRID_TEMPLATE void grid_fifo_run_planes(struct grid_job *job, unsigned planes)
{
    struct grid_work *work = &job->works[0];
    size_t kept = job->kept_count;
    for (size_t i = 0; i < job->item_count; i++) {
        uint16_t *lanes = (uint16_t *)(void *)(work->lists + work->offsets[i]);
        uint16_t low = (uint16_t)work->codes[0][i];
        uint16_t high = planes == 2 ? (uint16_t)work->codes[1][i] : 0;
        int hit = 0;
        for (unsigned ways = GRID_FIFO_WAYS; ways; ways--) {
            hit = grid_fifo_use(lanes + grid_fifo_lanes[ways], low, high, ways, planes);
            work->hits[ways - 1] += (uint32_t)hit;
            work->write_hits[ways - 1] += (uint32_t)hit & job->items[i];
        }
        job->kept[kept] = job->items[i];
        kept += !hit;
    }
    job->kept_count = kept;
}

GRID_TEMPLATE void grid_fifo_run(struct grid_job *job)
{
    if (job->works[0].planes == 1)
        grid_fifo_run_planes(job, 1);
    else
        grid_fifo_run_planes(job, 2);
}
