/* Tokens: Li, Rhu, Johnson, O'Connor, Erez, Burger, Fussell and Redder, "Priority-based cache
 * allocation in throughput processors", HPCA 2015.
 *
 * Only warps with a token take lines; the others run on, hit what is there and are bypassed where
 * they miss. The oldest l1d.bypass.tokens warps have them, and the next oldest inherits the token
 * of a warp that ends. This is the static form; the paper also tries numbers of tokens at run time,
 * which a sweep of that parameter stands for. */
#include "model/bypass/bypass_member.h"

struct pcal {
    struct bypass base;
    uint64_t age[BYPASS_WARPS]; /* 0: no warp; else 1 + age */
};

static enum bypass_verdict ask(struct bypass *bypass, const struct bypass_access *access,
                               struct bypass_choice *choice)
{
    const struct pcal *pcal = (const struct pcal *)bypass;
    uint64_t older = 0;
    for (unsigned i = 0; i < BYPASS_WARPS; i++)
        older += pcal->age[i] && pcal->age[i] < pcal->age[access->warp];
    return older < bypass->config->tokens ? bypass_take(choice) : BYPASS_PASS;
}

static void warp_came(struct bypass *bypass, uint32_t warp, uint64_t age)
{
    ((struct pcal *)bypass)->age[warp] = 1 + age;
}

static void warp_left(struct bypass *bypass, uint32_t warp)
{
    ((struct pcal *)bypass)->age[warp] = 0;
}

/* A bit a warp. */
static size_t arrays(const struct machine *machine, uint64_t lines, struct bypass_array *arrays)
{
    (void)lines;
    arrays[0] = (struct bypass_array){machine->gpu.max_threads / WARP_SIZE, 0, 1};
    return 1;
}

const struct bypass_kind bypass_pcal = {.name = "pcal",
                                        .size = sizeof(struct pcal),
                                        .arrays = arrays,
                                        .ask = ask,
                                        .warp_came = warp_came,
                                        .warp_left = warp_left};
