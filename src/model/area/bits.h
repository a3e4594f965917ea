/* Storage bits of every structure of a machine, exact.
 *
 * State beside the data: physical and virtual addresses of 48 bits; a tag is what neither offset
 * nor index gives; one valid bit a sector; one dirty bit a sector where stores stay (write_back,
 * local_back); replacement state a set (replacement_bits of schema/families.h). */
#pragma once

#include <stdint.h>

#include "schema/machine.h"

enum { ADDRESS_BITS = 48 };

struct cache_bits { /* of one instance: an L1D, or one slice of an L2 */
    uint64_t lines, sets, ways;
    uint64_t data;
    uint64_t line_state; /* tag, valid and dirty bits of one line */
    uint64_t state;      /* all lines' state and all sets' replacement state */
};

/* `size` is that of the instance: config->size, or what a carve-out leaves. */
struct cache_bits cache_bits(const struct cache_config *config, uint64_t size);

/* The largest L1D that the carve-outs leave: config->size where it is not unified. */
uint64_t l1d_largest(const struct machine *machine);

struct mshr_bits {
    uint64_t entries;
    uint64_t tag;     /* block address and valid */
    uint64_t payload; /* merge slots of MSHR_SLOT_BITS */
    uint64_t all;
};

/* What one merged request needs: warp (6), destination register (8), place in the line (5), valid.
 */
enum { MSHR_SLOT_BITS = 20 };

struct mshr_bits mshr_bits(const struct cache_config *config);

struct tlb_bits {
    uint64_t sets;
    uint64_t tag;   /* virtual page number less index, and valid */
    uint64_t frame; /* physical page number */
    uint64_t all;   /* with the replacement state */
};

struct tlb_bits tlb_bits(const struct tlb_config *config, uint64_t page_size);
