#include "model/timing/gpu_parts.h"

/* How long a span of cycles is, and its steps. */

/* The most that the network delivers to an SM in so many cycles. */
static uint64_t most_arriving(const struct gpu *gpu, uint64_t cycles)
{
    const uint64_t core = gpu->machine->gpu.clock, network = gpu->machine->network.clock;
    const uint64_t steps = network > core ? (cycles * network + core - 1) / core + 1 : cycles;
    return steps * gpu->shared->sectors;
}

/* Whether an SM has room for all that, beside what waits there. */
static bool holds_replies(struct gpu *gpu, uint64_t waits, uint64_t cycles)
{
    const uint64_t most = waits + most_arriving(gpu, cycles);
    return !most || limit_admits(&gpu->places, (uint32_t)most - 1);
}

/* The cycles from the one in which a slice takes a request to the first one in which its channel
 * may see it. */
static uint64_t request_delay(const struct gpu *gpu)
{
    const uint64_t latency = gpu->machine->l2.latency;
    /* A step of the L2 before the first core cycle counts as in the cycle before that. */
    return latency - (latency && l2_clock(gpu->machine) != gpu->machine->gpu.clock);
}

/* How many cycles can be simulated part by part: no more than a request needs to the tags of the
 * L2 or from one half of it to the other, no more than SMs have room for replies, whatever comes,
 * and not beyond the next exchange of the SMs' bypass policies. SMs and channels that may send more
 * than the network has room for wait until it has come as far. Where a request needs long to the
 * tags, a span is half of that, so that one thread can carry requests while others advance the
 * channels. It does not depend on the number of threads, since the channels go on to the end of the
 * last span. */
static uint32_t choose_span(struct gpu *gpu)
{
    enum { LEAST = 32 }; /* shorter spans cost more than is won */
    const uint64_t delay = request_delay(gpu);
    const uint64_t most = gpu->options->span ? gpu->options->span : SPAN_MAX;
    uint64_t span = delay >= 2 * LEAST ? delay / 2 : delay;
    if (gpu->clusters)
        return 1;
    span = span < most ? span : most;
    if (cache_in_halves(&gpu->machine->l2) && span > gpu->machine->l2.crossing)
        span = gpu->machine->l2.crossing;
    if (gpu->bypasses && span > BYPASS_EXCHANGE - gpu->cycle % BYPASS_EXCHANGE)
        span = BYPASS_EXCHANGE - gpu->cycle % BYPASS_EXCHANGE;
    for (uint32_t i = 0; i < gpu->sm_count && span > 1; i++) {
        const uint64_t waits = gpu->sms[i].port.arriving.count;
        while (span > 1 && !holds_replies(gpu, waits, span))
            span = holds_replies(gpu, waits, span / 2) ? span - 1 : span / 2;
    }
    return span ? (uint32_t)span : 1;
}

bool gpu_requests_come_later(const struct gpu *gpu)
{
    return gpu->requests_span->cycles + gpu->span->cycles <= request_delay(gpu);
}

void gpu_make_steps(struct gpu *gpu)
{
    struct span *span = &gpu->spans[gpu->span == gpu->spans];
    struct clocks clocks = gpu->clocks, after_core = clocks;
    const uint32_t cycles = choose_span(gpu);
    gpu->span = span;
    span->cycle = gpu->cycle;
    span->cycles = span->steps = 0;
    while (span->cycles < cycles && span->steps < STEPS_MAX) {
        const uint32_t step = span->steps++;
        const unsigned edges = clocks_step(&clocks);
        span->edges[step] = (uint8_t)edges;
        span->step_cycle[step] = span->cycle + span->cycles;
        if (edges & EDGE_CORE) {
            span->core_step[span->cycles++] = step;
            after_core = clocks;
        }
        span->ticks_before[step + 1] =
            (uint16_t)(span->ticks_before[step] + (edges & EDGE_DRAM ? 1 : 0));
        span->l2_before[step + 1] = (uint16_t)(span->l2_before[step] + (edges & EDGE_L2 ? 1 : 0));
    }
    /* Steps between the last core cycle and the next one come after that one's SMs looked for room.
     */
    if (span->cycles) {
        span->steps = span->core_step[span->cycles - 1] + 1;
        clocks = after_core;
    }
    gpu->clocks = clocks;
}
