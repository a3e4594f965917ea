#include "workload/cuda/glibc_rand.h"

enum { SEPARATION = 3, WARM_UP = 10 * GLIBC_RAND_WORDS };

void glibc_rand_init(struct glibc_rand *state, uint32_t seed)
{
    int64_t word = seed ? seed : 1;
    for (int i = 0; i < GLIBC_RAND_WORDS; i++) {
        state->words[i] = (uint32_t)word;
        word = 16807 * word % GLIBC_RAND_MAX;
    }
    state->front = SEPARATION;
    for (int i = 0; i < WARM_UP; i++)
        glibc_rand_next(state);
}

int32_t glibc_rand_next(struct glibc_rand *state)
{
    uint32_t rear = (state->front + GLIBC_RAND_WORDS - SEPARATION) % GLIBC_RAND_WORDS;
    uint32_t sum = state->words[state->front] += state->words[rear];
    state->front = (state->front + 1) % GLIBC_RAND_WORDS;
    return (int32_t)(sum >> 1);
}
