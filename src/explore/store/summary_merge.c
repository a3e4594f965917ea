#include "explore/store/summary_merge.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "explore/results/scoreboard.h"
#include "explore/store/store_file.h"

/* Relative difference that sums of the same points may have because of the order of additions. */
#define SUM_TOLERANCE 1e-9

struct input {
    const char *path;
    uint64_t points;
    bool summary, chosen;
};

struct summary_merging {
    struct store *target;
    struct input *inputs; /* sorted, those with the most points first */
    size_t count;
    uint8_t *done; /* points of the chosen inputs, and of the target if it stays */
    uint8_t *own;  /* points of one input */
    uint64_t bytes;
    bool renew; /* the inputs have every point that the target had, so it is made anew */
    struct scoreboard *board;
    struct merge_result *result;
    struct diagnostics *diagnostics;
};

enum overlap { OVERLAP_NONE, OVERLAP_SOME, OVERLAP_ALL };

/* Whether `whole` has none, some or all of the points of `part`. */
static enum overlap overlap_of(const uint8_t *part, const uint8_t *whole, uint64_t bytes)
{
    bool inside = false, outside = false;
    for (uint64_t i = 0; i < bytes; i++) {
        inside = inside || (part[i] & whole[i]);
        outside = outside || (part[i] & ~whole[i] & 0xff);
    }
    return !outside ? OVERLAP_ALL : inside ? OVERLAP_SOME : OVERLAP_NONE;
}

static int compare_inputs(const void *a, const void *b)
{
    const struct input *left = a, *right = b;
    if (left->points != right->points)
        return left->points > right->points ? -1 : 1;
    return strcmp(left->path, right->path);
}

/* Opens an input and reads its points into merging->own. */
static enum status open_input(const struct summary_merging *merging, const char *path,
                              struct store **store)
{
    const struct study *study;
    enum status status = store_open(path, store, &study, merging->diagnostics);
    if (status)
        return status;
    memset(merging->own, 0, merging->bytes);
    status = store_done(*store, merging->own, NULL, merging->diagnostics);
    if (status)
        store_close(*store);
    return status;
}

/* Whether both studies would keep the same rows of a summary: filters and objectives decide that.
 */
static bool same_conditions(const struct study *a, const struct study *b)
{
    bool same = a->filter_count == b->filter_count && a->objective_count == b->objective_count;
    for (size_t i = 0; same && i < a->filter_count; i++)
        same = !strcmp(a->filters[i].text, b->filters[i].text);
    for (size_t i = 0; same && i < a->objective_count; i++)
        same = a->objectives[i].metric == b->objectives[i].metric &&
               a->objectives[i].direction == b->objectives[i].direction;
    return same;
}

/* Lists the inputs with their sizes and kinds. Refuses summaries that kept other rows than the
 * target would. */
static enum status list_inputs(struct summary_merging *merging, const char *const *paths)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < merging->count && !status; i++) {
        struct input *input = &merging->inputs[i];
        struct store *store;
        const struct study *study;
        input->path = paths[i];
        status = store_open(input->path, &store, &study, merging->diagnostics);
        if (status)
            return status;
        input->summary = store_is_summary(store);
        status = store_count(store, &input->points, merging->diagnostics);
        if (!status && input->summary && !same_conditions(study, merging->target->space.study))
            status = diagnostics_error(merging->diagnostics, STATUS_CONFLICT,
                                       "%s has kept the best points by other filters or objectives "
                                       "than %s: summaries of different ones cannot be merged",
                                       input->path, merging->target->path);
        store_close(store);
    }
    if (!status)
        qsort(merging->inputs, merging->count, sizeof *merging->inputs, compare_inputs);
    return status;
}

static enum status report_overlap(const struct summary_merging *merging, const char *path,
                                  const char *other)
{
    uint64_t shared = 0, points = 0;
    char counts[2][COUNT_TEXT];
    for (uint64_t i = 0; i < merging->bytes; i++) {
        shared += (uint64_t)__builtin_popcount(merging->own[i] & merging->done[i]);
        points += (uint64_t)__builtin_popcount(merging->own[i]);
    }
    return diagnostics_error(merging->diagnostics, STATUS_CONFLICT,
                             "%s: %s of its %s are in %s too, the others are not; a summary "
                             "only has the sums of its points, so it cannot leave some of them out",
                             path, count_print(shared, counts[0]),
                             counted_print(points, "point", counts[1]), other);
}

