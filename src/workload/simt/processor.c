#include "workload/simt/processor_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SINK = SIMT_REGISTERS /* takes what is written to x0 */ };
enum { AFTER_LAST = 2 /* places after the last one to which it may lead: no instructions */ };
enum { START_RA = 1, START_SP = 2, START_GP = 3, START_A0 = 10 };

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
    switch (decoded->kind) {
    case KIND_VALUE:
        return true;
    case KIND_FLOAT:
    case KIND_ROUNDED: /* frm may hold a mode that is reserved */
        return !decoded->exact || decoded->rounding != ROUND_DYNAMIC;
    case KIND_BRANCH:
        return pc + decoded->imm != SIMT_EXIT;
    case KIND_JUMP:
        return decoded->op == SIMT_jal && pc + decoded->imm != SIMT_EXIT;
    default:
        return false;
    }
}

/* Completes an instruction for execution: no mode of rounding that is reserved, and the host
 * computes what it can. */
static void processor_prepare(const struct simt_program *program, uint32_t place,
                              struct simt_decoded *decoded)
{
    const uint32_t pc = simt_pc_of(&program->image, place);
    const bool rounds = decoded->kind == KIND_FLOAT || decoded->kind == KIND_ROUNDED;
    if (rounds && !simt_roundings[decoded->rounding])
        *decoded = (struct simt_decoded){
            .op = SIMT_OP_COUNT, .imm = simt_word_at(&program->image, place, &decoded->size)};
    if (decoded->op == SIMT_OP_COUNT)
        return;
    decoded->d = decoded->d ? decoded->d : SINK;
    if (decoded->kind == KIND_ROUNDED)
        decoded->imm = decoded->rounding;
    decoded->exact =
        rounds && (program->reads_floats || (decoded->kind == KIND_FLOAT && decoded->rounding &&
                                             decoded->rounding != ROUND_DYNAMIC));
    decoded->alone = is_alone(decoded, pc);
    decoded->plain = decoded->alone && !decoded->exact;
}

/* Stacks lie below their usual top, or below a program that wants to be there. Programs are so
 * small that there is room. */
static uint32_t find_stack_top(const struct simt_image *image, const struct simt_setup *setup)
{
    const uint32_t bottom = SIMT_STACK_TOP - setup->blocks * simt_stacks_size(setup);
    const bool apart = image->base >= SIMT_STACK_TOP || image->base + image->size <= bottom;
    return apart ? SIMT_STACK_TOP : image->base / SIMT_PAGE * SIMT_PAGE - SIMT_ABOVE_STACKS;
}

enum { START_NAME = 32 };

/* The symbol of a block: "_start_1", "_start_1_s0"; NULL: there is none. */
static const struct simt_symbol *symbol_of_block(const struct simt_image *image, const char *name,
                                                 uint32_t block, const char *more)
{
    char text[START_NAME];
    snprintf(text, sizeof text, "%s_%u%s%s", name, block, *more ? "_" : "", more);
    return simt_symbol_find(image, text);
}

/* As a host sets a block up before it starts it. */
static void find_start(const struct simt_image *image, uint32_t block, struct simt_start *start)
{
    const struct simt_symbol *symbol = symbol_of_block(image, "_start", block, "");
    if (!symbol)
        symbol = symbol_of_block(image, "main", block, "");
    start->pc = symbol ? symbol->value : image->entry;
    for (uint32_t i = 1; i < SIMT_REGISTERS; i++) {
        symbol = symbol_of_block(image, "_start", block, simt_registers[i]);
        start->given |= (uint64_t)(symbol != NULL) << i;
        start->registers[i] = symbol ? symbol->value : 0;
    }
}

