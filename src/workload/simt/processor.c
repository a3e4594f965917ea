#include "workload/simt/processor_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SINK = SIMT_REGISTERS /* takes what is written to x0 */ };
enum { START_SP = 2, START_RA = 1, START_A0 = 10 };

/* Lists what of the image is not 0. */
static enum status find_filled(struct simt_program *program)
{
    static const unsigned char zeros[SIMT_PAGE];
    const struct simt_image *image = &program->image;
    program->filled = malloc((image->size / SIMT_PAGE / 2 + 1) * sizeof *program->filled);
    if (!program->filled)
        return STATUS_MEMORY;
    struct simt_range *last = NULL;
    for (uint32_t at = 0; at < image->size; at += SIMT_PAGE) {
        const uint32_t left = image->size - at, size = left < SIMT_PAGE ? left : SIMT_PAGE;
        if (!memcmp(image->bytes + at, zeros, size))
            continue;
        if (!last || last->first + last->size < at) {
            last = &program->filled[program->filled_count++];
            *last = (struct simt_range){.first = at};
        }
        last->size += size;
    }
    return STATUS_OK;
}

/* Whether nobody but the warp itself notices when an instruction at `pc` is executed. */
static bool is_alone(const struct simt_decoded *decoded, uint32_t pc)
{
    if (decoded->op == SIMT_OP_COUNT)
        return false;
    const bool jumps = decoded->kind == KIND_BRANCH || decoded->op == SIMT_jal;
    return decoded->kind == KIND_VALUE || decoded->kind == KIND_ROUNDED ||
           (jumps && pc + decoded->imm != SIMT_EXIT);
}

enum status simt_program_init(struct simt_program *program, struct simt_image *image,
                              const struct simt_setup *setup)
{
    const uint32_t count = image->text_size / 4;
    *program = (struct simt_program){.image = *image, .setup = *setup};
    *image = (struct simt_image){0};
    program->decoded = malloc((count + 1) * sizeof *program->decoded);
    if (!program->decoded || find_filled(program) || simt_spares_create(program)) {
        simt_program_free(program);
        return STATUS_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word;
        const uint32_t at = program->image.text - program->image.base + 4 * i;
        memcpy(&word, program->image.bytes + at, sizeof word);
        struct simt_decoded decoded = simt_decode(word);
        decoded.d = decoded.d ? decoded.d : SINK;
        /* Values that do not ask for it round to nearest only, which is what the register says. */
        if (decoded.kind == KIND_ROUNDED)
            decoded.imm = decoded.rounding;
        else if (decoded.kind == KIND_VALUE && decoded.rounding && decoded.rounding != 7)
            decoded.op = SIMT_OP_COUNT;
        decoded.alone = is_alone(&decoded, program->image.text + 4 * i);
        program->decoded[i] = decoded;
    }
    return STATUS_OK;
}

void simt_program_free(struct simt_program *program)
{
    simt_spares_free(program);
    simt_image_free(&program->image);
    free(program->decoded);
    free(program->filled);
    *program = (struct simt_program){0};
}

static void start_warp(const struct simt_block *block, uint32_t index, struct simt_warp *warp)
{
    const struct simt_setup *setup = &block->program->setup;
    const uint32_t lanes = setup->warps * setup->lanes;
    for (uint32_t lane = 0; lane < setup->lanes; lane++) {
        const uint32_t thread = index * setup->lanes + lane;
        const uint32_t starts[] = {thread, lanes, block->index, setup->blocks};
        for (uint32_t i = 0; i < sizeof starts / sizeof *starts; i++)
            warp->registers[START_A0 + i][lane] = starts[i];
        warp->registers[START_SP][lane] =
            SIMT_STACK_TOP - (block->index * lanes + thread) * SIMT_STACK_BYTES;
        warp->registers[START_RA][lane] = SIMT_EXIT;
    }
    warp->pc = block->program->image.entry;
    warp->until = UINT32_MAX;
    warp->live = (1u << setup->lanes) - 1;
    if (setup->masks) /* as Vortex starts: the first lane of the first warp */
        warp->live = index ? 0 : 1;
    warp->active = warp->live;
}

enum status simt_block_start(struct simt_block **started, const struct simt_program *program,
                             uint32_t index, unsigned char *memory)
{
    const struct simt_setup *setup = &program->setup;
    struct simt_block *block = aligned_alloc(32, (sizeof *block + 31) / 32 * 32);
    *started = block;
    if (!block)
        return STATUS_MEMORY;
    memset(block, 0, sizeof *block);
    block->program = program;
    block->index = index;
    block->vectors = simt_has_vectors();
    if (simt_memory_take(block, memory)) {
        free(block);
        *started = NULL;
        return STATUS_MEMORY;
    }
    for (uint32_t i = 0; i < setup->warps; i++) {
        start_warp(block, i, &block->warps[i]);
        simt_note_ready(block, i);
    }
    return STATUS_OK;
}

void simt_block_free(struct simt_block *block)
{
    if (!block)
        return;
    simt_memory_give(block);
    free(block);
}

bool simt_fault(struct simt_block *block, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(block->fault, sizeof block->fault, format, arguments);
    va_end(arguments);
    return false;
}

