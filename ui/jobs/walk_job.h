/* Finds the first page walks of a workload on the TLBs of a machine, in the background (Walks
 * view). Walks stop at WALKS_MAX, which keeps the job short on any workload that misses often. */
#pragma once

#include "schema/machine.h"
#include "ui/jobs/worker.h"

enum { WALKS_MAX = 1000 };

struct walk_result {
    char workload[256];
    struct machine machine; /* the parameters of its stream and TLBs determine the walks */
    enum status status;
    char message[240];
    uint64_t pages[WALKS_MAX]; /* addresses of the pages, in order of the walks */
    uint16_t sms[WALKS_MAX];
    int count;
    bool whole; /* true: there are no further walks */
};

/* Starts the job. STATUS_MEMORY. */
enum status walk_job_start(struct worker *worker, const char *workload,
                           const struct machine *machine);
