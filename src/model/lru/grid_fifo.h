/* The FIFO lists of grid.h. FIFO has no inclusion property, so each set has one queue for every
 * number of ways from 1 to GRID_FIFO_WAYS. The queues lie side by side in five vectors of 32 lanes
 * and are all searched at once. The vector kernels keep the newest code first and shift a queue by
 * one lane when it misses; one lane between two queues stays 0. The plain kernel keeps rings
 * instead. The queue of one way holds the line of the last access, which filters the stream for
 * more sets.
 *
 * Memory: 512 bytes per set and plane. */
#pragma once

#include "model/lru/grid_kernel.h"

enum {
    GRID_FIFO_WAYS = 16,
    GRID_FIFO_VECTORS = 5,
    GRID_FIFO_PLANE = 512, /* bytes per plane */
};

/* The first lane of the queue for each number of ways, in lanes of 16 bits. */
#define GRID_FIFO_LANE(vector, lane) (32 * (vector) + (lane))
static const uint16_t grid_fifo_lanes[GRID_FIFO_WAYS + 1] = {
    [16] = GRID_FIFO_LANE(0, 0),  [15] = GRID_FIFO_LANE(0, 17), [14] = GRID_FIFO_LANE(1, 0),
    [13] = GRID_FIFO_LANE(1, 15), [3] = GRID_FIFO_LANE(1, 29),  [12] = GRID_FIFO_LANE(2, 0),
    [11] = GRID_FIFO_LANE(2, 13), [6] = GRID_FIFO_LANE(2, 25),  [10] = GRID_FIFO_LANE(3, 0),
    [9] = GRID_FIFO_LANE(3, 11),  [8] = GRID_FIFO_LANE(3, 21),  [2] = GRID_FIFO_LANE(3, 30),
    [7] = GRID_FIFO_LANE(4, 0),   [5] = GRID_FIFO_LANE(4, 8),   [4] = GRID_FIFO_LANE(4, 14),
    [1] = GRID_FIFO_LANE(4, 19),
};

enum { GRID_FIFO_QUEUES = 4 }; /* the most queues in a vector */

/* Lane masks that describe the queues of a vector. */
struct grid_fifo_layout {
    uint64_t lanes;       /* lanes that belong to a queue */
    uint64_t guards;      /* the lane after each queue, possibly the 33rd */
    uint64_t inner_bytes; /* bytes of all lanes except the first of each queue */
    /* For each set of queues that hit: lanes of the queues that did not. */
    uint32_t missing[1 << GRID_FIFO_QUEUES];
    unsigned ways[GRID_FIFO_QUEUES];                   /* ways of each queue; 0: no queue */
    uint16_t first_lanes[32];                          /* ones in the first lane of each queue */
    uint16_t missing_lanes[1 << GRID_FIFO_QUEUES][32]; /* missing[] as vectors */
};

void grid_fifo_describe(struct grid_fifo_layout layouts[GRID_FIFO_VECTORS]);

/* hits[w - 1] counts the hits with w ways. Only the first work of the job is run. */
void grid_fifo_plain(struct grid_job *job);
void grid_fifo_avx2(struct grid_job *job);
void grid_fifo_avx512(struct grid_job *job);
