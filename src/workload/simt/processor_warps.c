/* The instructions of Vortex: which lanes and warps go on (processor.h). */
#include "workload/simt/processor_parts.h"

/* Lets a barrier's warps go on once enough have come. With masks their lanes are enabled as they
 * were; else they are ready again. */
static bool arrive(struct simt_block *block, uint32_t warp, uint32_t id, uint32_t count)
{
    if (id >= SIMT_BARRIERS)
        return simt_fault(block, "barrier %u; there are %d", id, SIMT_BARRIERS);
    block->barriers[id] |= 1u << warp;
    block->warps[warp].waiting = true;
    simt_note_ready(block, warp);
    if ((uint32_t)__builtin_popcount(block->barriers[id]) < count)
        return true;
    for (uint32_t i = 0; i < block->program->setup.warps; i++)
        if (block->barriers[id] >> i & 1) {
            block->warps[i].waiting = false;
            block->warps[i].parked = 0;
            if (!block->program->setup.masks)
                simt_regroup(&block->warps[i]);
            simt_note_ready(block, i);
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
        return simt_fault(block, "more than %d splits inside each other", SIMT_SPLITS);
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
            block->warps[i].live = block->warps[i].active = 1;
            block->warps[i].pc = pc;
            simt_note_ready(block, i);
        }
}

/* The instructions of Vortex with masks. The first active lane speaks for the warp. */
bool simt_execute_masks(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
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

/* The same where each lane has a program counter: only barriers have a meaning. The lanes wait
 * after it. */
bool simt_execute_lanes(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                        const struct simt_decoded *decoded)
{
    if (decoded->op != SIMT_vx_bar)
        return simt_fault(block, "%s needs masks; run the program with masks=1",
                          simt_instructions[decoded->op].name);
    const unsigned first = (unsigned)__builtin_ctz(step->mask);
    const uint32_t id = warp->registers[decoded->s][first];
    const uint32_t count = warp->registers[decoded->t][first];
    EACH_LANE warp->pcs[lane] = step->mask & 1u << lane ? step->pc + 4 : warp->pcs[lane];
    warp->parked |= step->mask;
    step->arrived = warp->parked == warp->live;
    simt_regroup(warp);
    return !step->arrived || arrive(block, step->warp, id, count);
}

/* A warp whose remaining lanes all wait at a barrier, because the others ended on the way, comes
 * to the barrier late: the first waiting lane says to which. */
bool simt_arrive_late(struct simt_block *block, uint32_t number)
{
    struct simt_warp *warp = &block->warps[number];
    if (!warp->live || warp->waiting || warp->parked != warp->live)
        return true;
    const unsigned lane = (unsigned)__builtin_ctz(warp->parked);
    const struct simt_program *program = block->program;
    const uint32_t place = simt_place_of(&program->image, warp->pcs[lane] - 4);
    const struct simt_decoded *bar = &program->decoded[place];
    return arrive(block, number, warp->registers[bar->s][lane], warp->registers[bar->t][lane]);
}
