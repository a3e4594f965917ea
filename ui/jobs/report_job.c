#include "ui/jobs/report_job.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/runs/study_report.h"
#include "ui/terminal/canvas.h"

static enum status report_print(struct report_result *result, const atomic_bool *cancel,
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

static void report_run(void *answer, const atomic_bool *cancel)
{
    struct report_result *result = answer;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    answer_end(&result->answer, report_print(result, cancel, &diagnostics), &diagnostics);
}

static void report_free(void *answer)
{
    struct report_result *result = answer;
    free(result->text);
    free(result);
}

const struct job_kind report_job = {report_run, report_free};

struct report_result *report_result_new(const char *store, const char *path,
                                        enum page_format format)
{
    struct report_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    snprintf(result->store, sizeof result->store, "%s", store);
    snprintf(result->path, sizeof result->path, "%s", path);
    result->format = format;
    return result;
}
