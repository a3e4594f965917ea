/* Executes a program of the SIMT processor in the background and counts, by instruction, how often
 * it issued and with how many lanes (Lanes view). */
#pragma once

#include "ui/jobs/worker.h"
#include "workload/simt/profile.h"

struct trace_source;

struct lane_result {
    char workload[256];
    enum status status;
    char message[240];
    struct trace_source *source;
    const struct simt_program *program; /* of the source */
    struct simt_profile profile;
    uint32_t *rows; /* the instructions that were issued, in order */
    size_t count;
};

/* Starts the job. STATUS_MEMORY. */
enum status lane_job_start(struct worker *worker, const char *workload);
void lane_result_free(struct lane_result *result);
