/* Any bytes as a small program and the changes that make a machine: depth timing ends, and without
 * an error unless the machine cannot run it. The first byte says what the program has, the next two
 * are its seed, and each further pair changes a parameter. Built by `./dev fuzz`. */
#include <stdint.h>
#include <stdlib.h>

#include "model/timing/gpu.h"
#include "support/roll_machine.h"
#include "support/timed_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void make_machine(const uint8_t *data, size_t size, struct machine *machine)
{
    machine_defaults(machine);
    for (size_t i = 0; i + 2 <= size; i += 2) {
        const struct parameter *parameter = &parameters[data[i] % parameter_count];
        struct dice dice = {.seed = data[i + 1]};
        if (parameter_answers(parameter, DEPTH_TIMING))
            roll_parameter(&dice, parameter, machine, data[i + 1] & 1);
    }
    machine->gpu.sms = 1 + machine->gpu.sms % 4;
    machine->tlb.enabled = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    const struct timed_shape shape = {.launches = 2,
                                      .blocks = 6,
                                      .warps = 3,
                                      .instructions = 30,
                                      .lines = 30,
                                      .content = data[0]};
    struct timed_source *source = timed_source_random(data[1] | (uint64_t)data[2] << 8, &shape);
    struct machine machine;
    struct gpu_counts counts;
    static uint64_t latencies[LATENCY_BUCKETS];
    const struct gpu_options options = {.threads = 1};
    make_machine(data + 3, size - 3, &machine);
    const enum status status = gpu_run(&machine, &source->base, &options, &counts, latencies, NULL);
    if (status && status != STATUS_INVALID && status != STATUS_UNSUPPORTED)
        abort();
    trace_source_free(&source->base);
    return 0;
}
