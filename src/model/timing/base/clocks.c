#include "model/timing/base/clocks.h"

#include "schema/parameters.h"

void clocks_init(struct clocks *clocks, const struct machine *machine)
{
    *clocks = (struct clocks){.core_period = 1 / (double)machine->gpu.clock,
                              .network_period = 1 / (double)machine->network.clock,
                              .l2_period = 1 / (double)l2_clock(machine),
                              .dram_period = 1 / (double)machine->dram.clock};
}
