/* No knob does nothing. On each kind of machine, at each depth and for the area, a parameter that
 * its row calls relevant and read there has a witness: a workload, a machine of that kind and
 * another legal value with which some answer differs. A parameter without one fails, so its row has
 * to say where it is not read. (That what is not read changes nothing is tested in
 * test_evaluate.c.)
 *
 * What has to be witnessed follows from the parameter table: whatever is relevant on the machine of
 * a ground, or becomes so by one change of it. Where the relevance of a parameter depends on a
 * choice, as that of l1d.bypass.entries on l1d.bypass.policy, each choice that makes it relevant
 * needs a witness of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "config/machine_file.h"
#include "model/area/area.h"
#include "model/evaluate.h"
#include "model/timing/limits.h"
#include "schema/parameters.h"
#include "support/roll_machine.h"
#include "support/same_metrics.h"
#include "support/timed_source.h"
#include "workload/workload.h"

/* Machines to turn the knobs of. Settings make a machine small, or switch on what no single change
 * of the others makes relevant. */
struct ground {
    const char *machine;
    const char *settings[16]; /* as of --set, then NULL */
};
static const struct ground grounds[] = {
    {"gtx480",
     {"gpu.sms=2", "l2.size=24KiB", "l1i.size=512B", "l1i.line=32B", "l1i.ways=2",
      "tlb.replacement=random", "gpu.shared_options=[0B, 16KiB, 32KiB]"}},
    {"rtx3070",
     {"gpu.sms=2", "l2.size=64KiB", "l2.ways=16", "l2.slices=2", "l2.slices_per_channel=1"}},
    {"cpwc-gtx480",
     {"gpu.sms=2", "tlb.entries=8", "tlb.ways=4", "l2tlb.enabled=yes", "l2tlb.entries=16",
      "l2tlb.ways=4", "pwc.entries=4", "pwc.block_entries=2", "l2.replacement=random"}},
    {"reuse-gtx470-16k",
     {"gpu.sms=2", "l1d.size=2KiB", "l1d.index=linear", "l1d.unified=16KiB", "l1d.mshr.merge=1",
      "gpu.shared_options=[0B, 8KiB, 12KiB]"}},
    {"simt-processor",
     {"l1i.size=512B", "l1i.line=64B", "l1i.ways=8", "l1d.size=512B", "l1d.ways=8",
      "l1d.replacement=random", "l1d.write=write_through", "l1d.write_allocate=none",
      "l1d.reuse.model.allocate=yes", "l1d.mshr.entries=4", "l2.size=8KiB", "l2.slices=4",
      "l2.slices_per_channel=1", "gpu.shared_options=[0B, 16KiB, 32KiB]"}},
    {"tile-gpu", {"tile.size=4KiB", "tile.ways=8", "tile.replacement=random"}},
};
enum { GROUNDS = sizeof grounds / sizeof *grounds, AREA = DEPTH_COUNT };

enum { SOURCES_MAX = 12, TRIES = 120, OTHERS = 24 };

static struct trace_source *sources[SOURCES_MAX];
static size_t source_count;

/* One thing to witness: a parameter on machines like this one. */
struct cell {
    const struct parameter *parameter;
    const struct parameter *chosen; /* whose value makes it relevant; NULL: it is anyway */
    struct value value;
    bool witnessed;
};

struct cells {
    struct cell *items;
    size_t count, capacity;
};

/* Parameters that were relevant on some ground, at each depth and for the area. */
static bool met[DEPTH_COUNT + 1][512];

static bool reads(const struct parameter *parameter, int depth)
{
    if (depth == AREA)
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

/* Whether the cell is about one choice of a family. */
static bool of_choice(const struct cell *cell)
{
    return cell->chosen && cell->chosen->type == PARAMETER_ENUM;
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    if (a->parameter != b->parameter || of_choice(a) != of_choice(b))
        return false;
    return !of_choice(a) || (a->chosen == b->chosen && a->value.uint == b->value.uint);
}

static void add_cell(struct cells *cells, struct cell cell)
{
    for (size_t i = 0; i < cells->count; i++)
        if (same_cell(&cells->items[i], &cell))
            return;
    if (cells->count == cells->capacity) {
        cells->capacity = 2 * cells->capacity + 64;
        cells->items = realloc(cells->items, cells->capacity * sizeof *cells->items);
        assert_non_null(cells->items);
    }
    cells->items[cells->count++] = cell;
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
                add_cell(cells, (struct cell){&parameters[k], chosen, values[i], false});
    }
}

