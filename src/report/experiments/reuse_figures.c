#include "report/experiments/reuse_figures.h"

#include <math.h>

/* Ignore smaller changes: another seed of the random latencies causes those too. */
#define POINTS_SEEN 0.1

double figure_rate(const struct reuse_study *study, size_t subject, size_t setting)
{
    const struct reuse_result *result = reuse_study_at(study, subject, setting);
    return result->status ? NAN : 100 * result->metrics.l1d_miss_rate;
}

struct figure_change figure_change(const struct reuse_study *study, size_t from, size_t to,
                                   double large)
{
    struct figure_change change = {0};
    for (size_t i = 0; i < study->subjects; i++) {
        double points = figure_rate(study, i, to) - figure_rate(study, i, from);
        if (isnan(points))
            continue;
        change.count++;
        change.lower += points < -POINTS_SEEN;
        change.higher += points > POINTS_SEEN;
        change.large += fabs(points) > large;
        change.mean += points;
        change.mean_absolute += fabs(points);
        if (fabs(points) > change.most) {
            change.most = fabs(points);
            change.most_subject = i;
        }
    }
    change.mean /= change.count ? (double)change.count : NAN;
    change.mean_absolute /= change.count ? (double)change.count : NAN;
    return change;
}

static bool is_complete(const struct reuse_study *study, size_t subject)
{
    for (size_t i = 0; i < study->settings; i++)
        if (reuse_study_at(study, subject, i)->status)
            return false;
    return true;
}

double figure_mean(const struct reuse_study *study, size_t setting, bool complete)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < study->subjects; i++) {
        double rate = figure_rate(study, i, setting);
        if (!isnan(rate) && (!complete || is_complete(study, i))) {
            sum += rate;
            count++;
        }
    }
    return count ? sum / (double)count : NAN;
}
