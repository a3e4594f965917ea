/* The kernels of grid.h in plain C. */
#include "model/cache/grid_kernel.h"

static int supported(void)
{
    return 1;
}

/* Moves a code to the front of its list; returns the place that it was at, `lanes`: none. */
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

GRID_TEMPLATE void run_work(const struct grid_job *job, struct grid_work *work, unsigned planes,
                            uint32_t *kept, size_t *kept_count)
{
    uint32_t places[2][GRID_WAYS + 1] = {{0}};
    size_t count = *kept_count;
    for (size_t i = 0; i < job->item_count; i++) {
        uint16_t *list = (uint16_t *)(void *)(work->lists + work->offsets[i]);
        uint16_t high = planes == 2 ? (uint16_t)work->codes[1][i] : 0;
        unsigned place = use_list(list, (uint16_t)work->codes[0][i], high, job->lanes, planes);
        places[job->items[i] & 1][place]++;
        if (kept && place)
            kept[count++] = job->items[i];
    }
    *kept_count = count;
    for (unsigned place = 0; place < job->lanes; place++) {
        work->hits[place] += places[0][place] + places[1][place];
        work->write_hits[place] += places[1][place];
    }
}

static void run(struct grid_job *job)
{
    if (job->lanes == 4) {
        grid_run_words(job);
        return;
    }
    for (unsigned w = 0; w < job->count; w++) {
        uint32_t *kept = w + 1 == job->count ? job->kept : NULL;
        if (job->planes == 1)
            run_work(job, &job->works[w], 1, kept, &job->kept_count);
        else
            run_work(job, &job->works[w], 2, kept, &job->kept_count);
    }
}

static size_t collapse(const uint32_t *items, size_t count, unsigned shift, uint32_t *last,
                       uint32_t *lines)
{
    return grid_collapse(items, count, shift, last, lines);
}

static void place(const uint32_t *items, size_t count, unsigned set_bits, unsigned list_bits,
                  uint32_t *offsets, uint32_t *low, uint32_t *high)
{
    grid_place(items, count, set_bits, list_bits, offsets, low, high);
}

const struct grid_kernel grid_plain = {"plain", supported, run, collapse, place};
