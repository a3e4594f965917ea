#include "model/cache/cache_bits.h"

#include "base/bits.h"
#include "schema/parameters.h"

/* Tag bits needed to distinguish all lines that share a set. If the number of sets is not a power
 * of two, the tag is the quotient by it, which needs as many bits as with the next lower power of
 * two. */
static uint64_t tag_bits(uint64_t address_bits, uint64_t line, uint64_t sets)
{
    const uint64_t given = log2_floor(line) + log2_floor(sets);
    return address_bits > given ? address_bits - given : 0;
}

struct cache_bits cache_bits(const struct cache_config *config, uint64_t size,
                             uint64_t address_bits)
{
    struct cache_bits bits = {.sets = cache_sets(config)};
    uint64_t sectors = config->line / config->sector;
    bool keeps_stores = write_traits[config->write] & WRITE_DIRTIES;
    uint64_t reach = index_reach(config->index, bits.sets);
    bits.lines = size / config->line;
    bits.ways = bits.lines / bits.sets;
    const uint64_t tag = tag_bits(address_bits, config->line, reach);
    bits.tag = tag;
    bits.line_state = tag + sectors * (keeps_stores ? 2U : 1U);
    bits.line_state += config->mshr.tags ? sectors : 0; /* which are in flight */
    bits.set_state = replacement_bits(config->replacement, bits.ways, tag);
    bits.shared_state = replacement_shared_bits(config->replacement, bits.sets, bits.ways, tag);
    return bits;
}

uint64_t l1d_largest(const struct machine *machine)
{
    const struct sizes *options = &machine->gpu.shared_options;
    if (!machine->l1d.unified || !options->count)
        return machine->l1d.size;
    return machine->l1d.unified - options->item[0];
}

struct mshr_bits mshr_bits(const struct cache_config *config, uint64_t address_bits)
{
    struct mshr_bits bits = {.entries = config->mshr.entries,
                             .tag = tag_bits(address_bits, config->line, 1) + 1,
                             .payload = config->mshr.merge * MSHR_SLOT_BITS};
    return bits;
}

uint64_t miss_queue_bits(const struct cache_config *config, uint64_t address_bits)
{
    return address_bits - log2_floor(config->sector) + 2;
}

uint64_t instruction_bits(const struct machine *machine)
{
    enum { VOLTA = 70 };
    if (machine->kind == KIND_SIMT)
        return 32;
    return machine->coalescer.arch >= VOLTA ? 128 : 64;
}

struct tlb_bits tlb_bits(const struct tlb_config *config, uint64_t page_size, uint64_t address_bits)
{
    const uint64_t ways = tlb_ways(config);
    struct tlb_bits bits = {.sets = config->entries / ways,
                            .frame = tag_bits(address_bits, page_size, 1)};
    bits.tag = tag_bits(address_bits, page_size, bits.sets) + 1;
    bits.set_state = replacement_bits(config->replacement, ways, bits.tag - 1);
    bits.shared_state = replacement_shared_bits(config->replacement, bits.sets, ways, bits.tag - 1);
    return bits;
}
