/* The part of `warpscape silicon` that compares one profile with one machine, and fits it. */
#pragma once

#include "cli/shared/options.h"
#include "report/runs/profile_report.h"

struct profile_arguments {
    const char *profile, *machine, *workload;
    const char *kernel;           /* NULL: every launch of the profile */
    uint64_t launch;              /* 0: all */
    enum pairing_way pairing;     /* how they stand for the workload's launches */
    struct options_list settings; /* --set */
    struct options_list knobs;    /* --fit: "PARAMETER[=VALUES]", several with commas between */
    bool each;                    /* that list is the word "each" */
    bool steps;                   /* try single steps of every knob, too */
    bool causes;                  /* say what explains each counter */
    const char *output;           /* where the fitted machine goes; NULL: nowhere */
    const char *store;            /* where the fit's points go; NULL: nowhere */
    bool force;
    enum depth depth;
    enum table_format format;
    unsigned table; /* an enum profile_table */
    int threads;
};

enum status profile_run(const struct profile_arguments *arguments, struct diagnostics *diagnostics);
