#include <string.h>

#include "model/timing/network/network.h"
#include "model/timing/sm/sm.h"

enum { SECTOR_BYTES = 32 };        /* of what is moved where no L2 says otherwise */
enum { CONVERTS_AS_INTEGER = 86 }; /* compute capability */

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
    /* I2F is a quarter-rate instruction; from compute capability 8.6 on nvcc takes I2FP instead. */
    classes[CLASS_CONVERT] = shared->machine->coalescer.arch < CONVERTS_AS_INTEGER
                                 ? classes[CLASS_SPECIAL]
                                 : classes[CLASS_INTEGER];
    classes[CLASS_CONTROL] = (struct class_timing){(uint8_t)integer, 1, 1};
    classes[CLASS_MEMORY] = (struct class_timing){PIPE_MEMORY, 1, 1};
}

/* ---- kernels ---- */

/* Numbers the registers of a kernel in the order of their use; returns how many words they take. */
static uint32_t number_registers(struct sm_code *code, const struct trace_code *source)
{
    uint16_t count = 0;
    memset(code->numbers, 0xff, sizeof code->numbers);
    for (uint32_t i = 0; i < source->count; i++)
        for (unsigned k = 0; k < (unsigned)source->items[i].written + source->items[i].read; k++) {
            uint16_t *number = &code->numbers[source->items[i].registers[k]];
            if (*number == UINT16_MAX)
                *number = count++;
        }
    return count ? (count + 63u) / 64 : 1;
}

/* Adds an operand's bank to those of an instruction. GPGPU-Sim counts registers from 1 in traces.
 */
static void add_bank(struct sm_instruction *made, uint32_t reg, uint32_t banks)
{
    made->banks[made->writes + made->reads] = (uint8_t)((reg + 1) % banks);
}

static void make_banks(struct sm_instruction *made, uint32_t banks)
{
    const struct instruction *code = made->code;
    const uint16_t *read = code->registers + code->written;
    for (unsigned i = 0; i < code->written; i++) {
        bool again = false;
        add_bank(made, code->registers[i], banks);
        for (unsigned k = 0; k < made->writes; k++)
            again |= made->banks[k] == made->banks[made->writes];
        made->writes += !again;
    }
    for (unsigned i = 0; i < code->read; i++) {
        bool again = false;
        for (unsigned k = 0; k < i; k++)
            again |= read[k] == read[i];
        if (again)
            continue;
        add_bank(made, read[i], banks);
        made->reads++;
    }
}

/* A load of a texture that the L1D serves is one of its accesses, with their times. Where it does
 * not serve them it only takes its turn in a pipe. */
static const struct class_timing *timing_class(const struct sm_machine *shared,
                                               const struct instruction *source)
{
    const bool served = shared->spaces & space_bit(SPACE_TEXTURE);
    const bool texture = source->class == CLASS_TEXTURE && source->flags & INSTRUCTION_LOAD;
    return &shared->classes[texture && served ? CLASS_MEMORY : source->class];
}

/* Whether instructions wait for the results of this one. */
static bool is_awaited(const struct sm_machine *shared, const struct sm_instruction *made)
{
    const bool load = made->pipe == PIPE_MEMORY && made->flags & INSTRUCTION_LOAD;
    const bool atomic = made->flags & INSTRUCTION_ATOMIC;
    return atomic || !ideal_has(shared->ideals, load ? IDEAL_LOADS : IDEAL_FORWARD);
}

/* With ideal collectors registers have no banks that two could want: all that an instruction reads
 * is one read of a bank that its warp has for itself, as far as there are banks. */
static void merge_banks(struct sm_instruction *made)
{
    made->reads = made->reads ? 1 : 0;
    made->writes = 0;
    made->banks[0] = 0;
}

