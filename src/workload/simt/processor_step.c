/* The steps of a block: which lanes issue, what their instruction does, and where they go
 * (processor.h). */
#include <string.h>

#include "workload/simt/arithmetic.h"
#include "workload/simt/processor_parts.h"

/* Where lanes go that jump: all active ones, or those of `taken`. */
struct transfer {
    uint32_t taken;
    uint32_t targets[SIMT_LANES];
};

#define EACH_LANE for (unsigned lane = 0; lane < SIMT_LANES; lane++)

/* All ones in each lane of a mask, so that choices by lane take no branches. */
#define LANE(mask, lane) (-(uint32_t)((mask) >> (lane)&1))
#define ROW(mask)                                                                                  \
    {LANE(mask, 0), LANE(mask, 1), LANE(mask, 2), LANE(mask, 3),                                   \
     LANE(mask, 4), LANE(mask, 5), LANE(mask, 6), LANE(mask, 7)},
#define ROWS_4(mask)  ROW(mask) ROW((mask) + 1) ROW((mask) + 2) ROW((mask) + 3)
#define ROWS_16(mask) ROWS_4(mask) ROWS_4((mask) + 4) ROWS_4((mask) + 8) ROWS_4((mask) + 12)
#define ROWS_64(mask) ROWS_16(mask) ROWS_16((mask) + 16) ROWS_16((mask) + 32) ROWS_16((mask) + 48)
#define ROWS_256(mask)                                                                             \
    ROWS_64(mask) ROWS_64((mask) + 64) ROWS_64((mask) + 128) ROWS_64((mask) + 192)
static const _Alignas(32) uint32_t lanes_of[1 << SIMT_LANES][SIMT_LANES] = {ROWS_256(0u)};

/* The lanes of which a number is not 0, as bits: of numbers that are 0 or 1. */
static const _Alignas(32) uint32_t lane_bits[SIMT_LANES] = {1, 2, 4, 8, 16, 32, 64, 128};
#define LANES_WHERE(number) (-(uint32_t)(number)&lane_bits[lane])

static void write_lanes(uint32_t *to, const uint32_t *values, uint32_t mask)
{
    const uint32_t *active = lanes_of[mask];
    uint32_t merged[SIMT_LANES];
    EACH_LANE merged[lane] = (values[lane] & active[lane]) | (to[lane] & ~active[lane]);
    memcpy(to, merged, sizeof merged);
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
    if (!simt_load(block, step, s, imm, raw))                                                      \
        return false;                                                                              \
    s = raw;                                                                                       \
    DO_VALUE(expression)
#define DO_STORE(expression) return simt_store(block, step, s, imm, t);
#define DO_BRANCH(expression)                                                                      \
    EVALUATE(expression)                                                                           \
    EACH_LANE                                                                                      \
    {                                                                                              \
        transfer->taken |= LANES_WHERE(values[lane] & 1);                                          \
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
#define DO_BREAK(expression) return simt_fault(block, "ebreak");
#define DO_CSR(expression)                                                                         \
    if (!simt_execute_csr(block, step, decoded, values))                                           \
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
        return simt_fault(block, "0x%08x is no instruction of RV32IMF", decoded->imm);
    }
    /* NOLINTEND(bugprone-branch-clone) */
}

/* Moves the lanes of a warp that have no common program counter. */
static void scatter(struct simt_warp *warp, const struct simt_step *step,
                    const struct transfer *transfer)
{
    const uint32_t *active = lanes_of[step->mask], *taken = lanes_of[transfer->taken];
    uint32_t pcs[SIMT_LANES], ended = 0, apart = 0;
    if (warp->together)
        EACH_LANE warp->pcs[lane] = warp->pc;
    EACH_LANE
    {
        const uint32_t next =
            (transfer->targets[lane] & taken[lane]) | ((step->pc + 4) & ~taken[lane]);
        pcs[lane] = (next & active[lane]) | (warp->pcs[lane] & ~active[lane]);
    }
    EACH_LANE ended |= LANES_WHERE(transfer->targets[lane] == SIMT_EXIT);
    memcpy(warp->pcs, pcs, sizeof pcs);
    warp->live &= ~(ended & transfer->taken & step->mask);
    const uint32_t *live = lanes_of[warp->live];
    const uint32_t common = warp->live ? pcs[31 - __builtin_clz(warp->live)] : 0;
    EACH_LANE apart |= (pcs[lane] ^ common) & live[lane];
    warp->together = !apart;
    warp->pc = common;
}

/* Moves the active lanes, of which some jump or which are not all of the warp's. */
static bool part(struct simt_block *block, struct simt_warp *warp, const struct simt_step *step,
                 const struct transfer *transfer)
{
    const bool whole = warp->together && step->mask == warp->live;
    const uint32_t target = transfer->taken ? transfer->targets[__builtin_ctz(transfer->taken)] : 0;
    const uint32_t *taken = lanes_of[transfer->taken];
    uint32_t others = transfer->taken ^ step->mask;
    EACH_LANE others |= (transfer->targets[lane] ^ target) & taken[lane];
    if (!others && whole) {
        warp->pc = target;
        if (target == SIMT_EXIT)
            warp->live = 0;
        return true;
    }
    if (block->program->setup.masks)
        return simt_fault(block, "lanes of warp %u part here; split them first", step->warp);
    scatter(warp, step, transfer);
    return true;
}

/* Ends or moves the active lanes behind an instruction. */
static inline bool advance(struct simt_block *block, struct simt_warp *warp,
                           const struct simt_step *step, const struct transfer *transfer)
{
    if (transfer->taken || !warp->together || step->mask != warp->live)
        return part(block, warp, step, transfer);
    warp->pc = step->pc + 4;
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
        return simt_fault(block, "there are no instructions");
    const struct simt_decoded *decoded = &program->decoded[index];
    struct transfer transfer = {0};
    step->op = decoded->op;
    step->shared = step->arrived = step->ended = false;
    step->bytes = decoded->bytes;
    if (decoded->kind == KIND_WARPS) {
        uint32_t next = step->pc + 4;
        if (program->setup.masks) {
            if (!simt_execute_masks(block, warp, step, decoded, &next))
                return false;
            warp->pc = next;
            step->ended = !warp->live;
            return true;
        }
        return simt_execute_lanes(block, warp, step, decoded) &&
               advance(block, warp, step, &transfer);
    }
    if (!execute(block, warp, step, decoded, &transfer) || !advance(block, warp, step, &transfer))
        return false;
    if (!transfer.taken)
        return true;
    step->ended = !(step->mask & warp->live);
    return simt_arrive_late(block, step->warp);
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
            simt_fault(block, "the block has issued %llu instructions, its limit",
                       (unsigned long long)block->program->setup.limit);
            return SIMT_FAULT;
        }
        return issue(block, step) ? SIMT_RAN : SIMT_FAULT;
    }
    if (left)
        simt_fault(block, "all warps that are left wait at barriers");
    return left ? SIMT_FAULT : SIMT_ENDED;
}
