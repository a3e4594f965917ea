/* One point of a store as a machine of its own: the best one by a metric, or one with a number, as
 * YAML or as gpgpusim.config. A comment at the top says where the machine comes from and what it
 * measured. `warpscape export` and the explorer's :export write the same text. Cost: one query of
 * the store. */
#pragma once

#include "explore/store/store.h"

struct point_request {
    const char *store;            /* its path, for messages and the comment */
    const char *best;             /* a metric; NULL: `point` */
    const char *where, *workload; /* NULL: any */
    enum aggregate across; /* with `best`: over all workloads; AGGREGATE_NONE: the geometric mean if
                            * there are several and none is named, so that no best mixes them */
    uint64_t point;
};

struct chosen_point {
    struct store_row row;
    double *values;        /* by column of the store; row.values */
    enum aggregate across; /* that they were chosen by */
};

/* The direction in which a metric is better in this study: that of its objective, else its own. An
 * unknown metric, or one without a direction, is an error of --`option`. */
enum status metric_direction(const struct study *study, const char *option, const char *path,
                             enum direction *direction, struct diagnostics *diagnostics);

/* Finds the point. STATUS_NOT_FOUND if none passes. Free it with chosen_point_free. */
enum status point_choose(const struct point_request *request, struct store *store,
                         const struct study *study, struct chosen_point *chosen,
                         struct diagnostics *diagnostics);
void chosen_point_free(struct chosen_point *chosen);

/* Its machine with the comment, as YAML or gpgpusim.config; malloc'ed. */
enum status point_configuration(const struct point_request *request, struct store *store,
                                const struct study *study, const struct chosen_point *chosen,
                                bool gpgpusim, char **text, struct diagnostics *diagnostics);
