#include "model/timing/gpu_parts.h"

/* How long a span of cycles is, and its steps. */

/* The most that the network delivers to an SM in so many cycles: a packet in each of its own. */
static uint64_t most_arriving(const struct gpu *gpu, uint64_t cycles)
{
    const uint64_t core = gpu->machine->gpu.clock, network = gpu->machine->network.clock;
    return network > core ? (cycles * network + core - 1) / core + 1 : cycles;
}

/* How many cycles can be simulated part by part: no more than a request needs to the tags of the
 * L2, no more than SMs have room for replies, whatever comes, and not beyond the next exchange of
 * the SMs' bypass policies. SMs and channels that may send
 * more than the network has room for wait until it has come as far. */
static uint32_t choose_span(struct gpu *gpu)
{
    const uint64_t queue = gpu->machine->network.queue;
    uint64_t span = gpu->machine->l2.latency;
    /* A step of the network before the first core cycle counts as in the cycle before that. */
    span -= span && gpu->machine->network.clock != gpu->machine->gpu.clock;
    const uint64_t most = gpu->options->span ? gpu->options->span : SPAN_MAX;
    span = span < most ? span : most;
    if (gpu->bypasses && span > BYPASS_EXCHANGE - gpu->cycle % BYPASS_EXCHANGE)
        span = BYPASS_EXCHANGE - gpu->cycle % BYPASS_EXCHANGE;
    for (uint32_t i = 0; i < gpu->sm_count && span > 1; i++) {
        const uint64_t waits = gpu->sms[i].arriving.count;
        while (span > 1 && waits + most_arriving(gpu, span) > queue)
            span = waits + most_arriving(gpu, span / 2) > queue ? span / 2 : span - 1;
    }
    return span ? (uint32_t)span : 1;
}

void gpu_make_steps(struct gpu *gpu)
{
    gpu->steps = gpu->span = 0;
    const uint32_t span = choose_span(gpu);
    struct clocks after_core = gpu->clocks;
    while (gpu->span < span && gpu->steps < STEPS_MAX) {
        const unsigned edges = clocks_step(&gpu->clocks);
        gpu->edges[gpu->steps] = (uint8_t)edges;
        gpu->step_cycle[gpu->steps] = gpu->cycle + gpu->span;
        if (edges & EDGE_CORE) {
            gpu->core_step[gpu->span++] = gpu->steps;
            after_core = gpu->clocks;
        }
        const uint32_t next = gpu->steps + 1;
        gpu->ticks_before[next] =
            (uint16_t)(gpu->ticks_before[gpu->steps] + (edges & EDGE_DRAM ? 1 : 0));
        gpu->l2_before[next] =
            (uint16_t)(gpu->l2_before[gpu->steps] + (edges & EDGE_NETWORK ? 1 : 0));
        gpu->steps = next;
    }
    /* Steps between the last core cycle and the next one come after that one's SMs looked for room.
     */
    if (gpu->span) {
        gpu->steps = gpu->core_step[gpu->span - 1] + 1;
        gpu->clocks = after_core;
    }
}
