/* A guided walk: from the baseline and a few machines by chance, round by round to those whose
 * guessed costs go furthest beyond the front (explore/search/guesses.h).
 *
 * Each machine runs on every workload; its costs are geometric means of their ratios to the
 * baseline, so a machine is judged as reports judge it. Areas are no guesses: they are worked out
 * for each candidate. Candidates are all legal machines, or WALK_CANDIDATES by chance where there
 * are more; those that differ from a machine of the front in one axis join them, and in each round
 * WALK_CHILDREN that take each digit from one of two machines of the front.
 *
 * Only the seed and the values of points that were asked for decide, so threads, stops and resumes
 * change nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/text_stream.h"
#include "explore/results/hypervolume.h"
#include "explore/search/guesses.h"
#include "explore/search/search_state.h"
#include "explore/space/sampling.h"
#include "model/area/area.h"

enum { WALK_CANDIDATES = 1 << 14 };
enum { WALK_CHILDREN = 64 /* in a round */, WALK_STEPS = 40 };

/* Budget of one hypervolume; one that is too expensive counts as a gain. */
#define WALK_VOLUME_STEPS 1000000

/* A value below this share of the baseline's counts as that, so that a ratio has a logarithm. */
#define WALK_LEAST 1e-3

enum walk_ending { WALK_GOES_ON, WALK_BUDGET, WALK_PLATEAU, WALK_SPACE };

struct walk {
    struct search_state *state;
    uint64_t seed, draws;
    struct guesses *guesses;
    struct point_stream stream; /* legal machines by chance */
    struct key_table machines;  /* the candidates */
    size_t *counts;             /* values, by axis */
    uint32_t *digits;           /* by candidate */
    double *costs;              /* by candidate: those that need no run */
    uint8_t *taken;             /* by candidate */
    size_t digit_capacity, cost_capacity, taken_capacity;
    uint32_t *chosen; /* candidates, in the order in which they were asked for */
    size_t chosen_count, learnt, most;
    uint64_t *points; /* of a round */
    double *baseline; /* [workload * objectives + objective]: costs; NaN: not known */
    uint32_t *scratch;
    double *low, *high; /* of the costs of the first machines */
    double *reference;  /* of volumes, from these */
    bool referenced;
    double volume; /* of the front; NaN: not known */
    struct walk_step {
        size_t machines;
        double volume;
    } curve[WALK_STEPS]; /* each at twice the machines of the one before, or at the end */
    size_t step_count;
    uint64_t idle; /* rounds in a row that did not add to it */
    enum walk_ending ending;
};

static size_t axis_count(const struct walk *walk)
{
    return walk->state->study->axis_count;
}

static size_t objective_count(const struct walk *walk)
{
    return walk->state->study->objective_count;
}

static bool walk_is_exact(const struct objective *objective)
{
    return objective->metric->stage == STAGE_AREA;
}

/* ---- candidates ---- */

/* Works out the costs of a machine that need no run. */
static void cost_machine(const struct walk *walk, uint64_t machine, double *costs)
{
    const struct study *study = walk->state->study;
    struct machine decoded;
    struct metrics metrics;
    bool any = false;
    for (size_t d = 0; d < study->objective_count; d++)
        any = any || walk_is_exact(&study->objectives[d]);
    if (!any)
        return;
    space_machine(&walk->state->setup.space, machine, &decoded);
    machine_apply_kind(&decoded);
    metrics_clear(&metrics);
    area_evaluate(&decoded, &metrics);
    for (size_t d = 0; d < study->objective_count; d++) {
        const struct objective *objective = &study->objectives[d];
        const double value = metric_get(objective->metric, &metrics);
        costs[d] = objective->direction == HIGHER_IS_BETTER ? -value : value;
    }
}