static void make_instruction(const struct sm_machine *shared, const struct sm_code *code,
                             const struct instruction *source, uint32_t at)
{
    const struct class_timing *timing = timing_class(shared, source);
    struct register_masks *masks = &code->masks[(size_t)at * code->words];
    code->items[at] = (struct sm_instruction){
        .code = source,
        .masks = masks,
        .latency = timing->latency,
        .occupied = timing->occupied,
        .pipe = timing->pipe,
        .action = source->action,
        .flags = source->flags,
    };
    if (source->action == ACTION_BARRIER && ideal_has(shared->ideals, IDEAL_BARRIERS))
        code->items[at].action = ACTION_NONE;
    make_banks(&code->items[at], shared->banks);
    if (ideal_has(shared->ideals, IDEAL_COLLECTORS))
        merge_banks(&code->items[at]);
    const bool awaited = is_awaited(shared, &code->items[at]);
    if (source->flags & INSTRUCTION_LOAD && !awaited)
        code->items[at].flags |= INSTRUCTION_UNAWAITED;
    code->items[at].releases = source->written && awaited;
    for (unsigned i = 0; i < (unsigned)source->written + source->read; i++) {
        const uint16_t number = code->numbers[source->registers[i]];
        const uint64_t bit = UINT64_C(1) << number % 64;
        masks[number / 64].used |= bit;
        if (i < source->written && !awaited)
            continue;
        if (i < source->written)
            masks[number / 64].written |= bit;
        else
            masks[number / 64].read |= bit;
    }
    code->items[at].first = masks[0];
}

static enum status make_code(const struct sm_machine *shared, const struct trace_code *source,
                             struct sm_code *code)
{
    code->count = source->count;
    code->words = number_registers(code, source);
    code->items = calloc((size_t)source->count + 1, sizeof *code->items);
    code->masks = calloc((size_t)source->count * code->words + 1, sizeof *code->masks);
    if (!code->items || !code->masks)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < source->count; i++)
        make_instruction(shared, code, &source->items[i], i);
    return STATUS_OK;
}

void sm_machine_free(struct sm_machine *shared)
{
    for (uint32_t i = 0; shared->codes && i < shared->code_count; i++) {
        free(shared->codes[i].items);
        free(shared->codes[i].masks);
    }
    free(shared->codes);
    shared->codes = NULL;
}

static void init_fetch(struct sm_machine *shared)
{
    const struct machine *machine = shared->machine;
    const struct instruction_cache_config *l1i = &machine->l1i;
    shared->fetches = ideal_has(shared->ideals, IDEAL_FETCH)
                          ? (uint32_t)(machine->gpu.max_threads / WARP_SIZE)
                          : (uint32_t)machine->core.fetch;
    if (l1i->enabled)
        shared->fetch_latency = l1i->l0.size ? l1i->l0.latency : l1i->latency;
    shared->fetch_looks = l1i->enabled && !ideal_has(shared->ideals, IDEAL_L1I_HITS);
}

/* What the load/store unit and the L1D take in a cycle. Ideal ports take what may come of a cycle's
 * instructions, so that nothing waits for them. */
static void init_ports(struct sm_machine *shared)
{
    const struct machine *machine = shared->machine;
    const bool ideal = ideal_has(shared->ideals, IDEAL_L1D_PORTS);
    const uint64_t taken = machine->core.load_store_units;
    shared->l1_gap = !ideal;
    shared->l1_places = ideal ? UINT64_MAX : shared->l1_latency;
    shared->joins = ideal_has(shared->ideals, IDEAL_COALESCE_JOINED);
    shared->takes_all = machine->l1d.tags || shared->joins;
    shared->l1_entries = ideal || shared->joins ? ACCESSES_MAX : shared->l1_banks;
    shared->l1_waits = ideal || shared->joins ? 0 : PACKET_WAITS;
    shared->wide = ideal;
    shared->shared_places = ideal ? UINT64_MAX : machine->core.shared_latency;
    shared->lane_cycles = ideal ? 0 : (uint32_t)((WARP_SIZE + taken - 1) / taken);
    shared->written = ideal && shared->sectors < WARP_SIZE ? WARP_SIZE : shared->sectors;
    shared->wavefronts = ideal_has(shared->ideals, IDEAL_SHARED_BANKS) ? 1 : UINT32_MAX;
    if (ideal)
        shared->latches[PIPE_MEMORY] = UNITS_MAX;
}

/* The machine with an ideal network. One of any bandwidth has outputs that take all that inputs
 * have for them (gpu_setup.c); with the L1D's ports it is also one into which an SM may put more
 * than before. A router without latency is an interconnect whose ports a packet occupies as long.
 */
