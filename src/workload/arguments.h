/* The parameters of a workload with their values, as given on the command line and in recipes.
 *
 * Invariant: every value is in the range of its parameter, so a program need not check them one by
 * one. */
#pragma once

#include "base/diag.h"
#include "workload/workload.h"

struct arguments {
    const struct workload *workload;
    uint64_t values[WORKLOAD_PARAMETERS_MAX];
    uint32_t given; /* bit i: parameter i was set */
};

/* Finds a built-in program by name, ignoring case; NULL if there is none. */
const struct workload *workload_find(const char *name);

/* The built-in program whose name is nearest to a mistyped one, or NULL. */
const char *workload_nearest(const char *name);

/* nearest_name for `name` as it is, and in upper case if that finds nothing. */
const char *nearest_name_any_case(const char *name, const char *const *names, size_t count);

/* Sets all parameters to their defaults. */
void workload_arguments_init(struct arguments *arguments, const struct workload *workload);

/* Sets one parameter. `name_place` and `value_place` say where its name and value are; NULL if they
 * are in no file. STATUS_INVALID for an unknown name or a value out of range. */
enum status workload_arguments_set(struct arguments *arguments, const char *name, const char *value,
                                   const struct place *name_place, const struct place *value_place,
                                   struct diagnostics *diagnostics);

/* Sets "a=1,b=2" and reports every mistake, not only the first; "" sets nothing. Naming a parameter
 * twice in the text is a mistake. A value that was set before, by a recipe, is overridden. */
enum status workload_arguments_parse(struct arguments *arguments, const char *text,
                                     struct diagnostics *diagnostics);

/* Opens the program with these values. */
enum status workload_arguments_open(const struct arguments *arguments, struct trace_source **source,
                                    struct diagnostics *diagnostics);
