/* A crowded network holds the youngest warps back: Chen, Chang, Rodrigues, Lv, Wang and Hwu,
 * "Adaptive cache management for energy-efficient GPU computing", MICRO 2014, which throttles warps
 * where the bypassed requests of protecting distances (bypass_pdp.c) congest the network.
 *
 * The paper's text was not at hand. That it detects contention at run time and sets the number of
 * active warps is as Aamodt, Fung and Rogers report it ("General-purpose graphics processor
 * architectures", 2018, 4.4.6). What was chosen: the network is congested where requests spend
 * twice as long in it, in the mean of 2048 cycles, as in the best such mean of the launch: then an
 * eighth of the warps, the youngest, issue no more loads, and one more does where it is not. At
 * least two do. */
#include "model/throttle/throttle.h"

enum {
    PERIOD = 2048, /* cycles from one number of warps to the next */
    LEAST = 2      /* warps */
};

struct congestion {
    struct throttle base;
    uint64_t fills, network, best; /* of the period; best: 16 x the least mean; 0: none */
    uint32_t active;               /* warps that issue loads */
};

static void hold(struct congestion *congestion)
{
    const struct warp_ages *ages = &congestion->base.ages;
    for (uint32_t i = 0; i < SM_WARPS; i++)
        if (ages->ages[i])
            throttle_stop(&congestion->base, i, warp_ages_older(ages, i) >= congestion->active);
}

static void congestion_filled(struct throttle *throttle, uint32_t network)
{
    ((struct congestion *)throttle)->fills++;
    ((struct congestion *)throttle)->network += network;
}

static void congestion_tick(struct throttle *throttle, uint64_t now)
{
    struct congestion *congestion = (struct congestion *)throttle;
    throttle->wake = now + PERIOD;
    if (!congestion->fills)
        return;
    const uint64_t mean = 1 + 16 * congestion->network / congestion->fills;
    if (!congestion->best || mean < congestion->best)
        congestion->best = mean;
    const uint32_t warps = throttle->ages.count;
    const uint32_t active = congestion->active < warps ? congestion->active : warps;
    const uint32_t fewer = active - active / 8;
    if (mean >= 2 * congestion->best)
        congestion->active = fewer > LEAST ? fewer - 1 : LEAST;
    else
        congestion->active += congestion->active < SM_WARPS;
    congestion->fills = congestion->network = 0;
    hold(congestion);
}

static void congestion_warp(struct throttle *throttle, uint32_t warp)
{
    (void)warp;
    hold((struct congestion *)throttle);
}

static void congestion_launched(struct throttle *throttle)
{
    struct congestion *congestion = (struct congestion *)throttle;
    congestion->fills = congestion->network = congestion->best = 0;
    congestion->active = SM_WARPS;
    throttle->wake = 0;
}

static size_t congestion_arrays(const struct machine *machine, uint64_t lines,
                                struct memory_array *arrays)
{
    enum { SUM = 32 };
    (void)machine, (void)lines;
    arrays[0] = memory_array_ram("counters of the network", 1, 3 * SUM);
    return 1;
}

const struct throttle_kind throttle_kind_THROTTLE_CONGESTION = {.size = sizeof(struct congestion),
                                                                .arrays = congestion_arrays,
                                                                .launched = congestion_launched,
                                                                .warp_came = congestion_warp,
                                                                .warp_left = congestion_warp,
                                                                .filled = congestion_filled,
                                                                .tick = congestion_tick};
