#include "support/slow_simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/simt/arithmetic.h"
#include "workload/simt/exact_float.h"

/* A lane starts as symbols of its block say: "_start_1" or "main_1", and "_start_1_a5". */
static void start_as_said(const struct simt_program *program, uint32_t index,
                          struct slow_lane *lane)
{
    static const char *const places[] = {"main", "_start"};
    char name[64];
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s_%u", places[i], index);
        if (simt_symbol_find(&program->image, name))
            lane->pc = simt_symbol_find(&program->image, name)->value;
    }
    for (unsigned r = 1; r < SIMT_REGISTERS; r++) {
        snprintf(name, sizeof name, "_start_%u_%s", index, simt_registers[r]);
        if (simt_symbol_find(&program->image, name))
            lane->registers[r] = simt_symbol_find(&program->image, name)->value;
    }
}

void slow_simt_start(struct slow_simt *slow, const struct simt_program *program, uint32_t index)
{
    const struct simt_setup *setup = &program->setup;
    const uint32_t threads = setup->warps * setup->lanes;
    *slow = (struct slow_simt){.program = program, .index = index};
    slow->memory = malloc(program->image.size + 1);
    slow->stacks = calloc(1, threads * setup->stack + SIMT_ABOVE_STACKS);
    slow->shared = calloc(1, SIMT_SHARED_BYTES);
    memcpy(slow->memory, program->image.bytes, program->image.size);
    for (uint32_t thread = 0; thread < threads; thread++) {
        struct slow_lane *lane = &slow->lanes[thread / setup->lanes][thread % setup->lanes];
        lane->live = true;
        lane->pc = program->image.entry;
        lane->registers[1] = SIMT_EXIT;
        lane->registers[2] = program->stack_top - (index * threads + thread) * setup->stack;
        lane->registers[3] = program->global_pointer;
        lane->registers[10] = thread;
        lane->registers[11] = threads;
        lane->registers[12] = index;
        lane->registers[13] = setup->blocks;
        start_as_said(program, index, lane);
    }
}

void slow_simt_free(struct slow_simt *slow)
{
    free(slow->memory);
    free(slow->stacks);
    free(slow->shared);
}

static uint32_t lanes_that(const struct slow_simt *slow, uint32_t warp, bool parked)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        if (slow->lanes[warp][i].live && (!parked || slow->lanes[warp][i].parked))
            mask |= 1u << i;
    return mask;
}

static unsigned char *place_of(struct slow_simt *slow, uint32_t address, bool store, bool *shared)
{
    const struct simt_image *image = &slow->program->image;
    const struct simt_setup *setup = &slow->program->setup;
    const uint32_t stacks = setup->warps * setup->lanes * setup->stack;
    const uint32_t below = address - (slow->program->stack_top - (slow->index + 1) * stacks);
    if (store && address - image->text < image->text_size)
        return NULL;
    if (address - image->base < image->size)
        return slow->memory + (address - image->base);
    if (below < stacks + SIMT_ABOVE_STACKS)
        return slow->stacks + below;
    *shared = address - SIMT_SHARED_BASE < SIMT_SHARED_BYTES;
    return *shared ? slow->shared + (address - SIMT_SHARED_BASE) : NULL;
}

/* Whether an address lies between a lane's stack pointer and the lowest byte of its stack. */
static bool is_overflow(const struct slow_simt *slow, uint32_t warp, uint32_t lane,
                        uint32_t address)
{
    const struct simt_image *image = &slow->program->image;
    const struct simt_setup *setup = &slow->program->setup;
    const uint32_t pointer = slow->lanes[warp][lane].registers[2];
    const uint32_t before = (slow->index * setup->warps + warp) * setup->lanes + lane;
    const uint32_t bottom = slow->program->stack_top - (before + 1) * setup->stack;
    const bool in_image = address - image->base < image->size;
    return !in_image && pointer <= address && address < bottom &&
           bottom - pointer <= SIMT_IMAGE_MAX;
}

/* Nobody's lr.w holds the word of an address any longer. */
static void drop_reservations(struct slow_simt *slow, uint32_t address)
{
    for (uint32_t w = 0; w < SIMT_WARPS; w++)
        for (uint32_t i = 0; i < SIMT_LANES; i++)
            if (slow->lanes[w][i].reservation / 4 == address / 4)
                slow->lanes[w][i].reserved = false;
}

/* Loads or stores in one lane; false: a fault. */
static bool access_memory(struct slow_simt *slow, struct simt_step *step, uint32_t number,
                          uint32_t address, bool store, uint32_t *value)
{
    unsigned char *at = place_of(slow, address, store, &step->shared);
    if (address % step->bytes || !at || is_overflow(slow, step->warp, number, address))
        return false;
    if (store) {
        memcpy(at, value, step->bytes);
        drop_reservations(slow, address);
    } else {
        *value = 0;
        memcpy(value, at, step->bytes);
    }
    return true;
}

