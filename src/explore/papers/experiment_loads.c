#include "explore/papers/experiment_loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/area/area.h"
#include "schema/depths.h"

#define LOAD_COUNT_ROW(name, value, help) {"load." #name, help},
const struct load_count_row load_counts[LOAD_COUNTS] = {LOAD_COUNT_LIST(LOAD_COUNT_ROW)};
#undef LOAD_COUNT_ROW

enum load_count load_count_find(const char *name)
{
    size_t i = 0;
    while (i < LOAD_COUNTS && strcmp(load_counts[i].name, name) != 0)
        i++;
    return (enum load_count)i;
}

static void fill_counts(const struct pc_count *c, double counts[LOAD_COUNTS])
{
#define LOAD_COUNT_VALUE(name, value, help) counts[LOAD_##name] = (double)(value);
    LOAD_COUNT_LIST(LOAD_COUNT_VALUE)
#undef LOAD_COUNT_VALUE
}

static int compare_places(const void *a, const void *b)
{
    const struct pc_count *left = a, *right = b;
    if (left->kernel != right->kernel)
        return left->kernel < right->kernel ? -1 : 1;
    return left->pc < right->pc ? -1 : left->pc > right->pc;
}

static void list_loads(struct pc_table *pcs, struct experiment_loads *loads)
{
    size_t count = 0;
    pc_table_sort(pcs); /* nothing can be added from now on */
    if (pcs->count)
        qsort(pcs->items, pcs->count, sizeof *pcs->items, compare_places);
    for (size_t i = 0; i < pcs->count && count < EXPERIMENT_LOADS_MAX; i++)
        if (pcs->items[i].op == OP_LOAD && pcs->items[i].accesses)
            fill_counts(&pcs->items[i], loads->counts[count++]);
    for (; count < EXPERIMENT_LOADS_MAX; count++)
        for (size_t i = 0; i < LOAD_COUNTS; i++)
            loads->counts[count][i] = NAN;
}

/* ---- what the stage cache remembers ----
 *
 * All metrics, then the counts. The key is that of everything that the depth computes, with a
 * change of its own so that it is not the key of that result; a question that needs more has
 * another key. */

enum { LOAD_VALUES = METRIC_COUNT + EXPERIMENT_LOADS_MAX * LOAD_COUNTS };

static struct stage_result result_of(const struct machine *machine,
                                     const struct trace_source *source,
                                     const struct evaluate_options *options,
                                     double values[LOAD_VALUES])
{
    char identity[SOURCE_IDENTITY], changes[32];
    evaluate_whole_identity(source, identity);
    snprintf(changes, sizeof changes, "loads+%x", options->needs);
    return (struct stage_result){
        .key = stage_key_changed(identity, changes, machine, DEPTH_BIT(options->depth)),
        .detail = DETAIL_LOOKUPS,
        .values = values,
        .count = LOAD_VALUES};
}

enum status experiment_loads_run(const struct machine *machine, const struct trace_source *source,
                                 const struct evaluate_options *options, struct stage_cache *cache,
                                 struct metrics *metrics, struct experiment_loads *loads,
                                 struct diagnostics *diagnostics)
{
    double *values = malloc(LOAD_VALUES * sizeof *values);
    if (!values)
        return STATUS_MEMORY;
    struct pc_table pcs = {0};
    struct evaluate_options how = *options;
    struct stage_result result = result_of(machine, source, options, values);
    enum status status = STATUS_OK;
    how.pcs = &pcs;
    metrics_clear(metrics);
    if (stage_cache_get(cache, &result)) {
        for (size_t i = 0; i < METRIC_COUNT; i++)
            metric_set(&metric_table[i], metrics, values[i]);
        memcpy(loads->counts, values + METRIC_COUNT, sizeof loads->counts);
    } else {
        status = evaluate(machine, source, &how, metrics, diagnostics);
        list_loads(&pcs, loads);
        for (size_t i = 0; i < METRIC_COUNT; i++)
            values[i] = metric_get(&metric_table[i], metrics);
        memcpy(values + METRIC_COUNT, loads->counts, sizeof loads->counts);
        if (!status)
            stage_cache_put(cache, &result, 1);
    }
    area_evaluate(machine, metrics); /* the key knows nothing of it */
    pc_table_free(&pcs);
    free(values);
    return status;
}
