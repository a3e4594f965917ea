/* Internal to explore/search/search_evaluator.h: the settings of one part that a search has met,
 * numbered, and their results. The planner numbers all combinations of a part in an array; a search
 * meets only some, so here hash tables hold those. A lookup is one or two hash table probes. */
#pragma once

#include "base/key_table.h"
#include "explore/plan/planner.h"
#include "explore/plan/settings.h"
#include "explore/space/projection.h"

/* The settings and results of one part. */
struct memo {
    const struct plan *plan; /* only its parts and columns are filled in; must outlive the memo */
    const struct part *part;
    struct settings settings;
    struct projection projection;  /* onto the axes that the part depends on */
    struct key_table combinations; /* of that projection */
    uint32_t *setting_of;          /* by the number of the combination */
    size_t setting_capacity;
    struct key_table results; /* key: setting * workloads + workload */
    double *values;           /* by the number of the result: the plan's counted metrics */
    bool *ready;              /* by the number of the result: memo_keep has been called */
    size_t value_capacity, ready_capacity;
};

enum status memo_open(const struct plan *plan, const struct part *part, struct memo *memo);
void memo_close(struct memo *memo); /* also one that was not opened, if zeroed */

/* The setting of machine `index` of the space; numbers it if it is new. */
enum status memo_setting(struct memo *memo, uint64_t index, uint32_t *setting);
/* The number of the result of a setting on a workload; makes an empty one if it is new. */
enum status memo_result(struct memo *memo, uint32_t setting, uint64_t workload, size_t *result);

/* Reads and writes the counted metrics of a result. memo_keep makes it ready. */
void memo_recall(const struct memo *memo, size_t result, struct metrics *metrics);
void memo_keep(struct memo *memo, size_t result, const struct metrics *metrics);
