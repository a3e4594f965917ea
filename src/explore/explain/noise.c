#include "explore/explain/noise.h"

#include <math.h>

const uint32_t noise_delays[NOISE_STARTS] = {1, 2, 4, 7, 12};

enum status noise_measure(struct trials *trials, const struct question *question,
                          struct noise *noise, struct diagnostics *diagnostics)
{
    struct trial items[NOISE_STARTS];
    struct trial_result results[NOISE_STARTS];
    noise->floor = 0;
    for (size_t i = 0; i < NOISE_STARTS; i++) {
        noise->bases[i] = metric_get(question->metric, question->base);
        items[i] = (struct trial){.machine = *question->machine, .start_delay = noise_delays[i]};
    }
    if (!depth_can(question->depth, DEPTH_TIMED))
        return STATUS_OK;
    const enum status status = trials_run(trials, items, NOISE_STARTS, results, diagnostics);
    for (size_t i = 0; i < NOISE_STARTS && status != STATUS_MEMORY; i++) {
        noise->bases[i] =
            results[i].state == TRIAL_RAN ? metric_get(question->metric, &results[i].metrics) : NAN;
        noise->floor = fmax(noise->floor, fabs(question_gain(question, noise->bases[i])));
    }
    return status;
}

double noise_of_gain(const struct question *question, const struct noise *noise, double gain,
                     const double values[NOISE_STARTS])
{
    double most = 0;
    for (size_t i = 0; i < NOISE_STARTS; i++)
        most = fmax(most, fabs(metric_gain(question->metric, noise->bases[i], values[i]) - gain));
    return most;
}
