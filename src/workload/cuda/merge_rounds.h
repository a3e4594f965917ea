/* What a merge sort of GPU kernels knows of its keys beforehand: how a binary search goes, and for
 * each round the keys, the ranks of every MERGE_SAMPLE-th one and the limits of intervals
 * (mergesort.c).
 *
 * Invariant: sorting is stable, as the kernels are: a key of a first run stands before equal ones
 * of the second. Cost: 4 bytes per key and round, made in one pass over the keys and a search per
 * sample. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "trace/stream.h"

enum { MERGE_TILE = 1024, MERGE_SAMPLE = 128 };

/* The binary searches of the lanes of a warp, step by step: how many of `length` keys are less than
 * the lane's own, or not more. */
struct merge_search {
    const uint32_t *keys[WARP_SIZE];
    uint32_t key[WARP_SIZE], at[WARP_SIZE], length;
    bool inclusive;
};

/* The key that a lane compares with: its number of the lane's `keys`. */
uint32_t merge_search_looks_at(const struct merge_search *search, uint32_t lane, uint32_t step);

/* One comparison of each lane in the mask. A search begins with a step of a power of two, at least
 * `length`, and ends after that of 1. */
void merge_search_step(struct merge_search *search, uint32_t mask, uint32_t step);

/* Sorts runs of `length` keys, a power of two, of a tile or a part of it. */
void merge_sort_runs(uint32_t *keys, uint32_t count, uint32_t length);

/* One round: runs of MERGE_TILE << number become runs twice as long. */
struct merge_round {
    uint32_t *keys;      /* before it */
    uint32_t *ranks[2];  /* in the first and in the second run of a pair */
    uint32_t *limits[2]; /* likewise, of intervals */
};

/* `before` are the keys before the round in front of it, or of the first one the unsorted keys.
 * False if there is no memory. */
bool merge_round_know(struct merge_round *round, uint32_t number, const uint32_t *before,
                      uint32_t count);
void merge_round_free(struct merge_round *round);
