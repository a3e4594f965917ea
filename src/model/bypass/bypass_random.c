/* A miss bypasses with a fixed probability, whatever it is: the control for policies that
 * choose. The draw belongs to the number of the miss on its SM, so that a request that is tried
 * again draws the same. */
#include "base/rng.h"
#include "model/bypass/bypass_member.h"

struct random {
    struct bypass base;
    uint64_t misses;
};

static enum bypass_verdict random_ask(struct bypass *bypass, const struct bypass_access *access,
                                      struct bypass_choice *choice)
{
    const struct random *random = (const struct random *)bypass;
    const uint64_t seed = bypass->machine->seed + ((uint64_t)bypass->sm << 32);
    (void)access;
    return (double)random_unit(random_at(seed, random->misses)) < bypass->config->chance
               ? BYPASS_PASS
               : bypass_take(choice);
}

static void random_accepted(struct bypass *bypass, const struct bypass_access *access,
                            uint32_t line)
{
    (void)access, (void)line;
    ((struct random *)bypass)->misses++;
}

const struct bypass_kind bypass_random = {.name = "chance",
                                          .size = sizeof(struct random),
                                          .ask = random_ask,
                                          .accepted = random_accepted};
