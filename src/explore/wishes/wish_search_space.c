/* The machines that a wish is looked for among (wish_looking.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/text_stream.h"
#include "explore/space/fit.h"
#include "explore/space/projection.h"
#include "explore/space/sampling.h"
#include "explore/store/store.h"
#include "explore/wishes/wish_looking.h"
#include "model/area/area.h"
#include "model/depth_models.h"

static enum status copy_conditions(const struct condition *from, size_t count,
                                   struct condition **to, size_t *to_count)
{
    *to = count ? calloc(count, sizeof **to) : NULL;
    for (*to_count = 0; *to && *to_count < count; ++*to_count)
        if (!((*to)[*to_count].text = strdup(from[*to_count].text)))
            return STATUS_MEMORY;
    return *to_count == count ? STATUS_OK : STATUS_MEMORY;
}

/* Makes the wish part of the study. */
enum status wish_fill_study(const struct wish *wish, struct study *study)
{
    search_defaults(&study->search);
    study->search.chosen = true; /* so no size is refused */
    study->depth_said = true;
    study->objectives = malloc(sizeof *study->objectives);
    study->columns = calloc(wish->metric_count + 1, sizeof(const struct metric *));
    if (!study->objectives || !study->columns)
        return STATUS_MEMORY;
    study->objectives[study->objective_count++] = wish->goal;
    if (wish->metric_count)
        memcpy(study->columns, wish->metrics, wish->metric_count * sizeof *wish->metrics);
    study->column_count = wish->metric_count;
    const enum status status =
        copy_conditions(wish->where, wish->where_count, &study->where, &study->where_count);
    return status ? status
                  : copy_conditions(wish->filters, wish->filter_count, &study->filters,
                                    &study->filter_count);
}

int wish_compare_candidates(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    if (left->cost != right->cost)
        return left->cost < right->cost ? -1 : 1;
    return left->machine < right->machine ? -1 : left->machine > right->machine;
}

/* Where areas are the goal, they are worked out once for each combination of what they depend on.
 */
static enum status cost_candidates(struct looking *looking)
{
    const struct space *space = &looking->result->space;
    struct projection projection = {0};
    enum status status = projection_init_stages(space, STAGE_AREA, false, &projection);
    double *costs = status ? NULL : calloc(projection.combinations, sizeof *costs);
    if (!status && !costs)
        status = STATUS_MEMORY;
    for (uint64_t c = 0; !status && c < projection.combinations; c++)
        costs[c] = NAN;
    for (size_t i = 0; !status && i < looking->count; i++) {
        struct candidate *candidate = &looking->candidates[i];
        double *cost = &costs[projection_index(&projection, candidate->machine)];
        if (isnan(*cost)) {
            struct machine machine;
            struct metrics metrics;
            space_machine(space, candidate->machine, &machine);
            metrics_clear(&metrics);
            area_evaluate(&machine, &metrics);
            *cost = wish_cost(looking->wish, metric_get(looking->wish->goal.metric, &metrics));
            if (isnan(*cost)) /* no value comes last */
                *cost = INFINITY;
        }
        candidate->cost = *cost;
    }
    free(costs);
    projection_free(&projection);
    return status;
}

/* Whether a machine can run all sources at this depth. */
static bool can_run(const struct looking *looking, uint64_t number)
{
    const enum depth depth = looking->result->study.depth;
    struct machine machine;
    space_machine(&looking->result->space, number, &machine);
    machine_apply_kind(&machine);
    if (depth_models[depth].check && depth_models[depth].check(&machine, NULL))
        return false;
    for (size_t w = 0; w < workloads(looking); w++)
        if (depth_can(depth, DEPTH_FITS)
                ? !fit_runs(&machine, looking->sources[w])
                : evaluate_check_machine(&machine, looking->sources[w], NULL) != STATUS_OK)
            return false;
    return true;
}

/* Says what leaves no machine: rules, conditions of the wish that need no run, the workload. */
static enum status refuse_empty(const struct looking *looking)
{
    char machines[COUNT_TEXT], count[COUNT_TEXT], *text;
    uint64_t left = looking->result->machines;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    for (size_t i = 0; i < looking->census.removal_count; i++) {
        const struct removal *removal = &looking->census.removals[i];
        fprintf(out, "%s %s broken by %s", i ? "," : ":", removal->what,
                count_print(removal->machines, count));
        left -= removal->machines;
    }
    if (left)
        fprintf(out, "%s %s cannot run the workload", looking->census.removal_count ? "," : ":",
                count_print(left, count));
    text = text_stream_take(&stream);
    if (!text)
        return STATUS_MEMORY;
    const enum status status = diagnostics_error(
        looking->diagnostics, STATUS_INVALID, "none of the %s that the axes span is left%s",
        counted_print(looking->result->machines, "machine", machines), text);
    free(text);
    return status;
}

