#include "workload/simt/processor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/simt/arithmetic.h"

enum { SINK = SIMT_REGISTERS /* takes what is written to x0 */ };
enum { START_SP = 2, START_RA = 1, START_A0 = 10 };

enum status simt_program_init(struct simt_program *program, struct simt_image *image,
                              const struct simt_setup *setup)
{
    const uint32_t count = image->text_size / 4;
    *program = (struct simt_program){.image = *image, .setup = *setup};
    *image = (struct simt_image){0};
    program->decoded = malloc((count + 1) * sizeof *program->decoded);
    if (!program->decoded) {
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
        const uint8_t kind =
            decoded.op < SIMT_OP_COUNT ? simt_instructions[decoded.op].kind : KIND_VALUE;
        if (kind == KIND_ROUNDED)
            decoded.imm = decoded.rounding;
        else if (kind == KIND_VALUE && decoded.rounding && decoded.rounding != 7)
            decoded.op = SIMT_OP_COUNT;
        program->decoded[i] = decoded;
    }
    return STATUS_OK;
}

void simt_program_free(struct simt_program *program)
{
    simt_image_free(&program->image);
    free(program->decoded);
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
    warp->together = true;
    warp->live = (1u << setup->lanes) - 1;
    if (setup->masks) /* as Vortex starts: the first lane of the first warp */
        warp->live = index ? 0 : 1;
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
    block->own = memory ? NULL : malloc(program->image.size + 1);
    block->memory = memory ? memory : block->own;
    block->stacks = calloc(setup->warps * setup->lanes, SIMT_STACK_BYTES);
    block->shared = calloc(1, SIMT_SHARED_BYTES);
    if (!block->memory || !block->stacks || !block->shared) {
        simt_block_free(block);
        *started = NULL;
        return STATUS_MEMORY;
    }
    if (block->own)
        memcpy(block->own, program->image.bytes, program->image.size);
    for (uint32_t i = 0; i < setup->warps; i++)
        start_warp(block, i, &block->warps[i]);
    return STATUS_OK;
}

void simt_block_free(struct simt_block *block)
{
    if (!block)
        return;
    free(block->own);
    free(block->stacks);
    free(block->shared);
    free(block);
}

static bool fault(struct simt_block *block, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fault(struct simt_block *block, const char *format, ...)
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

/* Where an address lies; NULL after a fault. */
static unsigned char *memory_at(struct simt_block *block, uint32_t address, uint32_t bytes,
                                bool store, bool *shared)
{
    const struct simt_image *image = &block->program->image;
    const struct simt_setup *setup = &block->program->setup;
    const uint32_t offset = address - image->base;
    if (address % bytes) {
        fault(block, "0x%x is no multiple of %u", address, bytes);
        return NULL;
    }
    if (offset < image->size) {
        if (store && address - image->text < image->text_size) {
            fault(block, "stores to 0x%x, which holds instructions", address);
            return NULL;
        }
        return block->memory + offset;
    }
    const uint32_t stacks = setup->warps * setup->lanes * SIMT_STACK_BYTES;
    const uint32_t below = address - (SIMT_STACK_TOP - (block->index + 1) * stacks);
    if (below < stacks)
        return block->stacks + below;
    if (address - SIMT_SHARED_BASE < SIMT_SHARED_BYTES) {
        *shared = true;
        return block->shared + (address - SIMT_SHARED_BASE);
    }
    fault(block, "accesses 0x%x, where there is no memory", address);
    return NULL;
}

static bool load(struct simt_block *block, struct simt_step *step, const uint32_t *bases,
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
static bool store(struct simt_block *block, struct simt_step *step, const uint32_t *bases,
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
        return fault(block, "csr 0x%x is not there", number);
    }
    return true;
}

/* Only reads: no register of this processor can be written. */
static bool execute_csr(struct simt_block *block, const struct simt_step *step,
                        const struct simt_decoded *decoded, uint32_t values[SIMT_LANES])
{
    memset(values, 0, SIMT_LANES * sizeof *values);
    const bool writes = decoded->op == SIMT_csrrw || decoded->op == SIMT_csrrwi;
    if (writes || decoded->s)
        return fault(block, "csr 0x%x cannot be written", decoded->imm);
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!read_csr(block, step, decoded->imm, lane, &values[lane]))
            return false;
    }
    return true;
}

