#include "support/knobs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "config/machine_file.h"
#include "model/area/area.h"
#include "model/evaluate.h"
#include "model/timing/timing_check.h"
#include "support/roll_machine.h"
#include "support/same_metrics.h"
#include "support/sanitized.h"
#include "support/zeroed.h"

enum { RANDOM_TRIES = 120, OTHERS = 24 };

/* ---- what is to be witnessed ---- */

/* What makes parameters relevant: a value of one, or nothing but the ground. */
struct group {
    const struct parameter *chosen; /* NULL: nothing */
    struct value value;
};

/* One thing to witness: a parameter on machines of a group. */
struct cell {
    const struct parameter *parameter;
    size_t group;
    bool witnessed;
};

struct cells {
    struct cell *items;
    size_t count, capacity;
    struct group *groups;
    size_t group_count, group_capacity;
};

static bool reads(const struct parameter *parameter, int depth)
{
    if (depth == KNOBS_OF_AREA)
        return parameter->stages & STAGE_AREA;
    return parameter->stages & depth_reads((enum depth)depth) &&
           !(parameter->stages & NOT_AT(depth));
}

static bool legal(const struct machine *machine, int depth)
{
    struct violation found[VIOLATION_MAX];
    return !machine_check(machine, found) &&
           (depth != DEPTH_TIMING || !timing_check(machine, NULL));
}

static size_t add_uint(struct value *values, size_t count, const struct parameter *parameter,
                       double value)
{
    if (count < OTHERS && value >= parameter->min && value <= parameter->max)
        values[count++].uint = (uint64_t)value;
    return count;
}

static size_t other_uints(const struct parameter *parameter, uint64_t value, struct value *values)
{
    const double now = (double)value, few[] = {now * 2, now / 2,
                                               now + 1, now - 1,
                                               now * 4, now / 4,
                                               24,      parameter->min,
                                               1,       (double)parameter->fallback.uint,
                                               2,       4,
                                               12,      now + 32},
                 bytes[] = {now * 16, 32768, 128, 512};
    size_t count = 0;
    if (parameter->unit == UNIT_MASK) {
        count = add_uint(values, count, parameter, (double)(value & (value - 1)));
        count = add_uint(values, count, parameter, 1);
        return add_uint(values, count, parameter, (double)(value << 1));
    }
    if (parameter->unit == UNIT_HERTZ && !value)
        return add_uint(values, count, parameter, 5e8);
    const size_t tried = parameter->unit == UNIT_HERTZ ? 2 : sizeof few / sizeof *few;
    for (size_t i = 0; i < tried; i++)
        count = add_uint(values, count, parameter, few[i]);
    for (size_t i = 0; parameter->unit == UNIT_BYTES && i < sizeof bytes / sizeof *bytes; i++)
        count = add_uint(values, count, parameter, bytes[i]);
    return count;
}

static size_t other_sizes(const struct sizes *sizes, struct value *values)
{
    size_t count = 0;
    for (uint32_t drop = 0; drop < sizes->count && count < OTHERS; drop++) {
        struct sizes *rest = &values[count++].sizes;
        *rest = (struct sizes){0};
        for (uint32_t i = 0; i < sizes->count; i++)
            if (i != drop)
                rest->item[rest->count++] = sizes->item[i];
    }
    return count;
}

/* Values near `now` and far from it. Some are not legal. */
static size_t other_values(const struct parameter *parameter, struct value now,
                           struct value values[OTHERS])
{
    size_t count = 0;
    memset(values, 0, OTHERS * sizeof *values);
    switch (parameter->type) {
    case PARAMETER_BOOL:
        values[count++].uint = !now.uint;
        break;
    case PARAMETER_ENUM:
        for (size_t i = 0; i < parameter->choice_count && count < OTHERS; i++)
            if (i != now.uint)
                values[count++].uint = i;
        break;
    case PARAMETER_UINT:
        return other_uints(parameter, now.uint, values);
    case PARAMETER_REAL:
        values[count++].real = parameter->min;
        values[count++].real = (parameter->min + now.real) / 2;
        values[count++].real = (parameter->max + now.real) / 2;
        break;
    case PARAMETER_SIZES:
        return other_sizes(&now.sizes, values);
    }
    return count;
}

static size_t group_of(struct cells *cells, struct group group)
{
    for (size_t i = 0; i < cells->group_count; i++)
        if (cells->groups[i].chosen == group.chosen &&
            (!group.chosen || parameter_equal(group.chosen, group.value, cells->groups[i].value)))
            return i;
    assert_int_equal(array_reserve(&cells->groups, &cells->group_capacity, cells->group_count + 1),
                     STATUS_OK);
    cells->groups[cells->group_count] = group;
    return cells->group_count++;
}

