/* Finds which lines replace each other. MB1 fills the L1D with a contiguous array and then loads
 * one more line X, which evicts a line of its set. When the array is read again in order, each line
 * of that set is missing in turn, because it was evicted by the one before. So MB1 misses once for
 * each way, and on exactly the lines of X's set.
 *
 * That gives the ways, the sets and the set of any X; many X give the index function. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/rng.h"
#include "explore/papers/probe_state.h"
#include "model/cache/set_index.h"

enum {
    NEXT_PLACES = 64,  /* lines tested right after the array */
    RANDOM_PLACES = 24 /* lines tested anywhere, to confirm an index function */
};

struct replaced {
    uint64_t count;
    uint64_t first; /* the first line of the array that misses */
};

/* Finds which lines of the array miss when it is read again after one more line was loaded. */
static enum status find_replaced(struct probing *probing, uint64_t again, uint64_t line,
                                 struct replaced *replaced)
{
    const struct probe *probe = probing->probe;
    const struct micro_run run = {.lines = probe->lines.value,
                                  .stride = probe->line.value,
                                  .again = again,
                                  .extra = line * probe->line.value};
    enum status status = probing_measure(probing, &run);
    *replaced = (struct replaced){0, UINT64_MAX};
    if (status)
        return status;
    for (uint64_t i = 0, at = micro_run_loads(&run) - run.lines; i < run.lines; i++)
        if (probing_missed(probing, at + i)) {
            replaced->first = replaced->count++ ? replaced->first : i;
        }
    return STATUS_OK;
}

/* Finds the set of a line outside the array and names it after the array's first line in it. *found
 * is false if the misses are not one line for each way. */
static enum status find_set(struct probing *probing, uint64_t line, uint64_t *set, bool *found)
{
    struct probe *probe = probing->probe;
    struct replaced replaced;
    enum status status = find_replaced(probing, 0, line, &replaced);
    *set = replaced.first;
    *found = replaced.count == probe->ways.value && replaced.first < probe->sets.value;
    if (!status && *found && probe->place_count < PROBE_PLACES) {
        probe->places[probe->place_count].line = line;
        probe->places[probe->place_count++].set = *set;
    }
    return status;
}

static bool set_is_new(const struct probe *probe, unsigned before, uint64_t set)
{
    for (unsigned i = 0; i < before; i++)
        if (probe->places[i].set == set)
            return false;
    return true;
}

/* Checks that the lines right after the array, as many as there are sets, fall into different sets.
 * If not, the number of sets is wrong. */
static enum status check_sets(struct probing *probing, bool *even)
{
    struct probe *probe = probing->probe;
    uint64_t sets = probe->sets.value, count = sets < NEXT_PLACES ? sets : NEXT_PLACES;
    enum status status = STATUS_OK;
    *even = true;
    for (uint64_t i = 0; i < count && *even && !status; i++) {
        uint64_t set;
        status = find_set(probing, probe->lines.value + i * sets / count, &set, even);
        *even = *even && set_is_new(probe, probe->place_count - 1, set);
    }
    return status;
}

/* Reads a line again and then evicts one: LRU keeps the line, FIFO evicts it. */
static enum status find_replacement(struct probing *probing)
{
    struct probe *probe = probing->probe;
    struct replaced replaced;
    if (probe->ways.value == 1) {
        finding_fail(&probe->replacement, "one way leaves no choice");
        return STATUS_OK;
    }
    uint64_t set = probe->places[0].set;
    enum status status = find_replaced(probing, set + 1, probe->places[0].line, &replaced);
    if (replaced.count == probe->ways.value - 1 && replaced.first != set)
        finding_set(&probe->replacement, FOUND, POLICY_LRU);
    else if (replaced.count == probe->ways.value && replaced.first == set)
        finding_set(&probe->replacement, FOUND, POLICY_FIFO);
    else
        finding_fail(&probe->replacement,
                     "neither the oldest line nor the one unused longest goes");
    return status;
}

/* Finds what each address bit adds to the set: flips it in a line far from the array and compares
 * the sets. */
static enum status find_columns(struct probing *probing, uint64_t far, uint64_t *far_set,
                                bool *found)
{
    struct probe *probe = probing->probe;
    unsigned shift = log2_floor(probe->line.value);
    enum status status = find_set(probing, far, far_set, found);
    for (unsigned bit = shift; bit < probe->address_bits && *found && !status; bit++) {
        uint64_t set;
        status = find_set(probing, far ^ UINT64_C(1) << (bit - shift), &set, found);
        probe->columns[bit] = set ^ *far_set;
    }
    return status;
}