/* Lists the machines that are legal and can run the sources, in the order of the proof: by cost, or
 * by chance. */
static enum status list_candidates(struct looking *looking)
{
    struct wish_result *result = looking->result;
    const struct space *space = &result->space;
    if (looking->census.legal > WISH_MACHINES)
        return diagnostics_error(looking->diagnostics, STATUS_UNSUPPORTED,
                                 "the axes span %llu machines, more than %llu: name fewer axes, or "
                                 "fewer values",
                                 (unsigned long long)looking->census.legal,
                                 (unsigned long long)WISH_MACHINES);
    looking->candidates = calloc(looking->census.legal + 1, sizeof *looking->candidates);
    if (!looking->candidates)
        return STATUS_MEMORY;
    const struct shuffle shuffle = shuffle_create(0, space->machines);
    for (uint64_t i = 0; i < space->machines; i++) {
        const uint64_t m = wish_is_exact(looking->wish) ? i : shuffle_at(&shuffle, i);
        if (!bit_test(looking->census.bitmap, m))
            continue;
        if (can_run(looking, m))
            looking->candidates[looking->count++].machine = m;
        else
            looking->census.bitmap[m / 8] &= (uint8_t) ~(1u << m % 8);
    }
    result->legal = looking->count;
    if (!looking->count)
        return refuse_empty(looking);
    if (!wish_is_exact(looking->wish))
        return STATUS_OK;
    const enum status status = cost_candidates(looking);
    qsort(looking->candidates, looking->count, sizeof *looking->candidates,
          wish_compare_candidates);
    return status;
}

/* Lists the machines around the study's own, with one axis changed at a time. */
static enum status list_own(struct looking *looking)
{
    const struct space *space = &looking->result->space;
    const struct study *study = space->study;
    const uint64_t base = space_own(study, &study->machine, NULL);
    uint64_t stride = space->machines;
    looking->own = calloc(study_values_before(study, study->axis_count) + 1, sizeof *looking->own);
    if (!looking->own)
        return STATUS_MEMORY;
    looking->own[looking->own_count++] = base;
    for (size_t a = 0; a < study->axis_count; a++) {
        const size_t own = space_digit(space, base, a);
        stride /= study->axes[a].count;
        for (size_t d = 0; d < study->axes[a].count; d++)
            if (d != own)
                looking->own[looking->own_count++] = base + d * stride - own * stride;
    }
    return STATUS_OK;
}

static enum status open_models(struct looking *looking)
{
    const struct study *study = &looking->result->study;
    size_t *counts = calloc(study->axis_count + 1, sizeof *counts);
    looking->models = calloc(columns(looking) + 1, sizeof *looking->models);
    looking->guessed = calloc(study->axis_count + 1, sizeof *looking->guessed);
    const bool memory = counts && looking->models && looking->guessed;
    enum status status = memory ? STATUS_OK : STATUS_MEMORY;
    for (size_t a = 0; counts && a < study->axis_count; a++)
        counts[a] = study->axes[a].count;
    for (size_t c = 0; c < columns(looking) && !status; c++)
        status = additive_create(counts, study->axis_count, &looking->models[c]);
    free(counts);
    return status;
}

enum status wish_open_space(struct looking *looking)
{
    struct wish_result *result = looking->result;
    const struct study *study = &result->study;
    enum status status = space_open(study, &result->space, looking->diagnostics);
    if (status)
        return status;
    result->space.cancel = &looking->stop;
    result->machines = result->space.machines;
    status = study_result_columns(study, &result->columns, &result->column_count);
    if (!status)
        status = space_census(&result->space, &looking->census, looking->diagnostics);
    if (!status)
        status = scoreboard_create(&result->space, &looking->board, looking->diagnostics);
    if (!status)
        status = list_candidates(looking);
    if (!status)
        status = list_own(looking);
    if (!status)
        status = open_models(looking);
    result->least = calloc(result->column_count + 1, sizeof *result->least);
    result->most = calloc(result->column_count + 1, sizeof *result->most);
    if (!result->least || !result->most)
        return status ? status : STATUS_MEMORY;
    for (size_t c = 0; c < result->column_count; c++)
        result->least[c] = result->most[c] = NAN;
    return status;
}
