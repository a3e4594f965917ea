/* The steps of a block: which lanes issue, what their instruction does, and where they go
 * (processor.h). The lanes of a warp are computed together, in vectors: the code is compiled twice,
 * for any processor and for those with AVX2, and test_processor holds both equal to a processor
 * that goes lane by lane. */
#include <string.h>

#include "workload/simt/arithmetic.h"
#include "workload/simt/processor_parts.h"

#define TEMPLATE static inline __attribute__((always_inline))

#if defined __x86_64__
#define VECTORS __attribute__((target("avx2,fma,bmi,popcnt")))

bool simt_has_vectors(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
}
#else
#define VECTORS

bool simt_has_vectors(void)
{
    return false;
}
#endif

/* Where lanes go that jump: those of `taken` to one place, or each to its own. */
struct transfer {
    uint32_t taken, target;
    uint32_t fallen; /* where the others go: after the instruction */
    bool apart;      /* then `targets`, by lane */
    uint32_t targets[SIMT_LANES];
};

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

/* The lanes of a register as one value: what is written whole is there at once for who reads it
 * whole, which two halves are not. */
typedef uint32_t whole
    __attribute__((vector_size(sizeof(uint32_t) * SIMT_LANES), aligned(4), may_alias));

TEMPLATE void write_lanes(uint32_t *to, const uint32_t *values, uint32_t mask)
{
    const whole active = *(const whole *)lanes_of[mask];
    *(whole *)to = (*(const whole *)values & active) | (*(const whole *)to & ~active);
}

/* Where the lanes of a load or store lie in the image, 0 for inactive ones. False if one of them
 * accesses something else, or nothing, or an address that is no multiple. */
TEMPLATE bool offsets_of(const struct simt_block *block, struct simt_step *step,
                         const uint32_t *bases, uint32_t imm, uint32_t bytes, bool store,
                         uint32_t offsets[SIMT_LANES])
{
    const struct simt_image *image = &block->program->image;
    const uint32_t *active = lanes_of[step->mask];
    const uint32_t base = image->base, size = image->size, text = image->text - base;
    const uint32_t text_size = image->text_size;
    uint32_t addresses[SIMT_LANES], wrong = 0;
    *(whole *)addresses = *(const whole *)bases + imm;
    *(whole *)offsets = (*(const whole *)addresses - base) & *(const whole *)active;
    EACH_LANE wrong |= (offsets[lane] >= size) | (addresses[lane] & (bytes - 1) & active[lane]);
    if (store)
        EACH_LANE wrong |= -(uint32_t)(offsets[lane] - text < text_size) & active[lane];
    *(whole *)step->addresses = *(const whole *)addresses;
    return !wrong;
}

TEMPLATE uint32_t read_at(const unsigned char *at, uint32_t bytes)
{
    uint32_t word;
    if (bytes == 1)
        return *at;
    if (bytes == 2)
        return (uint32_t)at[0] | (uint32_t)at[1] << 8;
    memcpy(&word, at, sizeof word);
    return word;
}

/* simt_load of lanes that all read the image. */
TEMPLATE bool load(struct simt_block *block, struct simt_step *step, const uint32_t *bases,
                   uint32_t imm, uint32_t bytes, uint32_t values[SIMT_LANES])
{
    const unsigned char *memory = block->memory;
    uint32_t offsets[SIMT_LANES];
    if (!offsets_of(block, step, bases, imm, bytes, false, offsets))
        return simt_load(block, step, bases, imm, values);
    const whole read = {read_at(memory + offsets[0], bytes), read_at(memory + offsets[1], bytes),
                        read_at(memory + offsets[2], bytes), read_at(memory + offsets[3], bytes),
                        read_at(memory + offsets[4], bytes), read_at(memory + offsets[5], bytes),
                        read_at(memory + offsets[6], bytes), read_at(memory + offsets[7], bytes)};
    *(whole *)values = read;
    return true;
}

/* simt_store of lanes that all write to the image, of which no lr.w holds a word. */
TEMPLATE bool store(struct simt_block *block, struct simt_step *step, const uint32_t *bases,
                    uint32_t imm, uint32_t bytes, const uint32_t *values)
{
    unsigned char *memory = block->memory;
    uint32_t offsets[SIMT_LANES];
    if (block->reserved || !offsets_of(block, step, bases, imm, bytes, true, offsets))
        return simt_store(block, step, bases, imm, values);
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        memcpy(memory + offsets[lane], &values[lane], bytes);
        block->dirty[offsets[lane] / SIMT_PAGE] = true;
    }
    return true;
}

