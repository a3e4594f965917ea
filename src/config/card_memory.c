#include "config/card_memory.h"

#include <math.h>

#include "base/bits.h"

static uint64_t channels_of(const struct machine *machine)
{
    return machine->l2.slices / machine->l2.slices_per_channel;
}

struct card_memory card_memory_of(const struct machine *machine)
{
    const struct dram_config *dram = &machine->dram;
    const uint64_t channels = channels_of(machine);
    return (struct card_memory){.bus = channels * dram->bus * 8,
                                .bandwidth = channels * dram->bus * dram->rate * dram->clock,
                                .l2 = machine->l2.size};
}

/* ---- masks of addresses ---- */

static uint64_t low_bits(unsigned count)
{
    return (UINT64_C(1) << count) - 1;
}

static uint64_t without_bits(uint64_t mask, unsigned at, unsigned count)
{
    return (mask & low_bits(at)) | (mask >> count & ~low_bits(at));
}

static uint64_t with_bits(uint64_t mask, unsigned at, unsigned count)
{
    return (mask & low_bits(at)) | (mask & ~low_bits(at)) << count;
}

/* Channels in a power of two are bits of the address, which then belong to no bank, row or column;
 * other numbers of channels are divided out of it before. */
static void fit_masks(struct machine *machine, uint64_t before, uint64_t after)
{
    uint64_t *masks[] = {&machine->dram.bank_mask, &machine->dram.row_mask,
                         &machine->dram.column_mask};
    const unsigned at = log2_floor(machine->l2.interleave);
    const unsigned had = is_power_of_two(before) ? log2_floor(before) : 0;
    const unsigned has = is_power_of_two(after) ? log2_floor(after) : 0;
    const uint64_t used = *masks[0] | *masks[1] | *masks[2];
    const bool stepped = !(used & low_bits(had) << at);
    for (int i = 0; i < 3; i++) {
        if (stepped)
            *masks[i] = without_bits(*masks[i], at, had);
        *masks[i] = with_bits(*masks[i], at, has);
    }
}

/* ---- the L2 ---- */

/* How far ways and slices are from those of the machine; slices are worth more, because each brings
 * a port. */
static double distance(const struct cache_config *l2, uint64_t per_channel, uint64_t ways)
{
    return 8 * fabs(log2((double)per_channel / (double)l2->slices_per_channel)) +
           fabs(log2((double)ways / (double)l2->ways));
}

static uint64_t nearest_power(double value)
{
    return value < 1 ? 1 : UINT64_C(1) << (unsigned)lround(log2(value));
}

static void fit_l2(struct cache_config *l2, uint64_t channels, uint64_t size)
{
    enum { PER_CHANNEL_MOST = 8, WAYS_LEAST = 8, WAYS_MOST = 32, SLICES_MOST = 1024 };
    struct cache_config best = *l2;
    double best_error = INFINITY, best_distance = INFINITY;
    for (uint64_t per_channel = 1; per_channel <= PER_CHANNEL_MOST; per_channel *= 2)
        for (uint64_t ways = WAYS_LEAST; ways <= WAYS_MOST; ways++) {
            const uint64_t row = channels * per_channel * ways * l2->line;
            const uint64_t fits = row * nearest_power((double)size / (double)row);
            const double error = fabs((double)fits - (double)size) / (double)size;
            const double far = distance(l2, per_channel, ways);
            const bool better = error < best_error || (error <= best_error && far < best_distance);
            if (channels * per_channel > SLICES_MOST || !better)
                continue;
            best_error = error;
            best_distance = far;
            best.size = fits;
            best.ways = ways;
            best.slices_per_channel = per_channel;
            best.slices = channels * per_channel;
        }
    *l2 = best;
    if (!is_power_of_two(l2->slices))
        l2->partition = PARTITION_ROTATE;
    if (channels % 2)
        l2->halves = 0;
}

/* ---- the DRAM ---- */

static void fit_clock(struct dram_config *dram, uint64_t channels, uint64_t bandwidth)
{
    uint64_t *times[] = {&dram->rrd,  &dram->rcd, &dram->ras,  &dram->rp, &dram->rc,
                         &dram->cl,   &dram->wl,  &dram->cdlr, &dram->wr, &dram->rtpl,
                         &dram->refi, &dram->rfc, &dram->rfcsb};
    const uint64_t before = dram->clock;
    const double clock = (double)bandwidth / (double)(channels * dram->bus * dram->rate);
    dram->clock = (uint64_t)llround(clock / 1e6) * 1000000;
    const double longer = (double)dram->clock / (double)before;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (*times[i]) {
            const uint64_t cycles = (uint64_t)llround((double)*times[i] * longer);
            *times[i] = cycles ? cycles : 1;
        }
    if (dram->rc < dram->ras + dram->rp)
        dram->rc = dram->ras + dram->rp;
}

static bool is_near(uint64_t a, uint64_t b)
{
    return fabs((double)a - (double)b) <= 0.005 * (double)b;
}

void card_memory_fit(struct machine *machine, const struct card_memory *wanted)
{
    const struct card_memory has = card_memory_of(machine);
    const uint64_t width = machine->dram.bus * 8;
    const uint64_t before = channels_of(machine);
    /* What a measured machine already has stays as it was measured. */
    const bool same_bandwidth = is_near(has.bandwidth, wanted->bandwidth);
    if (has.l2 == wanted->l2 && same_bandwidth)
        return;
    const uint64_t channels = wanted->bus > width ? (wanted->bus + width - 1) / width : 1;
    if (channels != before || !same_bandwidth)
        fit_clock(&machine->dram, channels, wanted->bandwidth);
    fit_masks(machine, before, channels);
    fit_l2(&machine->l2, channels, wanted->l2);
}
