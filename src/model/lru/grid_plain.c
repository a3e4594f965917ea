/* The kernels of grid.h in plain C, for any processor. */
#include "model/lru/grid_fifo.h"

static int supported(void)
{
    return 1;
}

/* Moves a code to the front of its list. Returns the place it was at, or `lanes` if it was not
 * there. */
GRID_TEMPLATE unsigned use_list(uint16_t *list, uint16_t low, uint16_t high, unsigned lanes,
                                unsigned planes)
{
    uint16_t carried = low, carried_high = high;
    for (unsigned place = 0; place < lanes; place++) {
        uint16_t here = list[place], here_high = 0;
        list[place] = carried;
        if (planes == 2) {
            here_high = list[lanes + place];
            list[lanes + place] = carried_high;
        }
        if (here == low && (planes == 1 || here_high == high))
            return place;
        carried = here;
        carried_high = here_high;
    }
    return lanes;
}

GRID_TEMPLATE size_t run_work(const struct grid_job *job, struct grid_work *work, unsigned planes)
{
    uint32_t places[2][GRID_WAYS + 1] = {{0}};
    size_t kept = job->kept_count;
    for (size_t i = 0; i < job->item_count; i++) {
        uint16_t *list = (uint16_t *)(void *)(work->lists + work->offsets[i]);
        uint16_t high = planes == 2 ? (uint16_t)work->codes[1][i] : 0;
        unsigned place = use_list(list, (uint16_t)work->codes[0][i], high, job->lanes, planes);
        places[job->items[i] & 1][place]++;
        job->kept[kept] = job->items[i];
        kept += place != 0;
    }
    for (unsigned place = 0; place < job->lanes; place++) {
        work->hits[place] += places[0][place] + places[1][place];
        work->write_hits[place] += places[1][place];
    }
    return kept;
}

static void grid_plain_run(struct grid_job *job)
{
    size_t kept = 0;
    for (unsigned w = 0; w < job->count; w++) {
        struct grid_work *work = &job->works[w];
        kept = work->planes == 1 ? run_work(job, work, 1) : run_work(job, work, 2);
    }
    job->kept_count = kept;
}

static size_t collapse(const uint32_t *items, size_t count, unsigned shift, uint32_t *last,
                       uint32_t *lines)
{
    return grid_collapse(items, count, shift, last, lines);
}

static size_t grid_plain_choose(const uint32_t *items, size_t count,
                                const struct grid_choice *choice, uint32_t *chosen)
{
    return grid_choose(items, count, choice, chosen);
}

static size_t survey(const uint32_t *items, size_t count, uint32_t *top)
{
    return grid_survey(items, count, top);
}

static void grid_plain_place(const uint32_t *items, size_t count, const struct grid_order *order,
                             uint32_t *offsets, uint32_t *low, uint32_t *high)
{
    grid_place(items, count, order, offsets, low, high);
}

static void place_hashed(const uint32_t *items, size_t count, const struct grid_hash *hash,
                         uint32_t *offsets)
{
    grid_place_hashed(items, count, hash, offsets);
}

const struct grid_kernel grid_plain = {"plain",           supported,        grid_plain_run,
                                       grid_fifo_plain,   survey,           collapse,
                                       grid_plain_choose, grid_plain_place, place_hashed};
