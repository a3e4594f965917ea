/* The experiments of Zhao, Zhang and Zhang, "An architecture design of memory access subsystem for
 * embedded graphics processor" (High Technology Letters 32(2), 2022), on our models: scenes after
 * those of the paper on its design, on rivals and on other partitions of the screen, and its worked
 * example. This module computes our numbers only; report/experiments/tile_report.h compares them
 * with the paper's. */
#pragma once

#include "explore/papers/paper_study.h"

extern const struct paper_subject tile_subjects[];

struct tile_design {
    const char *name;
    const char *sets; /* on the machine tile-gpu */
    bool partition;   /* it differs from the paper's in the partition alone */
};

/* The first is the paper's. */
enum { TILE_DESIGNS = 14 };
extern const struct tile_design tile_designs[TILE_DESIGNS];

struct tile_result {
    enum status status;                   /* STATUS_OK unless the scene cannot be drawn */
    char *why;                            /* the reason if it cannot */
    struct metrics counts;                /* of the paper's design at the functional depth */
    struct metrics metrics[TILE_DESIGNS]; /* at depth timing */
};

struct tile_study {
    bool full;
    size_t subjects;
    const struct paper_subject **names; /* [subjects] */
    struct machine machines[TILE_DESIGNS];
    struct tile_result *results; /* [subjects] */
};

/* Makes the machines only, which the tables of silicon need. */
enum status tile_study_machines(struct tile_study *study, struct diagnostics *diagnostics);
/* Runs all scenes, or only the one called `only`, on `threads` threads (0: all). Of `options` uses
 * progress and cancel. */
enum status tile_study_run(bool full, const char *only, int threads,
                           const struct evaluate_options *options, struct tile_study *study,
                           struct diagnostics *diagnostics);
void tile_study_free(struct tile_study *study);
