/* The clock domains of the timing depth and the order of their steps.
 *
 * Time advances in steps. A step is the next moment at which any domain has an edge, and says which
 * domains have one. Domains of one frequency have their edges together. Edges are sums of periods
 * in double precision, as in GPGPU-Sim, so that even the roundings agree. As there, the L2 has
 * edges only in steps of others, or in a step before them that it has alone. */
#pragma once

#include <stdint.h>

#include "schema/machine.h"

enum clock_edge { EDGE_CORE = 1, EDGE_NETWORK = 2, EDGE_DRAM = 4, EDGE_L2 = 8 };

struct clocks {
    double core, network, l2, dram;                             /* the next edges */
    double core_period, network_period, l2_period, dram_period; /* seconds */
};

void clocks_init(struct clocks *clocks, const struct machine *machine);
/* Takes the next step; returns its edges. */
static inline unsigned clocks_step(struct clocks *clocks)
{
    double first = clocks->core;
    unsigned edges = 0;
    first = clocks->network < first ? clocks->network : first;
    first = clocks->dram < first ? clocks->dram : first;
    if (clocks->l2 <= first) {
        first = clocks->l2;
        clocks->l2 += clocks->l2_period;
        edges |= EDGE_L2;
    }
    if (clocks->network <= first) {
        clocks->network += clocks->network_period;
        edges |= EDGE_NETWORK;
    }
    if (clocks->dram <= first) {
        clocks->dram += clocks->dram_period;
        edges |= EDGE_DRAM;
    }
    if (clocks->core <= first) {
        clocks->core += clocks->core_period;
        edges |= EDGE_CORE;
    }
    return edges;
}
