#include "explore/papers/accelsim_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/gpgpusim.h"
#include "config/machine_file.h"
#include "explore/papers/paper_study.h"
#include "trace/trace_file.h"

static const struct {
    const char *theirs, *ours;
} gpus[] = {{"SM2_GTX480", "gtx480-accelsim"},    {"SM3_KEPLER_TITAN", "titan-accelsim"},
            {"SM6_TITANX", "titanx-accelsim"},    {"SM7_TITANV", "titanv-accelsim"},
            {"SM7_GV100", "gv100-accelsim"},      {"SM7_QV100", "qv100-accelsim"},
            {"SM75_RTX2060", "rtx2060-accelsim"}, {"SM75_RTX2060_S", "rtx2060s-accelsim"},
            {"SM86_RTX3070", "rtx3070-accelsim"}};
enum { GPUS = sizeof gpus / sizeof *gpus };

struct job {
    struct accelsim_study *study;
    bool depths;
    accelsim_trace_path *trace_path;
    void *context;
    const struct evaluate_options *options;
    char *configs[GPUS]; /* the machines as gpgpusim.config */
    struct reuse_parameters reuse[GPUS];
};

enum status accelsim_study_init(struct accelsim_study *study)
{
    const struct accelsim_rows *rows = &study->rows;
    study->run_count = 0;
    study->runs = calloc(rows->count, sizeof *study->runs);
    if (!study->runs)
        return STATUS_MEMORY;
    for (size_t i = 0; i < rows->count; i++) {
        if (!i || !accelsim_same_run(&rows->items[i - 1], &rows->items[i]))
            study->runs[study->run_count++].first = i;
        study->runs[study->run_count - 1].count++;
    }
    return STATUS_OK;
}

void accelsim_study_free(struct accelsim_study *study)
{
    for (size_t i = 0; i < study->run_count; i++)
        free(study->runs[i].why);
    free(study->runs);
    accelsim_rows_free(&study->rows);
    *study = (struct accelsim_study){0};
}

/* A later option of a gpgpusim.config replaces an earlier one, so the options of a row follow those
 * of its GPU, and what it has no option for is that of our machine. Accel-Sim translates no
 * addresses. */
static enum status make_machine(const struct job *job, const struct accelsim_row *row,
                                struct machine *machine, struct diagnostics *diagnostics)
{
    char *text;
    size_t gpu = 0;
    while (gpu < GPUS && strcmp(gpus[gpu].theirs, row->gpu) != 0)
        gpu++;
    if (gpu == GPUS)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "no machine for the GPU %s",
                                 row->gpu);
    if (asprintf(&text, "%s\n%s\n", job->configs[gpu], row->options) < 0)
        return STATUS_MEMORY;
    enum status status = gpgpusim_read(text, row->run, machine, diagnostics);
    machine->tlb.enabled = false;
    machine->gpu.simulator_faults = true;
    machine->l1d.reuse = job->reuse[gpu];
    free(text);
    return status;
}

struct launches { /* what the hook needs to fill the rows of a run */
    struct accelsim_row *rows;
    size_t count;
    struct metrics before; /* the counts of the launches before this one */
};

static double grown(double count, double before)
{
    return count - (isnan(before) ? 0 : before);
}

static void take_launch(void *context, uint32_t launch, const struct metrics *so_far)
{
    struct launches *launches = context;
    for (size_t i = 0; i < launches->count; i++) {
        if (launches->rows[i].kernel != launch + 1)
            continue;
#define TAKE(id, column, field, ...)                                                               \
    launches->rows[i].ours[ACCELSIM_##id] = grown(so_far->field, launches->before.field);
        ACCELSIM_COUNT_LIST(TAKE)
#undef TAKE
    }
    launches->before = *so_far;
}

static enum status run_timing(const struct job *job, const struct machine *machine,
                              const struct trace_source *source, struct accelsim_run *run,
                              struct diagnostics *diagnostics)
{
    struct launches launches = {.rows = &job->study->rows.items[run->first], .count = run->count};
    const struct evaluate_options how = {.depth = DEPTH_TIMING,
                                         .cancel = job->options ? job->options->cancel : NULL,
                                         .launched = take_launch,
                                         .launched_context = &launches};
    struct metrics metrics;
    metrics_clear(&launches.before);
    enum status status = evaluate(machine, source, &how, &metrics, diagnostics);
    for (size_t i = 0; i < run->count && !status; i++)
        if (launches.rows[i].kernel > source->launch_count)
            status = diagnostics_error(diagnostics, STATUS_INVALID, "its trace has no kernel %u",
                                       launches.rows[i].kernel);
    if (!status) {
        run->reads[DEPTH_TIMING] = metrics.l1d_reads;
        run->read_misses[DEPTH_TIMING] = metrics.l1d_read_misses + metrics.l1d_pending_hits;
    }
    return status;
}

/* The other depths. Not every machine has an answer at each; such a number stays NaN. */
static enum status run_depths(const struct job *job, const struct machine *machine,
                              const struct trace_source *source, struct accelsim_run *run)
{
    enum status status = STATUS_OK;
    for (int depth = 0; depth < DEPTH_COUNT && !status; depth++) {
        const struct evaluate_options how = {.depth = (enum depth)depth,
                                             .cancel = job->options ? job->options->cancel : NULL};
        struct metrics metrics;
        if (depth == DEPTH_TIMING)
            continue;
        status = evaluate(machine, source, &how, &metrics, NULL);
        if (!status) {
            run->reads[depth] = metrics.l1d_reads;
            run->read_misses[depth] = metrics.l1d_read_misses;
        } else if (!paper_status_ends(status)) {
            status = STATUS_OK;
        }
    }
    return status;
}

static enum status run_both(const struct job *job, struct accelsim_run *run,
                            struct diagnostics *diagnostics)
{
    const struct accelsim_row *row = &job->study->rows.items[run->first];
    struct machine machine;
    struct trace_source *source = NULL;
    char *path = NULL;
    enum status status = make_machine(job, row, &machine, diagnostics);
    if (!status)
        status = job->trace_path(job->context, row, &path, diagnostics);
    if (!status)
        status = trace_open(path, NULL, &source, diagnostics);
    if (!status) {
        run->sms = machine.gpu.sms;
        status = run_timing(job, &machine, source, run, diagnostics);
    }
    if (!status && job->depths)
        status = run_depths(job, &machine, source, run);
    trace_source_free(source);
    free(path);
    return status;
}

/* A run that our models refuse is a result with a reason. */
static enum status run_one(void *argument, size_t i)
{
    const struct job *job = argument;
    struct accelsim_run *run = &job->study->runs[i];
    struct diagnostics found = DIAGNOSTICS_INIT;
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        run->reads[depth] = run->read_misses[depth] = NAN;
    run->status = run_both(job, run, &found);
    return paper_job_end(run->status, &found, &run->why);
}

enum status accelsim_study_run(struct accelsim_study *study, bool depths,
                               accelsim_trace_path *trace_path, void *context, int threads,
                               const struct evaluate_options *options)
{
    struct job job = {.study = study,
                      .depths = depths,
                      .trace_path = trace_path,
                      .context = context,
                      .options = options};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < GPUS && !status; i++) {
        struct machine machine;
        status = machine_load(gpus[i].ours, NULL, &machine, NULL, NULL);
        if (!status)
            status = gpgpusim_write(&machine, &job.configs[i], NULL);
        job.reuse[i] = machine.l1d.reuse;
    }
    if (!status)
        status = paper_jobs_run(study->run_count, threads, options, run_one, &job);
    for (size_t i = 0; i < GPUS; i++)
        free(job.configs[i]);
    return status;
}
