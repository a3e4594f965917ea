#include "model/timing/clocks.h"

void clocks_init(struct clocks *clocks, const struct machine *machine)
{
    *clocks = (struct clocks){.core_period = 1 / (double)machine->gpu.clock,
                              .network_period = 1 / (double)machine->network.clock,
                              .dram_period = 1 / (double)machine->dram.clock};
}

unsigned clocks_step(struct clocks *clocks)
{
    double first = clocks->core;
    unsigned edges = 0;
    first = clocks->network < first ? clocks->network : first;
    first = clocks->dram < first ? clocks->dram : first;
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