/* Lets a barrier's warps go on once enough have come. */
static bool arrive(struct simt_block *block, uint32_t warp, uint32_t id, uint32_t count)
{
    if (id >= SIMT_BARRIERS)
        return fault(block, "barrier %u; there are %d", id, SIMT_BARRIERS);
    block->barriers[id] |= 1u << warp;
    block->warps[warp].waiting = true;
    if ((uint32_t)__builtin_popcount(block->barriers[id]) < count)
        return true;
    for (uint32_t i = 0; i < block->program->setup.warps; i++)
        if (block->barriers[id] >> i & 1) {
            block->warps[i].waiting = false;
            block->warps[i].parked = 0;
        }
    block->barriers[id] = 0;
    return true;
}

static bool execute_split(struct simt_block *block, struct simt_warp *warp,
                          const struct simt_step *step, const struct simt_decoded *decoded)
{
    const bool inverted = decoded->op == SIMT_vx_split_n;
    uint32_t then = 0;
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        then |= (uint32_t)((warp->registers[decoded->s][lane] != 0) != inverted) << lane;
    }
    const uint32_t other = step->mask & ~then, depth = warp->split_count;
    for (unsigned lane = 0; lane < SIMT_LANES; lane++)
        if (step->mask >> lane & 1)
            warp->registers[decoded->d][lane] = depth;
    if (!then || !other)
        return true; /* vx_join finds the depth that it was given and does nothing */
    if (depth == SIMT_SPLITS)
        return fault(block, "more than %d splits inside each other", SIMT_SPLITS);
    const bool first = __builtin_popcount(then) >= __builtin_popcount(other);
    warp->live = first ? then : other;
    warp->splits[warp->split_count++] =
        (struct simt_split){step->mask, first ? other : then, step->pc + 4, false};
    return true;
}

static void execute_join(struct simt_warp *warp, uint32_t depth, uint32_t *next)
{
    if (!warp->split_count || depth == warp->split_count)
        return;
    struct simt_split *top = &warp->splits[warp->split_count - 1];
    if (top->second) {
        warp->live = top->restored;
        warp->split_count--;
    } else {
        warp->live = top->other;
        *next = top->pc;
        top->second = true;
    }
}

static void spawn(struct simt_block *block, uint32_t count, uint32_t pc)
{
    for (uint32_t i = 1; i < count && i < block->program->setup.warps; i++)
        if (!block->warps[i].live) {
            block->warps[i].live = 1;
            block->warps[i].pc = pc;
        }
}

/* The instructions of Vortex with masks. The first active lane speaks for the warp. */
static bool execute_masks(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                          const struct simt_decoded *decoded, uint32_t *next)
{
    const unsigned first = (unsigned)__builtin_ctz(step->mask);
    const uint32_t a = warp->registers[decoded->s][first], b = warp->registers[decoded->t][first];
    const uint32_t all = (1u << block->program->setup.lanes) - 1;
    uint32_t kept = 0;
    switch (decoded->op) {
    case SIMT_vx_tmc:
        warp->live = a & all;
        break;
    case SIMT_vx_wspawn:
        spawn(block, a, b);
        break;
    case SIMT_vx_split:
    case SIMT_vx_split_n:
        return execute_split(block, warp, step, decoded);
    case SIMT_vx_join:
        execute_join(warp, a, next);
        break;
    case SIMT_vx_bar:
        step->arrived = true;
        return arrive(block, step->warp, a, b);
    default: /* vx_pred: lanes that fail wait until none is left; then b says which go on */
        for (unsigned lane = 0; lane < SIMT_LANES; lane++)
            kept |= (uint32_t)((warp->registers[decoded->s][lane] != 0) !=
                               (decoded->op == SIMT_vx_pred_n))
                    << lane;
        kept &= step->mask;
        warp->live = kept ? kept : b & all;
        break;
    }
    return true;
}

/* The same where each lane has a program counter: only barriers have a meaning. */
static bool execute_lanes(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                          const struct simt_decoded *decoded)
{
    if (decoded->op != SIMT_vx_bar)
        return fault(block, "%s needs masks; run the program with masks=1",
                     simt_instructions[decoded->op].name);
    const unsigned first = (unsigned)__builtin_ctz(step->mask);
    const uint32_t id = warp->registers[decoded->s][first];
    warp->parked |= step->mask;
    step->arrived = warp->parked == warp->live;
    if (!step->arrived)
        return true;
    return arrive(block, step->warp, id, warp->registers[decoded->t][first]);
}

/* Where lanes go that jump: all active ones, or those of `taken`. */
struct transfer {
    uint32_t taken;
    uint32_t targets[SIMT_LANES];
};

#define EACH_LANE for (unsigned lane = 0; lane < SIMT_LANES; lane++)

