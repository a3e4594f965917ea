/* One profile beside one machine, for `warpscape silicon`, and what explains it, or a fit, for
 * `warpscape explain --profile`. */
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
    bool causes;                  /* say what explains each counter */
    const char *output;           /* where the fitted machine goes; NULL: nowhere */
    bool force;
    enum depth depth;
    enum table_format format;
    unsigned table; /* an enum profile_table */
    int threads;
};

/* Rows of a table of options (cli/shared/options.h): which launches of the profile count.
 * `pairing_` is an unsigned, of enum pairing_way. */
#define PROFILE_OPTIONS(kernel_, launch_, pairing_)                                                \
    {"kernel",    0,       "TEXT", "only launches of kernels whose name contains this",            \
     option_text, kernel_, NULL},                                                                  \
        {"launch", 0, "NUMBER", "only this one of them, from 1", option_count, launch_, NULL},     \
    {                                                                                              \
        "launches", 0, "WAY", PAIRING_HELP, option_index, pairing_, pairing_names                  \
    }

enum status profile_run(const struct profile_arguments *arguments, struct diagnostics *diagnostics);
