#include "workload/cuda/merge_rounds.h"

#include <stdlib.h>
#include <string.h>

enum { TILE = MERGE_TILE, SAMPLE = MERGE_SAMPLE };

uint32_t merge_search_looks_at(const struct merge_search *search, uint32_t lane, uint32_t step)
{
    const uint32_t next = search->at[lane] + step;
    return (next < search->length ? next : search->length) - 1;
}

void merge_search_step(struct merge_search *search, uint32_t mask, uint32_t step)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint32_t seen = merge_search_looks_at(search, lane, step);
        const uint32_t found = search->keys[lane][seen];
        if (search->inclusive ? found <= search->key[lane] : found < search->key[lane])
            search->at[lane] = seen + 1;
    }
}

static uint32_t search_one(const uint32_t *keys, uint32_t length, uint32_t key, bool inclusive)
{
    struct merge_search search = {
        .keys = {keys}, .key = {key}, .length = length, .inclusive = inclusive};
    for (uint32_t step = length; step; step >>= 1)
        merge_search_step(&search, 1, step);
    return search.at[0];
}

static void merge(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count,
                  uint32_t *to)
{
    for (uint32_t i = 0, k = 0; i + k < a_count + b_count;)
        if (k == b_count || (i < a_count && a[i] <= b[k]))
            *to++ = a[i++];
        else
            *to++ = b[k++];
}

void merge_sort_runs(uint32_t *keys, uint32_t count, uint32_t length)
{
    uint32_t merged[TILE];
    for (uint32_t half = 1; half < length; half *= 2) {
        for (uint32_t at = 0; at < count; at += 2 * half)
            merge(keys + at, half, keys + at + half, half, merged + at);
        memcpy(keys, merged, count * sizeof *keys);
    }
}

/* The ranks of the samples of a pair of runs, and the limits that they become. */
static void know_pair(const struct merge_round *round, uint32_t stride, uint32_t first)
{
    const uint32_t samples = stride / SAMPLE, at = first / SAMPLE;
    const uint32_t *runs[] = {round->keys + first, round->keys + first + stride};
    for (uint32_t i = 0; i < samples; i++) {
        round->ranks[0][at + i] = round->ranks[1][at + samples + i] = i * SAMPLE;
        round->ranks[1][at + i] = search_one(runs[1], stride, runs[0][i * SAMPLE], false);
        round->ranks[0][at + samples + i] = search_one(runs[0], stride, runs[1][i * SAMPLE], true);
    }
    for (uint32_t which = 0; which < 2; which++) {
        const uint32_t *ranks = round->ranks[which] + at;
        merge(ranks, samples, ranks + samples, samples, round->limits[which] + at);
    }
}

bool merge_round_know(struct merge_round *round, uint32_t number, const uint32_t *before,
                      uint32_t count)
{
    const uint32_t samples = count / SAMPLE, stride = TILE << number, half = stride / 2;
    uint32_t *words = malloc((count + (size_t)4 * samples) * sizeof *words);
    if (!words)
        return false;
    round->keys = words;
    for (uint32_t i = 0; i < 2; i++) {
        round->ranks[i] = words + count + (size_t)i * samples;
        round->limits[i] = words + count + (size_t)(2 + i) * samples;
    }
    if (number == 0)
        memcpy(words, before, count * sizeof *words);
    for (uint32_t at = 0; at < count; at += stride)
        if (number)
            merge(before + at, half, before + at + half, half, words + at);
        else
            merge_sort_runs(words + at, TILE, TILE);
    for (uint32_t at = 0; at < count; at += 2 * stride)
        know_pair(round, stride, at);
    return true;
}

void merge_round_free(struct merge_round *round)
{
    free(round->keys);
}
