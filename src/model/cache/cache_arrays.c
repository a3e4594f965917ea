#include "model/cache/cache_arrays.h"

#include "base/bits.h"
#include "model/cache/cache_bits.h"
#include "model/cache/geometry.h"
#include "model/gpu/structure_arrays.h"
#include "schema/parameters.h"

size_t cache_arrays(const struct cache_config *config, uint64_t size, uint64_t instances,
                    uint64_t address_bits, struct memory_array *arrays)
{
    const struct cache_bits bits = cache_bits(config, size, address_bits);
    arrays[0] = (struct memory_array){.name = "lines",
                                      .kind = MEMORY_CACHE,
                                      .count = instances,
                                      .entries = bits.lines,
                                      .key_bits = bits.line_state,
                                      .payload_bits = 8 * config->line,
                                      .sets = bits.sets,
                                      .set_bits = bits.set_state,
                                      .output = config->output,
                                      .fill_bits = 8 * config->sector,
                                      .banks = config->banks,
                                      .extra_ports = ports_extra[config->ports]};
    return 1 + memory_array_learned(bits.shared_state, instances, arrays + 1);
}

/* What a miss goes through: it is compared with the lines in flight and waits for the next level. A
 * reply is compared again and lets those that wait go. */
static size_t add_misses(const struct cache_config *config, uint64_t instances,
                         uint64_t address_bits, struct memory_array *arrays)
{
    const struct mshr_bits bits = mshr_bits(config, address_bits);
    const uint64_t miss = miss_queue_bits(config, address_bits);
    const size_t searched = config->mshr.tags ? 0 : 1; /* or the tags note it */
    arrays[0] = (struct memory_array){.name = "lines in flight",
                                      .kind = MEMORY_SEARCHED,
                                      .count = instances,
                                      .entries = bits.entries,
                                      .key_bits = bits.tag,
                                      .payload_bits = bits.payload,
                                      .fill_bits = bits.tag + bits.payload};
    arrays[searched] = (struct memory_array){.name = "misses that wait",
                                             .kind = MEMORY_RAM,
                                             .count = instances,
                                             .entries = config->miss_queue,
                                             .payload_bits = miss,
                                             .fill_bits = miss};
    return searched + 1;
}

size_t structure_arrays_l1d(const struct machine *machine,
                            struct memory_array arrays[MEMORY_ARRAYS])
{
    return cache_arrays(&machine->l1d, l1d_largest(machine), 1, machine->gpu.address_bits, arrays);
}

size_t structure_arrays_l1d_mshr(const struct machine *machine,
                                 struct memory_array arrays[MEMORY_ARRAYS])
{
    return add_misses(&machine->l1d, 1, machine->gpu.address_bits, arrays);
}

size_t structure_arrays_l2(const struct machine *machine, struct memory_array arrays[MEMORY_ARRAYS])
{
    const struct cache_config *config = &machine->l2;
    return cache_arrays(config, config->size / config->slices, config->slices,
                        machine->gpu.address_bits, arrays);
}

size_t structure_arrays_l2_mshr(const struct machine *machine,
                                struct memory_array arrays[MEMORY_ARRAYS])
{
    return add_misses(&machine->l2, machine->l2.slices, machine->gpu.address_bits, arrays);
}

/* What stands before and beyond an L1I (model/pass/fetch_ahead.h): L0s with an LRU order, and a
 * queue of lines of which only the first is compared. */
static size_t add_ahead(const struct instruction_cache_config *l1i, uint64_t address_bits,
                        struct memory_array *arrays)
{
    const uint64_t key = address_bits - log2_floor(l1i->line) + 1, line = 8 * l1i->line;
    const uint64_t l0_lines = l1i->l0.size / l1i->line;
    size_t count = 0;
    if (l0_lines)
        arrays[count++] = (struct memory_array){.name = "lines of L0s",
                                                .kind = MEMORY_SEARCHED,
                                                .count = l1i->l0.count,
                                                .entries = l0_lines,
                                                .key_bits = key,
                                                .payload_bits = line + log2_ceil(l0_lines)};
    if (l1i->buffer)
        arrays[count++] = (struct memory_array){.name = "lines of the stream buffer",
                                                .kind = MEMORY_RAM,
                                                .count = 1,
                                                .entries = l1i->buffer,
                                                .payload_bits = key + line};
    return count;
}

/* An access is a fetch of one instruction. Only the functional depth counts what misses, and only
 * if it fetches, so fills and the memories beyond the tags take no energy here. */
size_t structure_arrays_l1i(const struct machine *machine,
                            struct memory_array arrays[MEMORY_ARRAYS])
{
    struct cache_config config = instruction_cache_of(&machine->l1i);
    if (!machine->l1i.enabled && !machine->l1i.fetches)
        return 0;
    config.output = instruction_bits(machine);
    size_t count = cache_arrays(&config, config.size, 1, machine->gpu.address_bits, arrays);
    const size_t behind = count;
    count += add_misses(&config, 1, machine->gpu.address_bits, arrays + count);
    count += add_ahead(&machine->l1i, machine->gpu.address_bits, arrays + count);
    arrays[0].fill_bits = 0;
    for (size_t i = behind; i < count; i++)
        arrays[i].aside = true;
    return count;
}

/* Two instructions of each warp, as fetches deliver (model/timing/sm/sm.h). The shaders of a
 * machine that draws are not part of it. */
size_t structure_arrays_ibuffer(const struct machine *machine,
                                struct memory_array arrays[MEMORY_ARRAYS])
{
    enum { LANES = 32, WAITING = 2 };
    if (!machine_runs_kernels(machine))
        return 0;
    const uint64_t bits = instruction_bits(machine) + 1; /* and valid */
    arrays[0] = (struct memory_array){.name = "instructions",
                                      .kind = MEMORY_RAM,
                                      .count = 1,
                                      .entries = WAITING * (machine->gpu.max_threads / LANES),
                                      .payload_bits = bits,
                                      .fill_bits = bits};
    return 1;
}