static void write_lanes(uint32_t *to, const uint32_t *values, uint32_t mask)
{
    if (mask == (1u << SIMT_LANES) - 1) {
        memcpy(to, values, SIMT_LANES * sizeof *to);
        return;
    }
    EACH_LANE to[lane] = mask >> lane & 1 ? values[lane] : to[lane];
}

/* The value of an instruction in every lane; inactive ones compute too, and nobody looks. */
#define EVALUATE(expression)                                                                       \
    EACH_LANE                                                                                      \
    {                                                                                              \
        const uint32_t a = s[lane], b = t[lane], c = r[lane];                                      \
        (void)a, (void)b, (void)c;                                                                 \
        values[lane] = (uint32_t)(expression);                                                     \
    }

#define DO_VALUE(expression)                                                                       \
    EVALUATE(expression)                                                                           \
    write_lanes(warp->registers[decoded->d], values, step->mask);                                  \
    return true;
#define DO_ROUNDED(expression) DO_VALUE(expression)
#define DO_LOAD(expression)                                                                        \
    if (!load(block, step, s, imm, raw))                                                           \
        return false;                                                                              \
    s = raw;                                                                                       \
    DO_VALUE(expression)
#define DO_STORE(expression) return store(block, step, s, imm, t);
#define DO_BRANCH(expression)                                                                      \
    EVALUATE(expression)                                                                           \
    EACH_LANE                                                                                      \
    {                                                                                              \
        transfer->taken |= (values[lane] & 1) << lane;                                             \
        transfer->targets[lane] = pc + imm;                                                        \
    }                                                                                              \
    transfer->taken &= step->mask;                                                                 \
    return true;
#define DO_JUMP(expression)                                                                        \
    EVALUATE(expression)                                                                           \
    memcpy(transfer->targets, values, sizeof values);                                              \
    transfer->taken = step->mask;                                                                  \
    EACH_LANE values[lane] = pc + 4;                                                               \
    write_lanes(warp->registers[decoded->d], values, step->mask);                                  \
    return true;
#define DO_FENCE(expression) return true;
#define DO_EXIT(expression)                                                                        \
    transfer->taken = step->mask;                                                                  \
    EACH_LANE transfer->targets[lane] = SIMT_EXIT;                                                 \
    return true;
#define DO_BREAK(expression) return fault(block, "ebreak");
#define DO_CSR(expression)                                                                         \
    if (!execute_csr(block, step, decoded, values))                                                \
        return false;                                                                              \
    write_lanes(warp->registers[decoded->d], values, step->mask);                                  \
    return true;
#define DO_WARPS(expression) return true; /* the caller's */

/* Executes all but the instructions of Vortex. */
static bool execute(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                    const struct simt_decoded *decoded, struct transfer *transfer)
{
    uint32_t values[SIMT_LANES], raw[SIMT_LANES] = {0};
    const uint32_t *s = warp->registers[decoded->s], *t = warp->registers[decoded->t];
    const uint32_t *r = warp->registers[decoded->r], imm = decoded->imm, pc = step->pc;
    /* NOLINTBEGIN(bugprone-branch-clone): instructions of a kind may be alike */
    switch (decoded->op) {
#define SIMT_CASE(id, name, operands, match, mask, kind, bytes, class, value)                      \
    case SIMT_##id:                                                                                \
        DO_##kind(value)
        SIMT_INSTRUCTION_LIST(SIMT_CASE)
#undef SIMT_CASE
    default:
        return fault(block, "0x%08x is no instruction of RV32IMF", decoded->imm);
    }
    /* NOLINTEND(bugprone-branch-clone) */
}

/* Moves the lanes of a warp that have no common program counter. */
static void scatter(struct simt_warp *warp, const struct simt_step *step,
                    const struct transfer *transfer)
{
    if (warp->together)
        EACH_LANE warp->pcs[lane] = warp->pc;
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const bool taken = transfer->taken >> lane & 1;
        warp->pcs[lane] = taken ? transfer->targets[lane] : step->pc + 4;
        if (taken && transfer->targets[lane] == SIMT_EXIT)
            warp->live &= ~(1u << lane);
    }
    uint32_t common = 0;
    warp->together = true;
    for (uint32_t rest = warp->live; rest; rest &= rest - 1) {
        const uint32_t pc = warp->pcs[__builtin_ctz(rest)];
        warp->together &= rest == warp->live || pc == common;
        common = pc;
    }
    warp->pc = common;
}

