/* A random workload of any kind, small enough for every depth: kernels, traces, scenes, programs of
 * the SIMT processor, and streams that no real program makes. */
#pragma once

#include "support/roll_cache.h"
#include "trace/stream.h"

struct storm_workload {
    struct trace_source *source;
    char text[256]; /* what it is, for messages; what stands after -w if it is a program */
    bool program;   /* `text` opens it */
};

/* Never fails: it draws until a workload opens. */
void storm_workload_draw(struct dice *dice, struct storm_workload *workload);
/* A built-in program with the memory accesses of a kernel; `program` is set. */
void storm_workload_kernel(struct dice *dice, struct storm_workload *workload);
void storm_workload_free(struct storm_workload *workload);
