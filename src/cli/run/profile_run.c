#include "cli/run/profile_run.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/output.h"
#include "config/machine_file.h"
#include "explore/sweep/axis_values.h"
#include "schema/moved_settings.h"
#include "workload/workload.h"

enum { NOTES_MAX = 8, PATH_TEXT = 512 };

struct profile_job {
    const struct profile_arguments *arguments;
    struct diagnostics *diagnostics;
    struct profile profile;
    struct measured measured;
    struct comparison *comparison;
    struct machine machine;
    char *machine_name;
    struct trace_source *source;
    double *ours, *fitted;
    struct profile_steps steps;
    struct profile_cause *causes;
    struct study study; /* of the fit */
    struct profile_fit fit;
};

static enum status open_all(struct profile_job *job)
{
    const struct profile_arguments *arguments = job->arguments;
    enum status status = profile_read(arguments->profile, &job->profile, job->diagnostics);
    if (!status)
        status = workload_open(arguments->workload, &job->source, job->diagnostics);
    if (!status)
        status = machine_argument_load(arguments->machine, &arguments->settings, arguments->depth,
                                       &job->machine, job->diagnostics);
    if (status)
        return status;
    const struct measured_choice choice = {.kernel = arguments->kernel,
                                           .launch = arguments->launch,
                                           .pairing = arguments->pairing,
                                           .capability = job->machine.coalescer.arch,
                                           .launches = job->source->launches,
                                           .launch_count = job->source->launch_count};
    status = measured_take(&job->profile, &choice, &job->measured, job->diagnostics);
    if (!status)
        status = comparison_create(&job->measured, &job->comparison, job->diagnostics);
    if (status)
        return status;
    job->machine_name = machine_argument_text(arguments->machine, &arguments->settings);
    job->ours = malloc((job->measured.count + 1) * sizeof *job->ours);
    job->fitted = malloc((job->measured.count + 1) * sizeof *job->fitted);
    return job->machine_name && job->ours && job->fitted ? STATUS_OK : STATUS_MEMORY;
}

/* Each run on all threads, with what it runs as its name. */
static struct evaluate_options profile_options(const struct profile_job *job)
{
    return (struct evaluate_options){.depth = job->arguments->depth,
                                     .progress = progress_show,
                                     .argument = job->source->name,
                                     .threads = threads_meant(job->arguments->threads),
                                     .cancel = interrupt_flag()};
}

static enum status run_machine(const struct profile_job *job, const struct machine *machine,
                               double *ours)
{
    struct metrics metrics;
    const struct evaluate_options how = profile_options(job);
    enum status status = evaluate(machine, job->source, &how, &metrics, job->diagnostics);
    progress_end();
    return status ? status
                  : comparison_run(job->comparison, machine, &metrics, ours, job->diagnostics);
}

/* ---- the fit ---- */

static enum status make_study(struct profile_job *job)
{
    struct study *study = &job->study;
    enum status status = STATUS_OK;
    study->machine = job->machine;
    study->depth = job->arguments->depth;
    study->depth_said = true;
    search_defaults(&study->search);
    study->name = strdup("fit");
    study->machine_name = strdup(job->arguments->machine);
    study->workloads = calloc(1, sizeof *study->workloads);
    if (!study->name || !study->machine_name || !study->workloads ||
        !(study->workloads[0] = strdup(job->arguments->workload)))
        return STATUS_MEMORY;
    study->workload_count = 1;
    for (size_t i = 0; i < job->arguments->knobs.count && !status; i++)
        status = axes_parse(job->arguments->knobs.items[i], "--fit", study, job->diagnostics);
    return status;
}

static void show_sweep(void *argument, const struct sweep_progress *progress)
{
    progress_show(argument, progress->share);
}

/* Makes a folder for the store of a fit, which nobody wants to keep. */
static enum status make_folder(char folder[PATH_TEXT], struct diagnostics *diagnostics)
{
    const char *place = getenv("TMPDIR");
    snprintf(folder, PATH_TEXT, "%s/warpscape-fit-XXXXXX", place && *place ? place : "/tmp");
    return mkdtemp(folder) ? STATUS_OK
                           : diagnostics_error(diagnostics, STATUS_IO,
                                               "%s: no temporary folder can be made", folder);
}