/* Whether the group is one choice of a family, which needs witnesses of its own. */
static bool of_choice(const struct group *group)
{
    return group->chosen && group->chosen->type == PARAMETER_ENUM;
}

static void add_cell(struct cells *cells, const struct parameter *parameter, struct group group)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct group *other = &cells->groups[cells->items[i].group];
        if (cells->items[i].parameter != parameter || of_choice(other) != of_choice(&group))
            continue;
        if (!of_choice(other) ||
            (other->chosen == group.chosen && other->value.uint == group.value.uint))
            return;
    }
    assert_int_equal(array_reserve(&cells->items, &cells->capacity, cells->count + 1), STATUS_OK);
    cells->items[cells->count++] = (struct cell){parameter, group_of(cells, group), false};
}

/* Whether some value of `chosen` makes the parameter irrelevant. */
static bool depends(const struct parameter *parameter, const struct parameter *chosen,
                    struct machine machine)
{
    for (uint64_t i = 0; i < chosen->choice_count; i++) {
        parameter_set(chosen, &machine, (struct value){.uint = i});
        if (!parameter_relevant(parameter, &machine))
            return true;
    }
    return false;
}

/* What becomes relevant if `chosen` gets another value, and what depends on a choice. */
static void add_changed(struct cells *cells, const struct machine *base, int depth,
                        const struct parameter *chosen)
{
    struct value values[OTHERS];
    const size_t count = other_values(chosen, parameter_get(chosen, base), values);
    for (size_t i = 0; i < count; i++) {
        struct machine machine = *base;
        parameter_set(chosen, &machine, values[i]);
        if (machine.kind != base->kind || !legal(&machine, depth))
            continue;
        for (size_t k = 0; k < parameter_count; k++)
            if (reads(&parameters[k], depth) && parameter_relevant(&parameters[k], &machine) &&
                (chosen->type == PARAMETER_ENUM ? depends(&parameters[k], chosen, *base)
                                                : !parameter_relevant(&parameters[k], base)))
                add_cell(cells, &parameters[k], (struct group){chosen, values[i]});
    }
}

static void add_cells(struct cells *cells, const struct machine *base, int depth)
{
    for (size_t i = 0; i < parameter_count; i++)
        if (reads(&parameters[i], depth) && parameter_relevant(&parameters[i], base))
            add_cell(cells, &parameters[i], (struct group){.chosen = NULL});
    for (size_t i = 0; i < parameter_count; i++)
        if (parameter_relevant(&parameters[i], base))
            add_changed(cells, base, depth, &parameters[i]);
}

/* ---- the search ---- */

/* The tries on a ground: every hint, the ground itself on every source, random machines like it.
 * All grounds see one round before the next. */
enum round { ROUND_HINTS, ROUND_GROUND, ROUND_RANDOM, ROUNDS };

struct search {
    const struct knobs *knobs;
    struct machine base;
    struct cells cells;
    size_t count;    /* of tries */
    size_t *order;   /* of tries; those that witnessed the most come first */
    unsigned *found; /* by try: how many witnesses it was */
};

/* The area needs none, so one stands for all. */
static size_t usual_sources(const struct knobs *knobs)
{
    return knobs->depth == KNOBS_OF_AREA ? 1 : KNOB_USUAL;
}

static size_t try_count(const struct knobs *knobs)
{
    return knobs->hint_count + usual_sources(knobs) + RANDOM_TRIES;
}

static enum status answer(const struct knobs *knobs, const struct machine *machine, size_t source,
                          struct metrics *metrics)
{
    const struct evaluate_options options = {.depth = (enum depth)knobs->depth,
                                             .needs = NEED_REPORT};
    if (knobs->depth != KNOBS_OF_AREA)
        return evaluate(machine, knob_sources[source], &options, metrics, NULL);
    metrics_clear(metrics);
    area_evaluate(machine, metrics);
    return STATUS_OK;
}

/* Whether a refusal is an answer: where time stands still on a machine, which is STATUS_INVALID at
 * depth timing alone, it is none. */
static bool tells(const struct knobs *knobs, const struct machine *machine, size_t source,
                  enum status refusal)
{
    struct metrics metrics;
    return refusal != STATUS_INVALID || !depth_can((enum depth)knobs->depth, DEPTH_TIMED) ||
           evaluate(machine, knob_sources[source], NULL, &metrics, NULL);
}

