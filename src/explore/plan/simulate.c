#include "explore/plan/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "model/depth_models.h"
#include "model/lru/cache_batch.h"
#include "model/timing/run_proof.h"

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

/* ---- what runs of other machines prove ---- */

enum { COVERING_MOST = 8 }; /* proofs of one machine, of which one has all that is asked for */

struct covering {
    const struct depth_model *model;
    const struct machine *machine;
    struct stage_key runs[COVERING_MOST];
    size_t count;
};

static bool take_proof(void *argument, const struct stage_proof *proof)
{
    struct covering *covering = argument;
    struct run_proof held; /* a blob need not be aligned */
    memcpy(&held, proof->bytes, sizeof held);
    if (covering->model->covers(&held, covering->machine))
        covering->runs[covering->count++] = proof->run;
    return covering->count == COVERING_MOST;
}

/* Finds the result of a run that is proved to be that of this machine. */
static bool get_proved(struct stage_cache *cache, const char *identity, const char *changes,
                       const struct machine *machine, enum depth depth, struct stage_result *result)
{
    struct covering covering = {.model = &depth_models[depth], .machine = machine};
    if (!covering.model->covers)
        return false;
    const struct stage_key family = stage_key_family(identity, changes, machine, DEPTH_BIT(depth));
    stage_cache_proofs(cache, &family, sizeof(struct run_proof), take_proof, &covering);
    for (size_t i = 0; i < covering.count; i++) {
        result->key = covering.runs[i];
        if (stage_cache_get(cache, result))
            return true;
    }
    return false;
}

static void remember_proof(struct stage_cache *cache, const char *identity, const char *changes,
                           const struct machine *machine, enum depth depth,
                           const struct run_proof *proof)
{
    const unsigned reader = DEPTH_BIT(depth);
    const struct stage_proof kept = {.family = stage_key_family(identity, changes, machine, reader),
                                     .run = stage_key_changed(identity, changes, machine, reader),
                                     .bytes = proof,
                                     .size = sizeof *proof};
    if (proof->holds)
        stage_cache_put_proof(cache, &kept);
}

/* ---- results ---- */

