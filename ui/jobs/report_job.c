#include "ui/jobs/report_job.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/runs/study_report.h"
#include "ui/terminal/canvas.h"

static enum status print(struct report_result *result, const atomic_bool *cancel,
                         struct diagnostics *diagnostics)
{
    const struct study *study;
    struct store *store = NULL;
    char name[ROW_TEXT];
    size_t size;
    FILE *out = open_memstream(&result->text, &size);
    if (!out)
        return STATUS_MEMORY;
    enum status status = store_open(result->store, &store, &study, diagnostics);
    if (!status)
        status = study_report_print(
            store, result->path[0] ? result->store : path_print(result->store, name),
            result->format, cancel, out, diagnostics);
    store_close(store);
    return fclose(out) && !status ? STATUS_MEMORY : status;
}

static void run(void *argument, const atomic_bool *cancel)
{
    struct report_result *result = argument;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    result->status = print(result, cancel, &diagnostics);
    if (result->status)
        snprintf(result->message, sizeof result->message, "%s",
                 diagnostics_first(&diagnostics, result->status));
    diagnostics_free(&diagnostics);
}

void report_result_free(struct report_result *result)
{
    if (result)
        free(result->text);
    free(result);
}

static void free_job(void *argument)
{
    report_result_free(argument);
}

enum status report_job_start(struct worker *worker, const char *store, const char *path,
                             enum page_format format)
{
    struct report_result *result = calloc(1, sizeof *result);
    if (!result)
        return STATUS_MEMORY;
    snprintf(result->store, sizeof result->store, "%s", store);
    snprintf(result->path, sizeof result->path, "%s", path);
    result->format = format;
    worker_start(worker, (struct job){run, free_job, result});
    return STATUS_OK;
}