static void add_cells(struct cells *cells, const struct machine *base, int depth)
{
    for (size_t i = 0; i < parameter_count; i++)
        if (reads(&parameters[i], depth) && parameter_relevant(&parameters[i], base))
            add_cell(cells, (struct cell){.parameter = &parameters[i]});
    for (size_t i = 0; i < parameter_count; i++)
        if (parameter_relevant(&parameters[i], base))
            add_changed(cells, base, depth, &parameters[i]);
    for (size_t i = 0; i < cells->count; i++)
        met[depth][cells->items[i].parameter - parameters] = true;
}

/* False: refused. The metrics of the area are those of a machine at rest. */
static bool answer(const struct machine *machine, size_t source, int depth, struct metrics *metrics)
{
    const struct evaluate_options options = {.depth = (enum depth)depth, .needs = NEED_REPORT};
    if (depth != AREA)
        return !evaluate(machine, sources[source], &options, metrics, NULL);
    metrics_clear(metrics);
    area_evaluate(machine, metrics);
    return true;
}

/* Whether turning the knob of a cell changes the answer of a machine. */
static bool turns(const struct cell *cell, const struct machine *machine, size_t source, int depth,
                  const struct metrics *before)
{
    struct value values[OTHERS];
    const size_t count =
        other_values(cell->parameter, parameter_get(cell->parameter, machine), values);
    for (size_t i = 0; i < count; i++) {
        struct machine other = *machine;
        struct metrics after;
        parameter_set(cell->parameter, &other, values[i]);
        if (!legal(&other, depth))
            continue;
        if (!answer(&other, source, depth, &after))
            return true;
        if ((depth == AREA ? metrics_differ(before, &after, ~0u) : counts_differ(before, &after)))
            return true;
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

/* A machine like the ground's, the more random the more tries there were. */
static struct machine like(const struct machine *base, int depth, size_t try, size_t usual)
{
    struct dice dice = {.seed = random_at(try, (uint64_t)depth)};
    struct machine machine = *base;
    if (try >= usual)
        vary(&dice, &machine, depth, try % 2 ? 8 : 20);
    return machine;
}

/* Looks for witnesses of the cells of one value of one parameter (or of none). */
static void look(struct cells *cells, size_t first, const struct machine *base, int depth)
{
    const struct cell *head = &cells->items[first];
    const size_t usual = depth == AREA ? 1 : source_count;
    for (size_t try = 0; try < TRIES; try++) {
        const size_t source = try % source_count;
        struct machine machine = like(base, depth, try, usual);
        struct metrics before;
        bool open = false;
        if (head->chosen)
            parameter_set(head->chosen, &machine, head->value);
        if (!legal(&machine, depth) || !answer(&machine, source, depth, &before))
            continue;
        for (size_t i = first; i < cells->count; i++) {
            struct cell *cell = &cells->items[i];
            if (cell->witnessed || cell->chosen != head->chosen ||
                (head->chosen && !parameter_equal(head->chosen, head->value, cell->value)))
                continue;
            cell->witnessed = parameter_relevant(cell->parameter, &machine) &&
                              turns(cell, &machine, source, depth, &before);
            open |= !cell->witnessed;
        }
        if (!open)
            return;
    }
}

static bool answers(const struct machine *base, int depth)
{
    struct metrics metrics;
    for (size_t i = 0; i < source_count; i++)
        if (answer(base, i, depth, &metrics))
            return true;
    return false;
}

static size_t print_open(const struct cells *cells, int depth, int kind)
{
    size_t open = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->items[i];
        char value[VALUE_TEXT] = "";
        if (cell->witnessed)
            continue;
        if (cell->chosen)
            parameter_print(cell->chosen, cell->value, value);
        print_error("%s, %s: %s changes nothing%s%s%s%s\n",
                    depth == AREA ? "any kind" : parameter_find("machine.kind")->choices[kind].name,
                    depth == AREA ? "area" : depth_name((enum depth)depth), cell->parameter->path,
                    cell->chosen ? " with " : "", cell->chosen ? cell->chosen->path : "",
                    cell->chosen ? " = " : "", value);
        open++;
    }
    return open;
}

static struct machine open_ground(const struct ground *ground)
{
    struct machine machine;
    assert_int_equal(machine_load(ground->machine, NULL, &machine, NULL, NULL), STATUS_OK);
    for (size_t i = 0; ground->settings[i]; i++)
        assert_int_equal(machine_set_text(&machine, ground->settings[i], NULL), STATUS_OK);
    assert_true(legal(&machine, DEPTH_TIMING));
    return machine;
}

/* Grounds of a kind help each other; for the area so do all. */
static size_t turn_kind(int depth, int kind)
{
    struct cells cells = {0};
    for (size_t i = 0; i < GROUNDS; i++) {
        const struct machine base = open_ground(&grounds[i]);
        if (!(depth == AREA || base.kind == kind) || !answers(&base, depth))
            continue;
        add_cells(&cells, &base, depth);
        for (size_t k = 0; k < cells.count; k++)
            if (!cells.items[k].witnessed)
                look(&cells, k, &base, depth);
    }
    const size_t open = print_open(&cells, depth, kind);
    free(cells.items);
    return open;
}

static void turn_all(int depth)
{
    size_t open = 0;
    for (int kind = 0;
         kind < (depth == AREA ? 1 : (int)parameter_find("machine.kind")->choice_count); kind++)
        open += turn_kind(depth, kind);
    for (size_t i = 0; i < parameter_count; i++)
        if (reads(&parameters[i], depth) && !met[depth][i]) {
            print_error("%s: %s is relevant on no machine\n",
                        depth == AREA ? "area" : depth_name((enum depth)depth), parameters[i].path);
            open++;
        }
    assert_int_equal(open, 0);
}

static void functional_knobs(void **state)
{
    (void)state;
    turn_all(DEPTH_FUNCTIONAL);
}

static void reuse_knobs(void **state)
{
    (void)state;
    turn_all(DEPTH_REUSE);
}

static void area_knobs(void **state)
{
    (void)state;
    turn_all(AREA);
}

/* Moves accesses far apart, so that walks differ in every level of the page table. */
static void spread(struct timed_source *source)
{
    for (uint32_t i = 0; i < source->base.launch_count; i++)
        for (uint32_t w = 0; w < source->lists[i].blocks * source->lists[i].warps; w++)
            for (uint32_t k = 0; k < source->lists[i].warp[w].record_count; k++)
                source->lists[i].warp[w].records[k].base +=
                    (random_at(w, k) % 16 << 21) + (random_at(k, w) % 4 << 38);
}

static int open_sources(void **state)
{
    (void)state;
    static const struct timed_shape shapes[] = {
        {4, 12, 4, 60, 200, TIMED_ALL | TIMED_TEXTURES},
        {2, 4, 4, 300, 3000, TIMED_ALL},
        {1, 60, 1, 40, 64, TIMED_ALL | TIMED_TEXTURES},
    };
    static const char *const scenes[] = {
        "raster-jellyfish:width=64,height=48,frames=2,detail=6,samples=1",
        "raster-shadow:width=64,height=48,samples=4"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct timed_source *timed = timed_source_random(7 + i, &shapes[i]);
        struct trace_source *source = &timed->base;
        for (uint32_t k = 0; k < source->launch_count; k++)
            source->launches[k].shared_bytes = 6000;
        assert_true(i || source->launch_count > 1);
        if (i == 1)
            spread(timed);
        sources[source_count++] = source;
    }
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        assert_int_equal(workload_open(scenes[i], &sources[source_count++], NULL), STATUS_OK);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(area_knobs),
        cmocka_unit_test(functional_knobs),
        cmocka_unit_test(reuse_knobs),
    };
    return cmocka_run_group_tests(tests, open_sources, NULL);
}
