/* The planner: a study factored into simulations that its points share.
 *
 * A machine is cut into parts that do not feed each other: the caches (stream, L1D, L2) and the
 * translation (stream, TLB, page-walk cache); one part holds both where a machine's page walks may
 * go through its L2. The area needs no stream. A *setting* is one distinct value of all that a part
 * depends on; it is simulated once for each workload, on a machine reduced to that part, and a
 * point is composed from the metrics of its settings and from its area. So 20,000 points may need a
 * few hundred simulations, and the answer is the same as point by point.
 *
 * The part with most settings is the *driver*: whenever a task of it ends, all points of its
 * settings can be composed and kept, because the tasks of the other part come first. */
#pragma once

#include "explore/plan/simulate.h"
#include "explore/space/projection.h"
#include "schema/metrics.h"

enum { PARTS_MAX = 2 };

#define NO_SETTING UINT32_MAX

struct setting {
    uint32_t combination; /* the first one of the part's projection that has this setting */
    uint32_t stream;      /* number of the stream that it consumes */
    uint32_t first;       /* number of its first level: the L1D or TLB on that stream, or the level
                           * that several of them have */
    uint32_t family;      /* number of the levels that share work with this one */
    uint32_t level;       /* number of all its levels: another setting of them costs nothing */
    bool shared;          /* nor does one of its first level */
    bool cheap;           /* its last level shares passes, so that its first costs the most */
};

/* Stages of the factored machine, as levels of a part. */
struct part {
    struct stage_question question; /* no stages: a study of area alone */
    struct projection projection;   /* the axes that it depends on */
    uint32_t *setting_of;           /* a setting for each combination, or NO_SETTING: not needed */
    struct setting *settings;       /* in order of their first combination */
    size_t setting_count, stream_count, first_count, level_count;
    uint8_t **needed;     /* for each workload one bit a setting: some point misses it */
    uint8_t **remembered; /* likewise: needed, and the cache had it when the plan was made */
};

/* One pass over one workload: `count` settings of a part, all on one stream; or settings that are
 * remembered. */
struct task {
    size_t workload, part;
    const uint32_t *settings; /* numbers, into plan->order */
    size_t count;
    size_t firsts; /* first levels to simulate */
    bool shared;   /* all of them are; or none */
    bool remembered;
    size_t groups; /* that its machines are dealt to, as in struct evaluate_options */
    double weight; /* cost in units of one walk over one record; 0: remembered */
};

/* Where results may be remembered: digests[w] is workload w's. */
struct plan_memory {
    struct stage_cache *cache;
    const char *const *digests;
};

struct plan {
    const struct space *space;
    const uint8_t *legal; /* bitmap of machines */
    const uint8_t *done;  /* bitmap of points, or NULL */
    const struct metric *const *columns;
    size_t column_count;
    unsigned stages;              /* all that the columns ask for */
    struct part parts[PARTS_MAX]; /* the last is the driver */
    size_t part_count;
    struct projection rest; /* the axes that the driver does not depend on */
    uint32_t *members;      /* combinations of the driver, setting by setting */
    size_t *member_ends;    /* where each setting's members end */
    uint32_t *order;        /* settings as the tasks take them */
    struct task *tasks;     /* the driver's last; of each part the largest first */
    size_t task_count, task_capacity;
    uint64_t missing; /* points to make */
};

/* Makes the plan for the points that are legal and not done. `threads` is how many workers should
 * find work; sizes[w] is how long workload w is (model/gpu/extent.h). `memory` may be NULL. The
 * arrays that it is given must outlive the plan. */
enum status plan_create(const struct space *space, const uint8_t *legal, const uint8_t *done,
                        const struct metric *const *columns, size_t column_count, int threads,
                        const double *sizes, const struct plan_memory *memory, struct plan **plan);
void plan_free(struct plan *plan); /* NULL is allowed */

/* Fills stages, parts and part_count from the space and the columns: which parts they ask for, and
 * how deep each must go. */
void plan_choose_parts(struct plan *plan);

static inline const struct part *plan_driver(const struct plan *plan)
{
    return &plan->parts[plan->part_count - 1];
}

/* The machine that simulates a setting: what the part does not need is switched off, what does not
 * matter stands at its fallback. */
void plan_machine(const struct plan *plan, const struct part *part, uint32_t setting,
                  struct machine *machine);

/* The setting of a part that a point's machine has. */
static inline uint32_t plan_setting(const struct part *part, uint64_t machine)
{
    return part->setting_of[projection_index(&part->projection, machine)];
}

struct plan_point {
    uint64_t point;
    size_t slot; /* which of the task's settings it has */
};

/* The missing points of a driver's task in ascending order, malloc'ed. */
enum status plan_points(const struct plan *plan, const struct task *task,
                        struct plan_point **points, size_t *count);

/* Composes the columns of a point. parts[p] are the metrics of its setting of part p. */
void plan_compose(const struct plan *plan, uint64_t machine,
                  const struct metrics *const parts[PARTS_MAX], struct metrics *metrics);