/* Moves the active lanes after an instruction if they do not stay together below all others: some
 * of them jump, or end, or they meet or pass others. */
TEMPLATE bool scatter(struct simt_block *block, struct simt_warp *warp,
                      const struct simt_step *step, const struct transfer *transfer)
{
    const uint32_t *taken = lanes_of[transfer->taken], fallen = transfer->fallen;
    uint32_t pcs[SIMT_LANES], ended = 0;
    EACH_LANE pcs[lane] = transfer->apart ? transfer->targets[lane] : transfer->target;
    EACH_LANE ended |= LANES_WHERE(pcs[lane] == SIMT_EXIT);
    warp->live &= ~(ended & transfer->taken);
    if (block->program->setup.masks) {
        if (transfer->apart || (transfer->taken && transfer->taken != step->mask))
            return simt_fault(block, "lanes of warp %u part here; split them first", step->warp);
        warp->active = warp->live;
        warp->pc = transfer->taken ? transfer->target : fallen;
    } else {
        EACH_LANE pcs[lane] = (pcs[lane] & taken[lane]) | (fallen & ~taken[lane]);
        write_lanes(warp->pcs, pcs, step->mask);
        simt_regroup(warp);
    }
    simt_note_ready(block, step->warp);
    return true;
}

TEMPLATE bool jump(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                   const struct transfer *transfer)
{
    const uint32_t next = transfer->taken ? transfer->target : transfer->fallen;
    if (!transfer->apart && (!transfer->taken || transfer->taken == step->mask) &&
        next < warp->until && next != SIMT_EXIT)
        warp->pc = next;
    else if (!scatter(block, warp, step, transfer))
        return false;
    if (!transfer->taken)
        return true;
    step->ended = !(step->mask & warp->live);
    return !warp->parked || simt_arrive_late(block, step->warp);
}

TEMPLATE bool issue_vortex(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                           const struct simt_decoded *decoded)
{
    uint32_t next = step->pc + 4;
    if (!block->program->setup.masks)
        return simt_execute_lanes(block, warp, step, decoded);
    if (!simt_execute_masks(block, warp, step, decoded, &next))
        return false;
    warp->pc = next;
    warp->active = warp->live;
    step->ended = !warp->live;
    simt_note_ready(block, step->warp);
    return true;
}

/* The value of an instruction in every lane; inactive ones compute too, and nobody looks. */
#define EVALUATE(first, expression)                                                                \
    {                                                                                              \
        const uint32_t *s = first, *t = warp->registers[decoded->t];                               \
        const uint32_t *r = warp->registers[decoded->r], imm = decoded->imm;                       \
        (void)s, (void)t, (void)r, (void)imm;                                                      \
        EACH_LANE                                                                                  \
        {                                                                                          \
            const uint32_t a = s[lane], b = t[lane], c = r[lane];                                  \
            (void)a, (void)b, (void)c;                                                             \
            values[lane] = (uint32_t)(expression);                                                 \
        }                                                                                          \
    }
#define SOURCE_REGISTER warp->registers[decoded->s]

#define DO_VALUE(bytes, expression)                                                                \
    EVALUATE(SOURCE_REGISTER, expression)                                                          \
    write_lanes(warp->registers[decoded->d], values, step->mask);                                  \
    break;
#define DO_FLOAT(bytes, expression)                                                                \
    if (!decoded->exact)                                                                           \
        EVALUATE(SOURCE_REGISTER, expression)                                                      \
    else if (!simt_execute_float(block, step, decoded, values))                                    \
        return false;                                                                              \
    write_lanes(warp->registers[decoded->d], values, step->mask);                                  \
    break;
#define DO_ROUNDED(bytes, expression) DO_FLOAT(bytes, expression)
#define DO_LOAD(bytes, expression)                                                                 \
    if (!load(block, step, SOURCE_REGISTER, decoded->imm, bytes, raw))                             \
        return false;                                                                              \
    EVALUATE(raw, expression)                                                                      \
    write_lanes(warp->registers[decoded->d], values, step->mask);                                  \
    break;
#define DO_STORE(bytes, expression)                                                                \
    if (!store(block, step, SOURCE_REGISTER, decoded->imm, bytes, warp->registers[decoded->t]))    \
        return false;                                                                              \
    break;
