#include "model/lru/grid_fifo.h"

/* Enters a queue into the masks of its vector. The guard is the bit after its lanes, which receives
 * the carry that tells a hit (grid_fifo_avx2.c, step). */
static void describe_queue(struct grid_fifo_layout *layout, unsigned queue, unsigned ways,
                           unsigned lane)
{
    uint64_t lanes = ((UINT64_C(1) << ways) - 1) << lane;
    layout->ways[queue] = ways;
    layout->lanes |= lanes;
    layout->guards |= UINT64_C(1) << (lane + ways);
    layout->inner_bytes &= ~(UINT64_C(3) << (2 * lane));
    layout->first_lanes[lane] = UINT16_MAX;
    for (unsigned hits = 0; hits < 1 << GRID_FIFO_QUEUES; hits++)
        if (!(hits >> queue & 1)) {
            layout->missing[hits] |= (uint32_t)lanes;
            for (unsigned i = 0; i < ways; i++)
                layout->missing_lanes[hits][lane + i] = UINT16_MAX;
        }
}

void grid_fifo_describe(struct grid_fifo_layout layouts[GRID_FIFO_VECTORS])
{
    for (unsigned vector = 0; vector < GRID_FIFO_VECTORS; vector++) {
        struct grid_fifo_layout *layout = &layouts[vector];
        unsigned queues = 0;
        *layout = (struct grid_fifo_layout){.inner_bytes = UINT64_MAX};
        for (unsigned lane = 0; lane < 32; lane++)
            for (unsigned ways = 1; ways <= GRID_FIFO_WAYS; ways++)
                if (grid_fifo_lanes[ways] == GRID_FIFO_LANE(vector, lane))
                    describe_queue(layout, queues++, ways, lane);
    }
}
