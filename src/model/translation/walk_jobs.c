#include "model/translation/walk_jobs.h"

#include <stdlib.h>

enum status walk_jobs_init(struct walk_jobs *jobs, uint32_t count)
{
    *jobs = (struct walk_jobs){.items = calloc(count, sizeof *jobs->items),
                               .spare = malloc(count * sizeof *jobs->spare),
                               .heap = malloc(count * sizeof *jobs->heap)};
    if (!jobs->items || !jobs->spare || !jobs->heap) {
        walk_jobs_free(jobs);
        return STATUS_MEMORY;
    }
    for (jobs->spare_count = 0; jobs->spare_count < count; jobs->spare_count++)
        jobs->spare[jobs->spare_count] = jobs->spare_count;
    return STATUS_OK;
}

void walk_jobs_free(struct walk_jobs *jobs)
{
    free(jobs->items);
    free(jobs->spare);
    free(jobs->heap);
    *jobs = (struct walk_jobs){0};
}

uint32_t walk_jobs_take(struct walk_jobs *jobs)
{
    uint32_t job = jobs->spare[--jobs->spare_count];
    jobs->items[job] = (struct walk_job){.place = JOB_NONE};
    return job;
}

void walk_jobs_give(struct walk_jobs *jobs, uint32_t job)
{
    jobs->spare[jobs->spare_count++] = job;
}

static bool comes_before(const struct walk_job *a, const struct walk_job *b)
{
    return a->score != b->score ? a->score < b->score : a->number < b->number;
}

static void walk_jobs_put(struct walk_jobs *jobs, uint32_t place, uint32_t job)
{
    jobs->heap[place] = job;
    jobs->items[job].place = place;
}

/* Moves `job` from `place` up or down the heap to where it belongs. */
static void settle(struct walk_jobs *jobs, uint32_t place, uint32_t job)
{
    const struct walk_job *items = jobs->items;
    for (uint32_t up; place; place = up) {
        up = (place - 1) / 2;
        if (!comes_before(&items[job], &items[jobs->heap[up]]))
            break;
        walk_jobs_put(jobs, place, jobs->heap[up]);
    }
    for (uint32_t down; (down = 2 * place + 1) < jobs->heap_count; place = down) {
        if (down + 1 < jobs->heap_count &&
            comes_before(&items[jobs->heap[down + 1]], &items[jobs->heap[down]]))
            down++;
        if (!comes_before(&items[jobs->heap[down]], &items[job]))
            break;
        walk_jobs_put(jobs, place, jobs->heap[down]);
    }
    walk_jobs_put(jobs, place, job);
}

void walk_jobs_place(struct walk_jobs *jobs, uint32_t job)
{
    struct walk_job *item = &jobs->items[job];
    if (item->walks) {
        settle(jobs, item->place == JOB_NONE ? jobs->heap_count++ : item->place, job);
        return;
    }
    if (item->place == JOB_NONE)
        return;
    uint32_t place = item->place, last = jobs->heap[--jobs->heap_count];
    item->place = JOB_NONE;
    if (last != job)
        settle(jobs, place, last);
}
