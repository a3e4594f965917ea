#include "explore/reuse_study.h"

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/machine_file.h"
#include "schema/parameters.h"
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

/* The machine of a setting; what is wrong with one is a fault of the table. */
static enum status make_machine(const struct reuse_setting *setting, bool full,
                                struct machine *machine, struct diagnostics *diagnostics)
{
    enum status status = machine_load(setting->machine, NULL, machine, NULL, diagnostics);
    char *sets = strdup(setting->sets), *rest = sets, *one;
    if (!sets)
        return STATUS_MEMORY;
    while (!status && (one = strsep(&rest, " ")))
        status = *one ? machine_set_text(machine, one, diagnostics) : STATUS_OK;
    free(sets);
    machine->l1d.reuse.mode = setting->mode;
    if (!full)
        machine->gpu.sms = 1;
    struct violation found[VIOLATION_MAX];
    if (!status && machine_check(machine, found))
        status = diagnostics_error(diagnostics, STATUS_INVALID, "%s %s: %s", setting->machine,
                                   setting->sets, found[0].message);
    return status;
}

/* The runs of a study: each is one workload on one setting, and knows nothing of the others. */
struct runs {
    struct reuse_study *study;
    struct machine *machines;      /* [settings] */
    struct trace_source **sources; /* [subjects] */
    const struct evaluate_options *options;
    pthread_mutex_t lock;
    size_t done;
    enum status status;
};

static char *first_message(const struct diagnostics *diagnostics, enum status status)
{
    return strdup(diagnostics->count ? diagnostics->items[0].message : status_text(status));
}

/* A workload that the model refuses is a result; anything else ends the study. */
static void keep(struct runs *runs, struct reuse_result *result, struct diagnostics *found)
{
    bool refused =
        result->status && result->status != STATUS_MEMORY && result->status != STATUS_CANCELLED;
    if (refused && !(result->why = first_message(found, result->status)))
        result->status = STATUS_MEMORY;
    pthread_mutex_lock(&runs->lock);
    runs->done++;
    if (result->status && !refused && !runs->status)
        runs->status = result->status;
    if (runs->options && runs->options->progress)
        runs->options->progress(runs->options->argument,
                                (double)runs->done /
                                    (double)(runs->study->subjects * runs->study->settings));
    pthread_mutex_unlock(&runs->lock);
}

static bool stopped(struct runs *runs)
{
    pthread_mutex_lock(&runs->lock);
    bool stop = runs->status != STATUS_OK;
    pthread_mutex_unlock(&runs->lock);
    return stop;
}

static void run_one(struct runs *runs, size_t subject, size_t setting)
{
    struct reuse_result *result = &runs->study->results[subject * runs->study->settings + setting];
    const struct evaluate_options how = {.depth = DEPTH_REUSE,
                                         .needs =
                                             reuse_settings[setting].classes ? NEED_CLASSES_L1D : 0,
                                         .cancel = runs->options ? runs->options->cancel : NULL};
    struct diagnostics found = DIAGNOSTICS_INIT;
    result->status =
        evaluate(&runs->machines[setting], runs->sources[subject], &how, &result->metrics, &found);
    keep(runs, result, &found);
    diagnostics_free(&found);
}

static void run_all(struct runs *runs, int threads)
{
    const size_t settings = reuse_setting_count(), count = runs->study->subjects * settings;
#pragma omp parallel for schedule(dynamic)                                                         \
    num_threads(threads > 0 ? threads : omp_get_max_threads())
    for (size_t i = 0; i < count; i++)
        if (!stopped(runs))
            run_one(runs, i / settings, i % settings);
}

/* Which workloads take part. */
static enum status choose_subjects(struct reuse_study *study, const char *only,
                                   struct diagnostics *diagnostics)
{
    size_t count = reuse_subject_count(), chosen = 0;
    const char **names = calloc(count, sizeof *names);
    study->names = calloc(count, sizeof *study->names);
    enum status status = names && study->names ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        names[i] = reuse_subjects[i].name;
        if (!only || !strcmp(only, names[i]))
            study->names[chosen++] = &reuse_subjects[i];
    }
    study->subjects = chosen;
    if (!status && !chosen) {
        const char *near = nearest_name(only, names, count);
        status = diagnostics_error(
            diagnostics, STATUS_NOT_FOUND, "the paper has no workload '%s' here%s%s%s", only,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    free(names);
    return status;
}

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
    struct runs runs = {.study = study, .options = options, .lock = PTHREAD_MUTEX_INITIALIZER};
    enum status status = choose_subjects(study, only, diagnostics);
    if (!status) {
        study->results = calloc(study->subjects * study->settings, sizeof *study->results);
        runs.machines = calloc(study->settings, sizeof *runs.machines);
        runs.sources = calloc(study->subjects, sizeof *runs.sources);
        status = study->results && runs.machines && runs.sources ? open_runs(&runs, diagnostics)
                                                                 : STATUS_MEMORY;
    }
    if (!status) {
        run_all(&runs, threads);
        status = runs.status;
    }
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