enum status simt_program_init(struct simt_program *program, struct simt_image *image,
                              const struct simt_setup *setup)
{
    const uint32_t count = simt_places(image);
    *program = (struct simt_program){.image = *image, .setup = *setup};
    *image = (struct simt_image){0};
    /* Linkers that relax address small data from here, and expect who starts the program to know.
     */
    const struct simt_symbol *pointer = simt_symbol_find(&program->image, "__global_pointer$");
    program->global_pointer = pointer ? pointer->value : 0;
    for (uint32_t i = 0; i < SIMT_BLOCKS; i++)
        find_start(&program->image, i, &program->starts[i]);
    program->stack_top = find_stack_top(&program->image, setup);
    program->decoded = calloc(count + AFTER_LAST, sizeof *program->decoded);
    if (!program->decoded || find_filled(program) || simt_spares_create(program)) {
        simt_program_free(program);
        return STATUS_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint8_t size;
        struct simt_decoded decoded = simt_decode(simt_word_at(&program->image, i, &size));
        decoded.size = size;
        decoded.places = (uint8_t)(size >> program->image.place_shift);
        program->decoded[i] = decoded;
        program->reads_floats |= decoded.kind == KIND_CSR && simt_csr_of_floats(decoded.imm);
    }
    for (uint32_t i = 0; i < count; i++)
        processor_prepare(program, i, &program->decoded[i]);
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
    const struct simt_start *start = &block->program->starts[block->index];
    const uint32_t lanes = setup->warps * setup->lanes;
    for (uint32_t lane = 0; lane < setup->lanes; lane++) {
        const uint32_t thread = index * setup->lanes + lane;
        const uint32_t starts[] = {thread, lanes, block->index, setup->blocks};
        for (uint32_t i = 0; i < sizeof starts / sizeof *starts; i++)
            warp->registers[START_A0 + i][lane] = starts[i];
        warp->registers[START_SP][lane] =
            block->program->stack_top - (block->index * lanes + thread) * setup->stack;
        warp->registers[START_RA][lane] = SIMT_EXIT;
        warp->registers[START_GP][lane] = block->program->global_pointer;
        for (uint64_t left = start->given; left; left &= left - 1)
            warp->registers[__builtin_ctzll(left)][lane] = start->registers[__builtin_ctzll(left)];
    }
    warp->pc = start->pc;
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

/* Whether a lane accesses what its stack pointer claims, but its stack no longer has. */
static bool is_overflow(const struct simt_block *block, const struct simt_step *step, unsigned lane,
                        uint32_t address)
{
    const struct simt_setup *setup = &block->program->setup;
    const uint32_t pointer = block->warps[step->warp].registers[START_SP][lane];
    const uint32_t thread = step->warp * setup->lanes + lane;
    const uint32_t bottom = block->program->stack_top - block->index * simt_stacks_size(setup) -
                            (thread + 1) * setup->stack;
    return address >= pointer && address < bottom && bottom - pointer <= SIMT_IMAGE_MAX;
}

unsigned char *simt_memory_at(struct simt_block *block, struct simt_step *step, unsigned lane,
                              uint32_t address, bool store)
{
    const struct simt_image *image = &block->program->image;
    const struct simt_setup *setup = &block->program->setup;
    const uint32_t offset = address - image->base;
    if (address % step->bytes) {
        simt_fault(block, "0x%x is no multiple of %u", address, step->bytes);
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
    if (is_overflow(block, step, lane, address)) {
        simt_fault(
            block,
            "the stack of lane %u in warp %u ends: 0x%x lies below its %u bytes; stack=BYTES "
            "gives it more",
            lane, step->warp, address, setup->stack);
        return NULL;
    }
    const uint32_t stacks = simt_stacks_size(setup);
    const uint32_t below = address - (block->program->stack_top - (block->index + 1) * stacks);
    if (below < stacks + SIMT_ABOVE_STACKS) {
        block->dirty[simt_image_pages(image) + below / SIMT_PAGE] |= store;
        return block->stacks + below;
    }
    const uint32_t shared = address - SIMT_SHARED_BASE;
    if (shared < SIMT_SHARED_BYTES) {
        step->shared = true;
        block->dirty[simt_image_pages(image) + (stacks + SIMT_ABOVE_STACKS + shared) / SIMT_PAGE] |=
            store;
        return block->shared + shared;
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
        const unsigned char *at = simt_memory_at(block, step, lane, address, false);
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
        unsigned char *at = simt_memory_at(block, step, lane, address, true);
        if (!at)
            return false;
        step->addresses[lane] = address;
        memcpy(at, &values[lane], step->bytes);
        simt_drop_reservations(block, address);
    }
    return true;
}