/* Whether turning the knob of a cell changes the answer of a machine. */
static bool turns(const struct knobs *knobs, const struct cell *cell, const struct machine *machine,
                  size_t source, const struct metrics *before)
{
    struct value values[OTHERS];
    const size_t count =
        other_values(cell->parameter, parameter_get(cell->parameter, machine), values);
    for (size_t i = 0; i < count; i++) {
        struct machine other = *machine;
        struct metrics after;
        parameter_set(cell->parameter, &other, values[i]);
        if (!legal(&other, knobs->depth))
            continue;
        const enum status status = answer(knobs, &other, source, &after);
        if (status) {
            if (tells(knobs, &other, source, status))
                return true;
        } else if (knobs->depth == KNOBS_OF_AREA ? metrics_differ(before, &after, ~0u)
                                                 : counts_differ(before, &after)) {
            return true;
        }
    }
    return false;
}

/* Gives some of the parameters that are read another legal value. */
static void vary(struct dice *dice, struct machine *machine, int depth, unsigned rarity)
{
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        const struct machine before = *machine;
        struct value values[OTHERS];
        if (roll(dice, rarity) || !reads(parameter, depth) ||
            !parameter_relevant(parameter, machine) || !strncmp(parameter->path, "gpu.", 4))
            continue;
        const size_t count = other_values(parameter, parameter_get(parameter, machine), values);
        parameter_set(parameter, machine, values[roll(dice, count)]);
        if (!legal(machine, depth) || machine->kind != before.kind)
            *machine = before;
    }
}

static void apply(struct machine *machine, const char *const settings[KNOB_SETTINGS])
{
    for (size_t i = 0; i < KNOB_SETTINGS && settings[i]; i++)
        assert_int_equal(machine_set_text(machine, settings[i], NULL), STATUS_OK);
}

/* The machine and the source of a try. What makes a number or a switch relevant is any value of
 * the other parameter, so hints may say one. */
static struct machine machine_of(const struct search *search, const struct group *group, size_t try,
                                 size_t *source)
{
    const struct knobs *knobs = search->knobs;
    const size_t usual = usual_sources(knobs), hints = knobs->hint_count;
    struct machine machine = search->base;
    if (group->chosen && !of_choice(group))
        parameter_set(group->chosen, &machine, group->value);
    if (try < hints) {
        *source = knobs->hints[try].source;
        apply(&machine, knobs->hints[try].settings);
    } else {
        *source = (try - hints) % usual;
    }
    if (try >= hints + usual) {
        struct dice dice = {.seed = random_at(try - hints, (uint64_t)knobs->depth)};
        vary(&dice, &machine, knobs->depth, try % 2 ? 8 : 20);
    }
    if (of_choice(group))
        parameter_set(group->chosen, &machine, group->value);
    return machine;
}

static enum round round_of(const struct knobs *knobs, size_t try)
{
    if (try < knobs->hint_count)
        return ROUND_HINTS;
    return try < knobs->hint_count + usual_sources(knobs) ? ROUND_GROUND : ROUND_RANDOM;
}

/* Hints are for the parameters that they name. */
static bool is_meant(const struct knobs *knobs, size_t try, const struct parameter *parameter)
{
    const char *about = try < knobs->hint_count ? knobs->hints[try].about : "";
    return !strncmp(parameter->path, about, strlen(about));
}

/* Whether machines of a kind run a source. */
static bool suits(const struct knobs *knobs, const struct machine *machine, size_t source)
{
    return knobs->depth == KNOBS_OF_AREA ||
           machine_runs_kernels(machine) == !knob_sources[source]->tiles;
}

static bool is_open(const struct search *search, size_t group)
{
    for (size_t i = 0; i < search->cells.count; i++)
        if (!search->cells.items[i].witnessed && search->cells.items[i].group == group)
            return true;
    return false;
}

/* Makes a try for the open cells of a group. Returns how many of them it witnessed. */
static unsigned make_try(struct search *search, size_t try, size_t group)
{
    const struct knobs *knobs = search->knobs;
    const struct group *of = &search->cells.groups[group];
    size_t source;
    struct machine machine = machine_of(search, of, try, &source);
    struct metrics before;
    bool answered = false;
    unsigned found = 0;
    if (machine.kind != search->base.kind || !legal(&machine, knobs->depth) ||
        !suits(knobs, &machine, source))
        return 0;
    for (size_t i = 0; i < search->cells.count; i++) {
        struct cell *cell = &search->cells.items[i];
        if (cell->witnessed || cell->group != group || !is_meant(knobs, try, cell->parameter) ||
            !parameter_relevant(cell->parameter, &machine))
            continue;
        if (!answered && answer(knobs, &machine, source, &before))
            return 0;
        answered = true;
        cell->witnessed = turns(knobs, cell, &machine, source, &before);
        found += cell->witnessed;
    }
    return found;
}

