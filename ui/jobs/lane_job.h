/* Executes a program of the SIMT processor in the background and counts, by instruction, how often
 * it issued and with how many lanes (Lanes view). */
#pragma once

#include "ui/jobs/worker.h"
#include "workload/simt/simt_profile.h"

struct trace_source;

struct lane_result {
    struct answer answer;
    char workload[256];
    struct trace_source *source;
    const struct simt_program *program; /* of the source */
    struct simt_profile profile;
    uint32_t *rows; /* the instructions that were issued, in order */
    size_t count;
};

extern const struct job_kind lane_job;
/* NULL: no memory. */
struct lane_result *lane_result_new(const char *workload);
