#include "explore/plan/simulate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/lru/cache_batch.h"

/* What a result of a stage holds where the question is this one. */
static unsigned stage_details(const struct stage_question *question, enum stage stage)
{
    if (stage == STAGE_PWC)
        return DETAIL_LOOKUPS | (question->needs & NEED_WALKERS ? DETAIL_WALKERS : 0);
    if (stage != STAGE_L1D && stage != STAGE_L2 && stage != STAGE_REUSE)
        return DETAIL_LOOKUPS;
    bool l1d = stage != STAGE_L2;
    unsigned detail = DETAIL_LOOKUPS | (question->share == SHARE_LOOKUPS ? 0 : DETAIL_TRAFFIC);
    if (question->needs & (l1d ? NEED_CLASSES_L1D : NEED_CLASSES_L2))
        detail |= DETAIL_CLASSES;
    if (question->needs & (l1d ? NEED_OPT_L1D : NEED_OPT_L2))
        detail |= DETAIL_OPT;
    return detail;
}

/* The numbers of a result: the stage's metrics in the order of the table. */
static size_t list_metrics(enum stage stage, const struct metric *list[STAGE_VALUES])
{
    size_t count = 0;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (stage == STAGE_REUSE ? metric_answered(&metric_table[i], DEPTH_REUSE) &&
                                       metric_table[i].stage != STAGE_AREA
                                 : metric_table[i].stage == stage) {
            assert(count < STAGE_VALUES);
            list[count++] = &metric_table[i];
        }
    return count;
}

static void name_result(const char *digest, const struct stage_question *question,
                        const struct machine *machine, enum stage stage,
                        struct stage_result *result)
{
    result->key = stage_key(digest, machine, stage);
    result->detail = stage_details(question, stage);
}

bool stages_recall(struct stage_cache *cache, const char *digest,
                   const struct stage_question *question, const struct machine *machine,
                   struct metrics *metrics)
{
    const struct metric *list[STAGE_VALUES];
    struct stage_result results[STAGE_COUNT];
    for (size_t s = 0; cache && s < STAGE_COUNT; s++) {
        if (!(question->asked & simulated_stages[s]))
            continue;
        name_result(digest, question, machine, simulated_stages[s], &results[s]);
        results[s].count = list_metrics(simulated_stages[s], list);
        if (!stage_cache_get(cache, &results[s]))
            return false;
    }
    for (size_t s = 0; cache && s < STAGE_COUNT; s++) {
        if (!(question->asked & simulated_stages[s]))
            continue;
        size_t count = list_metrics(simulated_stages[s], list);
        for (size_t i = 0; i < count; i++)
            metric_set(list[i], metrics, results[s].values[i]);
    }
    return cache != NULL;
}

void stages_remember(struct stage_cache *cache, const char *digest,
                     const struct stage_question *question, const struct machine *machines,
                     const struct metrics *metrics, size_t count)
{
    const struct metric *list[STAGE_VALUES];
    struct stage_result *results =
        cache && count ? malloc(count * STAGE_COUNT * sizeof *results) : NULL;
    size_t made = 0;
    if (!results)
        return;
    for (size_t m = 0; m < count; m++)
        for (size_t s = 0; s < STAGE_COUNT; s++) {
            enum stage stage = simulated_stages[s];
            bool made_so =
                question->depth == DEPTH_REUSE ? stage == STAGE_REUSE : question->stages & stage;
            if (!made_so)
                continue;
            struct stage_result *result = &results[made];
            name_result(digest, question, &machines[m], stage, result);
            /* Neighbours share their first stages. */
            bool again =
                made >= STAGE_COUNT &&
                !memcmp(&result->key, &results[made - STAGE_COUNT].key, sizeof result->key);
            if (again)
                continue;
            result->count = list_metrics(stage, list);
            for (size_t i = 0; i < result->count; i++)
                result->values[i] = metric_get(list[i], &metrics[m]);
            made++;
        }
    stage_cache_put(cache, results, made);
    free(results);
}

/* Machines that read the same loads: the rest of them stands at its fallback. */
static void see_loads(const struct machine *machine, struct machine *seen)
{
    machine_defaults(seen);
    seen->gpu = machine->gpu;
    seen->coalescer = machine->coalescer;
    seen->l1d.line = machine->l1d.line;
    seen->l1d.reuse.mode = machine->l1d.reuse.mode;
}

bool simulate_form(const struct stage_question *question, enum machine_form form,
                   const struct machine *machine, struct machine *seen)
{
    *seen = *machine;
    if (question->depth == DEPTH_REUSE) {
        if (form == FORM_LEVEL || form == FORM_FAMILY)
            see_loads(machine, seen);
        return false;
    }
    bool shared = form != FORM_MACHINE && cache_batch_level(seen, question->share);
    if (machine->l2.enabled)
        return shared && form == FORM_LAST;
    if (shared && form == FORM_FAMILY)
        cache_batch_family(seen);
    return shared;
}

/* Simulates those that are not remembered; missing[i] says where its metrics go. */
static enum status simulate_missing(const struct simulation *simulation,
                                    const struct machine *machines, const size_t *missing,
                                    size_t count, struct metrics *metrics,
                                    struct diagnostics *diagnostics)
{
    struct machine *chosen = calloc(count, sizeof *chosen);
    const struct machine **pointers =
        calloc(count, sizeof *pointers); /* NOLINT(bugprone-sizeof-expression): pointers */
    struct metrics *found = calloc(count, sizeof *found);
    enum status status = chosen && pointers && found ? STATUS_OK : STATUS_MEMORY;
    if (!status) {
        for (size_t i = 0; i < count; i++) {
            chosen[i] = machines[missing[i]];
            pointers[i] = &chosen[i];
        }
        const struct evaluate_options options = {.depth = simulation->question.depth,
                                                 .needs = simulation->question.needs,
                                                 .share = simulation->question.share,
                                                 .pool = simulation->pool,
                                                 .groups = simulation->groups,
                                                 .progress = simulation->progress,
                                                 .argument = simulation->argument,
                                                 .interval = simulation->interval,
                                                 .extent = simulation->extent,
                                                 .cancel = simulation->cancel};
        status = evaluate_many(pointers, count, simulation->source, &options, found, diagnostics);
    }
    if (!status) {
        for (size_t i = 0; i < count; i++)
            metrics[missing[i]] = found[i];
        stages_remember(simulation->cache, simulation->source->digest, &simulation->question,
                        chosen, found, count);
    }
    free(chosen);
    free(pointers);
    free(found);
    return status;
}

enum status simulate(const struct simulation *simulation, const struct machine *machines,
                     size_t count, struct metrics *metrics, size_t *recalled,
                     struct diagnostics *diagnostics)
{
    size_t *missing = calloc(count + 1, sizeof *missing), missing_count = 0;
    if (!missing)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++) {
        metrics_clear(&metrics[i]);
        if (!simulation->question.asked)
            continue;
        if (!stages_recall(simulation->cache, simulation->source->digest, &simulation->question,
                           &machines[i], &metrics[i]))
            missing[missing_count++] = i;
    }
    enum status status = STATUS_OK;
    if (missing_count)
        status =
            simulate_missing(simulation, machines, missing, missing_count, metrics, diagnostics);
    if (recalled)
        *recalled = count - missing_count;
    free(missing);
    return status;
}
