/* Internal to explore/wishes/wish_search.h: the state of a search, and its parts.
 * wish_search_space.c lists the machines, wish_search_round.c chooses those of a round,
 * wish_search.c runs them and concludes. */
#pragma once

#include "base/key_table.h"
#include "explore/results/scoreboard.h"
#include "explore/search/additive.h"
#include "explore/search/search_evaluator.h"
#include "explore/wishes/wish_search.h"

struct candidate {
    uint64_t machine;
    double cost; /* where the goal needs no run; else 0 */
};

struct looking {
    const struct wish *wish;
    const struct wish_options *options;
    struct trace_source *const *sources; /* by workload */
    struct wish_result *result;
    struct census census;
    struct scoreboard *board; /* tests the filters */
    struct evaluator *evaluator;
    struct candidate *candidates; /* in the order of the proof */
    size_t count, front;          /* the candidates before `front` were tried */
    uint64_t *own;                /* machines around the study's, which are tried first */
    size_t own_count;
    size_t asked;           /* the tried machines before this one are in the result */
    struct key_table tried; /* machines, in the order in which they were asked for */
    uint32_t *done;         /* by number: the workloads whose values are there */
    double *each;           /* by number and workload: the columns */
    double *values;         /* by number: the columns, over all workloads */
    uint32_t *digits;       /* by number: of the axes */
    uint32_t *guessed;      /* scratch: the digits of a guess */
    uint64_t *points;       /* scratch: of a round */
    size_t done_capacity, each_capacity, value_capacity, digit_capacity, point_capacity;
    struct additive *models; /* by column */
    double end;              /* on the clock; 0: no limit */
    atomic_bool stop;
    struct diagnostics *diagnostics;
};

static inline size_t axis_count(const struct looking *looking)
{
    return looking->result->study.axis_count;
}

static inline size_t columns(const struct looking *looking)
{
    return looking->result->column_count;
}

static inline size_t workloads(const struct looking *looking)
{
    return looking->result->study.workload_count;
}

/* The machines that are tried at most. */
static inline uint64_t points_most(const struct looking *looking)
{
    const uint64_t points = looking->options->points;
    return points && points < looking->count ? points : looking->count;
}

/* Makes the wish part of the study. */
enum status wish_fill_study(const struct wish *wish, struct study *study);
/* Lists the machines of the study's axes, in the order of the proof; opens what a round needs. */
enum status wish_open_space(struct looking *looking);

/* Adds the machines of a round to those tried; none where nothing better can be left. */
enum status wish_make_round(struct looking *looking);

/* Whether columns of a machine, seen or guessed, satisfy the conditions. */
enum status wish_satisfies(const struct looking *looking, uint64_t machine, const double *values,
                           bool *passes);
/* Whether a candidate would come before the best row. */
bool wish_beats_best(const struct looking *looking, const struct candidate *candidate);
int wish_compare_candidates(const void *a, const void *b);
