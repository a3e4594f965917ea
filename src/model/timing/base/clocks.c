#include "model/timing/base/clocks.h"

#include "schema/parameters.h"

void clocks_init(struct clocks *clocks, const struct machine *machine)
{
    *clocks = (struct clocks){.core_period = 1 / (double)machine->gpu.clock,
                              .network_period = 1 / (double)machine->network.clock,
                              .l2_period = 1 / (double)l2_clock(machine),
                              .dram_period = 1 / (double)machine->dram.clock};
}

unsigned clocks_step(struct clocks *clocks)
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
