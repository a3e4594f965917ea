/* Atomics, and the words that lr.w holds for sc.w (processor.h). An lr.w holds one word until any
 * lane of the block stores there, itself included, or until its own next lr.w or sc.w. */
#include <string.h>

#include "workload/simt/processor_parts.h"

static void note_reserved(struct simt_block *block, uint32_t number)
{
    const bool any = block->warps[number].reserved;
    block->reserved = (block->reserved & ~(1u << number)) | (uint32_t)any << number;
}

void simt_drop_reservations(struct simt_block *block, uint32_t address)
{
    const uint32_t word = address & ~UINT32_C(3);
    for (uint32_t warps = block->reserved; warps; warps &= warps - 1) {
        const unsigned number = (unsigned)__builtin_ctz(warps);
        struct simt_warp *warp = &block->warps[number];
        EACH_LANE warp->reserved &= ~((uint32_t)(warp->reservations[lane] == word) << lane);
        note_reserved(block, number);
    }
}

unsigned char *simt_atomic_read(struct simt_block *block, struct simt_step *step, unsigned lane,
                                const struct simt_decoded *decoded, uint32_t *word)
{
    const uint32_t address = block->warps[step->warp].registers[decoded->s][lane];
    unsigned char *at = simt_memory_at(block, step, lane, address, decoded->op != SIMT_lr_w);
    step->addresses[lane] = address;
    if (at)
        memcpy(word, at, sizeof *word);
    return at;
}

uint32_t simt_atomic_write(struct simt_block *block, const struct simt_step *step, unsigned lane,
                           unsigned char *at, uint32_t word, uint32_t value)
{
    struct simt_warp *warp = &block->warps[step->warp];
    const uint32_t address = step->addresses[lane], bit = 1u << lane;
    if (step->op == SIMT_lr_w) {
        warp->reservations[lane] = address;
        warp->reserved |= bit;
        note_reserved(block, step->warp);
        return word;
    }
    const bool fails =
        step->op == SIMT_sc_w && (!(warp->reserved & bit) || warp->reservations[lane] != address);
    if (!fails) {
        memcpy(at, &value, sizeof value);
        simt_drop_reservations(block, address);
    }
    if (step->op != SIMT_sc_w)
        return word;
    warp->reserved &= ~bit;
    note_reserved(block, step->warp);
    return fails;
}
