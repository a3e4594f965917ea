/* Inside of explore/search/search_evaluator.h: what was ever simulated of one part of a plan,
 * numbered, and the results. */
#pragma once

#include "base/key_table.h"
#include "explore/plan/planner.h"
#include "explore/plan/settings.h"
#include "explore/space/projection.h"

/* The settings met so far of one part. */
struct memo {
    const struct plan *plan; /* only what its parts are; outlives the memo */
    const struct part *part;
    struct settings settings;
    struct projection projection; /* the axes that the part depends on */
    struct key_table combinations;
    uint32_t *setting_of; /* one each combination met */
    size_t setting_capacity;
    struct key_table results; /* setting x workloads + workload */
    double *values;           /* what is counted of each result */
    bool *ready;              /* one each result */
    size_t value_capacity, ready_capacity;
};

enum status memo_open(const struct plan *plan, const struct part *part, struct memo *memo);
void memo_close(struct memo *memo); /* also one that was not opened, if zeroed */

/* The number of the setting that the machine has; a new one where it is the first. */
enum status memo_setting(struct memo *memo, uint64_t index, uint32_t *setting);
/* The place for the result of a setting on a workload. */
enum status memo_result(struct memo *memo, uint32_t setting, uint64_t workload, size_t *result);

/* What the plan's columns follow from, of a result; keeping them makes it ready. */
void memo_recall(const struct memo *memo, size_t result, struct metrics *metrics);
void memo_keep(struct memo *memo, size_t result, const struct metrics *metrics);