enum status simt_block_fault(const struct simt_block *block, struct diagnostics *diagnostics)
{
    const struct simt_image *image = &block->program->image;
    char source[128];
    struct place place = {.file = image->name,
                          .line = simt_image_line(image, block->fault_pc, source, sizeof source),
                          .column = 1,
                          .source = source};
    const struct simt_symbol *symbol = simt_symbol_before(image, block->fault_pc);
    diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "at 0x%x%s%s%s in block %u: %s",
                    block->fault_pc, symbol ? " (" : "", symbol ? symbol->name : "",
                    symbol ? ")" : "", block->index, block->fault);
    return STATUS_INVALID;
}

/* Where an address lies, which a store makes dirty; NULL after a fault. */
static unsigned char *memory_at(struct simt_block *block, uint32_t address, uint32_t bytes,
                                bool store, bool *shared)
{
    const struct simt_image *image = &block->program->image;
    const struct simt_setup *setup = &block->program->setup;
    const uint32_t offset = address - image->base;
    if (address % bytes) {
        simt_fault(block, "0x%x is no multiple of %u", address, bytes);
        return NULL;
    }
    if (offset < image->size) {
        if (store && address - image->text < image->text_size) {
            simt_fault(block, "stores to 0x%x, which holds instructions", address);
            return NULL;
        }
        block->dirty[offset / SIMT_PAGE] |= store;
        return block->memory + offset;
    }
    const uint32_t stacks = setup->warps * setup->lanes * SIMT_STACK_BYTES;
    const uint32_t below = address - (SIMT_STACK_TOP - (block->index + 1) * stacks);
    if (below < stacks) {
        block->dirty[simt_image_pages(image) + below / SIMT_PAGE] |= store;
        return block->stacks + below;
    }
    if (address - SIMT_SHARED_BASE < SIMT_SHARED_BYTES) {
        *shared = true;
        block->dirty[simt_image_pages(image) + (stacks + address - SIMT_SHARED_BASE) / SIMT_PAGE] |=
            store;
        return block->shared + (address - SIMT_SHARED_BASE);
    }
    simt_fault(block, "accesses 0x%x, where there is no memory", address);
    return NULL;
}

bool simt_load(struct simt_block *block, struct simt_step *step, const uint32_t *bases,
               uint32_t imm, uint32_t values[SIMT_LANES])
{
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint32_t address = bases[lane] + imm;
        const unsigned char *at = memory_at(block, address, step->bytes, false, &step->shared);
        if (!at)
            return false;
        step->addresses[lane] = address;
        uint16_t half;
        switch (step->bytes) {
        case 1:
            values[lane] = *at;
            break;
        case 2:
            memcpy(&half, at, sizeof half);
            values[lane] = half;
            break;
        default:
            memcpy(&values[lane], at, sizeof values[lane]);
            break;
        }
    }
    return true;
}

/* Lanes store in their order, so that of two that store to one place the higher one wins. */
bool simt_store(struct simt_block *block, struct simt_step *step, const uint32_t *bases,
                uint32_t imm, const uint32_t *values)
{
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint32_t address = bases[lane] + imm;
        unsigned char *at = memory_at(block, address, step->bytes, true, &step->shared);
        if (!at)
            return false;
        step->addresses[lane] = address;
        memcpy(at, &values[lane], step->bytes);
    }
    return true;
}

/* The value of a control and status register in a lane. */
static bool read_csr(struct simt_block *block, const struct simt_step *step, uint32_t number,
                     unsigned lane, uint32_t *value)
{
    const struct simt_setup *setup = &block->program->setup;
    uint32_t active = 0;
    for (uint32_t i = 0; i < setup->warps; i++)
        active |= (block->warps[i].live != 0) << i;
    switch (number) {
    case CSR_LANE:
        *value = lane;
        break;
    case CSR_WARP:
        *value = step->warp;
        break;
    case CSR_BLOCK:
        *value = block->index;
        break;
    case CSR_WARP_MASK:
        *value = active;
        break;
    case CSR_LANE_MASK:
        *value = step->mask;
        break;
    case CSR_LANES:
        *value = setup->lanes;
        break;
    case CSR_WARPS:
        *value = setup->warps;
        break;
    case CSR_BLOCKS:
        *value = setup->blocks;
        break;
    case CSR_HARTID:
        *value = (block->index * setup->warps + step->warp) * setup->lanes + lane;
        break;
    case CSR_CYCLE:
    case CSR_INSTRET:
        *value = (uint32_t)block->issued;
        break;
    default:
        return simt_fault(block, "csr 0x%x is not there", number);
    }
    return true;
}

/* Only reads: no register of this processor can be written. */
bool simt_execute_csr(struct simt_block *block, const struct simt_step *step,
                      const struct simt_decoded *decoded, uint32_t values[SIMT_LANES])
{
    memset(values, 0, SIMT_LANES * sizeof *values);
    const bool writes = decoded->op == SIMT_csrrw || decoded->op == SIMT_csrrwi;
    if (writes || decoded->s)
        return simt_fault(block, "csr 0x%x cannot be written", decoded->imm);
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!read_csr(block, step, decoded->imm, lane, &values[lane]))
            return false;
    }
    return true;
}
