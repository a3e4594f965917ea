#include "ui/jobs/explain_job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "workload/workload.h"

/* Of the thread: its experiments give way to the engine's evaluations. */
enum { NICE = 10 };

#define PUBLISH_SECONDS 0.1

struct growing {
    const struct explain_result *result;
    double published; /* when it was seen last */
};

static void explain_grown(void *argument, const struct explanation *so_far)
{
    struct growing *growing = argument;
    const double now = clock_seconds();
    if (now < growing->published + PUBLISH_SECONDS)
        return;
    growing->published = now;
    struct explain_result *part = explain_result_new(&growing->result->query);
    if (!part)
        return;
    if (explanation_copy(so_far, &part->explanation)) {
        free(part);
        return;
    }
    answer_publish(&growing->result->answer, &part->answer);
}

/* Whether nothing else was asked for so long. */
static bool explain_wait(double seconds, const atomic_bool *cancel)
{
    static const struct timespec step = {0, 20000000};
    const double end = clock_seconds() + seconds;
    while (!atomic_load(cancel) && clock_seconds() < end)
        nanosleep(&step, NULL);
    return !atomic_load(cancel);
}

static enum status explain_open(const struct explain_query *query, struct stage_cache **cache,
                                struct trace_source **source, struct diagnostics *diagnostics)
{
    char *path = stage_cache_path();
    enum status status =
        workload_open_assumed(query->workload, query->assumed, source, diagnostics);
    if (!status)
        status = evaluate_check(*source, query->depth, diagnostics);
    if (!status && path)
        status = stage_cache_open(path, STAGE_CACHE_BYTES, cache, diagnostics);
    free(path);
    return status;
}

static void explain_run(void *answer, const atomic_bool *cancel)
{
    struct explain_result *result = answer;
    const struct explain_query *query = &result->query;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    struct stage_cache *cache = NULL;
    struct growing growing = {.result = result};
    /* If it cannot be set, the experiments run anyway. */
    (void)!setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
    enum status status = explain_wait(query->patience, cancel) ? STATUS_OK : STATUS_CANCELLED;
    if (!status)
        status = explain_open(query, &cache, &source, &diagnostics);
    const struct explain_options options = {.depth = query->depth,
                                            .parts = query->parts,
                                            .metric = query->metric,
                                            .cache = cache,
                                            .threads = query->threads,
                                            .cancel = cancel,
                                            .grown = explain_grown,
                                            .argument = &growing};
    if (!status)
        status = explain(&query->machine, source, &options, &result->explanation, &diagnostics);
    stage_cache_close(cache, NULL);
    trace_source_free(source);
    answer_end(&result->answer, status, &diagnostics);
}

static void explain_free(void *answer)
{
    struct explain_result *result = answer;
    explanation_free(&result->explanation);
    free(result);
}

const struct job_kind explain_job = {explain_run, explain_free};

struct explain_result *explain_result_new(const struct explain_query *query)
{
    struct explain_result *result = calloc(1, sizeof *result);
    if (result)
        result->query = *query;
    return result;
}

bool explain_query_same(const struct explain_query *a, const struct explain_query *b)
{
    return !strcmp(a->workload, b->workload) && a->assumed == b->assumed && a->depth == b->depth &&
           a->metric == b->metric && machine_same(&a->machine, &b->machine, ~0u);
}
