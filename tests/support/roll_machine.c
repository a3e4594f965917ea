#include "support/roll_machine.h"

#include <string.h>

#include "model/gpu/occupancy.h"
#include "model/timing/timing_check.h"
#include "schema/depths.h"

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The power of two next to a number, within the range. */
static double to_power(const struct parameter *parameter, double value)
{
    double power = parameter->min > 1 ? parameter->min : 1;
    while (power * 2 <= value)
        power *= 2;
    return power;
}

uint64_t roll_clock(struct dice *dice, uint64_t clock, uint64_t most)
{
    const uint64_t times = 1 + roll(dice, most);
    return clock * times / (1 + roll(dice, 6));
}

static uint64_t roll_uint(struct dice *dice, const struct parameter *parameter, bool tight)
{
    const double fallback = (double)parameter->fallback.uint;
    if (parameter->unit == UNIT_HERTZ)
        return roll_clock(dice, parameter->fallback.uint, 12);
    double value;
    if (tight && roll(dice, 3))
        value = parameter->min + (double)roll(dice, 4);
    else if (roll(dice, 2))
        value = parameter->min + (double)roll(dice, (uint64_t)(2 * fallback - parameter->min) + 2);
    else
        value = roll(dice, 2) ? fallback / 2 : fallback * 2;
    if (value < parameter->min)
        value = parameter->min;
    if (parameter->stepping == STEP_POWER || parameter->stepping == STEP_DOUBLE)
        value = to_power(parameter, value);
    if (parameter->stepping == STEP_ADD && parameter->step > 1)
        value -= (double)((uint64_t)value % (uint64_t)parameter->step);
    value = value < parameter->min ? parameter->min : value;
    return (uint64_t)smaller(value, parameter->max);
}

bool machine_can_run(const struct machine *machine, enum depth depth)
{
    struct violation found[VIOLATION_MAX];
    return !machine_check(machine, found) &&
           (!depth_can(depth, DEPTH_TIMED) ||
            (!timing_check(machine, NULL) &&
             machine->l1d.dirty * (double)cache_sets(&machine->l1d) <= 1));
}

void roll_sms(struct dice *dice, struct machine *machine)
{
    machine->gpu.sms = 1 + roll(dice, 4);
    while (machine->gpu.sms % machine->gpu.cluster)
        machine->gpu.cluster--;
}

static void roll_parameter_at(enum depth depth, struct dice *dice,
                              const struct parameter *parameter, struct machine *machine,
                              bool tight)
{
    const struct machine before = *machine;
    struct value value = parameter_get(parameter, machine);
    switch (parameter->type) {
    case PARAMETER_BOOL:
        value.uint = roll(dice, 2);
        break;
    case PARAMETER_ENUM:
        value.uint = roll(dice, parameter->choice_count);
        break;
    case PARAMETER_UINT:
        if (parameter->unit == UNIT_MASK)
            return; /* masks belong together */
        value.uint = roll_uint(dice, parameter, tight);
        break;
    case PARAMETER_REAL:
        value.real = parameter->min + (parameter->max - parameter->min) / 8 * (double)roll(dice, 9);
        break;
    case PARAMETER_SIZES:
        return;
    }
    parameter_set(parameter, machine, value);
    if (!machine_can_run(machine, depth))
        *machine = before;
}

void roll_parameter(struct dice *dice, const struct parameter *parameter, struct machine *machine,
                    bool tight)
{
    roll_parameter_at(DEPTH_TIMING, dice, parameter, machine, tight);
}

void roll_machine_at(enum depth depth, struct dice *dice, struct machine *machine, unsigned rarity,
                     bool tight)
{
    for (size_t i = 0; i < parameter_count; i++)
        if (strcmp(parameters[i].path, "gpu.address_bits") != 0 &&
            parameter_answers(&parameters[i], depth) && roll(dice, rarity) == 0)
            roll_parameter_at(depth, dice, &parameters[i], machine, tight);
    machine_apply_kind(machine);
}

/* The bypass of the L1D has dice of its own, so that it changes no other choice. */
static bool is_bypass(const struct parameter *parameter)
{
    return !strncmp(parameter->path, "l1d.bypass.", 11);
}

/* So have what came later. */
static bool is_later(const char *path)
{
    static const char *const paths[] = {
        "l1i.replacement",  "l1i.index",    "l1i.reset",       "l1i.same_line",
        "l1i.block_stride", "l1i.blocking", "l1i.latency",     "l1d.same_line",
        "l1d.blocking",     "core.decode",  "coalescer.order", "dram.latency_clock"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (!strcmp(path, paths[i]))
            return true;
    return false;
}

void roll_machine(struct dice *dice, struct machine *machine, unsigned rarity, bool tight)
{
    enum { PASSES = 2 }; /* what one change forbids, another may allow */
    struct dice bypass = {.seed = ~dice->seed, .next = dice->next}, l1i = bypass;
    l1i.seed ^= 1;
    for (unsigned pass = 0; pass < PASSES; pass++)
        for (size_t i = 0; i < parameter_count; i++) {
            struct dice *of = is_bypass(&parameters[i]) ? &bypass : dice;
            of = is_later(parameters[i].path) ? &l1i : of;
            if (!strcmp(parameters[i].path, "gpu.address_bits"))
                continue; /* fewer are an error for most programs */
            const int kind = machine->kind;
            if (parameter_answers(&parameters[i], DEPTH_TIMING) && roll(of, rarity) == 0)
                roll_parameter(of, &parameters[i], machine, tight);
            if (!machine_runs_kernels(machine))
                machine->kind = kind;
        }
    machine_apply_kind(
        machine); /* as an evaluation does: what its kind lacks may be illegal by itself */
}

bool machine_fits(const struct machine *machine, const struct trace_source *source)
{
    bool fits = true;
    for (uint32_t i = 0; i < source->launch_count; i++)
        fits &= occupancy_of(machine, &source->launches[i]).blocks > 0;
    return fits;
}

void roll_least(struct dice *dice, struct machine *machine, const struct trace_source *source,
                unsigned percent)
{
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        const struct machine before = *machine;
        if (parameter->type != PARAMETER_UINT || parameter->unit != UNIT_NONE ||
            !parameter_answers(parameter, DEPTH_TIMING) || is_bypass(parameter) ||
            !strcmp(parameter->path, "gpu.address_bits") || roll(dice, 100) >= percent)
            continue;
        parameter_set(parameter, machine, (struct value){.uint = (uint64_t)parameter->min});
        if (!machine_can_run(machine, DEPTH_TIMING) || !machine_fits(machine, source))
            *machine = before;
    }
}