#define DO_ATOMIC(bytes, expression)                                                               \
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {                                     \
        const unsigned lane = (unsigned)__builtin_ctz(rest);                                       \
        const uint32_t b = warp->registers[decoded->t][lane];                                      \
        uint32_t a;                                                                                \
        unsigned char *at = simt_atomic_read(block, step, lane, decoded, &a);                      \
        if (!at)                                                                                   \
            return false;                                                                          \
        (void)b;                                                                                   \
        values[lane] = simt_atomic_write(block, step, lane, at, a, expression);                    \
    }                                                                                              \
    write_lanes(warp->registers[decoded->d], values, step->mask);                                  \
    break;
#define DO_BRANCH(bytes, expression)                                                               \
    EVALUATE(SOURCE_REGISTER, expression)                                                          \
    EACH_LANE transfer.taken |= LANES_WHERE(values[lane] & 1);                                     \
    transfer.taken &= step->mask;                                                                  \
    transfer.target = pc + decoded->imm;                                                           \
    return jump(block, warp, step, &transfer);
#define DO_JUMP(bytes, expression)                                                                 \
    EVALUATE(SOURCE_REGISTER, expression)                                                          \
    send_lanes(values, step->mask, &transfer);                                                     \
    EACH_LANE values[lane] = transfer.fallen;                                                      \
    write_lanes(warp->registers[decoded->d], values, step->mask);                                  \
    return jump(block, warp, step, &transfer);
#define DO_FENCE(bytes, expression) break;
#define DO_EXIT(bytes, expression)                                                                 \
    transfer.taken = step->mask;                                                                   \
    transfer.target = SIMT_EXIT;                                                                   \
    return jump(block, warp, step, &transfer);
#define DO_BREAK(bytes, expression) return simt_fault(block, "ebreak");
#define DO_CSR(bytes, expression)                                                                  \
    if (!simt_execute_csr(block, step, decoded, values))                                           \
        return false;                                                                              \
    write_lanes(warp->registers[decoded->d], values, step->mask);                                  \
    break;
#define DO_WARPS(bytes, expression) return issue_vortex(block, warp, step, decoded);

/* All active lanes jump, each to its own target. */
TEMPLATE void send_lanes(const uint32_t *targets, uint32_t mask, struct transfer *transfer)
{
    const uint32_t *active = lanes_of[mask], first = targets[__builtin_ctz(mask)];
    uint32_t others = 0;
    EACH_LANE others |= (targets[lane] ^ first) & active[lane];
    *(whole *)transfer->targets = *(const whole *)targets;
    transfer->target = first;
    transfer->apart = others;
    transfer->taken = mask;
}

TEMPLATE bool execute(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                      const struct simt_decoded *decoded)
{
    uint32_t values[SIMT_LANES], raw[SIMT_LANES];
    struct transfer transfer;
    transfer.taken = transfer.target = 0;
    transfer.apart = false;
    const uint32_t pc = step->pc;
    transfer.fallen = pc + decoded->size;
    /* NOLINTBEGIN(bugprone-branch-clone): instructions of a kind may be alike */
    switch (decoded->op) {
#define SIMT_CASE(id, name, operands, match, mask, kind, bytes, class, value)                      \
    case SIMT_##id:                                                                                \
        DO_##kind(bytes, value)
        SIMT_INSTRUCTION_LIST(SIMT_CASE)
#undef SIMT_CASE
    default:
        return simt_fault(block, "0x%08x is no instruction of RV32IMAF", decoded->imm);
    }
    /* NOLINTEND(bugprone-branch-clone) */
    if (transfer.fallen >= warp->until)
        return scatter(block, warp, step, &transfer);
    warp->pc = transfer.fallen;
    return true;
}

/* What does not change while a block runs. */
struct fixed {
    const struct simt_decoded *decoded;
    uint32_t text, shift, count;
};

enum { AHEAD = 32 /* instructions that a warp issues at most one after another */ };

/* The instruction that a warp issues next; NULL: there is none. */
TEMPLATE const struct simt_decoded *decoded_at(const struct fixed *fixed, uint32_t pc)
{
    /* A rotation, so that places between words are beyond all instructions, too. */
    const uint32_t offset = pc - fixed->text;
    const uint32_t index = offset >> fixed->shift | offset << (32 - fixed->shift);
    return index < fixed->count ? &fixed->decoded[index] : NULL;
}

