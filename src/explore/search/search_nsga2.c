/* NSGA-II over the digits of the axes (explore/search/population.h). Each workload has a population
 * of its own (an island), because each has its own front. The children of all islands are evaluated
 * together, so that they share simulations.
 *
 * Only random numbers from the seed and the values of evaluated points decide, so threads, stops
 * and resumes change nothing. No point is evaluated twice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/rng.h"
#include "explore/results/hypervolume.h"
#include "explore/results/pareto.h"
#include "explore/search/population.h"
#include "explore/search/search_state.h"
#include "explore/space/sampling.h"

/* How often to try for a legal, new child before drawing one from the whole space. */
enum { CHILD_TRIES = 64 };

/* Budget of one hypervolume. If it is too expensive, any change of the front counts as progress. */
#define HYPERVOLUME_STEPS 1000000

enum ending { ENDING_NONE, ENDING_BUDGET, ENDING_PATIENCE, ENDING_FRONT, ENDING_SPACE };

struct island {
    size_t workload;
    uint64_t seed, draws;
    struct point_stream stream; /* random points, for when breeding finds none */
    uint64_t budget;            /* evaluations left */
    struct member *members;     /* the parents, then the children */
    size_t parents, children;
    double *pool; /* storage of the members' costs */
    struct pareto *archive;
    double *reference, volume; /* hypervolume of the archive; NaN if not known */
    bool referenced;           /* `reference` is set */
    uint64_t idle;             /* generations in a row without gain */
    enum ending ending;
};

struct breeding {
    struct search_state *state;
    struct island *islands;
    size_t island_count;
    struct key_table visited;
    size_t *digits, *other; /* of two parents, by axis */
    uint64_t *asked;        /* the children of all islands */
    size_t asked_count;
};

static uint64_t island_draw(struct island *island, uint64_t bound)
{
    return random_below(random_at(island->seed, island->draws++), bound);
}

static bool draw_chance(struct island *island, double chance)
{
    return (double)(random_at(island->seed, island->draws++) >> 11) * 0x1p-53 < chance;
}

static void read_digits(const struct space *space, uint64_t machine, size_t *digits)
{
    for (size_t a = space->study->axis_count; a-- > 0;) {
        digits[a] = machine % space->study->axes[a].count;
        machine /= space->study->axes[a].count;
    }
}

static uint64_t write_digits(const struct space *space, const size_t *digits)
{
    uint64_t machine = 0;
    for (size_t a = 0; a < space->study->axis_count; a++)
        machine = machine * space->study->axes[a].count + digits[a];
    return machine;
}

/* The parents are sorted best first, so the smaller index wins the tournament. */
static uint64_t choose_parent(const struct breeding *breeding, struct island *island)
{
    uint64_t a = island_draw(island, island->parents), b = island_draw(island, island->parents);
    return island->members[a < b ? a : b].point % breeding->state->setup.space.machines;
}

/* Half of the mutations step to a neighbouring value; the others go to any value. */
static size_t mutate_digit(struct island *island, size_t digit, size_t count)
{
    if (draw_chance(island, 0.5))
        return (digit + 1 + island_draw(island, count - 1)) % count;
    bool up = digit == 0 || (digit + 1 < count && draw_chance(island, 0.5));
    return up ? digit + 1 : digit - 1;
}

/* Makes a child of two parents. The mutation rate grows with the number of failed attempts. */
static uint64_t breed(struct breeding *breeding, struct island *island, int attempt)
{
    const struct space *space = &breeding->state->setup.space;
    const struct search *search = &breeding->state->study->search;
    const struct axis *axes = space->study->axes;
    size_t axis_count = space->study->axis_count, varying = 0;
    read_digits(space, choose_parent(breeding, island), breeding->digits);
    read_digits(space, choose_parent(breeding, island), breeding->other);
    bool cross = draw_chance(island, search->crossover);
    for (size_t a = 0; a < axis_count; a++) {
        varying += axes[a].count > 1;
        if (draw_chance(island, 0.5) && cross)
            breeding->digits[a] = breeding->other[a];
    }
    double rate = search->mutation > 0 ? search->mutation : 1.0 / (double)(varying ? varying : 1);
    rate *= 1 + attempt / 8.0;
    for (size_t a = 0; a < axis_count; a++)
        if (axes[a].count > 1 && draw_chance(island, rate))
            breeding->digits[a] = mutate_digit(island, breeding->digits[a], axes[a].count);
    return island->workload * space->machines + write_digits(space, breeding->digits);
}

