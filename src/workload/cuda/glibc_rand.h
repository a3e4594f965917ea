/* The numbers that glibc's rand() gives to a program that never calls srand(), on any host:
 * additive feedback r[i] = r[i - 3] + r[i - 31] over words that a Lehmer generator seeds, with the
 * lowest bit dropped (TYPE_3 of random(3)). */
#pragma once

#include <stdint.h>

enum { GLIBC_RAND_MAX = 0x7fffffff, GLIBC_RAND_WORDS = 31 };

struct glibc_rand {
    uint32_t words[GLIBC_RAND_WORDS];
    uint32_t front; /* the word that the next draw adds to */
};

void glibc_rand_init(struct glibc_rand *state, uint32_t seed);
int32_t glibc_rand_next(struct glibc_rand *state);