static void remove_folder(const char *folder)
{
    char path[PATH_TEXT + 300];
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (entries)
        closedir(entries);
    rmdir(folder);
}

static enum status write_machine(const struct profile_job *job)
{
    const struct profile_arguments *arguments = job->arguments;
    char title[PATH_TEXT], *text = NULL;
    snprintf(title, sizeof title, "%.200s, fitted to the profile %.200s", arguments->machine,
             arguments->profile);
    enum status status = machine_to_yaml(&job->fit.machine, title, &text);
    if (!status)
        status = output_write(arguments->output, text, arguments->force, job->diagnostics);
    free(text);
    return status;
}

static enum status run_fit(struct profile_job *job)
{
    const struct profile_arguments *arguments = job->arguments;
    char folder[PATH_TEXT] = "", store[PATH_TEXT + 16];
    enum status status = make_study(job);
    if (!status && arguments->output)
        status = output_check(arguments->output, arguments->force, job->diagnostics);
    if (!status)
        status = make_folder(folder, job->diagnostics);
    snprintf(store, sizeof store, "%s/fit.db", folder);
    const struct sweep_options options = {.store = store,
                                          .threads = arguments->threads,
                                          .cancel = interrupt_flag(),
                                          .progress = show_sweep,
                                          .argument = job->source->name};
    if (!status)
        status = profile_fit(&job->study, job->comparison, job->ours, &options, &job->fit,
                             job->diagnostics);
    progress_end();
    if (*folder)
        remove_folder(folder);
    if (!status)
        status = run_machine(job, &job->fit.machine, job->fitted);
    if (!status && arguments->output)
        status = write_machine(job);
    return status;
}

/* ---- the whole ---- */

static enum status find_steps(struct profile_job *job)
{
    const struct evaluate_options how = profile_options(job);
    const enum status status = profile_steps(&job->machine, job->source, job->comparison, job->ours,
                                             &how, &job->steps, job->causes, job->diagnostics);
    progress_end();
    return status;
}

/* Knobs around the machine's own values, and variants of the workload. */
static enum status find_causes(struct profile_job *job)
{
    struct evaluate_options how = profile_options(job);
    how.progress = NULL; /* they are short */
    job->causes = profile_causes_create(job->comparison, job->ours);
    enum status status = job->causes ? find_steps(job) : STATUS_MEMORY;
    return status ? status
                  : profile_causes_variants(job->causes, job->arguments->workload, &job->machine,
                                            job->comparison, &how, job->diagnostics);
}

static enum status profile_run_print(struct profile_job *job)
{
    const struct profile_arguments *arguments = job->arguments;
    const char *notes[NOTES_MAX];
    const struct profile_report report = {
        .profile = &job->profile,
        .measured = &job->measured,
        .comparison = job->comparison,
        .path = arguments->profile,
        .machine_name = job->machine_name,
        .workload = job->source->provenance,
        .launches = job->source->launch_count,
        .depth = arguments->depth,
        .machine = &job->machine,
        .ours = job->ours,
        .steps = &job->steps,
        .causes = job->causes,
        .fit = arguments->knobs.count ? &job->fit : NULL,
        .fitted = arguments->knobs.count ? job->fitted : NULL,
        .axes = job->study.axes,
        .notes = notes,
        .note_count = evaluate_notes(&job->machine, arguments->depth, notes, NOTES_MAX)};
    return arguments->format == TABLE_TEXT
               ? profile_report_print(&report, stdout)
               : profile_report_table(&report, (enum profile_table)arguments->table,
                                      arguments->format, stdout);
}

enum status profile_run(const struct profile_arguments *arguments, struct diagnostics *diagnostics)
{
    struct profile_job job = {.arguments = arguments, .diagnostics = diagnostics};
    enum status status = open_all(&job);
    if (!status)
        status = run_machine(&job, &job.machine, job.ours);
    if (!status && arguments->knobs.count)
        status = run_fit(&job);
    else if (!status && arguments->causes)
        status = find_causes(&job);
    if (!status)
        status = profile_run_print(&job);
    profile_fit_free(&job.fit);
    study_free(&job.study);
    profile_causes_free(job.causes, job.measured.count);
    comparison_free(job.comparison);
    measured_free(&job.measured);
    profile_free(&job.profile);
    trace_source_free(job.source);
    free(job.machine_name);
    free(job.ours);
    free(job.fitted);
    return status;
}
