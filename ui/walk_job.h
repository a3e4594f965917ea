/* The first page walks of a workload on a machine's TLBs, found in the background (walks screen).
 */
#pragma once

#include "schema/machine.h"
#include "ui/worker.h"

enum { WALKS_MAX = 1000 };

struct walk_result {
    char workload[256];
    struct machine machine; /* its stream and TLB parameters decide who walks */
    enum status status;
    char message[240];
    uint64_t pages[WALKS_MAX]; /* addresses, in order */
    uint16_t sms[WALKS_MAX];
    int count;
    bool whole; /* there are no more */
};

enum status walk_job_start(struct worker *worker, const char *workload,
                           const struct machine *machine);