/* Ends or moves the active lanes behind an instruction. */
static bool advance(struct simt_block *block, struct simt_warp *warp, const struct simt_step *step,
                    const struct transfer *transfer)
{
    const bool whole = warp->together && step->mask == warp->live;
    if (!transfer->taken && whole) {
        warp->pc = step->pc + 4;
        return true;
    }
    const uint32_t target = transfer->taken ? transfer->targets[__builtin_ctz(transfer->taken)] : 0;
    bool same = transfer->taken == step->mask;
    for (uint32_t rest = transfer->taken; rest; rest &= rest - 1)
        same &= transfer->targets[__builtin_ctz(rest)] == target;
    if (same && whole) {
        warp->pc = target;
        if (target == SIMT_EXIT)
            warp->live = 0;
        return true;
    }
    if (block->program->setup.masks)
        return fault(block, "lanes of warp %u part here; split them first", step->warp);
    scatter(warp, step, transfer);
    return true;
}

/* The lanes that issue next: with the lowest program counter of those that do not wait. */
static uint32_t lowest_lanes(const struct simt_warp *warp, uint32_t *pc)
{
    const uint32_t ready = warp->live & ~warp->parked;
    uint32_t lanes = 0;
    *pc = UINT32_MAX;
    for (uint32_t rest = ready; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (warp->pcs[lane] < *pc) {
            *pc = warp->pcs[lane];
            lanes = 0;
        }
        if (warp->pcs[lane] == *pc)
            lanes |= 1u << lane;
    }
    return lanes;
}

/* A warp whose remaining lanes all wait at a barrier, because the others ended on the way, comes
 * to the barrier late: the first waiting lane says to which. */
static bool arrive_late(struct simt_block *block, uint32_t index)
{
    struct simt_warp *warp = &block->warps[index];
    if (!warp->live || warp->waiting || warp->parked != warp->live)
        return true;
    const unsigned lane = (unsigned)__builtin_ctz(warp->parked);
    const uint32_t at = warp->together ? warp->pc : warp->pcs[lane];
    const struct simt_image *image = &block->program->image;
    const struct simt_decoded *bar = &block->program->decoded[(at - 4 - image->text) / 4];
    return arrive(block, index, warp->registers[bar->s][lane], warp->registers[bar->t][lane]);
}

static bool issue(struct simt_block *block, struct simt_step *step)
{
    const struct simt_program *program = block->program;
    struct simt_warp *warp = &block->warps[step->warp];
    step->pc = warp->pc;
    step->mask = warp->live & ~warp->parked;
    if (!warp->together)
        step->mask = lowest_lanes(warp, &step->pc);
    block->fault_pc = step->pc;
    const uint32_t index = (step->pc - program->image.text) / 4;
    if (step->pc % 4 || index >= program->image.text_size / 4)
        return fault(block, "there are no instructions");
    const struct simt_decoded *decoded = &program->decoded[index];
    struct transfer transfer;
    transfer.taken = 0;
    step->op = decoded->op;
    step->shared = step->arrived = step->ended = false;
    step->bytes = 0;
    if (decoded->op < SIMT_OP_COUNT && simt_instructions[decoded->op].kind == KIND_WARPS) {
        uint32_t next = step->pc + 4;
        if (program->setup.masks) {
            if (!execute_masks(block, warp, step, decoded, &next))
                return false;
            warp->pc = next;
            step->ended = !warp->live;
            return true;
        }
        return execute_lanes(block, warp, step, decoded) && advance(block, warp, step, &transfer);
    }
    if (decoded->op < SIMT_OP_COUNT)
        step->bytes = simt_instructions[decoded->op].bytes;
    if (!execute(block, warp, step, decoded, &transfer) || !advance(block, warp, step, &transfer))
        return false;
    if (!transfer.taken)
        return true;
    step->ended = !(step->mask & warp->live);
    return arrive_late(block, step->warp);
}

enum simt_result simt_block_step(struct simt_block *block, struct simt_step *step)
{
    const uint32_t warps = block->program->setup.warps;
    bool left = false;
    for (uint32_t tried = 0; tried < warps; tried++) {
        const uint32_t index = block->next;
        const struct simt_warp *warp = &block->warps[index];
        block->next = index + 1 < warps ? index + 1 : 0;
        left |= warp->live != 0;
        if (!warp->live || warp->waiting)
            continue;
        step->warp = index;
        if (block->issued++ >= block->program->setup.limit) {
            fault(block, "the block has issued %llu instructions, its limit",
                  (unsigned long long)block->program->setup.limit);
            return SIMT_FAULT;
        }
        return issue(block, step) ? SIMT_RAN : SIMT_FAULT;
    }
    if (left)
        fault(block, "all warps that are left wait at barriers");
    return left ? SIMT_FAULT : SIMT_ENDED;
}
