#include "storm/storm_workload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "support/list_source.h"
#include "support/temporary.h"
#include "support/timed_source.h"
#include "support/trace_walk.h"
#include "trace/trace_file.h"
#include "workload/workload.h"

enum { RECORDS_MAX = 1500, BLOCKS_MAX = 8 };

/* ---- built-in programs ---- */

/* A value near the least one: that of a size that a user would call tiny. */
static uint64_t storm_argument(struct dice *dice, const struct workload *program, size_t i)
{
    const struct workload_parameter *parameter = &program->parameters[i];
    if (workload_words(program, i))
        return parameter->min + roll(dice, parameter->max - parameter->min + 1);
    uint64_t most = parameter->max - parameter->min;
    most = most < 64 ? most : 64;
    uint64_t value = parameter->min + roll(dice, most + 1);
    if (program->powers_of_two >> i & 1)
        while (value & (value - 1))
            value &= value - 1;
    return value < parameter->min ? parameter->fallback : value;
}

/* Writes "NAME:parameter=value,..." with some parameters. */
static void storm_program_text(struct dice *dice, const struct workload *program, char text[256])
{
    size_t used = (size_t)snprintf(text, 256, "%s", program->name);
    for (size_t i = 0; i < program->parameter_count; i++) {
        const char *const *words = workload_words(program, i);
        const uint64_t value = storm_argument(dice, program, i);
        /* What is not given has the size of the suite, often a large one. */
        if (program->parameters[i].fallback <= 16 && roll(dice, 2))
            continue;
        const char before = strchr(text, ':') ? ',' : ':';
        if (words)
            used += (size_t)snprintf(text + used, 256 - used, "%c%s=%s", before,
                                     program->parameters[i].name, words[value]);
        else
            used += (size_t)snprintf(text + used, 256 - used, "%c%s=%llu", before,
                                     program->parameters[i].name, (unsigned long long)value);
    }
}

/* Whether it has few records; a scene always has: its parameters say so. */
static bool storm_is_small(const struct trace_source *source)
{
    struct trace_totals totals;
    if (source->tiles)
        return true;
    if (trace_source_blocks(source) > BLOCKS_MAX)
        return false;
    return !trace_walk(source, WINDOW_RECORDS, &totals, NULL) && totals.records <= RECORDS_MAX &&
           totals.instructions <= 8 * RECORDS_MAX;
}

/* Keeps a few blocks of a source that has many. */
static void storm_cut(struct dice *dice, struct trace_source **source)
{
    const uint64_t blocks = trace_source_blocks(*source);
    if (blocks <= BLOCKS_MAX || (*source)->tiles)
        return;
    struct trace_slices slices = {0};
    const unsigned pieces = 1 + (unsigned)roll(dice, 3);
    for (unsigned i = 0; i < pieces; i++)
        assert_int_equal(trace_slices_add(&slices, *source, roll(dice, blocks), 1 + roll(dice, 3)),
                         STATUS_OK);
    assert_int_equal(trace_source_replace_slices(source, slices.items, (uint32_t)slices.count),
                     STATUS_OK);
    free(slices.items);
}

static size_t storm_program_count(void)
{
    size_t count = 0;
    while (workloads[count])
        count++;
    return count;
}

/* Opens a program; with `cut` a few blocks of it, which its text does not say. */
static bool storm_open(struct dice *dice, bool cut, struct storm_workload *workload)
{
    const struct workload *program = workloads[roll(dice, storm_program_count())];
    storm_program_text(dice, program, workload->text);
    if (workload_open(workload->text, &workload->source, NULL))
        return false;
    if (cut)
        storm_cut(dice, &workload->source);
    if (storm_is_small(workload->source))
        return true;
    trace_source_free(workload->source);
    workload->source = NULL;
    return false;
}

static void storm_program(struct dice *dice, struct storm_workload *workload)
{
    while (!storm_open(dice, true, workload))
        ;
}

