/* The experiments of C. Nugteren et al., HPCA 2014, on our models: every workload of the paper that
 * exists, on the paper's two L1Ds, with each extension of the theory switched off, and over the
 * design space of its figure. The settings are data (reuse_settings); what the numbers of the paper
 * were is the report's business. */
#pragma once

#include "explore/papers/paper_study.h"

enum reuse_experiment {
    REUSE_BASE,     /* the machines as the paper has them, with classes */
    REUSE_ABLATION, /* values: the extension that is off */
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
    const char *machine; /* that comes with the program */
    const char *value;   /* in tables: "16KiB" */
    const char *sets;    /* "PATH=VALUE PATH=VALUE" or "" */
};

/* Ended by a row without a name. */
extern const struct reuse_setting reuse_settings[];
extern const struct paper_subject reuse_subjects[];

size_t reuse_setting_count(void);

struct reuse_result {
    enum status status; /* STATUS_OK, or the model is not defined for this workload */
    char *why;          /* then */
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

/* The index of a setting; the number of settings where there is none. */
size_t reuse_setting_find(enum reuse_experiment experiment, int mode, const char *machine,
                          const char *value);

/* The workload of a subject in this study. */
static inline const char *reuse_study_workload(const struct reuse_study *study, size_t subject)
{
    return study->full ? study->names[subject]->full : study->names[subject]->quick;
}

/* Runs everything, or of the workloads only the one called `only` (NULL: all), on `threads` threads
 * (0: all); the numbers do not depend on how many. Quick studies put the whole workload on one SM,
 * as the authors' program does, full ones on the card's 14. `options`: progress and cancel, or
 * NULL. */
enum status reuse_study_run(bool full, const char *only, int threads,
                            const struct evaluate_options *options, struct reuse_study *study,
                            struct diagnostics *diagnostics);
void reuse_study_free(struct reuse_study *study);
