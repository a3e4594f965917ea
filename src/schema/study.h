/* A study: a machine, workloads, axes over parameters, constraints and objectives. config/ fills it
 * and explore/ explores it. The values are plain; study_free releases what they own. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "schema/metrics.h"
#include "schema/parameters.h"
#include "schema/search_methods.h"

struct axis {
    const struct parameter *parameter;
    struct value *values; /* in the order of the file, no two equal */
    size_t count;
    unsigned line; /* of the study file, for messages; 0 = none */
};

/* An SQL expression over the paths of the parameter and metric tables ("l1d.size <= 32768 and
 * l1d.miss_rate < 0.5"). `where` may name parameters only, `filter` may name both. */
struct condition {
    char *text;
    unsigned line;
    char *budget; /* owned description, if an `equal` budget made the condition
                   * (explore/space/budget.h); else NULL */
};

struct objective {
    const struct metric *metric;
    enum direction direction; /* never NO_DIRECTION */
};

/* A parameter that no axis sets. For each combination of the axes it gets the largest legal value
 * that keeps a metric of the area stage at or below a limit (explore/space/budget.h). */
struct budget {
    const struct metric *metric;
    double limit;
    const struct parameter *parameter;
    unsigned line; /* of the study file; 0 = none */
};

/* A parameter of the baseline. */
struct baseline_value {
    const struct parameter *parameter;
    struct value value;
};

struct study {
    char *name;             /* file name without folder and extension */
    char *path;             /* NULL for a study made on the screen */
    struct machine machine; /* the parameters that no axis sets */
    char *machine_name;
    struct baseline_value *baseline; /* what machines are compared with has these values besides */
    size_t baseline_count;
    char **workloads;
    unsigned *workload_lines; /* lines of the study file, one a workload; NULL: not known */
    size_t workload_count;
    struct axis *axes;
    size_t axis_count;
    struct budget *budgets; /* empty once budgets_solve has turned them into axes and conditions */
    size_t budget_count;
    struct condition *where; /* points that fail are never evaluated */
    size_t where_count;
    struct condition
        *filters; /* points that fail are kept, but are neither best nor in the front */
    size_t filter_count;
    struct objective *objectives;
    size_t objective_count;
    const struct metric **columns; /* stored in addition to the objectives */
    size_t column_count;
    enum depth depth; /* depth of every evaluation */
    enum assumed_dependences
        assumed;          /* of traces that do not say what their instructions wait for */
    bool depth_said;      /* set by the user; else study_choose_depth sets `depth` */
    struct search search; /* how to explore the space */
    uint64_t seed;
};

void study_free(struct study *study);

/* The machine that others are compared with: the study's, with the values of its baseline. */
void study_baseline(const struct study *study, struct machine *machine);

/* Unless the user set a depth, derives it from the objectives and columns: each raises it to the
 * first depth that answers that metric. */
void study_choose_depth(struct study *study);

/* How many values the axes before this one have: where its own begin among those of all axes. */
size_t study_values_before(const struct study *study, size_t axis);

/* Copies `where` and the filters into a study that has none. The caller frees the copy, even after
 * STATUS_MEMORY. */
enum status study_copy_conditions(const struct study *study, struct study *copy);
/* A deep copy of a study. On STATUS_MEMORY `copy` is empty. */
enum status study_copy(const struct study *study, struct study *copy);