static void mark(struct summary_merging *merging)
{
    for (uint64_t i = 0; i < merging->bytes; i++)
        merging->done[i] |= merging->own[i];
}

/* Chooses inputs, largest first. Leaves out an input whose points are all there already. Stores
 * with rows come after the summaries; they may share points with others, because their rows can be
 * taken one by one. */
static enum status choose_inputs(struct summary_merging *merging)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < merging->count && !status; i++) {
        struct input *input = &merging->inputs[i];
        struct store *store;
        if (!input->summary)
            continue;
        status = open_input(merging, input->path, &store);
        if (status)
            return status;
        enum overlap overlap = overlap_of(merging->own, merging->done, merging->bytes);
        if (overlap == OVERLAP_SOME)
            status = report_overlap(merging, input->path, "the inputs before");
        input->chosen = overlap == OVERLAP_NONE;
        if (input->chosen)
            mark(merging);
        store_close(store);
    }
    return status;
}

/* Considers what the target held as one more input, after the others. */
static enum status choose_target(struct summary_merging *merging)
{
    struct store *target = merging->target;
    uint64_t points = 0;
    memset(merging->own, 0, merging->bytes);
    store_summary_done(target, merging->own, &points);
    if (!points)
        return STATUS_OK;
    enum overlap overlap = overlap_of(merging->own, merging->done, merging->bytes);
    merging->renew = overlap == OVERLAP_ALL;
    if (overlap != OVERLAP_SOME) {
        mark(merging);
        return STATUS_OK;
    }
    /* The target may have every point of some inputs; then those are left out instead. */
    memcpy(merging->done, merging->own, merging->bytes);
    for (size_t i = 0; i < merging->count; i++) {
        struct input *input = &merging->inputs[i];
        struct store *store;
        if (!input->chosen)
            continue;
        enum status status = open_input(merging, input->path, &store);
        if (status)
            return status;
        overlap = overlap_of(merging->own, merging->done, merging->bytes);
        input->chosen = overlap == OVERLAP_NONE;
        if (overlap == OVERLAP_SOME)
            status = report_overlap(merging, input->path, target->path);
        if (input->chosen)
            mark(merging);
        store_close(store);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* ---- writing ---- */

struct row_taker {
    struct summary_merging *merging;
    const struct store *input;
    bool counted; /* the marginals include this input already; only its rows are left to take */
};

static enum status check_row(struct summary_merging *merging, const struct store *input,
                             const struct store_row *row, const double *values)
{
    const struct store *target = merging->target;
    for (size_t c = 0; c < target->column_count; c++) {
        char texts[2][QUANTITY_TEXT];
        double a = values[c], b = row->values[c];
        if (a == b || (isnan(a) && isnan(b)))
            continue;
        return diagnostics_error(
            merging->diagnostics, STATUS_CONFLICT, "point %" PRIu64 ": %s is %s in %s and %s in %s",
            row->point, target->columns[c]->path, quantity_print_real(a, UNIT_NONE, texts[0]),
            target->path, quantity_print_real(b, UNIT_NONE, texts[1]), input->path);
    }
    return STATUS_OK;
}

/* Takes a row of an input: compares it with the target's if that has one, else offers it. */
static enum status merge_take_row(void *argument, const struct store_row *row)
{
    struct row_taker *taker = argument;
    struct summary_merging *merging = taker->merging;
    struct store *target = merging->target;
    struct metrics metrics;
    double values[METRIC_COUNT];
    bool found, keep;
    enum status status = store_get(target, row->point, values, &found, merging->diagnostics);
    if (!status && found)
        return check_row(merging, taker->input, row, values);
    if (status || (!taker->counted && store_summary_has(target, row->point)))
        return status; /* it was counted before and not kept */
    metrics_clear(&metrics);
    for (size_t c = 0; c < target->column_count; c++)
        metric_set(target->columns[c], &metrics, row->values[c]);
    status = scoreboard_offer(merging->board, row->point, &metrics, &keep, merging->diagnostics);
    if (!status && taker->counted)
        return keep ? store_put(target, row->point, &metrics, merging->diagnostics) : STATUS_OK;
    return status ? status
                  : store_put_summary(target, row->point, &metrics, keep, merging->diagnostics);
}

/* Adds the sums of a chosen input at once. Its rows, and those of other inputs, are taken one by
 * one. */
static enum status take_input(struct summary_merging *merging, const struct input *input)
{
    struct store *store;
    const struct query everything = {0};
    enum status status = open_input(merging, input->path, &store);
    if (status)
        return status;
    struct row_taker taker = {merging, store, input->chosen};
    if (input->chosen)
        status = store_summary_add(merging->target, store, merging->diagnostics);
    if (!status)
        status = store_query(store, &everything, merge_take_row, &taker, merging->diagnostics);
    /* If an input has exactly the same points, its counts and sums must be the same, too. */
    if (!status && input->summary && !input->chosen)
        status = store_summary_compare(merging->target, store, SUM_TOLERANCE, merging->diagnostics);
    store_close(store);
    return status;
}

static enum status offer_own(void *argument, const struct store_row *row)
{
    struct summary_merging *merging = argument;
    const struct store *target = merging->target;
    struct metrics metrics;
    metrics_clear(&metrics);
    for (size_t c = 0; c < target->column_count; c++)
        metric_set(target->columns[c], &metrics, row->values[c]);
    return scoreboard_offer(merging->board, row->point, &metrics, NULL, merging->diagnostics);
}

/* Deletes the rows that better ones have displaced. */
static enum status prune(struct summary_merging *merging)
{
    memset(merging->own, 0, merging->bytes);
    enum status status = scoreboard_mark(merging->board, merging->own);
    return status ? status : store_prune(merging->target, merging->own, merging->diagnostics);
}

/* Writes everything in one transaction. The rows that the target keeps are offered to the
 * scoreboard first, so that it knows which rows of the inputs are among the best. */
static enum status write_target(struct summary_merging *merging)
{
    struct store *target = merging->target;
    const struct query everything = {0};
    uint64_t before = 0, after = 0, offered = 0;
    store_summary_done(target, NULL, &before);
    enum status status = store_begin(target, merging->diagnostics);
    if (!status && merging->renew)
        status = store_summary_clear(target, merging->diagnostics);
    if (!status)
        status = store_query(target, &everything, offer_own, merging, merging->diagnostics);
    for (int chosen = 1; chosen >= 0; chosen--) /* first add up, then compare the others */
        for (size_t i = 0; i < merging->count && !status; i++) {
            if (merging->inputs[i].chosen != chosen)
                continue;
            offered += merging->inputs[i].points;
            status = take_input(merging, &merging->inputs[i]);
        }
    if (!status)
        status = prune(merging);
    store_summary_done(target, NULL, &after);
    if (!status && after > before)
        status = store_event(target, "merge", merging->inputs[0].path, merging->diagnostics);
    if (status)
        return status;
    merging->result->points = after;
    merging->result->added += after - before;
    merging->result->equal += offered - (after - before);
    return store_commit(target, merging->diagnostics);
}

enum status summary_merge(struct store *target, const char *const *inputs, size_t count,
                          struct merge_result *result, struct diagnostics *diagnostics)
{
    struct summary_merging merging = {.target = target,
                                      .count = count,
                                      .bytes = target->space.points / 8 + 1,
                                      .result = result,
                                      .diagnostics = diagnostics};
    merging.inputs = calloc(count + 1, sizeof *merging.inputs);
    merging.done = calloc(merging.bytes, 1);
    merging.own = calloc(merging.bytes, 1);
    enum status status = merging.inputs && merging.done && merging.own ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = scoreboard_create(&target->space, &merging.board, diagnostics);
    if (!status)
        status = list_inputs(&merging, inputs);
    if (!status)
        status = choose_inputs(&merging);
    if (!status)
        status = choose_target(&merging);
    if (!status) {
        status = write_target(&merging);
        if (status)
            store_abandon(target);
    }
    scoreboard_free(merging.board);
    free(merging.inputs);
    free(merging.done);
    free(merging.own);
    return status;
}
