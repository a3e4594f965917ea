/* The code of an affine kernel: a row for every instruction that its steps count.
 *
 * Known from the PTX are the records, the arithmetic and how many instructions stand between them.
 * What those compute follows from what comes next. Each address has a pointer register; accesses
 * to one array that differ by a constant share it. Work before records computes their pointers, a
 * chain each, from the thread's coordinates; before a loop it also sets the counter. The end of a
 * loop moves the pointers and counts, all independent of each other, compares and branches. The
 * prologue finds the coordinates, compares them with the guard and branches. Threads outside of the
 * guard jump to the exit at the end, where they meet the others. */
#include <assert.h>

#include "workload/cuda/code.h"
#include "workload/cuda/kernel.h"

enum {
    REGISTER_COUNTER = REGISTER_KERNEL, /* of each loop */
    REGISTER_DATA = REGISTER_COUNTER + KERNEL_LOOPS_MAX,
    DATA_REGISTERS = 8, /* the others follow the pointers, so that few registers have low numbers */
    REGISTER_POINTER = REGISTER_DATA + DATA_REGISTERS,
    POINTERS_MAX = 64,
    REGISTER_MORE_DATA = REGISTER_POINTER + POINTERS_MAX
};
static_assert(REGISTER_MORE_DATA + DEVICE_REGISTERS - DATA_REGISTERS <= UNIFORM_REGISTER,
              "every data register has a name");

static uint32_t data_register(uint32_t number)
{
    return number < DATA_REGISTERS ? REGISTER_DATA + number
                                   : REGISTER_MORE_DATA + number - DATA_REGISTERS;
}

/* Pointer registers in the order of their first use. */
struct pointers {
    uint32_t items[KERNEL_STEPS_MAX], count;
};

struct plan {
    const struct kernel *kernel;
    struct code_builder *builder;
    uint32_t pointer[KERNEL_STEPS_MAX]; /* of each record: its register */
    bool defined[UNIFORM_REGISTER];     /* whether an instruction so far wrote the register */
};

/* The bytes that a pointer moves by in a step of a loop as it is written. */
static int64_t moves_by(const struct step *step, uint32_t loop)
{
    const int64_t apart = loop ? step->j : step->i;
    return step->depth == loop + 1U ? apart / step->copies : apart;
}

static bool same_pointer(const struct step *a, const struct step *b)
{
    return step_is_record(a) && step_is_record(b) && a->array == b->array && a->x == b->x &&
           a->y == b->y && a->k == b->k && moves_by(a, 0) == moves_by(b, 0) &&
           moves_by(a, 1) == moves_by(b, 1);
}

static void assign_pointers(struct plan *plan)
{
    const struct step *steps = plan->kernel->steps;
    uint32_t next = REGISTER_POINTER;
    for (uint32_t s = 0; s < plan->kernel->step_count; s++) {
        uint32_t first = 0;
        if (!step_is_record(&steps[s]))
            continue;
        while (first < s && !same_pointer(&steps[first], &steps[s]))
            first++;
        plan->pointer[s] = first < s ? plan->pointer[first] : next++;
        assert(next <= REGISTER_MORE_DATA);
    }
}

static void add_pointer(struct pointers *pointers, uint32_t name)
{
    for (uint32_t i = 0; i < pointers->count; i++)
        if (pointers->items[i] == name)
            return;
    pointers->items[pointers->count++] = name;
}

/* The first record that uses a pointer. */
static const struct step *pointer_user(const struct plan *plan, uint32_t name)
{
    uint32_t s = 0;
    while (!step_is_record(&plan->kernel->steps[s]) || plan->pointer[s] != name)
        s++;
    return &plan->kernel->steps[s];
}

/* What the work at step `index` computes: pointers that records after it need, up to the work
 * that stands before others. Returns the loop that starts there, or NULL. */
static const struct step *find_targets(const struct plan *plan, uint32_t index,
                                       struct pointers *targets)
{
    const struct step *steps = plan->kernel->steps, *loop = NULL;
    uint32_t first = 0, last = plan->kernel->step_count - 1;
    for (uint32_t s = index + 1; s < last && steps[s].kind != KERNEL_END; s++) {
        if (steps[s].kind == KERNEL_WORK && (loop || first))
            break;
        if (steps[s].kind == KERNEL_LOOP && !loop)
            loop = &steps[s];
        if (!step_is_record(&steps[s]))
            continue;
        first = first ? first : plan->pointer[s];
        if (!plan->defined[plan->pointer[s]])
            add_pointer(targets, plan->pointer[s]);
    }
    if (!targets->count && !loop && first)
        add_pointer(targets, first);
    return loop;
}

