/* The experiments of C. Nugteren et al., HPCA 2014, on our models: every workload of the paper that
 * exists, on the paper's two L1Ds, with each extension of the theory switched off in turn, and over
 * the design space of its figure. The settings are tables (reuse_settings.c). This module computes
 * our numbers only; report/ compares them with the paper's. */
#pragma once

#include "explore/papers/paper_study.h"

enum reuse_experiment {
    REUSE_BASE,     /* the paper's machines, with classes of misses */
    REUSE_ABLATION, /* `value` names the extension that is off */
    REUSE_WAYS,
    REUSE_SIZE,
    REUSE_LINE,
    REUSE_MSHRS,
    REUSE_LATENCY,
    REUSE_EXPERIMENTS
};

struct reuse_setting {
    enum reuse_experiment experiment;
    int mode; /* enum reuse_mode */
    bool classes;
    const char *machine; /* one that comes with the program */
    const char *value;   /* as shown in tables: "16KiB" */
    const char *sets;    /* "PATH=VALUE PATH=VALUE", or "" */
};

/* Both tables end with an empty row. */
extern const struct reuse_setting reuse_settings[];
extern const struct paper_subject reuse_subjects[];

size_t reuse_setting_count(void);

struct reuse_result {
    enum status status; /* STATUS_OK unless the model is not defined for this workload */
    char *why;          /* the reason if it is not */
    struct metrics metrics;
};

struct reuse_study {
    bool full;
    size_t settings, subjects;
    const struct paper_subject **names; /* [subjects] */
    struct reuse_result *results;       /* [subjects x settings] */
};

static inline const struct reuse_result *reuse_study_at(const struct reuse_study *study,
                                                        size_t subject, size_t setting)
{
    return &study->results[subject * study->settings + setting];
}

/* The index of a setting; the number of settings if there is no such setting. */
size_t reuse_setting_find(enum reuse_experiment experiment, int mode, const char *machine,
                          const char *value);

/* The workload of a subject in the size of this study. */
static inline const char *reuse_study_workload(const struct reuse_study *study, size_t subject)
{
    return study->full ? study->names[subject]->full : study->names[subject]->quick;
}

/* Runs all workloads, or only the one called `only` (NULL: all), on `threads` threads (0: all). The
 * numbers do not depend on the threads. Quick studies put the whole workload on one SM, as the
 * authors' program does; full ones use the card's 14. Of `options` (may be NULL) uses progress and
 * cancel. */
enum status reuse_study_run(bool full, const char *only, int threads,
                            const struct evaluate_options *options, struct reuse_study *study,
                            struct diagnostics *diagnostics);
void reuse_study_free(struct reuse_study *study);