enum recall stages_recall(struct stage_cache *cache, const char *identity,
                          const struct stage_question *question, const struct machine *machine,
                          struct metrics *metrics)
{
    const struct metric *list[METRIC_COUNT];
    double values[METRIC_COUNT];
    struct metrics found = *metrics;
    char text[CHANGES_TEXT];
    const char *changes = changes_of(question, text);
    enum recall recall = cache ? RECALL_KEPT : RECALL_NOTHING;
    for (unsigned left = cache ? question->asked : 0; left; left &= left - 1) {
        const unsigned reader = stage_lowest(left);
        size_t count = list_metrics(question->depth, reader, list);
        struct stage_result result = {.key = stage_key_changed(identity, changes, machine, reader),
                                      .detail = result_detail(question, list, count),
                                      .values = values,
                                      .count = count};
        if (!stage_cache_get(cache, &result)) {
            if (!get_proved(cache, identity, changes, machine, question->depth, &result))
                return RECALL_NOTHING;
            recall = RECALL_PROVED;
        }
        for (size_t i = 0; i < count; i++)
            metric_set(list[i], &found, values[i]);
    }
    if (cache)
        *metrics = found;
    return recall;
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
                     const struct metrics *metrics, const struct run_proof *proofs, size_t count)
{
    unsigned left = cache && count ? depth_results(question->depth, question->stages) : 0;
    char text[CHANGES_TEXT];
    for (; left; left &= left - 1)
        remember_results(cache, identity, question, stage_lowest(left), machines, metrics, count);
    for (size_t i = 0; cache && proofs && i < count; i++)
        remember_proof(cache, identity, changes_of(question, text), &machines[i], question->depth,
                       &proofs[i]);
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
    const bool proves = simulation->cache && depth_models[simulation->question.depth].covers;
    struct run_proof *proofs = proves ? calloc(count, sizeof *proofs) : NULL;
    enum status status =
        chosen && pointers && found && !proofs == !proves ? STATUS_OK : STATUS_MEMORY;
    if (!status) {
        for (size_t i = 0; i < count; i++) {
            chosen[i] = machines[missing[i]];
            pointers[i] = &chosen[i];
        }
        const struct evaluate_options options = {.depth = simulation->question.depth,
                                                 .needs = simulation->question.needs,
                                                 .proofs = proofs,
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
        stages_remember(simulation->cache, identity, &simulation->question, chosen, found, proofs,
                        count);
    }
    free(proofs);
    free(chosen);
    free(pointers);
    free(found);
    return status;
}

/* Answers the machines that are known, and lists the others. */
static size_t recall_known(const struct simulation *simulation, const char *identity,
                           const struct machine *machines, size_t count, struct metrics *metrics,
                           size_t *missing, struct simulated *counts)
{
    size_t missing_count = 0;
    for (size_t i = 0; i < count; i++) {
        metrics_clear(&metrics[i]);
        if (!simulation->question.asked)
            continue;
        const enum recall recall = stages_recall(simulation->cache, identity, &simulation->question,
                                                 &machines[i], &metrics[i]);
        if (recall)
            metrics_derive(&metrics[i]);
        else
            missing[missing_count++] = i;
        counts->kept += recall == RECALL_KEPT;
        counts->proved += recall == RECALL_PROVED;
    }
    counts->ran += missing_count;
    return missing_count;
}

static bool take_any(void *argument, const struct stage_proof *proof)
{
    (void)proof;
    return *(bool *)argument = true;
}

/* A machine whose run may answer for others. The first of its family is run by one thread while
 * others wait, which would often run the same; once anything is proved nobody waits. */
static enum status simulate_proving(const struct simulation *simulation, const char *identity,
                                    const struct machine *machine, struct metrics *metrics,
                                    struct simulated *counts, struct diagnostics *diagnostics)
{
    static const size_t self = 0;
    struct stage_cache *cache = simulation->cache;
    size_t missing;
    bool proved = false;
    char text[CHANGES_TEXT];
    if (!recall_known(simulation, identity, machine, 1, metrics, &missing, counts))
        return STATUS_OK;
    const struct stage_key family =
        stage_key_family(identity, changes_of(&simulation->question, text), machine,
                         DEPTH_BIT(simulation->question.depth));
    stage_cache_proofs(cache, &family, sizeof(struct run_proof), take_any, &proved);
    const bool first = cache && !proved && ideal_none(simulation->question.ideals) &&
                       !simulation->source->tiles; /* others prove nothing */
    const bool claimed = first && stage_cache_claim(cache, &family, simulation->cancel);
    if (first && !claimed) {
        counts->ran--;
        if (!recall_known(simulation, identity, machine, 1, metrics, &missing, counts))
            return STATUS_OK;
    }
    struct diagnostics said = DIAGNOSTICS_INIT;
    const enum status status = simulate_missing(simulation, machine, &self, 1, metrics, &said);
    const bool stuck = status == STATUS_STUCK && simulation->skips_stuck;
    counts->stuck += stuck;
    if (!stuck)
        diagnostics_move(diagnostics, &said);
    diagnostics_free(&said);
    if (claimed)
        stage_cache_yield(cache, &family);
    return stuck ? STATUS_OK : status;
}

/* Where a run may answer for others, they come one after the other. */
enum status simulate(const struct simulation *simulation, const struct machine *machines,
                     size_t count, struct metrics *metrics, struct simulated *counts,
                     struct diagnostics *diagnostics)
{
    const bool proves = depth_models[simulation->question.depth].covers;
    size_t *missing = calloc(count + 1, sizeof *missing);
    struct simulated own = {0};
    char identity[SOURCE_IDENTITY];
    enum status status = missing ? STATUS_OK : STATUS_MEMORY;
    evaluate_whole_identity(simulation->source, identity);
    for (size_t i = 0; proves && i < count && !status; i++)
        status =
            simulate_proving(simulation, identity, &machines[i], &metrics[i], &own, diagnostics);
    const size_t wanted = proves || status ? 0
                                           : recall_known(simulation, identity, machines, count,
                                                          metrics, missing, &own);
    if (wanted)
        status = simulate_missing(simulation, machines, missing, wanted, metrics, diagnostics);
    if (counts)
        *counts = own;
    free(missing);
    return status;
}