/* Takes the point if it is legal and new. */
static enum status try_point(struct breeding *breeding, uint64_t point, bool *taken)
{
    struct search_state *state = breeding->state;
    uint32_t number;
    *taken = false;
    if (key_table_find(&breeding->visited, point) != KEY_NONE)
        return STATUS_OK;
    enum status status = legality_test(state->legality, point % state->setup.space.machines, taken,
                                       state->diagnostics);
    if (!status && *taken)
        status = key_table_number(&breeding->visited, point, &number);
    return status;
}

/* Breeds until a child is legal and new; after CHILD_TRIES failures takes random points instead. */
static enum status next_child(struct breeding *breeding, struct island *island, uint64_t *point,
                              bool *found)
{
    enum status status = STATUS_OK;
    *found = false;
    for (int i = 0; island->parents && i < CHILD_TRIES && !*found && !status; i++) {
        *point = breed(breeding, island, i);
        status = try_point(breeding, *point, found);
    }
    bool more = true;
    while (!*found && more && !status) {
        status = point_stream_next(&island->stream, point, &more, breeding->state->diagnostics);
        if (!status && more)
            status = try_point(breeding, *point, found);
    }
    return status;
}

static enum status make_children(struct breeding *breeding, struct island *island)
{
    uint64_t wanted = breeding->state->study->search.population;
    enum status status = STATUS_OK;
    bool found = true;
    island->children = 0;
    if (wanted > island->budget)
        wanted = island->budget;
    while (island->children < wanted && found && !status) {
        uint64_t point;
        status = next_child(breeding, island, &point, &found);
        if (status || !found)
            break;
        island->members[island->parents + island->children++].point = point;
        breeding->asked[breeding->asked_count++] = point;
    }
    island->budget -= island->children;
    if (!found)
        island->ending = ENDING_SPACE;
    return status;
}

/* Derives the reference point from the first generation that has eligible members. It stays fixed,
 * so that later volumes are comparable. */
static void set_reference(struct island *island, size_t dimensions)
{
    const double *costs = pareto_costs(island->archive);
    for (size_t d = 0; d < dimensions; d++) {
        double low = costs[d], high = low;
        for (size_t i = 0; i < island->parents + island->children; i++)
            if (island->members[i].eligible) {
                low = fmin(low, island->members[i].costs[d]);
                high = fmax(high, island->members[i].costs[d]);
            }
        island->reference[d] = hypervolume_reference(low, high);
    }
    island->referenced = true;
}

/* Decides whether a generation gained anything and whether the island has ended. */
static void island_judge(struct island *island, const struct search *search, size_t dimensions,
                         bool entered)
{
    if (!island->referenced && pareto_count(island->archive))
        set_reference(island, dimensions);
    if (island->referenced) {
        double volume = hypervolume(pareto_costs(island->archive), pareto_count(island->archive),
                                    dimensions, island->reference, HYPERVOLUME_STEPS);
        bool gained = isnan(volume) || isnan(island->volume) ? entered : volume > island->volume;
        island->idle = gained ? 0 : island->idle + 1;
        island->volume = volume;
    }
    if (search->patience && island->idle >= search->patience)
        island->ending = ENDING_PATIENCE;
    else if (search->front && pareto_count(island->archive) >= search->front)
        island->ending = ENDING_FRONT;
    else if (!island->budget && !island->ending)
        island->ending = ENDING_BUDGET;
}

/* Reads the values of the children and selects the next parents from all members. */
static enum status select_parents(struct breeding *breeding, struct island *island)
{
    struct search_state *state = breeding->state;
    size_t dimensions = state->study->objective_count, population = state->study->search.population;
    size_t total = island->parents + island->children;
    bool entered = false;
    enum status status = STATUS_OK;
    for (size_t i = island->parents; i < total && !status; i++) {
        struct member *member = &island->members[i];
        status = search_costs(state, member->point, member->costs, &member->eligible);
        if (status || !member->eligible)
            continue;
        /* The archive wants values; it turns the objectives itself. */
        double values[METRIC_COUNT];
        for (size_t d = 0; d < dimensions; d++)
            values[d] = state->study->objectives[d].direction == HIGHER_IS_BETTER
                            ? -member->costs[d]
                            : member->costs[d];
        bool in = false;
        status = pareto_offer(island->archive, member->point, values, &in);
        entered = entered || in;
    }
    if (status)
        return status;
    island_judge(island, &state->study->search, dimensions, entered);
    population_sort(island->members, total, dimensions);
    island->parents = total < population ? total : population;
    island->children = 0;
    return STATUS_OK;
}

