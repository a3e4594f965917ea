/* The steps of a block: which lanes issue, what their instruction does, and where they go
 * (processor.h), as always-inlined templates: processor_plain.c makes them for any processor and
 * processor_vectors.c for those with AVX2. The lanes of a warp are computed together, in vectors;
 * test_processor holds both equal to a processor that goes lane by lane. */
#pragma once

#include <string.h>
#if defined __AVX2__
#include <immintrin.h>
#endif

#include "workload/simt/arithmetic.h"
#include "workload/simt/processor_parts.h"

#define TEMPLATE static inline __attribute__((always_inline))

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

/* The lanes of which the lowest bit is set. */
TEMPLATE uint32_t odd_lanes(const uint32_t *values)
{
#if defined __AVX2__
    const __m256i all = _mm256_loadu_si256((const __m256i_u *)values);
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(all, 31)));
#else
    uint32_t lanes = 0;
    EACH_LANE lanes |= LANES_WHERE(values[lane] & 1);
    return lanes;
#endif
}

TEMPLATE bool all_zero(const uint32_t *values)
{
#if defined __AVX2__
    const __m256i all = _mm256_loadu_si256((const __m256i_u *)values);
    return _mm256_testz_si256(all, all);
#else
    uint32_t any = 0;
    EACH_LANE any |= values[lane];
    return !any;
#endif
}

/* The lanes of a register as one value: what is written whole is there at once for who reads it
 * whole, which two halves are not. */
typedef uint32_t whole
    __attribute__((vector_size(sizeof(uint32_t) * SIMT_LANES), aligned(4), may_alias));

TEMPLATE void write_active(uint32_t *to, const uint32_t *values, whole active)
{
    *(whole *)to = (*(const whole *)values & active) | (*(const whole *)to & ~active);
}

