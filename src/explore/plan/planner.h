/* The planner: turns a study into the simulations that its points share.
 *
 * It splits a machine into parts that do not feed each other (stage_parts): the caches (stream,
 * L1D, L2) and the translation (stream, TLB, page-walk cache). If page walks may go through the L2,
 * one part holds both. Area needs no stream. A *setting* is one distinct value of everything a part
 * depends on. It is simulated once per workload, on a machine reduced to that part; a point is then
 * composed from the metrics of its settings and from its area. So 20,000 points may need a few
 * hundred simulations, and the answer is the same as evaluating each point alone.
 *
 * The part with the most settings is the *driver*. The tasks of the other parts come early
 * (explore/plan/task_order.h). When a task ends, the points can be composed and stored of which all
 * other parts are there (plan_points).
 *
 * Cost: time is O(workloads x machines x parts) to number and mark the settings; memory is 4 bytes
 * for each combination of a part's axes, and two bits for each setting and workload. */
#pragma once

#include "explore/plan/settings.h"
#include "explore/plan/simulate.h"
#include "explore/space/projection.h"
#include "model/area/area.h"
#include "schema/metrics.h"

enum { PARTS_MAX = STAGE_COUNT }; /* every part has a stage that no other part has */

#define NO_SETTING UINT32_MAX

/* A group of stages that is simulated apart from the others. */
struct part {
    struct stage_question question; /* no stages if the study asks for area alone */
    struct projection projection;   /* onto the axes that the part depends on */
    uint32_t *setting_of;           /* by combination; NO_SETTING if no missing point has it */
    uint32_t *machines;       /* by combination: those that are legal and have a missing point */
    uint32_t *members;        /* combinations, grouped by setting */
    size_t *member_ends;      /* where each setting's members end */
    struct settings settings; /* in order of their first combination */
    uint8_t **needed;         /* per workload, one bit per setting: some missing point has it */
    uint8_t *
        *remembered; /* per workload, one bit per setting: needed, but the stage cache had it */
};

/* One pass over one workload for `count` settings of a part that all use one stream; or a batch of
 * settings that the stage cache already has. */
struct task {
    size_t workload, part;
    const uint32_t *settings; /* setting numbers, a slice of plan->order */
    size_t count;
    size_t firsts; /* distinct first levels to simulate */
    bool shared;   /* all first levels are shared; otherwise none is */
    bool remembered;
    size_t groups; /* into which its machines are split, as in struct evaluate_options */
    double weight; /* cost, where 1 is one walk over one record; 0 if remembered */
};

/* Where earlier results are looked up: digests[w] identifies workload w. */
struct plan_memory {
    struct stage_cache *cache;
    const char *const *digests;
};

struct plan {
    const struct space *space;
    const uint8_t *legal;                       /* bitmap of machines */
    const uint8_t *done;                        /* bitmap of points, or NULL */
    const struct metric *counted[METRIC_COUNT]; /* the counts that the columns derive from */
    size_t counted_count;
    unsigned stages;              /* the stages of `counted` */
    struct part parts[PARTS_MAX]; /* the last is the driver */
    size_t part_count;
    struct projection rest; /* onto the axes that the driver does not depend on */
    uint32_t *order;        /* the settings of all tasks */
    struct task *tasks;     /* in the order of task_order */
    size_t task_count, task_capacity;
    uint64_t missing; /* points that are legal and not done */
};

/* Makes the plan for the points that are legal and not done. `threads` is the number of workers to
 * keep busy; sizes[w] is the length of workload w (model/gpu/extent.h). `memory` may be NULL.
 * `legal`, `done` and `space` must outlive the plan. Fails only with STATUS_MEMORY, or
 * STATUS_CANCELLED if the space is cancelled. */
enum status plan_create(const struct space *space, const uint8_t *legal, const uint8_t *done,
                        const struct metric *const *columns, size_t column_count, int threads,
                        const double *sizes, const struct plan_memory *memory, struct plan **plan);
void plan_free(struct plan *plan); /* NULL is allowed */

/* Fills in only space, counted, stages and the question of each part: which parts the columns need,
 * and which counts of them. */
void plan_choose_parts(struct plan *plan, const struct space *space,
                       const struct metric *const *columns, size_t column_count);

static inline const struct part *plan_driver(const struct plan *plan)
{
    return &plan->parts[plan->part_count - 1];
}

/* The machine that simulates a setting: what the part does not need is switched off, and parameters
 * that do not matter have their fallback values. */
void plan_machine(const struct part *part, uint32_t setting, struct machine *machine);

/* The setting of `part` that this machine of the space has. */
static inline uint32_t plan_setting(const struct part *part, uint64_t machine)
{
    return part->setting_of[projection_index(&part->projection, machine)];
}

struct plan_point {
    uint64_t point;
    size_t slot; /* index into the task's settings */
};

/* By part: a bitmap of settings, or NULL for all of them. */
struct plan_there {
    const uint8_t *settings[PARTS_MAX];
};

/* Lists the missing points of one of the driver's tasks, in ascending order, of which the settings
 * of the other parts are in `there` (NULL: all points). The caller frees it. */
enum status plan_points(const struct plan *plan, const struct task *task,
                        const struct plan_there *there, struct plan_point **points, size_t *count);

/* Composes the metrics of a point: the counts from its settings, its area, and everything derived
 * from them. parts[p] holds the metrics of its setting of part p; `kept` is of the machine that was
 * composed before, best a neighbour. */
void plan_compose(const struct plan *plan, uint64_t machine,
                  const struct metrics *const parts[PARTS_MAX], struct area_kept *kept,
                  struct metrics *metrics);
