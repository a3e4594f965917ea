/* The warps of an SM by their slots, and which of two came first. */
#pragma once

#include <stdint.h>

enum { SM_WARPS = 128 };

struct warp_ages {
    uint64_t ages[SM_WARPS]; /* 1 + the age of each warp; 0: there is none */
    uint32_t count;          /* warps that are there */
};

static inline void warp_ages_add(struct warp_ages *ages, uint32_t warp, uint64_t age)
{
    ages->ages[warp] = 1 + age;
    ages->count++;
}

static inline void warp_ages_remove(struct warp_ages *ages, uint32_t warp)
{
    ages->ages[warp] = 0;
    ages->count--;
}

/* How many warps came before this one and are still there. */
static inline uint32_t warp_ages_older(const struct warp_ages *ages, uint32_t warp)
{
    uint32_t older = 0;
    for (unsigned i = 0; i < SM_WARPS; i++)
        older += ages->ages[i] && ages->ages[i] < ages->ages[warp];
    return older;
}
