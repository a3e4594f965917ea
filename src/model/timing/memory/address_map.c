#include "model/timing/memory/address_map.h"

#include "schema/parameters.h"

/* The bits of `value` under `mask`, moved together. */
static uint64_t gather(uint64_t value, uint64_t mask)
{
    uint64_t gathered = 0;
    for (unsigned at = 0; mask; mask &= mask - 1, at++)
        gathered |= (value >> __builtin_ctzll(mask) & 1) << at;
    return gathered;
}

/* How many address bits above the slice's own enter GPGPU-Sim's hash. */
static uint64_t hashed_bits(uint32_t slices)
{
    const unsigned bits = slices == 16 ? 13 : slices == 32 ? 15 : slices == 64 ? 19 : 63;
    return (UINT64_C(1) << bits) - 1;
}

/* The slices of a channel are told apart by the lowest bank bits, as in GPGPU-Sim's
 * linear_to_raw_address; so a slice sees a part of the banks alone, and its line numbers leave
 * those bits out (address_map_local). */
enum status address_map_init(struct address_map *map, const struct machine *machine)
{
    const struct cache_config *l2 = &machine->l2;
    const struct dram_config *dram = &machine->dram;
    *map = (struct address_map){
        .chunk_bits = log2_floor(l2->interleave),
        .halves = cache_in_halves(l2),
        .slices = (uint32_t)l2->slices,
        .per_channel = (uint32_t)l2->slices_per_channel,
        .channels = (uint32_t)(l2->slices / l2->slices_per_channel),
        .bank_mask = dram->bank_mask,
        .row_mask = dram->row_mask,
        .bank_hash = dram->bank_hash,
        .bank_bits = (unsigned)__builtin_popcountll(dram->bank_mask),
        .random = l2->partition == PARTITION_RANDOM,
        .rest = l2->partition == PARTITION_IPOLY_REST,
        .line_bits = log2_floor(l2->line),
        .drawn = machine->seed * UINT64_C(0x9e3779b97f4a7c15),
    };
    map->powers = is_power_of_two(map->channels);
    map->divisor = divisor_of(map->channels);
    uint64_t left = dram->bank_mask;
    for (uint32_t n = map->per_channel; n > 1 && left; n = (n + 1) / 2) {
        map->sub_mask |= left & (~left + 1);
        left &= left - 1;
    }
    map->hashed = l2->partition != PARTITION_LINEAR;
    map->rotated = l2->partition == PARTITION_ROTATE;
    map->hash_shift = map->chunk_bits + log2_ceil(map->channels) + log2_ceil(map->per_channel);
    const unsigned channel_bits = log2_ceil(map->channels), sub_bits = log2_ceil(map->per_channel);
    const uint32_t hashed = map->rest ? 1u << (channel_bits + sub_bits) : map->slices;
    map->hash_mask = hashed_bits(hashed);
    if (map->bank_hash == BANK_IPOLY &&
        set_index_init(&map->bank_index, INDEX_IPOLY, UINT64_C(1) << map->bank_bits))
        return STATUS_INVALID;
    const int function = map->random ? INDEX_SCATTER
                         : map->rest ? INDEX_IPOLY
                                     : partition_index[l2->partition];
    return set_index_init(&map->hash, function, hashed);
}

/* The address as the channel sees it where the channels are no power of two. */
static uint64_t within_channel(const struct address_map *map, uint64_t address)
{
    if (map->powers)
        return address;
    const uint64_t chunk = divisor_divide(address >> map->chunk_bits, &map->divisor);
    return chunk << map->chunk_bits | (address & ((UINT64_C(1) << map->chunk_bits) - 1));
}

uint32_t address_map_slice(const struct address_map *map, uint64_t address)
{
    if (map->random)
        return (uint32_t)set_index_scatter(&map->hash, (address >> map->line_bits) ^ map->drawn);
    const uint64_t chunk = address >> map->chunk_bits;
    const uint64_t channel = chunk - divisor_divide(chunk, &map->divisor) * map->channels;
    const uint64_t sub = gather(within_channel(map, address), map->sub_mask) % map->per_channel;
    const uint64_t slice = channel * map->per_channel + sub;
    if (!map->hashed)
        return (uint32_t)slice;
    if (map->rotated) {
        const uint64_t round = address_map_local(map, address) >> map->chunk_bits;
        return (uint32_t)set_index_map(&map->hash, map->hash.function, round * map->slices + slice);
    }
    /* Where channels are divided out, the bits above the channel are those of the quotient. */
    const uint64_t above = map->rest && !map->powers
                               ? divisor_divide(address >> map->chunk_bits, &map->divisor)
                               : address >> map->hash_shift;
    const uint64_t upper = above & map->hash_mask;
    if (map->rest)
        return (uint32_t)(set_index_map(&map->hash, INDEX_IPOLY, upper << map->hash.bits | slice) %
                          map->slices);
    return (uint32_t)set_index_map(&map->hash, map->hash.function,
                                   upper << log2_ceil(map->slices) | slice);
}

uint64_t address_map_local(const struct address_map *map, uint64_t address)
{
    uint64_t dropped = map->sub_mask, local = within_channel(map, address);
    if (map->powers)
        dropped |= (uint64_t)(map->channels - 1) << map->chunk_bits;
    while (dropped) { /* from the top, so that the positions below stay as they are */
        const unsigned bit = log2_floor(dropped);
        const uint64_t low = (UINT64_C(1) << bit) - 1;
        local = (local & low) | (local >> 1 & ~low);
        dropped &= ~(UINT64_C(1) << bit);
    }
    return local;
}

/* The bank that a row turns a bank into. */
static uint64_t turn_bank(const struct address_map *map, uint64_t bank, uint64_t row)
{
    const unsigned bits = map->bank_bits;
    const uint64_t banks = (UINT64_C(1) << bits) - 1;
    switch (bits ? (enum bank_hash)map->bank_hash : BANK_PLAIN) {
    case BANK_PLAIN:
        break;
    case BANK_FOLDED:
        for (uint64_t left = row; left; left >>= bits)
            bank ^= left & banks;
        break;
    case BANK_XOR:
        bank ^= row & banks;
        break;
    case BANK_IPOLY:
        return set_index_map(&map->bank_index, INDEX_IPOLY, row << bits | bank);
    }
    return bank;
}

struct dram_place address_map_dram(const struct address_map *map, uint64_t address)
{
    const uint64_t within = within_channel(map, address), row = gather(within, map->row_mask);
    return (struct dram_place){(uint32_t)turn_bank(map, gather(within, map->bank_mask), row), row};
}