/* Makes a row read what the address of a step depends on. */
static void read_places(struct instruction *row, const struct step *step, uint32_t depth)
{
    if (step->x)
        code_reads(row, REGISTER_COLUMN);
    if (step->y)
        code_reads(row, REGISTER_ROW);
    if (step->i && depth > 0)
        code_reads(row, REGISTER_COUNTER);
    if (step->j && depth > 1)
        code_reads(row, REGISTER_COUNTER + 1);
}

/* One more instruction of a pointer's chain. */
static void add_address(struct plan *plan, uint32_t name, uint32_t depth)
{
    struct instruction *row = code_add(plan->builder, CLASS_INTEGER);
    code_writes(row, name);
    if (plan->defined[name])
        code_reads(row, name);
    else
        read_places(row, pointer_user(plan, name), depth);
    plan->defined[name] = true;
}

static void add_work(struct plan *plan, uint32_t index)
{
    const struct step *step = &plan->kernel->steps[index];
    struct pointers targets = {.count = 0};
    const struct step *loop = find_targets(plan, index, &targets);
    bool counts = loop && step->instructions > targets.count;
    uint32_t addresses = step->instructions - (counts ? 1 : 0);
    for (uint32_t i = 0; i < addresses; i++) {
        if (targets.count)
            add_address(plan, targets.items[i % targets.count], step->depth);
        else
            code_add_link(plan->builder, CLASS_INTEGER, REGISTER_SPECIAL);
    }
    if (!counts)
        return;
    struct instruction *row = code_add(plan->builder, CLASS_INTEGER);
    code_writes(row, REGISTER_COUNTER + loop->depth);
    if (loop->per_x)
        code_reads(row, REGISTER_COLUMN);
}

/* The pointers that move from one iteration of the loop that ends at `end` to the next. */
static void find_moving(const struct plan *plan, const struct step *end, struct pointers *moving)
{
    const struct step *steps = plan->kernel->steps;
    for (const struct step *step = &steps[end->partner]; step < end; step++)
        if (step_is_record(step) && (end->depth ? step->j : step->i))
            add_pointer(moving, plan->pointer[step - steps]);
}

static void add_branch(struct code_builder *builder)
{
    code_reads(code_add(builder, CLASS_BRANCH), REGISTER_PREDICATE);
}

/* A loop that has no instruction for a counter compares its first pointer. */
static void add_loop_end(struct plan *plan, const struct step *end)
{
    enum { COMPARE_AND_BRANCH = 2 };
    struct pointers moving = {.count = 0};
    find_moving(plan, end, &moving);
    assert(end->instructions >= COMPARE_AND_BRANCH);
    uint32_t counter = REGISTER_COUNTER + end->depth;
    uint32_t moves = end->instructions - COMPARE_AND_BRANCH;
    bool counts = moves > (moving.count ? 1 : 0);
    for (uint32_t i = 0; i + counts < moves; i++)
        code_add_link(plan->builder, CLASS_INTEGER,
                      moving.count ? moving.items[i % moving.count] : counter);
    if (counts)
        code_add_link(plan->builder, CLASS_INTEGER, counter);
    else if (moving.count)
        counter = moving.items[0];
    struct instruction *compare = code_add(plan->builder, CLASS_INTEGER);
    code_writes(compare, REGISTER_PREDICATE);
    code_reads(compare, counter);
    add_branch(plan->builder);
}

/* Which registers an arithmetic step reads. */
enum operands { READS_A = 1, READS_B = 2, READS_TO = 4 };