/* All islands breed before any point is asked for, so one batch has the children of all. */
static enum status run_generation(struct breeding *breeding, bool *alive)
{
    enum status status = STATUS_OK;
    *alive = false;
    breeding->asked_count = 0;
    for (size_t i = 0; i < breeding->island_count && !status; i++)
        if (!breeding->islands[i].ending)
            status = make_children(breeding, &breeding->islands[i]);
    if (!status)
        status = search_ask(breeding->state, breeding->asked, breeding->asked_count);
    for (size_t i = 0; i < breeding->island_count && !status; i++) {
        struct island *island = &breeding->islands[i];
        if (island->children)
            status = select_parents(breeding, island);
        *alive = *alive || !island->ending;
    }
    return status;
}

static enum status open_island(struct breeding *breeding, size_t workload)
{
    struct search_state *state = breeding->state;
    struct island *island = &breeding->islands[workload];
    const struct space *space = &state->setup.space;
    size_t dimensions = state->study->objective_count;
    size_t members = 2 * state->study->search.population;
    uint64_t evaluations = state->study->search.evaluations, workloads = breeding->island_count;
    *island =
        (struct island){.workload = workload,
                        .seed = random_at(~state->study->seed, workload),
                        .volume = NAN,
                        .budget = evaluations / workloads + (workload < evaluations % workloads)};
    island->stream =
        point_stream_create(space, state->legality, random_at(state->study->seed, workload),
                            workload * space->machines, space->machines);
    island->members = calloc(members, sizeof *island->members);
    island->pool = calloc(members * dimensions, sizeof *island->pool);
    island->reference = calloc(dimensions, sizeof *island->reference);
    if (!island->members || !island->pool || !island->reference)
        return STATUS_MEMORY;
    for (size_t i = 0; i < members; i++)
        island->members[i].costs = island->pool + i * dimensions;
    if (!island->budget)
        island->ending = ENDING_BUDGET;
    return pareto_create(state->study->objectives, dimensions, &island->archive);
}

static void note_endings(const struct breeding *breeding)
{
    static const char *const reasons[] = {
        [ENDING_NONE] = "it was stopped",
        [ENDING_BUDGET] = "all evaluations are used",
        [ENDING_PATIENCE] = "the hypervolume has not grown for as many generations as the patience",
        [ENDING_FRONT] = "the front has the size that was asked for",
        [ENDING_SPACE] = "no other legal point was found",
    };
    const struct study *study = breeding->state->study;
    for (size_t i = 0; i < breeding->island_count; i++) {
        const struct island *island = &breeding->islands[i];
        char points[COUNT_TEXT];
        diagnostics_add(breeding->state->diagnostics, SEVERITY_NOTE, NULL,
                        "nsga2 on %s ended with %s in the front: %s", study->workloads[i],
                        counted_print(pareto_count(island->archive), "point", points),
                        reasons[island->ending]);
    }
}

static void free_breeding(struct breeding *breeding)
{
    for (size_t i = 0; breeding->islands && i < breeding->island_count; i++) {
        free(breeding->islands[i].members);
        free(breeding->islands[i].pool);
        free(breeding->islands[i].reference);
        pareto_free(breeding->islands[i].archive);
    }
    key_table_free(&breeding->visited);
    free(breeding->islands);
    free(breeding->digits);
    free(breeding->other);
    free(breeding->asked);
}

/* An island per workload, each with a population of its own: what is good for one says little of
 * another. Their questions of a generation are asked together, so that machines on different
 * islands share passes. It ends when no island is alive (run_generation) or a limit is reached. */
enum status search_nsga2(struct search_state *state)
{
    const struct study *study = state->study;
    struct breeding breeding = {.state = state, .island_count = study->workload_count};
    if (!study->objective_count)
        return diagnostics_error(state->diagnostics, STATUS_INVALID,
                                 "nsga2 needs objectives to know what is better");
    breeding.islands = calloc(breeding.island_count, sizeof *breeding.islands);
    breeding.digits = calloc(study->axis_count + 1, sizeof *breeding.digits);
    breeding.other = calloc(study->axis_count + 1, sizeof *breeding.other);
    breeding.asked =
        calloc(breeding.island_count * study->search.population, sizeof *breeding.asked);
    bool memory = breeding.islands && breeding.digits && breeding.other && breeding.asked;
    enum status status = memory ? STATUS_OK : STATUS_MEMORY;
    for (size_t w = 0; w < breeding.island_count && !status; w++)
        status = open_island(&breeding, w);
    bool alive = true;
    while (alive && !status)
        status = run_generation(&breeding, &alive);
    if (!status) {
        note_endings(&breeding);
        state->guard.progress.points =
            state->guard.progress.done; /* there is nothing else to come */
    }
    free_breeding(&breeding);
    return status;
}
