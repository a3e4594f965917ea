/* Warp instructions that have page walks waiting, and which of them has the least work left: what
 * the shortest-job-first scheduler of model/translation/walkers.h decides by. Part of walkers.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define JOB_NONE UINT32_MAX

struct walk_job {
    uint64_t number;   /* of the instruction among those with walks */
    uint64_t issued;   /* cycle */
    uint64_t last_end; /* of its translations so far */
    uint64_t score;    /* page-table entries that its waiting walks are expected to read */
    uint32_t entries;  /* of the buffer */
    uint32_t walks;    /* of these, walks of its own */
    uint32_t place;    /* in the heap, or JOB_NONE */
    bool open;         /* more of its requests may come */
    bool counted;      /* issued since counting began */
};

struct walk_jobs {
    struct walk_job *items;
    uint32_t *spare, spare_count; /* stack of the items not in use */
    uint32_t *heap, heap_count;   /* those with walks, least (score, number) first */
};

enum status walk_jobs_init(struct walk_jobs *jobs, uint32_t count);
void walk_jobs_free(struct walk_jobs *jobs);

uint32_t walk_jobs_take(struct walk_jobs *jobs); /* zeroed, not in the heap; there must be one */
void walk_jobs_give(struct walk_jobs *jobs, uint32_t job);

/* Puts a job where its score and walks, which have changed, want it. */
void walk_jobs_place(struct walk_jobs *jobs, uint32_t job);

/* The job with the least score, the oldest of equals. There must be one in the heap. */
static inline uint32_t walk_jobs_least(const struct walk_jobs *jobs)
{
    return jobs->heap[0];
}
