/* What a search for a wish has found (explore/wishes/wish_search.h): the machines that satisfy it,
 * what was tried, and what that proves. Copies are whole: one thread may read while another goes
 * on. */
#pragma once

#include "explore/plan/simulate.h"
#include "explore/space/space.h"
#include "explore/wishes/wish.h"

/* What makes the answer one. */
enum wish_proof {
    WISH_UNPROVED,   /* the best of those tried */
    WISH_ALL_BETTER, /* every machine with a better goal was tried */
    WISH_ALL         /* every machine was tried */
};

struct wish_row {
    uint64_t machine;
    double cost;    /* the goal; less is better */
    double area;    /* then less of this; 0: the wish does not say total.area */
    size_t changes; /* then fewer settings that are not the study's machine's */
    size_t values;  /* where those of its columns begin */
};

struct wish_result {
    struct study study;  /* owned: machine, workload, axes, and the wish */
    struct space space;  /* of the study */
    struct metrics base; /* of the study's machine */
    bool base_satisfies;
    uint64_t machines, legal; /* that the axes span; of these, what rules, conditions without a
                               * run and the workload leave */
    uint64_t tried;           /* of the legal ones */
    struct simulated counts;  /* how their settings were answered */
    uint64_t chosen;          /* runs that chose the axes; 0: they were named */
    enum wish_proof proof;
    double bound;                  /* no machine has a better goal than this; NaN: not known */
    const struct metric **columns; /* the goal, then what conditions read */
    size_t column_count;
    double *least,
        *most; /* of each column, over all machines tried and all workloads; NaN: of none */
    struct wish_row *rows; /* those that satisfy the wish, best first */
    size_t row_count, row_capacity;
    double *values; /* [row->values + column] */
    size_t value_count, value_capacity;
};

/* Copies a result that still grows. The copy is freed like any. */
enum status wish_result_copy(const struct wish_result *from, struct wish_result *to);
void wish_result_free(struct wish_result *result);

/* The settings of a machine of the result, each after `before`: "-s l1d.size=32KiB"; only those
 * that differ from the study's machine, "" if none does. malloc'ed; NULL: no memory. */
char *wish_settings(const struct wish_result *result, uint64_t machine, const char *before);

/* What the search proves, in a sentence: "Proved: every machine with less total.area was tried and
 * does not satisfy it; ..." malloc'ed; NULL: no memory. */
char *wish_proof_print(const struct wish_result *result);
/* The goal as a value again. */
static inline double wish_goal(const struct wish_result *result, double cost)
{
    return result->study.objectives[0].direction == HIGHER_IS_BETTER ? -cost : cost;
}