/* Makes a machine a candidate, if it is legal; KEY_NONE if it is not. */
static enum status add_candidate(struct walk *walk, uint64_t machine, uint32_t *candidate)
{
    struct search_state *state = walk->state;
    const size_t axes = axis_count(walk), number = walk->machines.count;
    bool legal;
    *candidate = key_table_find(&walk->machines, machine);
    if (*candidate != KEY_NONE)
        return STATUS_OK;
    enum status status = legality_test(state->legality, machine, &legal, state->diagnostics);
    if (status || !legal)
        return status;
    if (array_reserve(&walk->digits, &walk->digit_capacity, (number + 1) * (axes + 1)) ||
        array_reserve(&walk->costs, &walk->cost_capacity, (number + 1) * objective_count(walk)) ||
        array_reserve(&walk->taken, &walk->taken_capacity, number + 1) ||
        key_table_number(&walk->machines, machine, candidate))
        return STATUS_MEMORY;
    for (size_t a = 0; a < axes; a++)
        walk->digits[number * axes + a] = (uint32_t)space_digit(&state->setup.space, machine, a);
    cost_machine(walk, machine, walk->costs + number * objective_count(walk));
    walk->taken[number] = 0;
    return STATUS_OK;
}

static uint64_t machine_of(const struct walk *walk, const uint32_t *digits)
{
    uint64_t machine = 0;
    for (size_t a = 0; a < axis_count(walk); a++)
        machine = machine * walk->counts[a] + digits[a];
    return machine;
}

/* The next legal machine by chance that is not taken; KEY_NONE: there is none. */
static enum status chance_candidate(struct walk *walk, uint32_t *candidate)
{
    enum status status = STATUS_OK;
    *candidate = KEY_NONE;
    while (!status) {
        uint64_t machine;
        bool found = false;
        status = point_stream_next(&walk->stream, &machine, &found, walk->state->diagnostics);
        if (status || !found)
            break;
        status = add_candidate(walk, machine, candidate);
        if (!status && !walk->taken[*candidate])
            return STATUS_OK;
    }
    *candidate = KEY_NONE;
    return status;
}

static enum status list_candidates(struct walk *walk)
{
    struct search_state *state = walk->state;
    struct point_stream stream = point_stream_create(
        &state->setup.space, state->legality, walk->seed + 1, 0, state->setup.space.machines);
    enum status status = STATUS_OK;
    while (!status && walk->machines.count < WALK_CANDIDATES) {
        uint64_t machine;
        uint32_t candidate;
        bool found = false;
        status = point_stream_next(&stream, &machine, &found, state->diagnostics);
        if (status || !found)
            break;
        status = add_candidate(walk, machine, &candidate);
        if (!status && search_cancelled(state))
            status = STATUS_CANCELLED;
    }
    return status;
}

/* Makes candidates of the machines that differ from one of the front in one axis. */
static enum status add_neighbours(struct walk *walk)
{
    const size_t axes = axis_count(walk);
    enum status status = STATUS_OK;
    for (size_t f = 0; f < guesses_front_count(walk->guesses) && !status; f++) {
        memcpy(walk->scratch, guesses_front(walk->guesses, f), axes * sizeof *walk->scratch);
        for (size_t a = 0; a < axes; a++) {
            const uint32_t own = walk->scratch[a];
            for (uint32_t d = 0; d < walk->counts[a] && !status; d++) {
                uint32_t candidate;
                walk->scratch[a] = d;
                status = add_candidate(walk, machine_of(walk, walk->scratch), &candidate);
            }
            walk->scratch[a] = own;
        }
    }
    return status;
}

/* ... and of some that take each digit from one of two of the front. */
static enum status add_children(struct walk *walk)
{
    const size_t front = guesses_front_count(walk->guesses);
    enum status status = STATUS_OK;
    for (int i = 0; front && i < WALK_CHILDREN && !status; i++) {
        const uint32_t *parents[2];
        uint32_t candidate;
        for (int p = 0; p < 2; p++)
            parents[p] = guesses_front(walk->guesses,
                                       random_below(random_at(walk->seed, walk->draws++), front));
        guess_breed(parents, walk->counts, axis_count(walk), walk->seed, &walk->draws,
                    walk->scratch);
        status = add_candidate(walk, machine_of(walk, walk->scratch), &candidate);
    }
    return status;
}

