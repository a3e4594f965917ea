/* The number of a machine on the Start page: it is opened and evaluated as its file says
 * (config/exploration.h), in the background. */
#pragma once

#include "config/exploration.h"
#include "ui/jobs/worker.h"

struct start_number {
    struct answer answer;
    const char *machine; /* static: the name of a built-in one */
    const struct metric *metric;
    double value;
};

extern const struct job_kind start_job;
/* NULL: no memory. */
struct start_number *start_number_new(const char *machine);
