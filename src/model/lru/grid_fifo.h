/* FIFO lists of grid.h. FIFO has no inclusion, so a set has one queue for every number of ways from
 * 1 to GRID_FIFO_WAYS, and all of them are searched at once: they lie side by side in five vectors
 * of 32 lanes. The vector kernels keep the newest code first and move a queue by a lane when it
 * misses; one lane between two queues stays 0. The plain ones keep rings. The queue of one way
 * holds the line of the last access: it is the filter for more sets. */
#pragma once

#include "model/lru/grid_kernel.h"

enum {
    GRID_FIFO_WAYS = 16,
    GRID_FIFO_VECTORS = 5,
    GRID_FIFO_PLANE = 512, /* bytes from one plane to the next */
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

enum { GRID_FIFO_QUEUES = 4 }; /* the most in a vector */

/* What a vector's queues are as masks of lanes. */
struct grid_fifo_layout {
    uint64_t lanes;                          /* that belong to a queue */
    uint64_t guards;                         /* the lane after each queue; it may be the 33rd */
    uint64_t inner_bytes;                    /* all but those of each queue's first lane */
    uint32_t missing[1 << GRID_FIFO_QUEUES]; /* lanes of the queues whose bit is not set */
    unsigned ways[GRID_FIFO_QUEUES];         /* of each queue; 0: there is none */
    uint16_t first_lanes[32];                /* ones in the first lane of each queue */
    uint16_t missing_lanes[1 << GRID_FIFO_QUEUES][32]; /* missing[] as vectors */
};

void grid_fifo_describe(struct grid_fifo_layout layouts[GRID_FIFO_VECTORS]);

/* hits[w - 1] are those with w ways. Only the first work of the job is looked at. */
void grid_fifo_plain(struct grid_job *job);
void grid_fifo_avx2(struct grid_job *job);
void grid_fifo_avx512(struct grid_job *job);
