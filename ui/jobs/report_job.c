#include "ui/jobs/report_job.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text_ends.h"
#include "base/text_stream.h"
#include "report/runs/point_export.h"
#include "report/runs/study_report.h"
#include "ui/terminal/canvas.h"

static enum status report_print(struct report_result *result, const atomic_bool *cancel,
                                struct diagnostics *diagnostics)
{
    const struct study *study;
    struct store *store = NULL;
    char name[ROW_TEXT];
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    enum status status = store_open(result->store, &store, &study, diagnostics);
    if (!status)
        status = study_report_print(
            store, result->path[0] ? result->store : path_print(result->store, name),
            result->format, cancel, out, diagnostics);
    store_close(store);
    return text_stream_finish(&stream, status, &result->text);
}

static enum status best_print(struct report_result *result, struct diagnostics *diagnostics)
{
    const struct points_query *among = &result->among;
    struct point_request request = {.store = result->store,
                                    .best = *result->metric ? result->metric : NULL,
                                    .where = *among->where ? among->where : NULL,
                                    .across = among->across};
    struct store *store;
    const struct study *study;
    struct chosen_point chosen = {0};
    enum status status = store_open(result->store, &store, &study, diagnostics);
    if (status)
        return status;
    if (!request.best && study->objective_count)
        request.best = study->objectives[0].metric->path;
    if (!request.best)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "the study has no objective: export --best METRIC FILE");
    if (!status)
        status = point_choose(&request, store, study, &chosen, diagnostics);
    if (!status)
        status =
            point_configuration(&request, store, study, &chosen, text_ends(result->path, ".config"),
                                &result->text, diagnostics);
    chosen_point_free(&chosen);
    store_close(store);
    return status;
}

static void report_run(void *answer, const atomic_bool *cancel)
{
    struct report_result *result = answer;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const enum status status = result->best ? best_print(result, &diagnostics)
                                            : report_print(result, cancel, &diagnostics);
    if (!status)
        diagnostics_move(&result->notes, &diagnostics);
    answer_end(&result->answer, status, &diagnostics);
}

static void report_result_free(void *answer)
{
    struct report_result *result = answer;
    diagnostics_free(&result->notes);
    free(result->text);
    free(result);
}

const struct job_kind report_job = {report_run, report_result_free};

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

struct report_result *best_result_new(const struct points_query *among, const char *metric,
                                      const char *path)
{
    struct report_result *result = report_result_new(among->store, path, PAGE_MARKDOWN);
    if (!result)
        return NULL;
    result->best = true;
    result->among = *among;
    snprintf(result->metric, sizeof result->metric, "%s", metric);
    return result;
}