TEMPLATE bool issue(struct simt_block *block, const struct simt_decoded *decoded, uint32_t number,
                    struct simt_step *step)
{
    struct simt_warp *warp = &block->warps[number];
    step->warp = number;
    step->pc = warp->pc;
    step->mask = warp->active;
    if (!decoded)
        return simt_fault(block, "there are no instructions");
    step->op = decoded->op;
    step->bytes = decoded->bytes;
    step->shared = step->arrived = step->ended = false;
    return execute(block, warp, step, decoded);
}

/* The next warp whose turn it is, of those that can issue. */
TEMPLATE uint32_t next_warp(const struct simt_block *block)
{
    const uint32_t later = block->ready >> block->next << block->next;
    return (uint32_t)__builtin_ctz(later ? later : block->ready);
}

/* Issues the next instruction of a warp, and those that follow it before their turn, up to `most`
 * in all. Returns how many; 0: a fault. */
TEMPLATE size_t issue_some(struct simt_block *block, const struct fixed *fixed, uint32_t number,
                           struct simt_step *steps, size_t most)
{
    struct simt_warp *warp = &block->warps[number];
    const struct simt_decoded *decoded = decoded_at(fixed, warp->pc);
    size_t made = 0;
    do {
        if (!issue(block, decoded, number, &steps[made])) {
            block->fault_pc = steps[made].pc;
            return 0;
        }
        decoded = decoded_at(fixed, warp->pc);
    } while (++made < most && decoded && decoded->alone);
    warp->ahead = (uint32_t)made - 1;
    return made;
}

/* With masks each instruction waits for its turn, as it may be a fault; and so close to the limit
 * that a stretch, and those who are ahead before and after it, could come to it. */
TEMPLATE size_t run(struct simt_block *block, struct simt_step *steps, size_t count,
                    enum simt_result *result, bool in_turn)
{
    const struct simt_program *program = block->program;
    const struct fixed fixed = {program->decoded, program->image.text, program->image.place_shift,
                                simt_places(&program->image)};
    const uint64_t limit = program->setup.limit;
    if (program->setup.masks || limit - block->issued < count + (size_t)2 * SIMT_WARPS * AHEAD)
        in_turn = true;
    size_t made = 0;
    *result = SIMT_RAN;
    while (made < count && block->ready && block->issued < limit) {
        const uint32_t number = next_warp(block);
        block->next = number + 1;
        block->issued++;
        if (block->warps[number].ahead) {
            block->warps[number].ahead--;
            continue;
        }
        const size_t room = count - made, some = in_turn ? 1 : room < AHEAD ? room : AHEAD;
        const size_t issued = issue_some(block, &fixed, number, &steps[made], some);
        made += issued;
        if (!issued) {
            *result = SIMT_FAULT;
            return made;
        }
    }
    if (made)
        block->fault_pc = steps[made - 1].pc;
    return made;
}

static size_t run_plain(struct simt_block *block, struct simt_step *steps, size_t count,
                        enum simt_result *result, bool in_turn)
{
    return run(block, steps, count, result, in_turn);
}

VECTORS static size_t run_vectors(struct simt_block *block, struct simt_step *steps, size_t count,
                                  enum simt_result *result, bool in_turn)
{
    return run(block, steps, count, result, in_turn);
}

/* Why a block goes no further: all its warps have ended, or it is at its limit, or they wait for
 * each other. */
static enum simt_result why_none(struct simt_block *block)
{
    const uint64_t limit = block->program->setup.limit;
    if (block->ready) {
        simt_fault(block, "the block has issued %llu instructions, its limit",
                   (unsigned long long)limit);
        return SIMT_FAULT;
    }
    for (uint32_t i = 0; i < block->program->setup.warps; i++)
        if (block->warps[i].live) {
            simt_fault(block, "all warps that are left wait at barriers");
            return SIMT_FAULT;
        }
    return SIMT_ENDED;
}

static size_t run_any(struct simt_block *block, struct simt_step *steps, size_t count,
                      enum simt_result *result, bool in_turn)
{
    const size_t made = block->vectors ? run_vectors(block, steps, count, result, in_turn)
                                       : run_plain(block, steps, count, result, in_turn);
    if (*result == SIMT_RAN && made < count)
        *result = why_none(block);
    return made;
}

size_t simt_block_run(struct simt_block *block, struct simt_step *steps, size_t count,
                      enum simt_result *result)
{
    return run_any(block, steps, count, result, false);
}

enum simt_result simt_block_step(struct simt_block *block, struct simt_step *step)
{
    enum simt_result result;
    run_any(block, step, 1, &result, true);
    return result;
}
