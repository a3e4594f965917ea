#include "explore/plan/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "model/depth_models.h"
#include "model/lru/cache_batch.h"

/* Lists the counted metrics of a result in table order: those of a stage, or of everything that a
 * depth computes. Derived metrics are not stored; they are computed again from the counts. */
static size_t list_metrics(enum depth depth, unsigned reader,
                           const struct metric *list[METRIC_COUNT])
{
    struct derivation derivation;
    const unsigned stages =
        reader & STAGE_EVERY ? reader : depth_table[depth].stages & ~(unsigned)STAGE_AREA;
    size_t count = 0;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (metric_table[i].stage & stages && metric_answered(&metric_table[i], depth) &&
            !metric_derivation(&metric_table[i], &derivation))
            list[count++] = &metric_table[i];
    return count;
}

/* Which groups of metrics a result has, given what the question asked for. */
static unsigned result_detail(const struct stage_question *question,
                              const struct metric *const *list, size_t count)
{
    unsigned detail = DETAIL_LOOKUPS;
    for (size_t i = 0; i < count; i++) {
        const unsigned traits = list[i]->traits;
        if (traits & METRIC_TRAFFIC && question->share != SHARE_LOOKUPS)
            detail |= DETAIL_TRAFFIC;
        if (!(metric_needs(list[i]) & question->needs))
            continue;
        detail |= (traits & METRIC_CLASSES ? DETAIL_CLASSES : 0) |
                  (traits & METRIC_OPTIMUM ? DETAIL_OPT : 0) |
                  (traits & METRIC_WALKERS ? DETAIL_WALKERS : 0);
    }
    return detail;
}

static const char *changes_of(const struct stage_question *question, char text[CHANGES_TEXT])
{
    const struct evaluate_options options = {.ideals = question->ideals,
                                             .start_delay = question->start_delay,
                                             .placement = question->placement};
    return evaluate_changes(&options, text);
}

bool stages_recall(struct stage_cache *cache, const char *identity,
                   const struct stage_question *question, const struct machine *machine,
                   struct metrics *metrics)
{
    const struct metric *list[METRIC_COUNT];
    double values[METRIC_COUNT];
    struct metrics found = *metrics;
    char text[CHANGES_TEXT];
    const char *changes = changes_of(question, text);
    for (unsigned left = cache ? question->asked : 0; left; left &= left - 1) {
        const unsigned reader = stage_lowest(left);
        size_t count = list_metrics(question->depth, reader, list);
        struct stage_result result = {.key = stage_key_changed(identity, changes, machine, reader),
                                      .detail = result_detail(question, list, count),
                                      .values = values,
                                      .count = count};
        if (!stage_cache_get(cache, &result))
            return false;
        for (size_t i = 0; i < count; i++)
            metric_set(list[i], &found, values[i]);
    }
    if (cache)
        *metrics = found;
    return cache != NULL;
}

/* Stores one kind of result for many machines. Neighbours often have the same key; skips those. */
static void remember_results(struct stage_cache *cache, const char *identity,
                             const struct stage_question *question, unsigned reader,
                             const struct machine *machines, const struct metrics *metrics,
                             size_t count)
{
    const struct metric *list[METRIC_COUNT];
    const size_t width = list_metrics(question->depth, reader, list);
    struct stage_result *results = malloc(count * sizeof *results);
    double *values = malloc(count * (width + 1) * sizeof *values);
    size_t made = 0;
    char text[CHANGES_TEXT];
    const char *changes = changes_of(question, text);
    for (size_t m = 0; results && values && m < count; m++) {
        struct stage_result *result = &results[made];
        *result =
            (struct stage_result){.key = stage_key_changed(identity, changes, &machines[m], reader),
                                  .detail = result_detail(question, list, width),
                                  .values = values + made * width,
                                  .count = width};
        if (made && !memcmp(&result->key, &results[made - 1].key, sizeof result->key))
            continue;
        for (size_t i = 0; i < width; i++)
            result->values[i] = metric_get(list[i], &metrics[m]);
        made++;
    }
    stage_cache_put(cache, results, made);
    free(results);
    free(values);
}

void stages_remember(struct stage_cache *cache, const char *identity,
                     const struct stage_question *question, const struct machine *machines,
                     const struct metrics *metrics, size_t count)
{
    unsigned left = cache && count ? depth_results(question->depth, question->stages) : 0;
    for (; left; left &= left - 1)
        remember_results(cache, identity, question, stage_lowest(left), machines, metrics, count);
}

/* An L2 sees the misses of one L1D, so after an L1D that others share it would see those of none:
 * with an L2 only the last level can be shared. */
bool simulate_form(const struct stage_question *question, enum machine_form form,
                   const struct machine *machine, struct machine *seen)
{
    *seen = *machine;
    if (!depth_can(question->depth, DEPTH_GROUPED)) {
        const struct depth_model *model = &depth_models[question->depth];
        if (model->shared && (form == FORM_LEVEL || form == FORM_FAMILY))
            model->shared(seen);
        return false;
    }
    bool shared = form != FORM_MACHINE && cache_batch_level(seen, question->share);
    if (machine->l2.enabled)
        return shared && form == FORM_LAST;
    if (shared && form == FORM_FAMILY)
        cache_batch_family(seen);
    return shared;
}

/* Simulates the machines that were not remembered. missing[i] says where result i belongs. */
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
                                                 .ideals = simulation->question.ideals,
                                                 .start_delay = simulation->question.start_delay,
                                                 .placement = simulation->question.placement,
                                                 .record_placement = simulation->record_placement,
                                                 .pool = simulation->pool,
                                                 .groups = simulation->groups,
                                                 .threads = simulation->threads,
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
        char identity[SOURCE_IDENTITY];
        evaluate_whole_identity(simulation->source, identity);
        stages_remember(simulation->cache, identity, &simulation->question, chosen, found, count);
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
    char identity[SOURCE_IDENTITY];
    if (!missing)
        return STATUS_MEMORY;
    evaluate_whole_identity(simulation->source, identity);
    for (size_t i = 0; i < count; i++) {
        metrics_clear(&metrics[i]);
        if (!simulation->question.asked)
            continue;
        if (stages_recall(simulation->cache, identity, &simulation->question, &machines[i],
                          &metrics[i]))
            metrics_derive(&metrics[i]);
        else
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