void storm_workload_kernel(struct dice *dice, struct storm_workload *workload)
{
    *workload = (struct storm_workload){.program = true};
    while (!storm_open(dice, false, workload) || workload->source->tiles)
        storm_workload_free(workload);
}

/* ---- made-up streams ---- */

static void storm_instructions(struct dice *dice, struct storm_workload *workload)
{
    const struct timed_shape shape = {
        .launches = 1 + (uint32_t)roll(dice, 3),
        .blocks = 1 + (uint32_t)roll(dice, 10),
        .warps = 1 + (uint32_t)roll(dice, 4),
        .instructions = 10 + (uint32_t)roll(dice, 60),
        .lines = 10 + roll(dice, roll(dice, 2) ? 50 : 3000),
        .content = TIMED_GAPS |
                   (unsigned)(roll(dice, 2) ? TIMED_ALL | TIMED_TEXTURES : roll(dice, TIMED_GAPS))};
    workload->source = &timed_source_random(roll(dice, UINT64_MAX), &shape)->base;
}

static void storm_records(struct dice *dice, struct storm_workload *workload)
{
    const uint64_t seed = roll(dice, UINT64_MAX);
    struct list_source *source =
        list_source_random(seed, 1 + (uint32_t)roll(dice, 3), 1 + (uint32_t)roll(dice, 12),
                           1 + (uint32_t)roll(dice, 60), 10 + roll(dice, 500));
    if (roll(dice, 2))
        list_source_mix_spaces(source, seed);
    workload->source = &source->base;
}

/* A list of addresses in a file, as other programs write them. */
static void storm_file(struct dice *dice, struct storm_workload *workload)
{
    static const char *const names[] = {"trace.din", "trace.csv", "trace.addr"};
    const size_t kind = roll(dice, 3);
    char folder[TEMPORARY_PATH], path[TEMPORARY_PATH], *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    if (kind == 1)
        fputs("op,address,bytes\n", out);
    for (uint64_t i = 0, count = 1 + roll(dice, 500), far = 1 + roll(dice, 20); i < count; i++) {
        const unsigned long long address = 4 * roll(dice, roll(dice, far) ? 2000 : 1 << 28);
        if (kind == 0)
            fprintf(out, "%u %llx\n", (unsigned)roll(dice, 2), address);
        else if (kind == 1)
            fprintf(out, "%s,%llu,4\n", roll(dice, 2) ? "r" : "w", address);
        else
            fprintf(out, "0x%llx\n", address);
    }
    fclose(out);
    temporary_create(folder);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const enum status status = trace_open(temporary_file(folder, names[kind], text, size, path),
                                          NULL, &workload->source, &diagnostics);
    if (status)
        fail_msg("%s: %s", names[kind], diagnostics_first(&diagnostics, status));
    diagnostics_free(&diagnostics);
    temporary_remove(folder);
    free(text);
    snprintf(workload->text, sizeof workload->text, "%s", names[kind]);
}

static const struct {
    const char *name;
    unsigned weight;
    void (*draw)(struct dice *dice, struct storm_workload *workload);
} kinds[] = {
    {"a program", 4, storm_program},
    {"random instructions", 3, storm_instructions},
    {"random records", 2, storm_records},
    {"a trace file", 1, storm_file},
};

void storm_workload_draw(struct dice *dice, struct storm_workload *workload)
{
    unsigned weights = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        weights += kinds[i].weight;
    uint64_t drawn = roll(dice, weights);
    size_t kind = 0;
    while (drawn >= kinds[kind].weight)
        drawn -= kinds[kind++].weight;
    *workload = (struct storm_workload){.program = false};
    kinds[kind].draw(dice, workload);
    if (!workload->text[0])
        snprintf(workload->text, sizeof workload->text, "%s", kinds[kind].name);
}

void storm_workload_free(struct storm_workload *workload)
{
    trace_source_free(workload->source);
    workload->source = NULL;
}