static const struct machine *idealise_network(struct sm_machine *shared,
                                              const struct machine *machine)
{
    enum { MANY = 65536, SECTORS = 16 };
    const bool ports = ideal_has(shared->ideals, IDEAL_L1D_PORTS);
    struct network_config *network = &shared->built.network;
    shared->built = *machine;
    if (!ideal_has(shared->ideals, IDEAL_NETWORK_BANDWIDTH)) {
        network->kind = NETWORK_AXI;
        return &shared->built;
    }
    network->sectors = ports ? SECTORS : network_sectors(network);
    network->kind = NETWORK_VOQ;
    network->queue = network->ejected = MANY;
    shared->built.core.responses = MANY;
    return &shared->built;
}

enum status sm_machine_init(struct sm_machine *shared, const struct machine *machine,
                            struct ideal_set ideals, const struct trace_source *source)
{
    const struct pipes_config *pipe = &machine->pipe;
    const uint64_t units[PIPE_COUNT] = {
        pipe->sp.units,      pipe->dp.units,      pipe->integer.units,
        pipe->sfu.units,     pipe->tensor.units,  pipe->branch.units,
        pipe->texture.units, pipe->uniform.units, 1};
    *shared = (struct sm_machine){.machine = machine, .ideals = ideals, .source = source};
    const bool router = network_traits[machine->network.kind] & NETWORK_ROUTER;
    const bool endless = ideal_has(ideals, IDEAL_NETWORK_BANDWIDTH);
    if (endless || (router && ideal_has(ideals, IDEAL_NETWORK_LATENCY)))
        machine = shared->machine = idealise_network(shared, machine);
    shared->received = endless ? ENDLESS_RATE : network_sectors(&machine->network);
    shared->packs = ideal_has(ideals, IDEAL_COALESCE);
    shared->spaces = machine_cached_spaces(machine);
    const bool many = ideal_has(ideals, IDEAL_PIPES);
    const struct cache_config *l1d = &machine->l1d;
    const bool lines = l1d->tags && l1d->sector && l1d->sector < l1d->line;
    shared->l1_sectors = lines ? (uint32_t)(l1d->line / l1d->sector) : 1;
    shared->l1_banks = (uint32_t)(l1d->tags ? l1d->tags * shared->l1_sectors : l1d->banks);
    shared->bank_words = (shared->l1_banks + 63) / 64;
    const uint64_t unused = 64 - machine->gpu.address_bits;
    shared->address_mask = unused < 64 ? UINT64_MAX >> unused : UINT64_MAX;
    shared->l1_latency = machine->l1d.latency ? machine->l1d.latency : 1;
    shared->bank_bits = 5;
    shared->sectors = network_sectors(&machine->network);
    if (machine_has(machine, STAGE_TLB))
        shared->page_bits = log2_floor(machine->page.size);
    shared->part_bytes = machine->l2.enabled ? (uint32_t)machine->l2.sector : SECTOR_BYTES;
    shared->part_bits = log2_floor(shared->part_bytes);
    for (unsigned i = 0; i < PIPE_COUNT; i++) {
        shared->units[i] = units[i] && many && i != PIPE_MEMORY ? UNITS_MAX : (uint32_t)units[i];
        shared->latches[i] =
            machine->core.subcores ? (uint32_t)machine->scheduler.count : shared->units[i];
    }
    init_classes(shared);
    init_fetch(shared);
    init_ports(shared);
    shared->schedulers = (uint32_t)machine->scheduler.count;
    shared->banks = (uint32_t)machine->core.banks;
    shared->subcores = machine->core.subcores;
    if (shared->subcores)
        shared->banks /= shared->schedulers;
    shared->code_count = source->code_count;
    shared->codes = calloc((size_t)source->code_count + 1, sizeof *shared->codes);
    enum status status = shared->codes ? STATUS_OK : STATUS_MEMORY;
    for (uint32_t i = 0; !status && i < source->code_count; i++)
        status = make_code(shared, &source->codes[i], &shared->codes[i]);
    return status;
}