static bool arrive(struct slow_simt *slow, uint32_t warp, uint32_t id, uint32_t count)
{
    if (id >= SIMT_BARRIERS)
        return false;
    slow->barriers[id] |= 1u << warp;
    slow->waiting[warp] = true;
    if ((uint32_t)__builtin_popcount(slow->barriers[id]) < count)
        return true;
    for (uint32_t i = 0; i < SIMT_WARPS; i++) {
        if (!(slow->barriers[id] >> i & 1))
            continue;
        slow->waiting[i] = false;
        for (uint32_t k = 0; k < SIMT_LANES; k++)
            slow->lanes[i][k].parked = false;
    }
    slow->barriers[id] = 0;
    return true;
}

/* A warp comes to the barrier of its first waiting lane once all its lanes wait. */
static bool arrive_if_all(struct slow_simt *slow, uint32_t warp, bool *arrived)
{
    const uint32_t parked = lanes_that(slow, warp, true);
    *arrived = parked && parked == lanes_that(slow, warp, false);
    if (!*arrived)
        return true;
    const struct slow_lane *lane = &slow->lanes[warp][__builtin_ctz(parked)];
    const struct simt_image *image = &slow->program->image;
    const struct simt_decoded *bar = &slow->program->decoded[simt_place_of(image, lane->pc - 4)];
    return arrive(slow, warp, lane->registers[bar->s], lane->registers[bar->t]);
}

static bool read_csr(const struct slow_simt *slow, const struct simt_step *step, uint32_t number,
                     uint32_t lane, uint32_t *value)
{
    const struct simt_setup *setup = &slow->program->setup;
    switch (number) {
    case CSR_LANE:
        *value = lane;
        return true;
    case CSR_LANE_MASK:
        *value = step->mask;
        return true;
    case CSR_WARPS:
        *value = setup->warps;
        return true;
    case CSR_CYCLE:
        *value = (uint32_t)slow->issued;
        return true;
    case CSR_WARP_MASK:
        *value = 0;
        for (uint32_t i = 0; i < setup->warps; i++)
            *value |= (uint32_t)(lanes_that(slow, i, false) != 0) << i;
        return true;
    default:
        return false;
    }
}

static uint32_t evaluate(const struct simt_decoded *decoded, uint32_t pc, uint32_t a, uint32_t b,
                         uint32_t c)
{
    const uint32_t imm = decoded->imm;
    /* NOLINTBEGIN(bugprone-branch-clone): instructions of a kind may be alike */
    switch (decoded->op) {
#define SIMT_CASE(id, name, operands, match, mask, kind, bytes, class, value)                      \
    case SIMT_##id:                                                                                \
        return (uint32_t)(value);
        SIMT_INSTRUCTION_LIST(SIMT_CASE)
#undef SIMT_CASE
    default:
        return 0;
    }
    /* NOLINTEND(bugprone-branch-clone) */
}

/* An atomic in one lane, made of a load and a store. */
static bool execute_atomic(struct slow_simt *slow, struct simt_step *step,
                           const struct simt_decoded *decoded, uint32_t number, uint32_t *result)
{
    struct slow_lane *lane = &slow->lanes[step->warp][number];
    const uint32_t address = lane->registers[decoded->s], operand = lane->registers[decoded->t];
    uint32_t word;
    bool unused = false;
    step->addresses[number] = address;
    if (!access_memory(slow, step, number, address, false, &word) ||
        (decoded->op != SIMT_lr_w && !place_of(slow, address, true, &unused)))
        return false;
    *result = word;
    if (decoded->op == SIMT_lr_w) {
        lane->reserved = true;
        lane->reservation = address;
        return true;
    }
    if (decoded->op == SIMT_sc_w) {
        *result = !lane->reserved || lane->reservation != address;
        word = operand;
        lane->reserved = false;
        return *result || access_memory(slow, step, number, address, true, &word);
    }
    word = evaluate(decoded, step->pc, word, operand, 0);
    return access_memory(slow, step, number, address, true, &word);
}

/* fflags are the low 5 bits of fcsr, frm the 3 above them. */
static bool execute_csr(struct slow_simt *slow, const struct simt_step *step,
                        const struct simt_decoded *decoded, uint32_t number, uint32_t *value)
{
    struct slow_lane *lane = &slow->lanes[step->warp][number];
    const uint32_t before = lane->fcsr, csr = decoded->imm;
    const bool immediate = strchr(simt_instructions[decoded->op].operands, 'Z');
    const uint32_t operand = immediate ? decoded->s : lane->registers[decoded->s];
    const bool swap = decoded->op == SIMT_csrrw || decoded->op == SIMT_csrrwi;
    if (csr == CSR_FCSR)
        *value = before;
    else if (csr == CSR_FRM)
        *value = before / 32;
    else if (csr == CSR_FFLAGS)
        *value = before % 32;
    else
        return !swap && !decoded->s && read_csr(slow, step, csr, number, value);
    uint32_t after = operand;
    if (decoded->op == SIMT_csrrs || decoded->op == SIMT_csrrsi)
        after = *value | operand;
    if (decoded->op == SIMT_csrrc || decoded->op == SIMT_csrrci)
        after = *value & ~operand;
    if (csr == CSR_FCSR)
        lane->fcsr = after % 256;
    else if (csr == CSR_FRM)
        lane->fcsr = after % 8 * 32 + before % 32;
    else
        lane->fcsr = before / 32 * 32 + after % 32;
    return true;
}

