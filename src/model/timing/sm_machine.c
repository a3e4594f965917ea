#include "model/timing/sm.h"

enum { SECTOR_BYTES = 32 }; /* of what is moved where no L2 says otherwise */

static struct class_timing timing_of(const struct pipe_config *config, enum pipe pipe)
{
    return (struct class_timing){.pipe = (uint8_t)pipe,
                                 .latency = (uint16_t)config->latency,
                                 .occupied = (uint16_t)config->interval};
}

/* Instructions whose pipe has no units go to another one, with their own latencies where those are
 * given (GPGPU-Sim's rules for GPUs without int or dp units). */
static void init_classes(struct sm_machine *shared)
{
    const struct pipes_config *pipe = &shared->machine->pipe;
    struct class_timing *classes = shared->classes;
    const enum pipe integer = pipe->integer.units ? PIPE_INT : PIPE_SP;
    classes[CLASS_INTEGER] = timing_of(&pipe->integer, integer);
    classes[CLASS_SINGLE] = timing_of(&pipe->sp, PIPE_SP);
    classes[CLASS_HALF] = classes[CLASS_SINGLE];
    if (classes[CLASS_HALF].occupied > 1)
        classes[CLASS_HALF].occupied /= 2;
    classes[CLASS_DOUBLE] = timing_of(&pipe->dp, pipe->dp.units ? PIPE_DP : PIPE_SFU);
    classes[CLASS_SPECIAL] = timing_of(&pipe->sfu, PIPE_SFU);
    classes[CLASS_TENSOR] = timing_of(&pipe->tensor, pipe->tensor.units ? PIPE_TENSOR : PIPE_SP);
    classes[CLASS_BRANCH] =
        pipe->branch.units ? timing_of(&pipe->branch, PIPE_BRANCH) : classes[CLASS_INTEGER];
    classes[CLASS_TEXTURE] =
        pipe->texture.units ? timing_of(&pipe->texture, PIPE_TEXTURE) : classes[CLASS_INTEGER];
    classes[CLASS_UNIFORM] =
        pipe->uniform.units ? timing_of(&pipe->uniform, PIPE_UNIFORM) : classes[CLASS_INTEGER];
    classes[CLASS_CONTROL] = (struct class_timing){(uint8_t)integer, 1, 1};
    classes[CLASS_MEMORY] = (struct class_timing){PIPE_MEMORY, 1, 1};
}

void sm_machine_init(struct sm_machine *shared, const struct machine *machine,
                     const struct trace_source *source)
{
    const struct pipes_config *pipe = &machine->pipe;
    const uint64_t units[PIPE_COUNT] = {
        pipe->sp.units,      pipe->dp.units,      pipe->integer.units,
        pipe->sfu.units,     pipe->tensor.units,  pipe->branch.units,
        pipe->texture.units, pipe->uniform.units, 1};
    *shared = (struct sm_machine){.machine = machine, .source = source};
    shared->spaces = machine_spaces(machine);
    shared->l1_banks = (uint32_t)machine->l1d.banks;
    shared->l1_latency = machine->l1d.latency ? machine->l1d.latency : 1;
    shared->bank_bits = 5;
    if (machine_has(machine, STAGE_TLB))
        shared->page_bits = log2_floor(machine->page.size);
    shared->part_bytes = machine->l2.enabled ? (uint32_t)machine->l2.sector : SECTOR_BYTES;
    for (unsigned i = 0; i < PIPE_COUNT; i++) {
        shared->units[i] = (uint32_t)units[i];
        shared->latches[i] =
            machine->core.subcores ? (uint32_t)machine->scheduler.count : (uint32_t)units[i];
    }
    init_classes(shared);
}
