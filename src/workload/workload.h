/* Workloads: programs that really run on the CPU and emit the accesses that their GPU threads make,
 * block by block on demand; and recipes, which give a workload with parameters (or a trace file) a
 * name. */
#pragma once

#include "trace/stream.h"

/* A parameter of a workload, in order; all are whole numbers. */
struct workload_parameter {
    const char *name; /* "n", "block_x" */
    uint64_t fallback, min, max;
    const char *help;
};

enum { WORKLOAD_PARAMETERS_MAX = 16 };

struct workload {
    const char *name;  /* "2DCONV" */
    const char *suite; /* "PolyBench/GPU 1.0" */
    const char *help;
    const struct workload_parameter *parameters;
    size_t parameter_count;
    /* Builds the source; values[i] belongs to parameters[i] and is in range. */
    enum status (*open)(const uint64_t *values, struct trace_source **source,
                        struct diagnostics *diagnostics);
};

/* The built-in programs, ended by NULL. */
extern const struct workload *const workloads[];

/* Everything that can stand after --workload: a built-in name, optionally with parameters
 * ("GEMM:n=256,block_x=16"), the name of a recipe, or the path of a recipe or of a trace file; the
 * name alone of a trace file that lies beside the recipes. */
enum status workload_open(const char *text, struct trace_source **source,
                          struct diagnostics *diagnostics);

struct study; /* schema/study.h */

/* workload_open of one of a study's, whose errors name the study's file and the line. */
enum status workload_open_listed(const struct study *study, size_t index,
                                 struct trace_source **source, struct diagnostics *diagnostics);

struct workload_entry { /* for lists and completion */
    char *name;
    char *kind; /* "program" or "recipe" */
    char *help;
    char *origin; /* suite, or the recipe's file */
};

/* All names that workload_open knows without a path; *entries is freed by workload_list_free. */
enum status workload_list(struct workload_entry **entries, size_t *count);
void workload_list_free(struct workload_entry *entries, size_t count);
