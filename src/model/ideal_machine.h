/* The machine that an evaluation with ideals (schema/ideals.h) runs: the user's machine with the
 * values that take its limits out. What no value expresses is a switch of a model, which reads the
 * set itself (struct evaluate_options).
 *
 * Invariant: an ideal whose rows here are all that it does gives the answers of the machine with
 * these values, since it is that machine. The result need not be legal (machine_check): a latency
 * of 1 under an interval of 4 is fine in a model and cannot be built. Pure, a few look-ups of the
 * parameter table. */
#pragma once

#include "schema/ideals.h"
#include "schema/machine.h"

/* What a parameter becomes: the least or the most that a machine file may say, or a number. */
#define SETTING_LEAST (-1.0)
#define SETTING_MOST  (-2.0)

struct ideal_setting {
    enum ideal ideal;
    const char *path; /* of the parameter */
    double value;
};

extern const struct ideal_setting ideal_settings[];
extern const size_t ideal_setting_count;

void ideal_machine(struct machine *machine, struct ideal_set ideals);
