#include "model/timing/sm/code_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/timing/sm/sm.h"

struct code_count {
    uint64_t accesses, misses, pending, loads, load_cycles, stalls;
    struct pc_executions executions;
};

struct code_counts {
    struct code_count *items; /* by index in the launch's code; one more for `strangers` */
    size_t capacity;
    uint32_t strangers; /* the row of instructions that outlived their launch */
    uint32_t waited[SCHEDULERS_MAX];
    uint32_t writers[WARPS_MAX][REGISTER_COUNT]; /* the instruction that wrote a register last */
    uint32_t accessed[WARPS_MAX];                /* the instruction that last accessed memory */
};

enum status code_counts_new(struct sm *sm)
{
    sm->by_code = calloc(1, sizeof *sm->by_code);
    return sm->by_code ? STATUS_OK : STATUS_MEMORY;
}

void code_counts_free(struct sm *sm)
{
    if (sm->by_code)
        free(sm->by_code->items);
    free(sm->by_code);
    sm->by_code = NULL;
}

bool code_counts_copy(struct sm *sm)
{
    if (!array_copy(&sm->by_code, sizeof *sm->by_code))
        return false;
    return !sm->by_code ||
           array_copy(&sm->by_code->items, sm->by_code->capacity * sizeof *sm->by_code->items);
}

enum status code_counts_begin(struct sm *sm)
{
    struct code_counts *counts = sm->by_code;
    counts->strangers = sm->code->count;
    if (array_reserve(&counts->items, &counts->capacity, (size_t)counts->strangers + 1))
        return STATUS_MEMORY;
    memset(counts->items, 0, ((size_t)counts->strangers + 1) * sizeof *counts->items);
    memset(counts->writers, 0, sizeof counts->writers);
    memset(counts->accessed, 0, sizeof counts->accessed);
    return STATUS_OK;
}

/* The row of an instruction. A load whose result nobody reads may be in flight when its launch
 * ends; then its code is not among those of this launch. */
static uint32_t row_of(const struct sm *sm, const struct sm_instruction *code)
{
    const uintptr_t first = (uintptr_t)sm->code->items;
    const uintptr_t offset = (uintptr_t)code - first;
    const uintptr_t row = offset / sizeof *code;
    return row < sm->by_code->strangers ? (uint32_t)row : sm->by_code->strangers;
}

void code_counts_issued(struct sm *sm, uint32_t warp, const struct sm_instruction *code)
{
    const uint32_t row = row_of(sm, code);
    for (unsigned i = 0; i < code->code->written; i++)
        sm->by_code->writers[warp][code->code->registers[i]] = row;
    if (code->pipe == PIPE_MEMORY)
        sm->by_code->accessed[warp] = row;
}

void code_counts_accessed(struct sm *sm, struct op *op, enum unit_outcome outcome)
{
    struct code_count *count = &sm->by_code->items[row_of(sm, op->code)];
    const bool missed = unit_missed(outcome);
    count->accesses++;
    count->misses += missed;
    count->pending += outcome == UNIT_PENDING;
    op->tried++;
    op->missed += missed;
}

void code_counts_loaded(struct sm *sm, const struct op *op, uint64_t cycles)
{
    struct code_count *count = &sm->by_code->items[row_of(sm, op->code)];
    count->loads++;
    count->load_cycles += cycles;
    if (op->tried)
        pc_execution_add(&count->executions, (double)op->missed / op->tried);
}

void code_counts_blocked(struct sm *sm, uint32_t scheduler, uint32_t slot)
{
    const struct sm_warp *warp = &sm->warps[warp_of(sm->shared, scheduler, slot)];
    sm->by_code->waited[scheduler] = sm->load_store.latch == NO_OP
                                         ? warp->buffer[warp->next].code
                                         : row_of(sm, sm->ops.items[sm->load_store.latch].code);
}

void code_counts_awaited(struct sm *sm, uint32_t scheduler, uint32_t index)
{
    const struct sm_warp *warp = &sm->warps[index];
    const struct scheduler *waits = &sm->schedulers[scheduler];
    sm->by_code->waited[scheduler] = sm->by_code->accessed[index];
    if (waits->waits >> warp->slot & 1)
        return;
    const struct instruction *code = sm->code->items[warp->buffer[warp->next].code].code;
    for (unsigned i = 0; i < (unsigned)code->written + code->read; i++) {
        const uint16_t number = sm->code->numbers[code->registers[i]];
        if (!(warp->registers[number / 64].awaited >> number % 64 & 1))
            continue;
        sm->by_code->waited[scheduler] = sm->by_code->writers[index][code->registers[i]];
        return;
    }
}

void code_counts_stalled(struct sm *sm, uint32_t scheduler, uint64_t times)
{
    sm->by_code->items[sm->by_code->waited[scheduler]].stalls += times;
}

static void code_counts_add(struct pc_count *sum, const struct code_count *count)
{
    pc_count_add(sum, &(struct pc_count){.accesses = count->accesses,
                                         .misses = count->misses,
                                         .pending = count->pending,
                                         .loads = count->loads,
                                         .load_cycles = count->load_cycles,
                                         .executions = count->executions,
                                         .stalls = count->stalls});
}

static enum memory_op op_of(const struct instruction *code)
{
    return code->flags & INSTRUCTION_ATOMIC  ? OP_ATOMIC
           : code->flags & INSTRUCTION_STORE ? OP_STORE
                                             : OP_LOAD;
}

enum status code_counts_report(const struct sm *sm, struct pc_table *table)
{
    const struct code_counts *counts = sm->by_code;
    enum status status = pc_table_launch(table, sm->shared->source->launches[sm->launch].name);
    for (uint32_t i = 0; !status && i < counts->strangers; i++) {
        const struct code_count *count = &counts->items[i];
        const struct instruction *code = sm->code->items[i].code;
        if (!count->accesses && !count->loads && !count->stalls)
            continue;
        struct pc_count *sum = pc_table_at(table, code->pc, (uint8_t)op_of(code));
        if (sum)
            code_counts_add(sum, count);
        else
            status = STATUS_MEMORY;
    }
    code_counts_add(&table->others, &counts->items[counts->strangers]);
    return status;
}