/* ---- what is known ---- */

/* A workload's cost of a machine, as the logarithm of its ratio to the baseline. Costs of what is
 * to be large are negative, -0 among them. */
static double log_ratio(double cost, double baseline)
{
    if (isnan(cost))
        return NAN;
    const double least = WALK_LEAST * fabs(baseline);
    const double ratio = fmax(fabs(cost), least > 0 ? least : WALK_LEAST);
    const double whole = log(ratio / (least > 0 ? fabs(baseline) : 1));
    return signbit(cost) ? -whole : whole;
}

/* The costs of a candidate that ran on all workloads. *eligible becomes false if one of them has no
 * value, or a filter refuses it. */
static enum status walk_costs(struct walk *walk, uint32_t candidate, double *costs, bool *eligible)
{
    const struct study *study = walk->state->study;
    const size_t width = study->objective_count;
    double own[METRIC_COUNT];
    enum status status = STATUS_OK;
    *eligible = true;
    for (size_t d = 0; d < width; d++)
        costs[d] = 0;
    for (size_t w = 0; w < study->workload_count && !status; w++) {
        bool passes;
        double *baseline = walk->baseline + w * width;
        status = search_costs(
            walk->state, w * walk->state->setup.space.machines + walk->machines.keys[candidate],
            own, &passes);
        *eligible = *eligible && passes;
        for (size_t d = 0; d < width; d++) {
            if (isnan(baseline[d]))
                baseline[d] = own[d];
            costs[d] += study->workload_count > 1 ? log_ratio(own[d], baseline[d]) : own[d];
        }
    }
    for (size_t d = 0; d < width; d++) /* as those of candidates that were not run */
        if (walk_is_exact(&study->objectives[d]))
            costs[d] = walk->costs[candidate * width + d];
    return status;
}

static enum status walk_learn(struct walk *walk)
{
    double costs[METRIC_COUNT] = {0};
    enum status status = STATUS_OK;
    for (; walk->learnt < walk->chosen_count && !status; walk->learnt++) {
        const uint32_t candidate = walk->chosen[walk->learnt];
        bool eligible;
        status = walk_costs(walk, candidate, costs, &eligible);
        if (!status)
            status = guesses_learn(walk->guesses, walk->digits + candidate * axis_count(walk),
                                   costs, eligible);
        for (size_t d = 0; d < objective_count(walk) && eligible && !walk->referenced; d++) {
            walk->low[d] = fmin(walk->low[d], costs[d]);
            walk->high[d] = fmax(walk->high[d], costs[d]);
        }
    }
    return status;
}

/* The volume between the front and the reference, which the first round with a front sets. It knows
 * only what was asked for, unlike the scoreboard, which has all points of a resumed store. */
static double walk_volume(struct walk *walk)
{
    const size_t width = objective_count(walk), count = guesses_front_count(walk->guesses);
    if (!count)
        return 0;
    for (size_t d = 0; d < width && !walk->referenced; d++)
        walk->reference[d] = hypervolume_reference(walk->low[d], walk->high[d]);
    walk->referenced = true;
    double *costs = malloc(count * width * sizeof *costs);
    if (!costs)
        return NAN;
    guesses_front_costs(walk->guesses, costs);
    const double volume = hypervolume(costs, count, width, walk->reference, WALK_VOLUME_STEPS);
    free(costs);
    return volume;
}

/* ---- rounds ---- */

static void choose_candidate(struct walk *walk, uint32_t candidate)
{
    walk->taken[candidate] = 1;
    walk->chosen[walk->chosen_count++] = candidate;
}

