#include "support/slow_simt.h"

#include <stdlib.h>
#include <string.h>

#include "workload/simt/arithmetic.h"

void slow_simt_start(struct slow_simt *slow, const struct simt_program *program, uint32_t index)
{
    const struct simt_setup *setup = &program->setup;
    const uint32_t threads = setup->warps * setup->lanes;
    *slow = (struct slow_simt){.program = program, .index = index};
    slow->memory = malloc(program->image.size + 1);
    slow->stacks = calloc(threads, SIMT_STACK_BYTES);
    slow->shared = calloc(1, SIMT_SHARED_BYTES);
    memcpy(slow->memory, program->image.bytes, program->image.size);
    for (uint32_t thread = 0; thread < threads; thread++) {
        struct slow_lane *lane = &slow->lanes[thread / setup->lanes][thread % setup->lanes];
        lane->live = true;
        lane->pc = program->image.entry;
        lane->registers[1] = SIMT_EXIT;
        lane->registers[2] = SIMT_STACK_TOP - (index * threads + thread) * SIMT_STACK_BYTES;
        lane->registers[10] = thread;
        lane->registers[11] = threads;
        lane->registers[12] = index;
        lane->registers[13] = setup->blocks;
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
    const uint32_t stacks = setup->warps * setup->lanes * SIMT_STACK_BYTES;
    const uint32_t below = address - (SIMT_STACK_TOP - (slow->index + 1) * stacks);
    if (store && address - image->text < image->text_size)
        return NULL;
    if (address - image->base < image->size)
        return slow->memory + (address - image->base);
    if (below < stacks)
        return slow->stacks + below;
    *shared = address - SIMT_SHARED_BASE < SIMT_SHARED_BYTES;
    return *shared ? slow->shared + (address - SIMT_SHARED_BASE) : NULL;
}

/* Loads or stores in one lane; false: a fault. */
static bool access_memory(struct slow_simt *slow, struct simt_step *step, uint32_t address,
                          bool store, uint32_t *value)
{
    unsigned char *at = place_of(slow, address, store, &step->shared);
    if (address % step->bytes || !at)
        return false;
    if (store) {
        memcpy(at, value, step->bytes);
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
    const struct simt_decoded *bar = &slow->program->decoded[(lane->pc - 4 - image->text) / 4];
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

/* Executes an instruction in one lane. */
static bool execute(struct slow_simt *slow, struct simt_step *step,
                    const struct simt_decoded *decoded, uint32_t number)
{
    struct slow_lane *lane = &slow->lanes[step->warp][number];
    uint32_t *registers = lane->registers;
    uint32_t a = registers[decoded->s];
    const uint32_t b = registers[decoded->t], c = registers[decoded->r];
    uint32_t value = 0, next = step->pc + 4;
    const uint32_t to = decoded->d < SIMT_REGISTERS ? decoded->d : 0;
    switch (decoded->kind) {
    case KIND_LOAD:
    case KIND_STORE:
        step->addresses[number] = a + decoded->imm;
        value = b;
        if (!access_memory(slow, step, a + decoded->imm, decoded->kind == KIND_STORE, &value))
            return false;
        a = value;
        break;
    case KIND_CSR:
        if (decoded->op != SIMT_csrrs || decoded->s ||
            !read_csr(slow, step, decoded->imm, number, &value))
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
        value = step->pc + 4;
    else if (decoded->kind != KIND_CSR)
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
    const uint32_t index = (step->pc - program->image.text) / 4;
    if (step->pc % 4 || index >= program->image.text_size / 4)
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
