/* FIFO queues as rings in plain C: a miss overwrites the oldest code and moves nothing. */
#include "model/lru/grid_fifo.h"

/* Stored after the lanes: the head of each queue, and a dummy place that absorbs the store of a
 * queue that hits. */
enum { HEADS = 32 * GRID_FIFO_VECTORS, NOWHERE = HEADS + GRID_FIFO_WAYS + 1 };

/* Returns whether the queue of `ways` ways has the code; if not, the code replaces the oldest one.
 */
GRID_TEMPLATE uint32_t use_queue(uint16_t *lanes, uint16_t low, uint16_t high, unsigned ways,
                                 unsigned planes)
{
    uint16_t *queue = lanes + grid_fifo_lanes[ways], *head = lanes + HEADS + ways;
    uint16_t *upper = queue + GRID_FIFO_PLANE / sizeof *queue;
    unsigned found = 0;
    for (unsigned i = 0; i < ways; i++)
        found |= queue[i] == low && (planes == 1 || upper[i] == high);
    size_t place = found ? (size_t)(lanes + NOWHERE - queue) : *head;
    queue[place] = low;
    if (planes == 2)
        upper[place] = high;
    unsigned next = *head + !found;
    *head = (uint16_t)(next == ways ? 0 : next);
    return found;
}

#define USE_QUEUE(w)                                                                               \
    do {                                                                                           \
        hit = use_queue(lanes, low, high, w, planes);                                              \
        hits[(w)-1] += hit;                                                                        \
        write_hits[(w)-1] += hit & write;                                                          \
    } while (0)

/* The number of ways is a constant in each use, so that the compiler can vectorize the search. */
GRID_TEMPLATE void run(struct grid_job *job, unsigned planes)
{
    struct grid_work *work = &job->works[0];
    uint32_t *hits = work->hits, *write_hits = work->write_hits;
    size_t kept = job->kept_count;
    for (size_t i = 0; i < job->item_count; i++) {
        uint16_t *lanes = (uint16_t *)(void *)(work->lists + work->offsets[i]);
        uint16_t low = (uint16_t)work->codes[0][i];
        uint16_t high = planes == 2 ? (uint16_t)work->codes[1][i] : 0;
        uint32_t write = job->items[i] & 1, hit;
        USE_QUEUE(16);
        USE_QUEUE(15);
        USE_QUEUE(14);
        USE_QUEUE(13);
        USE_QUEUE(12);
        USE_QUEUE(11);
        USE_QUEUE(10);
        USE_QUEUE(9);
        USE_QUEUE(8);
        USE_QUEUE(7);
        USE_QUEUE(6);
        USE_QUEUE(5);
        USE_QUEUE(4);
        USE_QUEUE(3);
        USE_QUEUE(2);
        USE_QUEUE(1);
        job->kept[kept] = job->items[i];
        kept += !hit;
    }
    job->kept_count = kept;
}

void grid_fifo_plain(struct grid_job *job)
{
    if (job->works[0].planes == 1)
        run(job, 1);
    else
        run(job, 2);
}
