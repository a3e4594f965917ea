/* Tokens: Li, Rhu, Johnson, O'Connor, Erez, Burger, Fussell and Redder, "Priority-based cache
 * allocation in throughput processors", HPCA 2015.
 *
 * Only warps with a token allocate; the others run on, hit what is there and are bypassed where
 * they miss. The oldest warps have the tokens, and the next oldest inherits that of a warp that
 * ends. Their number is l1d.bypass.tokens, or with l1d.bypass.dynamic what does best: the paper's
 * dynPCAL-MTLP, in which all warps run and numbers of tokens are tried.
 *
 * The paper's text was not at hand; the rules are as Aamodt, Fung and Rogers report them
 * ("General-purpose graphics processor architectures", 2018, 4.4.7). There SMs try different
 * numbers at once and the best is taken by all. Here an SM decides alone (bypass.h), so that it
 * tries all tokens, then half as many, and so on, for a period each, and keeps the number with the
 * most instructions per cycle for a while before it tries again. The periods are ours.
 * dynPCAL-CCWS, which throttles besides, is not done: that report does not say how it goes from
 * what CCWS found to numbers of tokens and of warps that run, and a rule of our own would not be
 * the paper's. */
#include "model/bypass/bypass_member.h"

enum { PERIOD = 1024, HELD = 16 * PERIOD };

struct pcal {
    struct bypass base;
    uint64_t tokens;
    uint64_t best_tokens, best_instructions, best_cycles; /* of those tried; cycles 0: none */
    uint64_t began, instructions;                         /* of the period that runs */
    bool trying;
};

static enum bypass_verdict pcal_ask(struct bypass *bypass, const struct bypass_access *access,
                                    struct bypass_choice *choice)
{
    const uint64_t tokens = ((const struct pcal *)bypass)->tokens;
    return warp_ages_older(&bypass->ages, access->warp) < tokens ? bypass_take(choice)
                                                                 : BYPASS_PASS;
}

static void pcal_begin(struct pcal *pcal, uint64_t tokens, uint64_t now, uint64_t instructions,
                       uint64_t cycles)
{
    pcal->tokens = tokens;
    pcal->began = now;
    pcal->instructions = instructions;
    pcal->base.wake = now + cycles;
}

static void pcal_note(struct pcal *pcal, uint64_t now, uint64_t instructions)
{
    const uint64_t issued = instructions - pcal->instructions, cycles = now - pcal->began;
    if (pcal->best_cycles && issued * pcal->best_cycles <= pcal->best_instructions * cycles)
        return;
    pcal->best_tokens = pcal->tokens;
    pcal->best_instructions = issued;
    pcal->best_cycles = cycles;
}

static void pcal_tick(struct bypass *bypass, uint64_t now, uint64_t instructions)
{
    struct pcal *pcal = (struct pcal *)bypass;
    if (!pcal->trying) {
        pcal->trying = true;
        pcal->best_cycles = 0;
        pcal_begin(pcal, bypass->machine->gpu.max_threads / WARP_SIZE, now, instructions, PERIOD);
        return;
    }
    pcal_note(pcal, now, instructions);
    if (pcal->tokens > 1) {
        pcal_begin(pcal, pcal->tokens / 2, now, instructions, PERIOD);
        return;
    }
    pcal->trying = false;
    pcal_begin(pcal, pcal->best_tokens, now, instructions, HELD);
}

static void pcal_launched(struct bypass *bypass)
{
    struct pcal *pcal = (struct pcal *)bypass;
    pcal->tokens = bypass->config->tokens;
    pcal->trying = false;
    if (bypass->config->dynamic)
        bypass->wake = 0;
}

/* A bit a warp; counters and numbers of the search. */
static size_t pcal_arrays(const struct machine *machine, uint64_t lines,
                          struct memory_array *arrays)
{
    (void)lines;
    arrays[0] = memory_array_ram("tokens of warps", machine->gpu.max_threads / WARP_SIZE, 1);
    arrays[1] = memory_array_ram("counters of the search", 2, 32 + 32);
    return machine->l1d.bypass.dynamic ? 2 : 1;
}

const struct bypass_kind bypass_pcal = {.name = "pcal",
                                        .size = sizeof(struct pcal),
                                        .arrays = pcal_arrays,
                                        .ask = pcal_ask,
                                        .launched = pcal_launched,
                                        .tick = pcal_tick};
