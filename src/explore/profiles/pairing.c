#include "explore/profiles/pairing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/key_table.h"
#include "base/memory.h"

const char *const pairing_names[] = {
#define PAIRING_NAME(constant, name, help) name,
    PAIRING_LIST(PAIRING_NAME)
#undef PAIRING_NAME
        NULL};

/* ---- launches that are the same ---- */

/* A kind of launch: what is the same in both. */
struct kind {
    uint64_t workload, profile;
};

struct kinds {
    struct key_table keys;
    struct kind *items;
    size_t capacity;
    bool by_name, by_size;
};

static uint64_t kind_key(const struct kinds *kinds, const char *kernel, const uint64_t grid[3],
                         const uint64_t block[3])
{
    char name[KERNEL_NAME];
    uint64_t key = 0;
    if (kinds->by_size) {
        key = XXH3_64bits_withSeed(grid, 3 * sizeof *grid, key);
        key = XXH3_64bits_withSeed(block, 3 * sizeof *block, key);
    }
    if (kinds->by_name) {
        kernel_name(kernel, name);
        key = XXH3_64bits_withSeed(name, strlen(name), key);
    }
    return key;
}

static uint64_t key_of_theirs(const struct kinds *kinds, const struct profile_launch *launch)
{
    return kind_key(kinds, launch->kernel, launch->grid, launch->block);
}

static uint64_t key_of_ours(const struct kinds *kinds, const struct trace_launch *launch)
{
    uint64_t grid[3], block[3];
    for (int i = 0; i < 3; i++) {
        grid[i] = launch->grid[i];
        block[i] = launch->block[i];
    }
    return kind_key(kinds, launch->name ? launch->name : "", grid, block);
}

static enum status count_ours(struct kinds *kinds, const struct trace_launch *launches,
                              uint32_t count)
{
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        const uint32_t known = kinds->keys.count;
        uint32_t number;
        status = array_reserve(&kinds->items, &kinds->capacity, (size_t)known + 1);
        if (!status)
            status = key_table_number(&kinds->keys, key_of_ours(kinds, &launches[i]), &number);
        if (status)
            break;
        if (number == known)
            kinds->items[number] = (struct kind){0};
        kinds->items[number].workload++;
    }
    return status;
}

/* Counts the chosen launches of the profile whose kind the workload has; returns how many that are.
 */
static uint64_t count_theirs(struct kinds *kinds, const struct profile *profile,
                             const double *times)
{
    uint64_t found = 0;
    for (size_t i = 0; i < profile->launch_count; i++) {
        const struct profile_launch *launch = &profile->launches[i];
        const uint32_t kind =
            times[i] > 0 ? key_table_find(&kinds->keys, key_of_theirs(kinds, launch)) : KEY_NONE;
        if (kind == KEY_NONE)
            continue;
        kinds->items[kind].profile += launch->invocations;
        found += launch->invocations;
    }
    return found;
}

static void kinds_clear(struct kinds *kinds)
{
    key_table_free(&kinds->keys);
    free(kinds->items);
    *kinds = (struct kinds){0};
}

static bool profile_has_one_kernel(const struct profile *profile, const double *times)
{
    char first[KERNEL_NAME] = "", name[KERNEL_NAME];
    bool any = false;
    for (size_t i = 0; i < profile->launch_count; i++) {
        if (!(times[i] > 0))
            continue;
        kernel_name(profile->launches[i].kernel, any ? name : first);
        if (any && strcmp(first, name) != 0)
            return false;
        any = true;
    }
    return any;
}

static bool workload_has_one_kernel(const struct trace_launch *launches, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (strcmp(launches[i].name ? launches[i].name : "",
                   launches[0].name ? launches[0].name : "") != 0)
            return false;
    return true;
}

/* Finds what both have: by name, with the size where the profile has sizes; if no name is the same,
 * by size; without sizes the only kernel of the one is that of the other. *found is 0 if nothing
 * is. */
