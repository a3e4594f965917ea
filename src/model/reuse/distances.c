#include "model/reuse/distances.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { TIMES_LEAST = 64 };

enum status distances_init(struct distances *distances, uint64_t sets)
{
    *distances = (struct distances){.set_count = sets};
    distances->sets = calloc(sets, sizeof *distances->sets);
    return distances->sets ? STATUS_OK : STATUS_MEMORY;
}

void distances_free(struct distances *distances)
{
    for (uint64_t i = 0; distances->sets && i < distances->set_count; i++) {
        free(distances->sets[i].sums);
        free(distances->sets[i].lines);
    }
    free(distances->sets);
    free(distances->times);
    *distances = (struct distances){0};
}

void distances_flush(struct distances *distances)
{
    for (uint64_t i = 0; i < distances->set_count; i++) {
        struct distance_set *set = &distances->sets[i];
        set->next = set->marked = 0;
        if (set->capacity)
            memset(set->sums, 0, ((size_t)set->capacity + 1) * sizeof *set->sums);
    }
    for (uint32_t i = 0; i < distances->line_count; i++)
        distances->times[i] = NO_TIME;
}

static void distances_add(struct distance_set *set, uint32_t time, uint32_t change)
{
    for (uint32_t at = time + 1; at <= set->capacity; at += at & -at)
        set->sums[at] += change;
}

/* Renumbers the times of a set's lines without gaps, in order, and leaves room for at least as many
 * again. So its cost, spread over the touches in between, is constant per touch. */
static enum status renumber(struct distances *distances, struct distance_set *set)
{
    uint64_t capacity = TIMES_LEAST;
    while (capacity < 2 * ((uint64_t)set->marked + 1))
        capacity *= 2;
    if (capacity > UINT32_MAX / 2)
        return STATUS_MEMORY;
    uint32_t *sums = calloc(capacity + 1, sizeof *sums);
    uint32_t *lines = malloc(capacity * sizeof *lines);
    if (!sums || !lines) {
        free(sums);
        free(lines);
        return STATUS_MEMORY;
    }
    uint32_t next = 0;
    for (uint32_t time = 0; time < set->next; time++) {
        uint32_t line = set->lines[time];
        if (distances->times[line] != time)
            continue; /* touched again later */
        lines[next] = line;
        distances->times[line] = next++;
    }
    free(set->sums);
    free(set->lines);
    *set = (struct distance_set){sums, lines, (uint32_t)capacity, next, next};
    for (uint32_t at = 1; at <= set->capacity; at++) { /* builds the Fenwick tree in linear time */
        set->sums[at] += at <= next;
        uint32_t parent = at + (at & -at);
        if (parent <= set->capacity)
            set->sums[parent] += set->sums[at];
    }
    return STATUS_OK;
}

enum status distances_touch(struct distances *distances, uint32_t set_number, uint32_t line)
{
    struct distance_set *set = &distances->sets[set_number];
    if (array_reserve(&distances->times, &distances->time_capacity, (size_t)line + 1))
        return STATUS_MEMORY;
    while (distances->line_count <= line)
        distances->times[distances->line_count++] = NO_TIME;
    if (set->next == set->capacity) {
        enum status status = renumber(distances, set);
        if (status)
            return status;
    }
    if (distances->times[line] == NO_TIME)
        set->marked++;
    else
        distances_add(set, distances->times[line], -1u);
    set->lines[set->next] = line;
    distances->times[line] = set->next;
    distances_add(set, set->next++, 1);
    return STATUS_OK;
}

uint64_t distances_of(const struct distances *distances, uint32_t set_number, uint32_t line)
{
    const struct distance_set *set = &distances->sets[set_number];
    uint32_t before = 0; /* marks up to and including its own */
    for (uint32_t at = distances->times[line] + 1; at; at -= at & -at)
        before += set->sums[at];
    return set->marked - before;
}
