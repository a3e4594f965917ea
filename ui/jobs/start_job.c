#include "ui/jobs/start_job.h"

#include <stdlib.h>

#include "config/machine_file.h"
#include "model/evaluate.h"
#include "workload/workload.h"

/* The metric that stands for a machine: the first that its file names, else the headline of its
 * first stage that has one. */
static const struct metric *exploration_headline(const struct exploration *exploration,
                                                 const struct machine *machine)
{
    for (size_t i = 0; i < exploration->metric_count; i++)
        if (metric_answered(exploration->metrics[i], exploration->depth))
            return exploration->metrics[i];
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (metric_table[i].traits & METRIC_HEADLINE &&
            machine_has(machine, metric_table[i].stage) &&
            metric_answered(&metric_table[i], exploration->depth))
            return &metric_table[i];
    return NULL;
}

static enum status find_number(struct start_number *number, const struct machine *machine,
                               const struct exploration *exploration, const atomic_bool *cancel,
                               struct diagnostics *diagnostics)
{
    struct trace_source *source = NULL;
    struct metrics metrics;
    const struct evaluate_options options = {.depth = exploration->depth, .cancel = cancel};
    enum status status = workload_open(exploration->workload, &source, diagnostics);
    if (!status)
        status = evaluate(machine, source, &options, &metrics, diagnostics);
    if (!status)
        number->metric = exploration_headline(exploration, machine);
    if (number->metric)
        number->value = metric_get(number->metric, &metrics);
    trace_source_free(source);
    return status;
}

static void start_run(void *answer, const atomic_bool *cancel)
{
    struct start_number *number = answer;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct document *document = NULL;
    struct machine machine;
    struct exploration exploration;
    enum status status = machine_load(number->machine, NULL, &machine, &document, &diagnostics);
    if (!status) {
        exploration_read(document, &machine, &exploration, NULL);
        status = find_number(number, &machine, &exploration, cancel, &diagnostics);
    }
    document_free(document);
    answer_end(&number->answer, status, &diagnostics);
}

const struct job_kind start_job = {start_run, free};

struct start_number *start_number_new(const char *machine)
{
    struct start_number *number = calloc(1, sizeof *number);
    if (number)
        number->machine = machine;
    return number;
}
