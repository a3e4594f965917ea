#include "ui/jobs/wish_job.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "model/evaluate.h"
#include "workload/workload.h"

/* Of the thread: its runs give way to the engine's evaluations. */
enum { WISH_NICE = 10 };

static void wish_job_grown(void *argument, const struct wish_result *so_far)
{
    const struct wish_answer *whole = argument;
    struct wish_answer *part = calloc(1, sizeof *part);
    if (!part)
        return;
    part->query = whole->query;
    if (wish_result_copy(so_far, &part->result)) {
        free(part);
        return;
    }
    answer_publish(&whole->answer, &part->answer);
}

static enum status wish_job_open(const struct wish_answer *answer, struct trace_source **sources,
                                 struct stage_cache **cache, struct diagnostics *diagnostics)
{
    const struct study *study = &answer->study;
    char *path = stage_cache_path();
    enum status status = sources ? STATUS_OK : STATUS_MEMORY;
    for (size_t w = 0; w < study->workload_count && !status; w++) {
        status = workload_open_assumed(study->workloads[w], answer->query.assumed, &sources[w],
                                       diagnostics);
        if (!status)
            status = evaluate_check(sources[w], study->depth, diagnostics);
    }
    if (!status)
        status = stage_cache_open(path, STAGE_CACHE_BYTES, cache, diagnostics);
    free(path);
    return status;
}

static void wish_job_run(void *argument, const atomic_bool *cancel)
{
    struct wish_answer *answer = argument;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const size_t count = answer->study.workload_count;
    struct trace_source **sources = calloc(count + 1, sizeof *sources);
    struct wish_options options = {.threads = answer->query.threads,
                                   .points = WISH_POINTS,
                                   .cancel = cancel,
                                   .grown = wish_job_grown,
                                   .argument = answer};
    struct wish wish;
    /* If it cannot be set, the search runs anyway. */
    (void)!setpriority(PRIO_PROCESS, (id_t)gettid(), WISH_NICE);
    enum status status = wish_parse(answer->query.text, answer->study.depth, &wish, &diagnostics);
    if (!status)
        status = wish_job_open(answer, sources, &options.cache, &diagnostics);
    if (!status)
        status =
            wish_search(&wish, &answer->study, sources, &options, &answer->result, &diagnostics);
    stage_cache_close(options.cache, NULL);
    for (size_t w = 0; sources && w < count; w++)
        trace_source_free(sources[w]);
    free(sources);
    wish_free(&wish);
    answer_end(&answer->answer, status, &diagnostics);
}

static void wish_job_free(void *argument)
{
    struct wish_answer *answer = argument;
    study_free(&answer->study);
    wish_result_free(&answer->result);
    free(answer);
}

const struct job_kind wish_job = {wish_job_run, wish_job_free};

struct wish_answer *wish_question_new(const struct wish_query *query, struct study *study)
{
    struct wish_answer *answer = calloc(1, sizeof *answer);
    if (!answer) {
        study_free(study);
        return NULL;
    }
    answer->query = *query;
    answer->study = *study;
    *study = (struct study){0};
    return answer;
}
