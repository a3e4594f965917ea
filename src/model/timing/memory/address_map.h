/* Where an address goes beyond the network: its slice of the L2, its line there, and the bank, row
 * and column of its memory channel. The rules are GPGPU-Sim's (docs/MODELS.md, "Timing"). */
#pragma once

#include "base/bits.h"
#include "model/cache/set_index.h"
#include "schema/machine.h"

struct address_map {
    unsigned chunk_bits; /* log2 of the bytes to one channel before the next */
    bool halves;         /* a slice also keeps copies of the lines of its twin */
    uint32_t channels, per_channel, slices;
    bool powers; /* the channels are a power of two: they take address bits */
    bool hashed;
    bool rotated; /* the hash takes the address within a slice: it is the same for all slices */
    struct divisor divisor; /* by the channels */
    int bank_hash;          /* enum bank_hash */
    unsigned bank_bits;     /* of bank_mask */
    bool random;            /* each line has a slice that is drawn */
    bool rest;              /* the hash is over a power of two of slices, of which some are none */
    unsigned line_bits;
    uint64_t drawn; /* what tells one seed's slices from those of another */
    struct set_index bank_index;
    uint64_t sub_mask; /* the bits that choose a channel's slice */
    unsigned sub_shift;
    uint64_t bank_mask, row_mask;
    unsigned hash_shift; /* the hash takes the address bits from here */
    uint64_t hash_mask;
    struct set_index hash;
};

struct dram_place {
    uint32_t bank;
    uint64_t row;
};

enum status address_map_init(struct address_map *map, const struct machine *machine);
uint32_t address_map_slice(const struct address_map *map, uint64_t address);
/* The address within its slice: without the bits that chose the slice. */
uint64_t address_map_local(const struct address_map *map, uint64_t address);
struct dram_place address_map_dram(const struct address_map *map, uint64_t address);
