/* The L2 and the DRAM of a card, after those of a machine that is like it.
 *
 * Sizes and bandwidths are the card's; how a slice or a channel is made stays as it is. So the bus
 * says how many channels there are, the bandwidth their clock, and the ways of the L2 take up what
 * is left over from sets in powers of two (1.75 MiB on 256 bits: 14 ways). Times of the DRAM
 * stay what they are in nanoseconds; masks of addresses step over the bits of the channel. */
#pragma once

#include "schema/machine.h"

struct card_memory {
    uint64_t bus;       /* bits */
    uint64_t bandwidth; /* bytes per second */
    uint64_t l2;        /* bytes */
};

/* What a machine has: the inverse of card_memory_fit. */
struct card_memory card_memory_of(const struct machine *machine);

/* Changes slices, channels and clock of *machine. An L2 that no such slices add up to becomes the
 * nearest that they can; l2.size says which. */
void card_memory_fit(struct machine *machine, const struct card_memory *wanted);
