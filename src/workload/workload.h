/* Workloads: programs that run on the CPU and emit the memory accesses of their GPU threads, one
 * thread block at a time and on demand; and recipes, which give a name to a workload with
 * parameters or to a trace file.
 *
 * No records are stored: a program generates a block each time that it is opened. So memory does
 * not grow with the length of the stream, and any number of threads can read blocks at once. */
#pragma once

#include "schema/families.h"
#include "trace/stream.h"

/* A parameter of a workload: an integer from `min` to `max`, or one of some words (struct
 * workload), of which the value is the index. */
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
    uint32_t powers_of_two; /* bit i: parameter i has to be one */
    uint32_t sizes;         /* bit i: parameter i is in bytes, and may have their units */
    /* words[i]: of parameter i, ended by NULL; NULL: it is an integer. NULL: all are. */
    const char *const *const *words;
    /* Builds the source. values[i] belongs to parameters[i] and is what that may be. */
    enum status (*open)(const uint64_t *values, struct trace_source **source,
                        struct diagnostics *diagnostics);
};

/* The words of a parameter, or NULL. */
static inline const char *const *workload_words(const struct workload *workload, size_t parameter)
{
    return workload->words ? workload->words[parameter] : NULL;
}

/* The built-in programs, then NULL. */
extern const struct workload *const workloads[];

/* Opens what follows --workload: a built-in program, with or without parameters
 * ("GEMM:n=256,block_x=16"); a recipe, by name or path; or a trace file, by path or by name if it
 * is in a trace folder. STATUS_NOT_FOUND suggests the nearest name. */
enum status workload_open(const char *text, struct trace_source **source,
                          struct diagnostics *diagnostics);

/* What workload_open would say, but of a file only that it is there: reading it may take long. */
enum status workload_check(const char *text, struct diagnostics *diagnostics);

/* The same as workload_open; a source that does not say what its instructions wait for gets them
 * under an assumption (trace/assumed.h). */
enum status workload_open_assumed(const char *text, enum assumed_dependences assumed,
                                  struct trace_source **source, struct diagnostics *diagnostics);

struct study; /* schema/study.h */

/* The same of one workload of a study, under its assumption. Errors name the study's file and line.
 */
enum status workload_open_listed(const struct study *study, size_t index,
                                 struct trace_source **source, struct diagnostics *diagnostics);

struct workload_entry { /* for lists and completion */
    char *name;
    char *kind; /* "program" or "recipe" */
    char *help;
    char *origin; /* suite, or the recipe's file */
};

/* Lists all names that workload_open knows without a path. Free *entries with
 * workload_list_free. */
enum status workload_list(struct workload_entry **entries, size_t *count);
void workload_list_free(struct workload_entry *entries, size_t count);