/* Chooses the next machine of a round. `offered` are the candidates that were fitted. */
static enum status next_candidate(struct walk *walk, size_t place, size_t offered)
{
    const struct guess_points points = {offered, walk->digits, walk->costs, walk->taken};
    const size_t best = guesses_choose(walk->guesses, &points, guess_near(place),
                                       random_below(random_at(walk->seed, walk->draws++), offered));
    uint32_t candidate = best == SIZE_MAX ? KEY_NONE : (uint32_t)best;
    enum status status = STATUS_OK;
    if (candidate == KEY_NONE)
        status = chance_candidate(walk, &candidate);
    if (!status && candidate == KEY_NONE)
        walk->ending = WALK_SPACE;
    else if (!status)
        choose_candidate(walk, candidate);
    return status;
}

/* The first round: the baseline, and some machines by chance. */
static enum status walk_begin(struct walk *walk)
{
    struct machine baseline;
    uint32_t candidate;
    study_baseline(walk->state->study, &baseline);
    enum status status =
        add_candidate(walk, space_own(walk->state->study, &baseline, NULL), &candidate);
    if (!status && candidate != KEY_NONE)
        choose_candidate(walk, candidate);
    while (!status && walk->chosen_count < walk->most / GUESSES_FIRST + 1) {
        status = chance_candidate(walk, &candidate);
        if (status || candidate == KEY_NONE)
            break;
        choose_candidate(walk, candidate);
    }
    if (!status && !walk->chosen_count)
        walk->ending = WALK_SPACE;
    return status;
}

static enum status walk_choose(struct walk *walk)
{
    if (!walk->learnt)
        return walk_begin(walk);
    enum status status = add_neighbours(walk);
    if (!status)
        status = add_children(walk);
    const size_t offered = walk->machines.count;
    const struct guess_points points = {offered, walk->digits, walk->costs, walk->taken};
    if (!status)
        status = guesses_fit(walk->guesses, &points);
    for (size_t i = 0;
         i < GUESSES_ROUND && walk->chosen_count < walk->most && !walk->ending && !status; i++)
        status = next_candidate(walk, i, offered);
    return status;
}

/* Runs the machines that were chosen on all workloads. */
static enum status walk_run(struct walk *walk)
{
    const struct space *space = &walk->state->setup.space;
    size_t count = 0;
    for (size_t i = walk->learnt; i < walk->chosen_count; i++)
        for (size_t w = 0; w < walk->state->study->workload_count; w++)
            walk->points[count++] = w * space->machines + walk->machines.keys[walk->chosen[i]];
    return search_ask(walk->state, walk->points, count);
}

/* Whether a round gained anything. */
static void walk_judge(struct walk *walk)
{
    const uint64_t patience = walk->state->study->search.patience;
    const double volume = walk_volume(walk);
    const bool gained = isnan(volume) || isnan(walk->volume) || volume > walk->volume;
    walk->idle = gained ? 0 : walk->idle + 1;
    walk->volume = volume;
    if (!walk->ending && walk->chosen_count >= walk->most)
        walk->ending = WALK_BUDGET;
    else if (!walk->ending && patience && walk->idle >= patience)
        walk->ending = WALK_PLATEAU;
    const size_t last = walk->step_count ? walk->curve[walk->step_count - 1].machines : 0;
    if ((walk->ending || walk->chosen_count >= 2 * last) && walk->step_count < WALK_STEPS)
        walk->curve[walk->step_count++] = (struct walk_step){walk->chosen_count, volume};
}

/* ---- the whole ---- */

static enum status allocate_walk(struct walk *walk)
{
    const struct study *study = walk->state->study;
    const size_t width = study->objective_count, workloads = study->workload_count;
    walk->counts = calloc(study->axis_count + 1, sizeof *walk->counts);
    walk->scratch = calloc(study->axis_count + 1, sizeof *walk->scratch);
    walk->chosen = calloc(walk->most + 1, sizeof *walk->chosen);
    walk->points =
        calloc((walk->most / GUESSES_FIRST + GUESSES_ROUND + 1) * workloads, sizeof *walk->points);
    walk->baseline = calloc(workloads * width, sizeof *walk->baseline);
    walk->low = calloc(width, sizeof *walk->low);
    walk->high = calloc(width, sizeof *walk->high);
    walk->reference = calloc(width, sizeof *walk->reference);
    return walk->counts && walk->scratch && walk->chosen && walk->points && walk->baseline &&
                   walk->low && walk->high && walk->reference
               ? STATUS_OK
               : STATUS_MEMORY;
}

