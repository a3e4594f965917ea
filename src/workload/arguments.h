/* The parameters of a workload with their values, as text and as a recipe give them. */
#pragma once

#include "base/diag.h"
#include "workload/workload.h"

struct arguments {
    const struct workload *workload;
    uint64_t values[WORKLOAD_PARAMETERS_MAX];
    uint32_t given; /* bit i: parameter i was set */
};

/* The built-in program of that name, in any case, or NULL. */
const struct workload *workload_find(const char *name);

/* The built-in program whose name is nearest to a wrong one, or NULL. */
const char *workload_nearest(const char *name);

/* nearest_name, which also tries `name` in upper case. */
const char *nearest_name_any_case(const char *name, const char *const *names, size_t count);

/* All parameters at their defaults. */
void workload_arguments_init(struct arguments *arguments, const struct workload *workload);

/* Sets one parameter. The places (NULL: none) are where name and value stand. */
enum status workload_arguments_set(struct arguments *arguments, const char *name, const char *value,
                                   const struct place *name_place, const struct place *value_place,
                                   struct diagnostics *diagnostics);

/* Sets "a=1,b=2", reporting every mistake and not the first; "" sets nothing. A parameter that the
 * text names twice is a mistake, one that was set before (by a recipe) is overridden. */
enum status workload_arguments_parse(struct arguments *arguments, const char *text,
                                     struct diagnostics *diagnostics);

enum status workload_arguments_open(const struct arguments *arguments, struct trace_source **source,
                                    struct diagnostics *diagnostics);
