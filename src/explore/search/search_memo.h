/* Inside of explore/search/search_evaluator.h: what was ever simulated of one part of a plan,
 * numbered, and the results. */
#pragma once

#include "explore/plan/planner.h"
#include "explore/space/point_table.h"
#include "explore/space/projection.h"
#include "explore/space/setting_table.h"

/* What settings are numbered by. */
enum memo_number { MEMO_SETTING, MEMO_STREAM, MEMO_FIRST, MEMO_FAMILY, MEMO_LEVEL, MEMO_NUMBERS };

struct memo_item {
    uint64_t machine;                      /* the first one that has it */
    uint32_t stream, family, first, level; /* as in struct setting */
    bool shared, cheap;
};

/* The settings met so far of one part. */
struct memo {
    const struct plan *plan; /* only what its parts are; outlives the memo */
    const struct part *part;
    struct setting_table *tables[MEMO_NUMBERS];
    struct memo_item *items;
    size_t count, capacity;
    struct projection projection; /* the axes that the part depends on */
    struct point_table combinations;
    uint32_t *setting_of; /* one each combination met */
    size_t setting_capacity;
    struct point_table results; /* setting x workloads + workload */
    double *values;             /* the columns of each result */
    bool *ready;                /* one each result */
    size_t value_capacity, ready_capacity;
};

enum status memo_open(const struct plan *plan, const struct part *part, struct memo *memo);
void memo_close(struct memo *memo); /* also one that was not opened, if zeroed */

/* The machine `index` of the space as the part sees it. */
void memo_machine(const struct memo *memo, uint64_t index, struct machine *machine);

/* The number of the setting that the machine has; a new one where it is the first. */
enum status memo_setting(struct memo *memo, uint64_t index, uint32_t *setting);
/* The place for the result of a setting on a workload. */
enum status memo_result(struct memo *memo, uint32_t setting, uint64_t workload, size_t *result);

/* The plan's columns of a result; keeping them makes it ready. */
void memo_recall(const struct memo *memo, size_t result, struct metrics *metrics);
void memo_keep(struct memo *memo, size_t result, const struct metrics *metrics);
