/* Dead on arrival by pc: Tian, Puthoor, Greathouse, Beckmann and Jimenez, "Adaptive GPU cache
 * bypassing", GPGPU-8, 2015.
 *
 * A table of counters, indexed by a hash of the pc, predicts whether a line is dead once a load has
 * accessed it. Each line remembers the load that accessed it last. The next hit lowers the counter
 * of that load, an eviction raises it, and a miss of a load whose counter has reached a threshold
 * is bypassed: its line would be dead on arrival. A block that was bypassed and that the L2 has was
 * perhaps worth its line: that lowers the counter, so that a load comes back.
 *
 * The paper's text was not at hand; the rule of the last access is that of the dead block
 * predictors which the first author's work is built on (Khan, Tian and Jimenez, MICRO 2010), and
 * counters of four bits that bypass from eight on, in a table of 128, are taken from memory. What
 * was chosen: any L2 hit of a bypassed block counts as a sign of reuse (the paper marks bypassed
 * blocks in the L2 with the pc's hash); the table has l1d.bypass.entries counters and its size need
 * not be a power of two. */

#include "model/bypass/bypass_member.h"

enum { MOST = 15, THRESHOLD = 8 };

struct tian {
    struct bypass base;
    uint8_t *counters;
};

static uint8_t *counter(const struct bypass *bypass, uint64_t key)
{
    const uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    return &((const struct tian *)bypass)->counters[hash % bypass->config->entries];
}

static enum bypass_verdict tian_ask(struct bypass *bypass, const struct bypass_access *access,
                                    struct bypass_choice *choice)
{
    return *counter(bypass, bypass_key(bypass, access->pc)) >= THRESHOLD ? BYPASS_PASS
                                                                         : bypass_take(choice);
}

static void lower(struct bypass *bypass, uint64_t key)
{
    uint8_t *of = counter(bypass, key);
    *of -= *of > 0;
}

static void tian_hit(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                     bool pending)
{
    (void)access;
    if (!pending || bypass->config->pending)
        lower(bypass, bypass->lines[line].last);
}

static void tian_evicted(struct bypass *bypass, const struct bypass_line *line,
                         const struct bypass_access *access)
{
    uint8_t *of = counter(bypass, line->last);
    (void)access;
    *of += *of < MOST;
}

static void tian_filled(struct bypass *bypass, const struct bypass_fill *fill)
{
    if (fill->passed && fill->l2_hit)
        lower(bypass, bypass_key(bypass, fill->pc));
}

static void tian_launched(struct bypass *bypass)
{
    for (uint64_t i = 0; bypass->config->reset && i < bypass->config->entries; i++)
        ((struct tian *)bypass)->counters[i] = 0;
}

static enum status tian_init(struct bypass *bypass)
{
    struct tian *tian = (struct tian *)bypass;
    arrays_add(&bypass->arrays, &tian->counters, bypass->config->entries, 1);
    return bypass->arrays.failed ? STATUS_MEMORY : STATUS_OK;
}

/* A line keeps the index of its counter. */
static size_t tian_arrays(const struct machine *machine, uint64_t lines,
                          struct memory_array *arrays)
{
    const uint64_t entries = machine->l1d.bypass.entries;
    arrays[0] = memory_array_ram("counters of loads", entries, 4);
    arrays[1] = memory_array_ram("lines' loads", lines, log2_ceil(entries));
    return 2;
}

const struct bypass_kind bypass_tian = {.name = "tian",
                                        .size = sizeof(struct tian),
                                        .init = tian_init,
                                        .arrays = tian_arrays,
                                        .ask = tian_ask,
                                        .hit = tian_hit,
                                        .evicted = tian_evicted,
                                        .filled = tian_filled,
                                        .launched = tian_launched};
