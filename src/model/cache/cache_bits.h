/* Exact storage bits of the entries of caches, MSHRs, queues and TLBs; integer arithmetic only.
 *
 * Physical and virtual addresses have gpu.address_bits bits. A tag holds the address bits that
 * neither the offset nor the index gives. State per line: the tag, one valid bit per sector and, if
 * the cache keeps stores (write_back, local_back), one dirty bit per sector. Replacement state is
 * counted per set (replacement_bits of schema/families.h). */
#pragma once

#include <stdint.h>

#include "schema/machine.h"

struct cache_bits { /* one instance: an L1D, or one slice of an L2 */
    uint64_t lines, sets, ways;
    uint64_t tag, line_state; /* of one line: the tag; tag, valid and dirty bits */
    uint64_t set_state;       /* replacement state of one set */
    uint64_t shared_state;    /* of all sets together, beside that */
};

/* `size` is the size of the instance: config->size, or what a carve-out leaves of it. */
struct cache_bits cache_bits(const struct cache_config *config, uint64_t size,
                             uint64_t address_bits);

/* The size of the L1D with the smallest shared-memory carve-out; config->size if it is not unified.
 */
uint64_t l1d_largest(const struct machine *machine);

struct mshr_bits {
    uint64_t entries;
    uint64_t tag;     /* block address and valid */
    uint64_t payload; /* merge slots of MSHR_SLOT_BITS */
};

/* Bits of a merge slot: warp (6), destination register (8), place in the line (5) and valid (1). */
enum { MSHR_SLOT_BITS = 20 };

struct mshr_bits mshr_bits(const struct cache_config *config, uint64_t address_bits);

/* A miss that waits for the next level: the address of a sector, whether it writes, and valid. What
 * a store writes waits elsewhere. */
uint64_t miss_queue_bits(const struct cache_config *config, uint64_t address_bits);

/* An instruction: 32 bits in a SIMT processor, 64 in a GPU, 128 from Volta on. */
uint64_t instruction_bits(const struct machine *machine);

struct tlb_bits {
    uint64_t sets;
    uint64_t tag;          /* virtual page number without the index, and valid */
    uint64_t frame;        /* physical page number */
    uint64_t set_state;    /* replacement state of one set */
    uint64_t shared_state; /* of all sets together, beside that */
};

struct tlb_bits tlb_bits(const struct tlb_config *config, uint64_t page_size,
                         uint64_t address_bits);