static void sort_tries(struct search *search)
{
    for (size_t i = 1; i < search->count; i++)
        for (size_t k = i;
             k && search->found[search->order[k]] > search->found[search->order[k - 1]]; k--) {
            const size_t try = search->order[k];
            search->order[k] = search->order[k - 1];
            search->order[k - 1] = try;
        }
}

/* Looks for witnesses of the cells of a group in the tries of a round. */
static void look(struct search *search, size_t group, enum round round)
{
    for (size_t i = 0; i < search->count && is_open(search, group); i++) {
        const size_t try = search->order[i];
        if (round_of(search->knobs, try) == round)
            search->found[try] += make_try(search, try, group);
    }
    sort_tries(search);
}

static bool answers(const struct search *search)
{
    struct metrics metrics;
    for (size_t i = 0; i < usual_sources(search->knobs); i++)
        if (!answer(search->knobs, &search->base, i, &metrics))
            return true;
    return false;
}

static const char *title(int depth)
{
    return depth == KNOBS_OF_AREA ? "area" : depth_name((enum depth)depth);
}

static void print_open(const struct search *search, size_t cell, int kind)
{
    const struct group *group = &search->cells.groups[search->cells.items[cell].group];
    const int depth = search->knobs->depth;
    char value[VALUE_TEXT] = "";
    if (group->chosen)
        parameter_print(group->chosen, group->value, value);
    print_error(
        "%s, %s: %s changes nothing%s%s%s%s\n",
        depth == KNOBS_OF_AREA ? "any kind" : parameter_find("machine.kind")->choices[kind].name,
        title(depth), search->cells.items[cell].parameter->path, group->chosen ? " with " : "",
        group->chosen ? group->chosen->path : "", group->chosen ? " = " : "", value);
}

static struct machine open_ground(const struct knob_ground *ground)
{
    struct machine machine;
    assert_int_equal(machine_load(ground->machine, NULL, &machine, NULL, NULL), STATUS_OK);
    apply(&machine, ground->settings);
    assert_true(legal(&machine, DEPTH_TIMING));
    return machine;
}

/* Looks on all grounds of a kind, which help each other; for the area all grounds do. */
static void look_at_grounds(struct search *search, int kind, enum round round)
{
    const int depth = search->knobs->depth;
    for (size_t i = 0; i < knob_ground_count; i++) {
        search->base = open_ground(&knob_grounds[i]);
        if (!(depth == KNOBS_OF_AREA || search->base.kind == kind) || !answers(search))
            continue;
        add_cells(&search->cells, &search->base, depth);
        for (size_t group = 0; group < search->cells.group_count; group++)
            look(search, group, round);
    }
}

/* Notes which parameters it met. */
static size_t turn_kind(const struct knobs *knobs, int kind, bool *met)
{
    struct search search = {.knobs = knobs, .count = try_count(knobs)};
    size_t open = 0;
    search.order = zeroed(search.count, sizeof *search.order);
    search.found = zeroed(search.count, sizeof *search.found);
    for (size_t i = 0; i < search.count; i++)
        search.order[i] = i;
    for (int round = 0; round < ROUNDS; round++)
        look_at_grounds(&search, kind, (enum round)round);
    for (size_t i = 0; i < search.cells.count; i++) {
        met[search.cells.items[i].parameter - parameters] = true;
        if (!search.cells.items[i].witnessed) {
            print_open(&search, i, kind);
            open++;
        }
    }
    free(search.cells.items);
    free(search.cells.groups);
    free(search.order);
    free(search.found);
    return open;
}

size_t knobs_without_witness(const struct knobs *knobs)
{
    if (SANITIZED) {
        print_message("skipped: a storm turns every knob under sanitizers\n");
        skip();
    }
    const int kinds = (int)parameter_find("machine.kind")->choice_count;
    bool *met = zeroed(parameter_count, sizeof *met);
    size_t open = 0;
    for (int kind = 0; kind < (knobs->depth == KNOBS_OF_AREA ? 1 : kinds); kind++)
        open += turn_kind(knobs, kind, met);
    for (size_t i = 0; i < parameter_count; i++)
        if (reads(&parameters[i], knobs->depth) && !met[i]) {
            print_error("%s: %s is relevant on no machine\n", title(knobs->depth),
                        parameters[i].path);
            open++;
        }
    free(met);
    return open;
}