static enum status open_walk(struct walk *walk)
{
    struct search_state *state = walk->state;
    const struct study *study = state->study;
    const size_t width = study->objective_count, workloads = study->workload_count;
    bool exact[METRIC_COUNT] = {0};
    if (!width)
        return diagnostics_error(state->diagnostics, STATUS_INVALID,
                                 "walk needs objectives to know what is better");
    walk->seed = random_at(study->seed, SEARCH_WALK);
    walk->most = state->guard.progress.points / workloads;
    walk->most += !walk->most;
    walk->stream = point_stream_create(&state->setup.space, state->legality, walk->seed, 0,
                                       state->setup.space.machines);
    enum status status = allocate_walk(walk);
    if (status)
        return status;
    for (size_t a = 0; a < study->axis_count; a++)
        walk->counts[a] = study->axes[a].count;
    for (size_t i = 0; i < workloads * width; i++)
        walk->baseline[i] = NAN;
    for (size_t d = 0; d < width; d++) {
        exact[d] = walk_is_exact(&study->objectives[d]);
        walk->low[d] = INFINITY;
        walk->high[d] = -INFINITY;
    }
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): free_walk frees what the walk holds */
    status = guesses_create(walk->counts, study->axis_count, exact, width, &walk->guesses);
    return status ? status : list_candidates(walk);
}

/* Says how the front grew. */
static void note_curve(const struct walk *walk)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return;
    for (size_t i = 0; i < walk->step_count; i++)
        if (walk->volume > 0 && !isnan(walk->curve[i].volume))
            fprintf(out, "%s%.1f %% after %zu", i ? ", " : "",
                    100 * walk->curve[i].volume / walk->volume, walk->curve[i].machines);
    char *text = text_stream_take(&stream);
    if (text && *text)
        diagnostics_add(walk->state->diagnostics, SEVERITY_NOTE, NULL,
                        "walk: of the hypervolume of its front there was %s machines", text);
    free(text);
}

static void note_walk(const struct walk *walk)
{
    static const char *const reasons[] = {
        [WALK_GOES_ON] = "it was stopped",
        [WALK_BUDGET] = "all points are used",
        [WALK_PLATEAU] = "the hypervolume has not grown for as many rounds as the patience",
        [WALK_SPACE] = "no other legal machine was found",
    };
    char machines[COUNT_TEXT], front[COUNT_TEXT];
    diagnostics_add(walk->state->diagnostics, SEVERITY_NOTE, NULL,
                    "walk ended after %s with %s in the front: %s",
                    counted_print(walk->chosen_count, "machine", machines),
                    counted_print(scoreboard_front(walk->state->board), "point", front),
                    reasons[walk->ending]);
    note_curve(walk);
}

static void free_walk(struct walk *walk)
{
    guesses_free(walk->guesses);
    key_table_free(&walk->machines);
    free(walk->counts);
    free(walk->digits);
    free(walk->costs);
    free(walk->taken);
    free(walk->chosen);
    free(walk->points);
    free(walk->baseline);
    free(walk->low);
    free(walk->high);
    free(walk->reference);
    free(walk->scratch);
}

enum status search_walk(struct search_state *state)
{
    struct walk walk = {.state = state, .volume = -1};
    enum status status = open_walk(&walk);
    while (!status && !walk.ending) {
        status = walk_choose(&walk);
        if (!status)
            status = walk_run(&walk);
        if (!status)
            status = walk_learn(&walk);
        if (!status)
            walk_judge(&walk);
    }
    if (!status) {
        note_walk(&walk);
        state->guard.progress.points = state->guard.progress.done; /* nothing else is to come */
    }
    free_walk(&walk);
    return status;
}