static enum status find_kinds(const struct profile *profile, const struct trace_launch *launches,
                              uint32_t launch_count, const double *times, struct kinds *kinds,
                              uint64_t *found)
{
    bool sized = true;
    for (size_t i = 0; i < profile->launch_count; i++)
        sized &= !(times[i] > 0) || (profile->launches[i].grid[0] && profile->launches[i].block[0]);
    *found = 0;
    const bool only = !sized && profile_has_one_kernel(profile, times) &&
                      workload_has_one_kernel(launches, launch_count);
    for (int names = 1; names >= 0 && !*found; names--) {
        if (!names && !sized && !only)
            break;
        kinds_clear(kinds);
        kinds->by_name = names;
        kinds->by_size = sized;
        const enum status status = count_ours(kinds, launches, launch_count);
        if (status)
            return status;
        *found = count_theirs(kinds, profile, times);
    }
    return STATUS_OK;
}

/* The first launch of the workload without a counterpart; launch_count: all have one. */
static uint32_t first_alone(const struct kinds *kinds, const struct trace_launch *launches,
                            uint32_t launch_count)
{
    for (uint32_t i = 0; i < launch_count; i++) {
        const uint32_t kind = key_table_find(&kinds->keys, key_of_ours(kinds, &launches[i]));
        if (kind == KEY_NONE || !kinds->items[kind].profile)
            return i;
    }
    return launch_count;
}

static void match(const struct kinds *kinds, const struct profile *profile, double *times)
{
    for (size_t i = 0; i < profile->launch_count; i++) {
        if (!(times[i] > 0))
            continue;
        const uint32_t number =
            key_table_find(&kinds->keys, key_of_theirs(kinds, &profile->launches[i]));
        const struct kind *kind = number == KEY_NONE ? NULL : &kinds->items[number];
        times[i] = kind ? (double)kind->workload / (double)kind->profile : 0;
    }
}

static uint64_t invocations(const struct profile *profile, const double *times)
{
    uint64_t count = 0;
    for (size_t i = 0; i < profile->launch_count; i++)
        count += times[i] > 0 ? profile->launches[i].invocations : 0;
    return count;
}

/* Names a launch of the workload that the profile does not have. */
static void report_alone(const struct trace_launch *launch, uint32_t number, bool must,
                         struct diagnostics *diagnostics)
{
    diagnostics_add(diagnostics, must ? SEVERITY_ERROR : SEVERITY_WARNING, NULL,
                    "the profile has no launch for launch %" PRIu32
                    " of the workload, %s of %u x %u x %u blocks of %u x %u x %u threads%s",
                    number, launch->name ? launch->name : "a kernel", launch->grid[0],
                    launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
                    launch->block[2], must ? "" : "; its launches are added up");
}

static enum status try_match(const struct profile *profile, const struct trace_launch *launches,
                             uint32_t launch_count, bool must, double *times,
                             struct pairing *pairing, struct diagnostics *diagnostics)
{
    struct kinds kinds = {0};
    uint64_t found;
    enum status status = find_kinds(profile, launches, launch_count, times, &kinds, &found);
    const uint32_t alone = status ? 0 : first_alone(&kinds, launches, launch_count);
    if (!status && found && alone == launch_count) {
        match(&kinds, profile, times);
        pairing->way = PAIRING_MATCH;
        pairing->by_name = kinds.by_name;
        pairing->by_size = kinds.by_size;
    } else if (!status && (must || kinds.by_size)) {
        report_alone(&launches[alone], alone + 1, must, diagnostics);
        status = must ? STATUS_NOT_FOUND : STATUS_OK;
    }
    kinds_clear(&kinds);
    return status;
}

enum status pairing_make(const struct profile *profile, const struct trace_launch *launches,
                         uint32_t launch_count, enum pairing_way way, double *times,
                         struct pairing *pairing, struct diagnostics *diagnostics)
{
    const uint64_t chosen = invocations(profile, times);
    enum status status = STATUS_OK;
    *pairing = (struct pairing){.way = way == PAIRING_MEAN ? PAIRING_MEAN : PAIRING_ALL,
                                .workload = launches ? launch_count : 0};
    if (launches && launch_count && (way == PAIRING_BEST || way == PAIRING_MATCH))
        status = try_match(profile, launches, launch_count, way == PAIRING_MATCH, times, pairing,
                           diagnostics);
    const double wanted = pairing->workload ? (double)pairing->workload : 1;
    for (size_t i = 0; i < profile->launch_count && way == PAIRING_MEAN; i++)
        times[i] *= wanted / (double)chosen;
    pairing->taken = invocations(profile, times);
    pairing->left = chosen - pairing->taken;
    return status;
}