TEMPLATE void write_lanes(uint32_t *to, const uint32_t *values, uint32_t mask)
{
    write_active(to, values, *(const whole *)lanes_of[mask]);
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
    uint32_t addresses[SIMT_LANES], wrong[SIMT_LANES];
    *(whole *)addresses = *(const whole *)bases + imm;
    *(whole *)offsets = (*(const whole *)addresses - base) & *(const whole *)active;
    EACH_LANE wrong[lane] =
        -(uint32_t)(offsets[lane] >= size) | (addresses[lane] & (bytes - 1) & active[lane]);
    if (store)
        EACH_LANE wrong[lane] |= -(uint32_t)(offsets[lane] - text < text_size) & active[lane];
    *(whole *)step->addresses = *(const whole *)addresses;
    return all_zero(wrong);
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
    if (!load(block, step, SOURCE_REGISTER, decoded->imm, bytes, values))                          \
        return false;                                                                              \
    EVALUATE(values, expression)                                                                   \
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
    transfer.taken = odd_lanes(values) & step->mask;                                               \
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

/* The same of plain instructions (simt_decoded.plain). */
#define PLAIN_VALUE(expression)                                                                    \
    EVALUATE(SOURCE_REGISTER, expression)                                                          \
    write_active(warp->registers[decoded->d], values, active);                                     \
    break;
#define PLAIN_FLOAT(expression)   PLAIN_VALUE(expression)
#define PLAIN_ROUNDED(expression) PLAIN_VALUE(expression)
#define PLAIN_BRANCH(expression)                                                                   \
    EVALUATE(SOURCE_REGISTER, expression)                                                          \
    transfer.taken = odd_lanes(values) & step->mask;                                               \
    transfer.target = pc + decoded->imm;                                                           \
    break;
#define PLAIN_JUMP(expression)                                                                     \
    transfer.taken = step->mask;                                                                   \
    transfer.target = pc + decoded->imm;                                                           \
    EACH_LANE values[lane] = pc + decoded->size;                                                   \
    write_active(warp->registers[decoded->d], values, active);                                     \
    break;
#define PLAIN_LOAD(expression)   break;
#define PLAIN_STORE(expression)  break;
#define PLAIN_ATOMIC(expression) break;
#define PLAIN_FENCE(expression)  break;
#define PLAIN_EXIT(expression)   break;
#define PLAIN_BREAK(expression)  break;
#define PLAIN_CSR(expression)    break;
#define PLAIN_WARPS(expression)  break;

/* What does not change while a block runs. */
struct fixed {
    const struct simt_decoded *decoded;
    uint32_t text, shift, count;
};

/* Issues plain instructions one after another, the first one at least, until `end` are or lanes
 * jump. On the way no other lanes wait. Returns how many. */
TEMPLATE uint32_t go_straight(struct simt_block *block, struct simt_warp *warp,
                              const struct simt_decoded *decoded, struct simt_step *step,
                              uint32_t end)
{
    const whole active = *(const whole *)lanes_of[step->mask];
    uint32_t values[SIMT_LANES], count = 0;
    struct transfer transfer;
    transfer.taken = 0;
    uint32_t pc = warp->pc;
    do {
        /* NOLINTBEGIN(bugprone-branch-clone): as below */
        switch (decoded->op) {
#define SIMT_CASE(id, name, operands, match, mask, kind, bytes, class, value)                      \
    case SIMT_##id:                                                                                \
        PLAIN_##kind(value)
            SIMT_INSTRUCTION_LIST(SIMT_CASE)
#undef SIMT_CASE
        default:
            break;
        }
        /* NOLINTEND(bugprone-branch-clone) */
        pc += decoded->size;
        decoded += decoded->places;
        count++;
    } while (!transfer.taken && count < end && decoded->plain);
    warp->pc = pc;
    if (!transfer.taken)
        return count;
    transfer.apart = false;
    transfer.fallen = pc;
    (void)jump(block, warp, step, &transfer); /* what is alone is no fault */
    return count;
}

TEMPLATE bool execute(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                      const struct simt_decoded *decoded)
{
    uint32_t values[SIMT_LANES];
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

/* The instruction that a warp issues next; NULL: there is none. */
TEMPLATE const struct simt_decoded *decoded_at(const struct fixed *fixed, uint32_t pc)
{
    /* A rotation, so that places between words are beyond all instructions, too. */
    const uint32_t offset = pc - fixed->text;
    const uint32_t index = offset >> fixed->shift | offset << (32 - fixed->shift);
    return index < fixed->count ? &fixed->decoded[index] : NULL;
}

/* How many plain instructions a warp may issue from this one on before it comes to where others of
 * its lanes wait, up to `most`; 0: it is none, or just before them. */
TEMPLATE uint32_t straight(const struct simt_warp *warp, const struct simt_decoded *decoded,
                           uint32_t most)
{
    enum { LONGEST = 4 /* bytes of an instruction */ };
    const uint32_t below = (warp->until - 1 - warp->pc) / LONGEST;
    return !decoded->plain ? 0 : below < most ? below : most;
}

/* Issues an instruction whose turn it is and, up to `most` in all, those plain ones that follow it
 * in the text with the same lanes. */
TEMPLATE bool issue(struct simt_block *block, const struct simt_decoded *decoded, uint32_t number,
                    struct simt_step *step, uint32_t most)
{
    struct simt_warp *warp = &block->warps[number];
    const uint32_t first = warp->pc, mask = warp->active;
    uint32_t count = 0;
    step->warp = number;
    step->pc = first;
    step->mask = mask;
    if (!decoded)
        return simt_fault(block, "there are no instructions");
    step->op = decoded->op;
    step->bytes = decoded->bytes;
    step->shared = step->arrived = step->ended = false;
    if (most == 1 || !straight(warp, decoded, most)) {
        const struct simt_decoded *next = decoded + decoded->places;
        if (!execute(block, warp, step, decoded))
            return false;
        count = 1;
        if (warp->active != mask || warp->pc != first + decoded->size)
            most = 1;
        decoded = next;
    }
    const uint32_t more = most > 1 ? straight(warp, decoded, most - count) : 0;
    if (more)
        count += go_straight(block, warp, decoded, step, more);
    step->count = (uint8_t)count;
    return true;
}

/* Lets the turns pass of warps that are ahead, up to that of the next one which is not: its number.
 */
TEMPLATE uint32_t next_warp(struct simt_block *block, whole *ahead)
{
    uint32_t counts[SIMT_WARPS], least = UINT32_MAX;
    const whole ready = *(const whole *)lanes_of[block->ready];
    *(whole *)counts = (whole)(*ahead == 0);
    uint32_t due = odd_lanes(counts) & block->ready;
    if (!due) { /* whole rounds pass first */
        *(whole *)counts = *ahead | ~ready;
        EACH_LANE least = counts[lane] < least ? counts[lane] : least;
        *ahead -= least & ready;
        block->issued += (uint64_t)least * (uint32_t)__builtin_popcount(block->ready);
        *(whole *)counts = (whole)(*ahead == 0);
        due = odd_lanes(counts) & block->ready;
    }
    const uint32_t before = (1u << block->next) - 1, later = due & ~before;
    const uint32_t number = (uint32_t)__builtin_ctz(later ? later : due);
    const uint32_t up_to = (1u << number) - 1;
    const uint32_t passed = block->ready & (later ? up_to & ~before : up_to | ~before);
    *ahead += *(const whole *)lanes_of[passed]; /* all ones: one less */
    block->issued += (uint32_t)__builtin_popcount(passed) + 1;
    block->next = number + 1;
    return number;
}

/* Issues the next instruction of a warp, and those that follow it before their turn, up to `most`
 * in as many steps as there is room for. Returns how many steps; 0: a fault. *issued: how many
 * instructions. */
TEMPLATE size_t issue_some(struct simt_block *block, const struct fixed *fixed, uint32_t number,
                           struct simt_step *steps, size_t room, uint32_t most, uint32_t *issued)
{
    struct simt_warp *warp = &block->warps[number];
    const struct simt_decoded *decoded = decoded_at(fixed, warp->pc);
    size_t made = 0;
    uint32_t left = most;
    do {
        if (!issue(block, decoded, number, &steps[made], left)) {
            block->fault_pc = steps[made].pc;
            return 0;
        }
        left -= steps[made].count;
        decoded = decoded_at(fixed, warp->pc);
    } while (++made < room && left && decoded && decoded->alone);
    *issued = most - left;
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
    if (program->setup.masks || limit - block->issued < (count + 2 * SIMT_WARPS) * SIMT_AHEAD)
        in_turn = true;
    /* Whole in a register, as a lane that is written alone is not there at once for all of them. */
    whole ahead = *(const whole *)block->ahead;
    size_t made = 0;
    *result = SIMT_RAN;
    while (made < count && block->ready && block->issued < limit) {
        const uint32_t number = next_warp(block, &ahead);
        const whole own = *(const whole *)lanes_of[1u << number];
        uint32_t issued;
        const size_t some =
            issue_some(block, &fixed, number, &steps[made], in_turn ? 1 : count - made,
                       in_turn ? 1 : SIMT_AHEAD, &issued);
        made += some;
        if (!some) {
            *result = SIMT_FAULT;
            return made;
        }
        ahead = (ahead & ~own) | (own & (issued - 1));
    }
    *(whole *)block->ahead = ahead;
    if (made)
        block->fault_pc = steps[made - 1].pc;
    return made;
}
