/* What is tried next: guesses, and the proof (wish_looking.h). */
#include <stdlib.h>

#include "base/memory.h"
#include "explore/wishes/wish_looking.h"

/* How many guesses of one round are held against the conditions. */
enum { GUESSES_MOST = 1 << 19 };

/* Makes a machine one of the next round; false: it is already tried, or not legal. */
static enum status add_machine(struct looking *looking, uint64_t machine, bool *added)
{
    const size_t axes = axis_count(looking), number = looking->tried.count;
    uint32_t taken;
    *added = bit_test(looking->census.bitmap, machine) &&
             key_table_find(&looking->tried, machine) == KEY_NONE;
    if (!*added)
        return STATUS_OK;
    if (array_reserve(&looking->done, &looking->done_capacity, number + 1) ||
        array_reserve(&looking->each, &looking->each_capacity,
                      (number + 1) * workloads(looking) * columns(looking)) ||
        array_reserve(&looking->values, &looking->value_capacity,
                      (number + 1) * columns(looking)) ||
        array_reserve(&looking->digits, &looking->digit_capacity, (number + 1) * (axes + 1)) ||
        key_table_number(&looking->tried, machine, &taken))
        return STATUS_MEMORY;
    looking->done[number] = 0;
    for (size_t a = 0; a < axes; a++)
        looking->digits[number * axes + a] =
            (uint32_t)space_digit(&looking->result->space, machine, a);
    return STATUS_OK;
}

static enum status fit_models(struct looking *looking)
{
    const size_t count = looking->tried.count, width = columns(looking);
    double *column = calloc(count + 1, sizeof *column);
    enum status status = column ? STATUS_OK : STATUS_MEMORY;
    for (size_t c = 0; c < width && !status; c++) {
        for (size_t i = 0; i < count; i++)
            column[i] = looking->values[i * width + c];
        status = additive_fit(&looking->models[c], looking->digits, column, count);
    }
    free(column);
    return status;
}

static void guess(const struct looking *looking, uint64_t machine, size_t count, double *values)
{
    for (size_t a = 0; a < axis_count(looking); a++)
        looking->guessed[a] = (uint32_t)space_digit(&looking->result->space, machine, a);
    for (size_t c = 0; c < count; c++)
        values[c] = additive_at(&looking->models[c], looking->guessed);
}

/* Adds the first candidates that are guessed to satisfy the conditions, at most `most`. */
static enum status add_promising(struct looking *looking, const struct candidate *candidates,
                                 size_t count, size_t most)
{
    enum status status = STATUS_OK;
    const bool tests = looking->wish->filter_count > 0;
    for (size_t i = 0, tested = 0; i < count && most && tested < GUESSES_MOST && !status; i++) {
        double values[METRIC_COUNT];
        bool passes = true, added = false;
        if (!wish_beats_best(looking, &candidates[i]))
            break;
        if (key_table_find(&looking->tried, candidates[i].machine) != KEY_NONE)
            continue;
        if (tests) {
            tested++;
            guess(looking, candidates[i].machine, columns(looking), values);
            status = wish_satisfies(looking, candidates[i].machine, values, &passes);
        }
        if (!status && passes)
            status = add_machine(looking, candidates[i].machine, &added);
        most -= added;
    }
    return status;
}

/* Where the goal needs runs, candidates are put in the order of what it is guessed to be. */
static enum status add_guessed(struct looking *looking, size_t most)
{
    if (wish_is_exact(looking->wish))
        return add_promising(looking, looking->candidates + looking->front,
                             looking->count - looking->front, most);
    struct candidate *guessed = calloc(looking->count + 1, sizeof *guessed);
    size_t count = 0;
    if (!guessed)
        return STATUS_MEMORY;
    for (size_t i = looking->front; i < looking->count; i++) {
        const uint64_t machine = looking->candidates[i].machine;
        double goal;
        if (key_table_find(&looking->tried, machine) != KEY_NONE)
            continue;
        guess(looking, machine, 1, &goal);
        guessed[count++] = (struct candidate){machine, wish_cost(looking->wish, goal)};
    }
    qsort(guessed, count, sizeof *guessed, wish_compare_candidates);
    const enum status status = add_promising(looking, guessed, count, most);
    free(guessed);
    return status;
}

static enum status add_proof(struct looking *looking, size_t most)
{
    enum status status = STATUS_OK;
    for (size_t i = looking->front; i < looking->count && most && !status; i++) {
        bool added = false;
        if (!wish_beats_best(looking, &looking->candidates[i]))
            break;
        status = add_machine(looking, looking->candidates[i].machine, &added);
        most -= added;
    }
    return status;
}

static enum status add_own(struct looking *looking, size_t most)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < looking->own_count && most && !status; i++) {
        bool added = false;
        status = add_machine(looking, looking->own[i], &added);
        most -= added;
    }
    return status;
}

/* Makes a round; none is left where it is empty. */
enum status wish_make_round(struct looking *looking)
{
    const uint64_t left = points_most(looking) - looking->tried.count;
    const bool shared = depth_can(looking->result->study.depth, DEPTH_GROUPED);
    const size_t size = shared ? WISH_BATCH_SHARED : WISH_BATCH;
    const size_t most = left < size ? (size_t)left : size;
    if (!looking->tried.count) {
        const enum status status = add_own(looking, (size_t)left);
        if (status || looking->tried.count)
            return status;
    }
    const size_t before = looking->tried.count;
    enum status status = looking->tried.count ? fit_models(looking) : STATUS_OK;
    if (!status && looking->tried.count)
        status = add_guessed(looking, (most + 1) / 2);
    return status ? status : add_proof(looking, most - (looking->tried.count - before));
}
