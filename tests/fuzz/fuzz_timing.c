/* Any bytes as a small program and the changes that make a machine: depth timing comes to an end,
 * and without an error, on every machine that it does not refuse. The first byte says what the
 * program has, the next two are its seed, the fourth is the share of the counts that have their
 * least value and whether it uses few lines or many pages, and each further pair changes a
 * parameter. Built by `./dev fuzz`. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
}

/* Whether the machine has not the addresses of the program, which is refused when one is met. */
static bool lacks_addresses(enum status status, const struct diagnostics *diagnostics)
{
    return status == STATUS_INVALID && diagnostics->count &&
           strstr(diagnostics_first(diagnostics, status), "gpu.address_bits");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    const struct timed_shape shape = {.launches = 2,
                                      .blocks = 6,
                                      .warps = 3,
                                      .instructions = 30,
                                      .lines = data[3] & 1 ? 30 : 2000,
                                      .content = data[0]};
    struct timed_source *source = timed_source_random(data[1] | (uint64_t)data[2] << 8, &shape);
    struct dice dice = {.seed = data[3]};
    struct machine machine;
    struct gpu_counts counts;
    static struct gpu_totals totals;
    const struct gpu_options options = {.threads = 1};
    make_machine(data + 4, size - 4, &machine);
    roll_least(&dice, &machine, &source->base, data[3] % 101);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = STATUS_OK;
    if (machine_fits(&machine, &source->base))
        status = gpu_run(&machine, &source->base, &options, &counts, &totals, &diagnostics);
    if (status && !lacks_addresses(status, &diagnostics))
        abort();
    diagnostics_free(&diagnostics);
    trace_source_free(&source->base);
    return 0;
}
