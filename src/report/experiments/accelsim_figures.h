/* What the reproduction of Accel-Sim's runs (explore/papers/accelsim_study.h) makes of their rows:
 * errors over a group of rows, and pairs of variants of one kernel. */
#pragma once

#include "explore/papers/accelsim_study.h"

/* The rows to look at; NULL or false: whatever they are. */
struct accelsim_group {
    const char *gpu, *family;
    bool one_sm;
};

/* Rows without a number of ours count only as refused. Errors are shares of the base of the count
 * (ACCELSIM_COUNT_LIST), without sign; infinite where that base is 0 and ours is not. */
struct accelsim_errors {
    size_t rows, refused;
    size_t equal, within_1, within_2; /* 1 and 2 % */
    double mean, p95, worst;
};

/* The count that differences of this one are shares of. */
enum accelsim_count accelsim_base(enum accelsim_count count);

/* Ours - theirs as a share of the base; 0 if they are equal, NaN if we have no number. */
double accelsim_error(const struct accelsim_row *row, enum accelsim_count count);

/* STATUS_MEMORY. */
enum status accelsim_errors(const struct accelsim_study *study, const struct accelsim_group *group,
                            enum accelsim_count count, struct accelsim_errors *errors);

/* The run of a row. */
const struct accelsim_run *accelsim_run_of(const struct accelsim_study *study, size_t row);

/* How many points the read miss rate of a run's L1D at `depth` is above theirs; misses include
 * requests that joined a line in flight. NaN without a number. */
double accelsim_rate_error(const struct accelsim_study *study, const struct accelsim_run *run,
                           enum depth depth);
/* Their rate, in percent. */
double accelsim_rate(const struct accelsim_study *study, const struct accelsim_run *run);

/* A pair is the same kernel of the same trace on the same GPU with different options. It is right
 * if the cycles of both differ in the same direction in Accel-Sim and here, or in neither. */
bool accelsim_is_pair(const struct accelsim_row *a, const struct accelsim_row *b);
bool accelsim_pair_right(const struct accelsim_row *a, const struct accelsim_row *b);

/* Calls take(context, a, b) for each pair whose rows both have cycles of ours. The time is that of
 * comparing all rows with each other. */
void accelsim_pairs(const struct accelsim_study *study, const struct accelsim_group *group,
                    void (*take)(void *context, const struct accelsim_row *a,
                                 const struct accelsim_row *b),
                    void *context);
