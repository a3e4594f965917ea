/* A measured profile beside one of our machines (explore/profiles): counters, what is not compared,
 * the steps that would bring the machine nearer, and a fit. */
#pragma once

#include <stdio.h>

#include "explore/profiles/profile_fit.h"
#include "explore/profiles/profile_steps.h"
#include "report/drawing/table.h"

enum profile_table { PROFILE_COUNTERS, PROFILE_OTHERS, PROFILE_STEPS, PROFILE_FIT, PROFILE_CAUSES };
extern const char *const profile_table_names[]; /* the first of them, ended by NULL */

struct profile_report {
    const struct profile *profile;
    const struct measured *measured;
    const struct comparison *comparison;
    const char *path, *machine_name, *workload; /* workload: its name and origin */
    uint64_t launches;                          /* of the workload */
    enum depth depth;
    const struct machine *machine;
    const double *ours;
    const struct profile_steps *steps;
    const struct profile_cause *causes; /* of the rows of `measured`; NULL: not asked for */
    const struct profile_fit *fit;      /* NULL: no fit was asked for */
    const double *fitted;               /* ours of the fitted machine, or NULL */
    const struct axis *axes;            /* of the fit */
    const char *const *notes;
    size_t note_count;
};

/* Everything, for people. */
enum status profile_report_print(const struct profile_report *report, FILE *out);
/* One table in any format. */
enum status profile_report_table(const struct profile_report *report, enum profile_table which,
                                 enum table_format format, FILE *out);