static uint64_t set_by_columns(const struct probe *probe, uint64_t line)
{
    unsigned shift = log2_floor(probe->line.value);
    uint64_t set = 0;
    for (unsigned bit = shift; bit < probe->address_bits; bit++)
        set ^= line >> (bit - shift) & 1 ? probe->columns[bit] : 0;
    return set;
}

/* Checks the columns against lines near and far. If any disagrees, no index function is claimed. */
static enum status check_columns(struct probing *probing, uint64_t far, uint64_t far_set,
                                 bool *holds)
{
    struct probe *probe = probing->probe;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < probe->place_count && *holds; i++)
        if (probe->places[i].line < far)
            *holds = probe->places[i].set == set_by_columns(probe, probe->places[i].line);
    for (unsigned i = 0; i < RANDOM_PLACES && *holds && !status; i++) {
        uint64_t below = random_at(1, i) & (far - 1), set;
        status = find_set(probing, far ^ below, &set, holds);
        *holds = *holds && set == (far_set ^ set_by_columns(probe, below));
    }
    return status;
}

/* With a number of sets that is not a power of two, only the plain remainder is tested. */
static enum status find_modulo(struct probing *probing, uint64_t far)
{
    struct probe *probe = probing->probe;
    bool holds = true;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < RANDOM_PLACES && holds && !status; i++) {
        uint64_t set;
        status = find_set(probing, far ^ (random_at(1, i) & (far - 1)), &set, &holds);
    }
    for (unsigned i = 0; i < probe->place_count && holds; i++)
        holds = probe->places[i].set == probe->places[i].line % probe->sets.value;
    if (holds)
        finding_set(&probe->index, FOUND, MAPPING_MODULO);
    else
        finding_fail(&probe->index, "the set is not the line number modulo %" PRIu64 " sets",
                     probe->sets.value);
    return status;
}

/* With a power of two of sets, assumes that every address bit adds its own value to the set
 * (exclusive or). That covers the modulo index and all hashes of that kind. */
static enum status find_index(struct probing *probing)
{
    struct probe *probe = probing->probe;
    uint64_t far = (UINT64_C(1) << probe->address_bits) / probe->line.value, far_set;
    bool holds = true;
    if (probe->sets.value == 1) {
        finding_set(&probe->index, FOUND, MAPPING_ONE_SET);
        return STATUS_OK;
    }
    if (!is_power_of_two(probe->sets.value))
        return find_modulo(probing, far);
    enum status status = find_columns(probing, far, &far_set, &holds);
    if (!status && holds)
        status = check_columns(probing, far, far_set, &holds);
    if (holds)
        finding_set(&probe->index, FOUND, MAPPING_XOR);
    else
        finding_fail(&probe->index, "the set is not an exclusive-or of address bits");
    return status;
}

enum status probing_find_sets(struct probing *probing)
{
    static const char *const uneven =
        "mb1 does not show one line for each way of a set: not LRU or "
        "FIFO, or an array's lines do not spread evenly over the sets";
    struct probe *probe = probing->probe;
    struct replaced replaced;
    enum status status = find_replaced(probing, 0, probe->lines.value, &replaced);
    if (status)
        return status;
    bool even = replaced.count && probe->lines.value % replaced.count == 0;
    if (even) {
        finding_set(&probe->ways, FOUND, replaced.count);
        finding_set(&probe->sets, FOUND, probe->lines.value / replaced.count);
        status = check_sets(probing, &even);
    }
    if (status)
        return status;
    if (!even) {
        finding_fail(&probe->ways, "%s", uneven);
        finding_fail(&probe->sets, "%s", uneven);
        return STATUS_OK;
    }
    status = find_replacement(probing);
    return status ? status : find_index(probing);
}

bool probe_index_is(const struct probe *probe, int function)
{
    struct set_index index;
    uint64_t sets = probe->sets.value;
    if (probe->index.kind != FOUND || set_index_init(&index, function, sets))
        return false;
    uint64_t *names = malloc(sets * sizeof *names);
    bool is = names != NULL;
    for (uint64_t i = 0; i < sets && is; i++)
        names[i] = UINT64_MAX;
    for (uint64_t line = 0; line < sets && is; line++)
        names[set_index_map(&index, function, line)] = line;
    for (unsigned i = 0; i < probe->place_count && is; i++)
        is = names[set_index_map(&index, function, probe->places[i].line)] == probe->places[i].set;
    free(names);
    return is;
}
