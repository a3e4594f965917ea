/* Finds the first page walks of a workload on the TLBs of a machine, in the background (Walks
 * view). Walks stop at WALKS_MAX, which keeps the job short on any workload that misses often. */
#pragma once

#include "schema/machine.h"
#include "ui/jobs/worker.h"

enum { WALKS_MAX = 1000 };

struct walk_result {
    struct answer answer;
    char workload[256];
    struct machine machine;    /* the parameters of its stream and TLBs determine the walks */
    uint64_t pages[WALKS_MAX]; /* addresses of the pages, in order of the walks */
    uint16_t sms[WALKS_MAX];
    int count;
    bool whole; /* true: there are no further walks */
};

extern const struct job_kind walk_job;
/* NULL: no memory. */
struct walk_result *walk_result_new(const char *workload, const struct machine *machine);
