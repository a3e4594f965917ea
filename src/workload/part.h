/* What a workload's name may say about any workload, after its file or program: which launches are
 * meant, and for a trace its format.
 *
 *     list.g:kernel=3,bfs*        ATAX:nx=128,kernel=atax_kernel1        yi.trace:format=lackey
 *
 * These arguments stand between others in any order. What follows a comma and is no "name=value"
 * belongs to the argument before it. */
#pragma once

#include "trace/launch_choice.h"

struct part {
    char *name;                   /* the text before the arguments */
    char *others;                 /* the other arguments, "nx=128" */
    char *format;                 /* NULL: not said */
    char *kernels;                /* as they were written; NULL: all */
    struct launch_choice *choice; /* of kernels; NULL: all */
};

/* Splits a workload's name. A path may hold colons: if the arguments begin with one of ours, the
 * name ends before it, else at the first colon. STATUS_INVALID: an argument is given twice or is
 * wrong, with a message. */
enum status part_parse(const char *text, struct part *part, struct diagnostics *diagnostics);
void part_free(struct part *part);

/* "FILE:format=NAME" of a workload's name, which may have arguments already. NULL if there is no
 * memory. */
char *part_with_format(const char *text, const char *format);

/* Leaves the launches of *source that are meant, and says so in its name. */
enum status part_apply(const struct part *part, struct trace_source **source,
                       struct diagnostics *diagnostics);