static bool execute_float(struct slow_lane *lane, const struct simt_decoded *decoded,
                          uint32_t *value)
{
    struct float_control control = {.rounding = decoded->rounding == 7 ? lane->fcsr / 32
                                                                       : decoded->rounding};
    if (control.rounding > 4)
        return false;
    *value = exact_float(decoded->op, lane->registers[decoded->s], lane->registers[decoded->t],
                         lane->registers[decoded->r], &control);
    lane->fcsr |= control.flags;
    return true;
}

/* Executes an instruction in one lane. */
static bool execute(struct slow_simt *slow, struct simt_step *step,
                    const struct simt_decoded *decoded, uint32_t number)
{
    struct slow_lane *lane = &slow->lanes[step->warp][number];
    uint32_t *registers = lane->registers;
    uint32_t a = registers[decoded->s];
    const uint32_t b = registers[decoded->t], c = registers[decoded->r];
    uint32_t value = 0, next = step->pc + decoded->size;
    const uint32_t to = decoded->d < SIMT_REGISTERS ? decoded->d : 0;
    switch (decoded->kind) {
    case KIND_LOAD:
    case KIND_STORE:
        step->addresses[number] = a + decoded->imm;
        value = b;
        if (!access_memory(slow, step, number, a + decoded->imm, decoded->kind == KIND_STORE,
                           &value))
            return false;
        a = value;
        break;
    case KIND_CSR:
        if (!execute_csr(slow, step, decoded, number, &value))
            return false;
        break;
    case KIND_ATOMIC:
        if (!execute_atomic(slow, step, decoded, number, &value))
            return false;
        break;
    case KIND_FLOAT:
    case KIND_ROUNDED:
        if (!execute_float(lane, decoded, &value))
            return false;
        break;
    case KIND_EXIT:
        next = SIMT_EXIT;
        break;
    case KIND_BREAK:
        return false;
    case KIND_WARPS:
        if (decoded->op != SIMT_vx_bar)
            return false;
        lane->parked = true;
        break;
    default:
        break;
    }
    if (decoded->kind == KIND_BRANCH && evaluate(decoded, step->pc, a, b, c))
        next = step->pc + decoded->imm;
    if (decoded->kind == KIND_JUMP)
        next = evaluate(decoded, step->pc, a, b, c);
    if (decoded->kind == KIND_JUMP)
        value = step->pc + decoded->size;
    else if (decoded->kind != KIND_CSR && decoded->kind != KIND_ATOMIC &&
             decoded->kind != KIND_FLOAT && decoded->kind != KIND_ROUNDED)
        value = evaluate(decoded, step->pc, a, b, c);
    if (to)
        registers[to] = value;
    lane->pc = next;
    lane->live = next != SIMT_EXIT;
    return true;
}

static bool issue(struct slow_simt *slow, struct simt_step *step)
{
    const struct simt_program *program = slow->program;
    struct slow_lane *lanes = slow->lanes[step->warp];
    bool late = false;
    step->pc = UINT32_MAX;
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        if (lanes[i].live && !lanes[i].parked && lanes[i].pc < step->pc)
            step->pc = lanes[i].pc;
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        step->mask |= (uint32_t)(lanes[i].live && !lanes[i].parked && lanes[i].pc == step->pc) << i;
    const uint32_t unit = program->image.place_shift == 2 ? 4 : 2;
    const uint32_t index = (step->pc - program->image.text) / unit;
    if (step->pc % unit || index >= program->image.text_size / unit)
        return false;
    const struct simt_decoded *decoded = &program->decoded[index];
    if (decoded->op == SIMT_OP_COUNT)
        return false;
    step->op = decoded->op;
    step->bytes = decoded->bytes;
    for (uint32_t i = 0; i < SIMT_LANES; i++)
        if (step->mask >> i & 1 && !execute(slow, step, decoded, i))
            return false;
    step->ended = !(step->mask & lanes_that(slow, step->warp, false));
    if (decoded->op == SIMT_vx_bar)
        return arrive_if_all(slow, step->warp, &step->arrived);
    return slow->waiting[step->warp] || arrive_if_all(slow, step->warp, &late);
}

enum simt_result slow_simt_step(struct slow_simt *slow, struct simt_step *step)
{
    const struct simt_setup *setup = &slow->program->setup;
    bool left = false;
    *step = (struct simt_step){0};
    for (uint32_t tried = 0; tried < setup->warps; tried++) {
        step->warp = slow->next;
        slow->next = (slow->next + 1) % setup->warps;
        const bool live = lanes_that(slow, step->warp, false);
        left |= live;
        if (!live || slow->waiting[step->warp])
            continue;
        if (slow->issued++ >= setup->limit)
            return SIMT_FAULT;
        return issue(slow, step) ? SIMT_RAN : SIMT_FAULT;
    }
    return left ? SIMT_FAULT : SIMT_ENDED;
}
