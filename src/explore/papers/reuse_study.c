#include "explore/papers/reuse_study.h"

#include <stdlib.h>
#include <string.h>

#include "workload/workload.h"

size_t reuse_setting_find(enum reuse_experiment experiment, int mode, const char *machine,
                          const char *value)
{
    size_t i = 0;
    for (; reuse_settings[i].value; i++) {
        const struct reuse_setting *setting = &reuse_settings[i];
        if (setting->experiment == experiment && setting->mode == mode &&
            (!machine || !strcmp(setting->machine, machine)) && !strcmp(setting->value, value))
            break;
    }
    return i;
}

/* Makes the machine of a setting. If it is wrong, the table is. */
static enum status make_machine(const struct reuse_setting *setting, bool full,
                                struct machine *machine, struct diagnostics *diagnostics)
{
    enum status status = paper_machine(setting->machine, setting->sets, machine, diagnostics);
    if (status)
        return status;
    machine->l1d.reuse.mode = setting->mode;
    if (!full)
        machine->gpu.sms = 1;
    return paper_machine_check(setting->machine, setting->sets, machine, diagnostics);
}

/* The runs of a study. Each is one workload with one setting and independent of the others. */
struct runs {
    struct reuse_study *study;
    struct machine *machines;      /* [settings] */
    struct trace_source **sources; /* [subjects] */
    const struct evaluate_options *options;
};

/* A workload that the model refuses is a result with a reason; only paper_status_ends stops the
 * study. */
static enum status run_one(void *argument, size_t i)
{
    const struct runs *runs = argument;
    const size_t subject = i / runs->study->settings, setting = i % runs->study->settings;
    struct reuse_result *result = &runs->study->results[i];
    const struct evaluate_options how = {
        .depth = DEPTH_REUSE,
        .needs = reuse_settings[setting].classes ? NEED_CLASSES(STAGE_L1D) : 0,
        .cancel = runs->options ? runs->options->cancel : NULL};
    struct diagnostics found = DIAGNOSTICS_INIT;
    result->status =
        evaluate(&runs->machines[setting], runs->sources[subject], &how, &result->metrics, &found);
    return paper_job_end(result->status, &found, &result->why);
}

/* Makes all machines and opens all workloads first, so that runs only read what they share. */
static enum status open_runs(struct runs *runs, struct diagnostics *diagnostics)
{
    struct reuse_study *study = runs->study;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->settings && !status; i++)
        status = make_machine(&reuse_settings[i], study->full, &runs->machines[i], diagnostics);
    for (size_t i = 0; i < study->subjects && !status; i++)
        status = workload_open(reuse_study_workload(study, i), &runs->sources[i], diagnostics);
    return status;
}

enum status reuse_study_run(bool full, const char *only, int threads,
                            const struct evaluate_options *options, struct reuse_study *study,
                            struct diagnostics *diagnostics)
{
    *study = (struct reuse_study){.full = full, .settings = reuse_setting_count()};
    struct runs runs = {.study = study, .options = options};
    enum status status =
        paper_subjects_choose(reuse_subjects, only, &study->names, &study->subjects, diagnostics);
    if (!status) {
        study->results = calloc(study->subjects * study->settings, sizeof *study->results);
        runs.machines = calloc(study->settings, sizeof *runs.machines);
        runs.sources = calloc(study->subjects, sizeof *runs.sources);
        status = study->results && runs.machines && runs.sources ? open_runs(&runs, diagnostics)
                                                                 : STATUS_MEMORY;
    }
    if (!status)
        status =
            paper_jobs_run(study->subjects * study->settings, threads, options, run_one, &runs);
    for (size_t i = 0; runs.sources && i < study->subjects; i++)
        trace_source_free(runs.sources[i]);
    free(runs.sources);
    free(runs.machines);
    if (status)
        reuse_study_free(study);
    return status;
}

void reuse_study_free(struct reuse_study *study)
{
    for (size_t i = 0; study->results && i < study->subjects * study->settings; i++)
        free(study->results[i].why);
    free(study->results);
    free(study->names);
    *study = (struct reuse_study){0};
}
