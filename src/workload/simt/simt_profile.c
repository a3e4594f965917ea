#include "workload/simt/simt_profile.h"

#include <stdlib.h>
#include <string.h>

#include "workload/simt/disassembler.h"

static void count_step(const struct simt_program *program, const struct simt_step *step,
                       struct simt_profile *profile)
{
    const uint32_t index = simt_place_of(&program->image, step->pc);
    const unsigned lanes = (unsigned)__builtin_popcount(step->mask);
    const uint8_t kind = simt_instructions[step->op].kind;
    profile->issued++;
    profile->lanes += lanes;
    profile->loads += kind == KIND_LOAD;
    profile->stores += kind == KIND_STORE;
    profile->atomics += kind == KIND_ATOMIC;
    profile->shared += step->shared;
    profile->pcs[index].issued++;
    profile->pcs[index].lanes += lanes;
    switch (simt_transfer(&program->decoded[index])) {
    case TRANSFER_JUMP:
        profile->jumps++;
        break;
    case TRANSFER_CALL:
        profile->calls++;
        break;
    case TRANSFER_RETURN:
        profile->returns++;
        break;
    case TRANSFER_NONE:
        break;
    }
}

static enum status run_block(const struct simt_program *program, uint32_t index,
                             unsigned char *memory, const atomic_bool *cancel,
                             struct simt_profile *profile, struct diagnostics *diagnostics)
{
    enum { LOOKS = 4096 }; /* steps between two looks at `cancel` */
    struct simt_block *block;
    struct simt_step step;
    enum simt_result result = SIMT_RAN;
    enum status status = simt_block_start(&block, program, index, memory);
    while (!status && (result = simt_block_step(block, &step)) == SIMT_RAN) {
        count_step(program, &step, profile);
        if (cancel && profile->issued % LOOKS == 0 &&
            atomic_load_explicit(cancel, memory_order_relaxed))
            status = STATUS_CANCELLED;
    }
    if (!status && result == SIMT_FAULT)
        status = simt_block_fault(block, diagnostics);
    simt_block_free(block);
    return status;
}

enum status simt_profile_run(const struct simt_program *program, unsigned char *memory,
                             const atomic_bool *cancel, struct simt_profile *profile,
                             struct diagnostics *diagnostics)
{
    const struct simt_image *image = &program->image;
    unsigned char *own = memory ? NULL : malloc(image->size + 1);
    *profile = (struct simt_profile){.pcs = calloc(simt_places(image) + 1, sizeof *profile->pcs)};
    enum status status = profile->pcs && (memory || own) ? STATUS_OK : STATUS_MEMORY;
    if (!status && own)
        memcpy(own, image->bytes, image->size);
    for (uint32_t i = 0; i < program->setup.blocks && !status; i++)
        status = run_block(program, i, memory ? memory : own, cancel, profile, diagnostics);
    free(own);
    return status;
}

void simt_profile_free(struct simt_profile *profile)
{
    free(profile->pcs);
    profile->pcs = NULL;
}

double simt_efficiency(const struct simt_program *program, uint64_t issued, uint64_t lanes)
{
    return issued ? (double)lanes / ((double)issued * program->setup.lanes) : 0;
}

uint32_t simt_profile_text(const struct simt_program *program, size_t index, char *text)
{
    const struct simt_image *image = &program->image;
    const uint32_t pc = simt_pc_of(image, (uint32_t)index);
    uint8_t size;
    simt_disassemble(simt_word_at(image, (uint32_t)index, &size), pc, text);
    return pc;
}
