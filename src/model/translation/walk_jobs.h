/* The warp instructions with waiting page walks (jobs), in a heap whose first element has the least
 * work left. The shortest-job-first scheduler of model/translation/walkers.h decides by it. Part of
 * walkers.c. A change takes time logarithmic in the number of jobs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define JOB_NONE UINT32_MAX

struct walk_job {
    uint64_t number;   /* number of the instruction in the order of issue */
    uint64_t issued;   /* cycle of issue */
    uint64_t last_end; /* end of the last of its translations so far */
    uint64_t score;    /* page-table entries that its waiting walks are expected to read */
    uint32_t entries;  /* buffer entries that it holds */
    uint32_t walks;    /* those of them that are walks of its own */
    uint32_t place;    /* place in the heap, or JOB_NONE */
    bool open;         /* more of its requests may arrive */
    bool counted;      /* issued since counting began */
};

struct walk_jobs {
    struct walk_job *items;
    uint32_t *spare, spare_count; /* stack of unused items */
    uint32_t *heap, heap_count;   /* jobs with walks, least (score, number) first */
};

enum status walk_jobs_init(struct walk_jobs *jobs, uint32_t count);
void walk_jobs_free(struct walk_jobs *jobs);

uint32_t
walk_jobs_take(struct walk_jobs *jobs); /* a zeroed job outside the heap; one must be unused */
void walk_jobs_give(struct walk_jobs *jobs, uint32_t job);

/* Restores the heap after the score or the walks of a job have changed; a job without walks leaves
 * it. */
void walk_jobs_place(struct walk_jobs *jobs, uint32_t job);

/* The job with the least score; the oldest of equals. The heap must not be empty. */
static inline uint32_t walk_jobs_least(const struct walk_jobs *jobs)
{
    return jobs->heap[0];
}