/* Division and square root count as one instruction, so they are one on the special pipe. */
static const struct {
    uint8_t class, operands;
} arithmetic[] = {
    [KERNEL_CONVERT] = {CLASS_INTEGER, READS_TO},
    [KERNEL_FROM_INTEGER] = {CLASS_CONVERT, 0},
    [KERNEL_SET] = {CLASS_INTEGER, 0},
    [KERNEL_ADD] = {CLASS_SINGLE, READS_A | READS_B},
    [KERNEL_SUB] = {CLASS_SINGLE, READS_A | READS_B},
    [KERNEL_MUL] = {CLASS_SINGLE, READS_A | READS_B},
    [KERNEL_SCALE] = {CLASS_SINGLE, READS_A},
    [KERNEL_DIV] = {CLASS_SPECIAL, READS_A | READS_B},
    [KERNEL_DIVIDE_BY] = {CLASS_SPECIAL, READS_A},
    [KERNEL_FMA] = {CLASS_SINGLE, READS_A | READS_B | READS_TO},
    [KERNEL_MADD] = {CLASS_SINGLE, READS_A | READS_TO},
    [KERNEL_SQRT] = {CLASS_SPECIAL, READS_A},
    [KERNEL_ONE_WHERE_AT_MOST] = {CLASS_SINGLE, READS_A},
};

static void add_arithmetic(struct code_builder *builder, const struct step *step)
{
    const bool wide = step->bytes == sizeof(double);
    uint8_t operands = arithmetic[step->kind].operands, class = arithmetic[step->kind].class;
    if (wide && class == CLASS_SINGLE)
        class = CLASS_DOUBLE;
    for (uint32_t i = 0; i < step->instructions; i++) {
        struct instruction *row = code_add(builder, class);
        code_writes(row, data_register(step->to));
        if (operands & READS_A)
            code_reads(row, data_register(step->a));
        if (operands & READS_B && !(operands & READS_A && step->b == step->a))
            code_reads(row, data_register(step->b));
        if (operands & READS_TO)
            code_reads(row, data_register(step->to));
    }
}

static void add_record(const struct plan *plan, uint32_t index)
{
    const struct step *step = &plan->kernel->steps[index];
    bool load = step->kind == KERNEL_LOAD;
    struct instruction *row =
        code_add_access(plan->builder, load ? INSTRUCTION_LOAD : INSTRUCTION_STORE);
    if (load)
        code_writes(row, data_register(step->to));
    code_reads(row, plan->pointer[index]);
    if (!plan->defined[plan->pointer[index]])
        read_places(row, step, 0); /* no instruction counts for the pointer */
    if (!load)
        code_reads(row, data_register(step->a));
}

static void add_step_rows(struct plan *plan, uint32_t index)
{
    const struct step *step = &plan->kernel->steps[index];
    switch ((enum step_kind)step->kind) {
    case KERNEL_LOAD:
    case KERNEL_STORE:
        add_record(plan, index);
        break;
    case KERNEL_LOOP:
        break;
    case KERNEL_END:
        add_loop_end(plan, step);
        break;
    case KERNEL_WORK:
        if (index + 1 < plan->kernel->step_count)
            add_work(plan, index);
        else
            code_add_exit(plan->builder);
        break;
    default:
        add_arithmetic(plan->builder, step);
    }
}

/* The coordinates that addresses depend on, as far as the prologue has room for them; compares,
 * each with the result of the one before; the branch. */
static void add_prologue(const struct kernel *kernel, struct code_builder *builder)
{
    bool used[2] = {false, false};
    for (uint32_t s = 0; s < kernel->step_count; s++) {
        used[0] |= kernel->steps[s].x != 0;
        used[1] |= kernel->steps[s].y != 0;
    }
    used[0] |= !used[1];
    uint32_t left = kernel->prologue - 1;
    for (uint32_t axis = 0; axis < 2; axis++)
        if (used[axis] && left > COORDINATE_INSTRUCTIONS) {
            code_add_coordinate(builder, REGISTER_COLUMN + axis);
            left -= COORDINATE_INSTRUCTIONS;
        }
    for (uint32_t i = 0; i < left; i++) {
        struct instruction *row = code_add(builder, CLASS_INTEGER);
        code_writes(row, REGISTER_PREDICATE);
        code_reads(row, used[1] && (i % 2 || !used[0]) ? REGISTER_ROW : REGISTER_COLUMN);
        if (i)
            code_reads(row, REGISTER_PREDICATE);
    }
    add_branch(builder);
}

enum status kernel_code(const struct kernel *kernel, uint32_t pc, struct trace_code *code)
{
    struct code_builder builder = {.pc = pc};
    struct plan plan = {.kernel = kernel, .builder = &builder};
    assign_pointers(&plan);
    add_prologue(kernel, &builder);
    for (uint32_t s = 0; s < kernel->step_count; s++) {
        assert(builder.pc == kernel->steps[s].pc);
        add_step_rows(&plan, s);
    }
    *code = builder.code;
    return builder.status;
}
