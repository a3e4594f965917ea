#include "report/runs/difference_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/memory.h"
#include "report/drawing/number.h"
#include "report/runs/event_text.h"
#include "trace/stream.h"
#include "trace/tile_stream.h"

enum { DIFFERENCE_COLUMNS = 78 }; /* as the view has */

/* ---- cycles won and lost ---- */

enum cycles_kind {
    CYCLES_LAUNCH,
    CYCLES_PASS,
    CYCLES_BLOCK,
    CYCLES_WARP,
    CYCLES_INSTRUCTION,
    CYCLES_KINDS
};

static const char *const cycles_words[CYCLES_KINDS][2] = {{"launch", "launches"},
                                                          {"pass", "passes"},
                                                          {"block", "blocks"},
                                                          {"warp", "warps"},
                                                          {"instruction", "instructions"}};

enum { CYCLES_NAME = 160 };

struct cycles_row {
    enum cycles_kind kind;
    char name[CYCLES_NAME];
    double cycles[RUNS_COMPARED]; /* NaN: this run has no such thing */
};

struct cycles_rows {
    struct cycles_row *items;
    size_t count, capacity, firsts[CYCLES_KINDS + 1];
    enum status status;
};

/* Cycles that only one run has are all won or lost. */
static double cycles_gained(const struct cycles_row *row)
{
    const double a = row->cycles[RUN_A], b = row->cycles[RUN_B];
    return (isnan(b) ? 0 : b) - (isnan(a) ? 0 : a);
}

static struct cycles_row *cycles_add(struct cycles_rows *rows, enum cycles_kind kind, double a,
                                     double b)
{
    static struct cycles_row nowhere;
    if (array_reserve(&rows->items, &rows->capacity, rows->count + 1)) {
        rows->status = STATUS_MEMORY;
        return &nowhere;
    }
    struct cycles_row *row = &rows->items[rows->count++];
    *row = (struct cycles_row){.kind = kind, .cycles = {a, b}};
    return row;
}

static const struct trace_launch *launch_at(const struct difference_report *report, int run,
                                            uint32_t index)
{
    const struct trace_source *source = report->sources[run];
    return index < source->launch_count ? &source->launches[index] : NULL;
}

static const char *kernel_name(const struct trace_launch *launch)
{
    return launch->name ? launch->name : "";
}

/* Both runs launch the same kernel there. */
static bool same_kernel(const struct difference_report *report, uint32_t index)
{
    const struct trace_launch *a = launch_at(report, RUN_A, index);
    const struct trace_launch *b = launch_at(report, RUN_B, index);
    return a && b && !strcmp(kernel_name(a), kernel_name(b));
}

/* And over the same grid. Numbers of blocks and warps mean the same work in both only then. */
static bool same_launch(const struct difference_report *report, uint32_t index)
{
    const struct trace_launch *a = launch_at(report, RUN_A, index);
    const struct trace_launch *b = launch_at(report, RUN_B, index);
    return a && b && same_kernel(report, index) && !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block);
}

/* Those of the run that has more. */
static uint32_t launches_of_both(const struct difference_report *report)
{
    const uint32_t a = report->sources[RUN_A]->launch_count;
    const uint32_t b = report->sources[RUN_B]->launch_count;
    return a > b ? a : b;
}

static uint32_t same_launches(const struct difference_report *report)
{
    const uint32_t count = launches_of_both(report);
    uint32_t same = 0;
    for (uint32_t i = 0; i < count; i++)
        same += same_launch(report, i);
    return same;
}

/* The passes of scenes. */
static void add_passes(const struct difference_report *report, struct cycles_rows *rows)
{
    const struct tile_stream *scenes[RUNS_COMPARED] = {report->sources[RUN_A]->tiles,
                                                       report->sources[RUN_B]->tiles};
    for (uint32_t i = 0; i < scenes[RUN_A]->pass_count || i < scenes[RUN_B]->pass_count; i++) {
        double cycles[RUNS_COMPARED] = {NAN, NAN};
        const struct tile_pass *pass = NULL;
        for (int k = RUN_B; k >= RUN_A; k--) {
            if (i >= scenes[k]->pass_count)
                continue;
            pass = &scenes[k]->passes[i];
            cycles[k] = (double)report->difference->runs[k].launches[i];
        }
        struct cycles_row *row = cycles_add(rows, CYCLES_PASS, cycles[RUN_A], cycles[RUN_B]);
        snprintf(row->name, CYCLES_NAME, "%" PRIu32 " %.120s", i, pass->name);
    }
}

static void add_launch(const struct difference_report *report, uint32_t index, double a, double b,
                       struct cycles_rows *rows)
{
    const struct trace_launch *launch = launch_at(report, isnan(a) ? RUN_B : RUN_A, index);
    struct cycles_row *row = cycles_add(rows, CYCLES_LAUNCH, a, b);
    snprintf(row->name, CYCLES_NAME, "%" PRIu64 " %.120s", launch_number(launch, index),
             kernel_name(launch));
}

/* Launches of different kernels are not held against each other. */
static void add_launches(const struct difference_report *report, struct cycles_rows *rows)
{
    const uint32_t count = launches_of_both(report);
    for (uint32_t i = 0; i < count; i++) {
        double cycles[RUNS_COMPARED] = {NAN, NAN};
        for (int k = 0; k < RUNS_COMPARED; k++)
            if (launch_at(report, k, i))
                cycles[k] = (double)report->difference->runs[k].launches[i];
        if (same_kernel(report, i))
            add_launch(report, i, cycles[RUN_A], cycles[RUN_B], rows);
        else
            for (int k = 0; k < RUNS_COMPARED; k++)
                if (!isnan(cycles[k]))
                    add_launch(report, i, k == RUN_A ? cycles[k] : NAN,
                               k == RUN_B ? cycles[k] : NAN, rows);
    }
}

/* The cycles of a warp, or of all warps of its block, which *at steps over. */
static double take_cycles(const struct timing_warps *warps, bool blocks, size_t *at)
{
    const struct timing_warp *first = &warps->items[(*at)++];
    uint64_t begin = first->begin, end = first->end;
    for (; blocks && *at < warps->count && warps->items[*at].launch == first->launch &&
           warps->items[*at].block == first->block;
         (*at)++) {
        begin = warps->items[*at].begin < begin ? warps->items[*at].begin : begin;
        end = warps->items[*at].end > end ? warps->items[*at].end : end;
    }
    return (double)(end - begin);
}

/* Both lists are in the order of timing_warps_sort. */
static void add_warps(const struct difference_report *report, bool blocks, struct cycles_rows *rows)
{
    const struct timing_warps *a = &report->difference->runs[RUN_A].warps;
    const struct timing_warps *b = &report->difference->runs[RUN_B].warps;
    for (size_t i = 0, k = 0; i < a->count || k < b->count;) {
        int order = i == a->count ? 1 : k == b->count ? -1 : 0;
        if (!order)
            order = timing_warps_compare(&a->items[i], &b->items[k], blocks);
        const struct timing_warp *warp = order > 0 ? &b->items[k] : &a->items[i];
        const double cycles_a = order > 0 ? NAN : take_cycles(a, blocks, &i);
        const double cycles_b = order < 0 ? NAN : take_cycles(b, blocks, &k);
        if (!same_launch(report, warp->launch))
            continue;
        struct cycles_row *row =
            cycles_add(rows, blocks ? CYCLES_BLOCK : CYCLES_WARP, cycles_a, cycles_b);
        const struct trace_launch *launch =
            &report->sources[order > 0 ? RUN_B : RUN_A]->launches[warp->launch];
        const int length = snprintf(row->name, CYCLES_NAME, "launch %" PRIu64 ", block %" PRIu64,
                                    launch_number(launch, warp->launch), warp->block);
        if (!blocks)
            snprintf(row->name + length, CYCLES_NAME - (size_t)length, ", warp %" PRIu32,
                     warp->warp);
    }
}

static const struct pc_count *same_instruction(const struct pc_table *table,
                                               const struct pc_table *others,
                                               const struct pc_count *count)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->items[i].pc == count->pc && table->items[i].op == count->op &&
            !strcmp(pc_table_kernel(table, &table->items[i]), pc_table_kernel(others, count)))
            return &table->items[i];
    return NULL;
}

/* Whether a run has instructions of the kernel of `count`, which the other run has. */
static bool has_kernel(const struct pc_table *table, const struct pc_table *others,
                       const struct pc_count *count)
{
    for (size_t i = 0; i < table->count; i++)
        if (!strcmp(pc_table_kernel(table, &table->items[i]), pc_table_kernel(others, count)))
            return true;
    return false;
}

static void add_instruction(struct cycles_rows *rows, const struct pc_table *table,
                            const struct pc_count *count, double a, double b)
{
    struct cycles_row *row = cycles_add(rows, CYCLES_INSTRUCTION, a, b);
    snprintf(row->name, CYCLES_NAME, "0x%" PRIx32 " %s %.100s", count->pc, op_names[count->op],
             pc_table_kernel(table, count));
}

/* Cycles that schedulers waited for an instruction of a kernel that both runs have. */
static void add_instructions(const struct difference_report *report, struct cycles_rows *rows)
{
    const struct pc_table *a = &report->difference->runs[RUN_A].pcs;
    const struct pc_table *b = &report->difference->runs[RUN_B].pcs;
    for (size_t i = 0; i < a->count; i++) {
        const struct pc_count *other = same_instruction(b, a, &a->items[i]);
        if (other || has_kernel(b, a, &a->items[i]))
            add_instruction(rows, a, &a->items[i], (double)a->items[i].stalls,
                            other ? (double)other->stalls : NAN);
    }
    for (size_t i = 0; i < b->count; i++)
        if (!same_instruction(a, b, &b->items[i]) && has_kernel(a, b, &b->items[i]))
            add_instruction(rows, b, &b->items[i], NAN, (double)b->items[i].stalls);
}

static int cycles_compare(const void *left, const void *right)
{
    const struct cycles_row *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    const double more = fabs(cycles_gained(b)) - fabs(cycles_gained(a));
    if (more != 0)
        return more > 0 ? 1 : -1;
    return strcmp(a->name, b->name);
}

/* Those whose cycles differ, most first. */
static void cycles_make(const struct difference_report *report, struct cycles_rows *rows)
{
    size_t kept = 0;
    *rows = (struct cycles_rows){0};
    if (report->sources[RUN_A]->tiles)
        add_passes(report, rows);
    else
        add_launches(report, rows);
    add_warps(report, true, rows);
    add_warps(report, false, rows);
    add_instructions(report, rows);
    for (size_t i = 0; i < rows->count; i++)
        if (cycles_gained(&rows->items[i]) != 0)
            rows->items[kept++] = rows->items[i];
    rows->count = kept;
    if (kept)
        qsort(rows->items, kept, sizeof *rows->items, cycles_compare);
    for (unsigned kind = 0; kind < CYCLES_KINDS; kind++) {
        size_t end = rows->firsts[kind];
        while (end < kept && rows->items[end].kind == kind)
            end++;
        rows->firsts[kind + 1] = end;
    }
}

/* The end of the rows of a kind that are shown. */
static size_t shown_end(const struct difference_report *report, const struct cycles_rows *rows,
                        unsigned kind)
{
    const size_t first = rows->firsts[kind], end = rows->firsts[kind + 1];
    return report->limit && end - first > report->limit ? first + report->limit : end;
}

/* ---- how the difference spreads ---- */

struct spread { /* of a part of the machine */
    size_t places, parted;
    uint64_t first, half, last; /* cycles in which the first, half and the last of them part */
    const struct place_difference *example;
};

static void find_spread(const struct run_difference *difference, enum event_part part,
                        struct spread *spread)
{
    *spread = (struct spread){0};
    size_t seen = 0;
    for (size_t i = 0; i < difference->place_count; i++) {
        spread->places += difference->places[i].part == part;
        spread->parted += difference->places[i].part == part && difference->places[i].parted;
    }
    for (size_t i = 0; i < difference->parted; i++) {
        const struct place_difference *place = &difference->places[i];
        if (place->part != part)
            continue;
        if (!seen++) {
            spread->example = place;
            spread->first = place->cycle;
        }
        if (seen == (spread->parted + 1) / 2)
            spread->half = place->cycle;
        spread->last = place->cycle;
    }
}

/* The event of the run that has it first. */
static const struct timing_event *earlier_event(const struct place_difference *place)
{
    const bool b = !place->has[RUN_A] ||
                   (place->has[RUN_B] && place->events[RUN_B].cycle < place->events[RUN_A].cycle);
    return &place->events[b ? RUN_B : RUN_A];
}

/* ---- for people ---- */

static void difference_print_event(const struct place_difference *place, int run, FILE *out)
{
    char text[EVENT_TEXT], count[COUNT_TEXT];
    if (place->has[run])
        fprintf(out, "  %c: cycle %s, %s\n", 'A' + run,
                count_print(place->events[run].cycle, count),
                event_print(&place->events[run], text));
    else
        fprintf(out, "  %c: nothing more there\n", 'A' + run);
}

/* Cycles of other lengths say nothing of the time. */
static void print_times(const struct run_difference *difference, FILE *out)
{
    const struct run_outcome *a = &difference->runs[RUN_A], *b = &difference->runs[RUN_B];
    char times[RUNS_COMPARED][QUANTITY_TEXT], change[NUMBER_TEXT];
    const double cycle_a = a->time / (double)a->counts.cycles;
    const double cycle_b = b->time / (double)b->counts.cycles;
    if (!(fabs(cycle_a / cycle_b - 1) > 1e-9)) /* equal clocks, or no cycles */
        return;
    fprintf(out, "Their clocks differ: A takes %s, B %s: %s.\n",
            quantity_print_short(a->time, UNIT_SECONDS, 4, times[RUN_A]),
            quantity_print_short(b->time, UNIT_SECONDS, 4, times[RUN_B]),
            change_print(a->time, b->time, change));
}

static void difference_print_verdict(const struct difference_report *report, FILE *out)
{
    const struct run_difference *difference = report->difference;
    char count[COUNT_TEXT], change[NUMBER_TEXT];
    const uint64_t a = difference->runs[RUN_A].counts.cycles;
    const uint64_t b = difference->runs[RUN_B].counts.cycles;
    for (int i = 0; i < RUNS_COMPARED; i++)
        fprintf(out, "%c: %s: %s\n", 'A' + i, report->names[i],
                counted_print(difference->runs[i].counts.cycles, "cycle", count));
    if (difference->equal) {
        fprintf(out, "\nThe runs are equal, event by event: %s.\n",
                counted_print(difference->runs[RUN_A].events, "event", count));
        return;
    }
    if (a == b)
        fputs("B takes as many cycles.\n", out);
    else
        fprintf(out, "B takes %s %s: %s.\n", counted_print(a < b ? b - a : a - b, "cycle", count),
                a < b ? "more" : "less", change_print((double)a, (double)b, change));
    print_times(difference, out);
    if (!difference->parted) {
        fputs("\nNo event differs, only what is counted.\n", out);
        return;
    }
    fprintf(out, "\nThey part in cycle %s:\n", count_print(difference->places[0].cycle, count));
    difference_print_event(&difference->places[0], RUN_A, out);
    difference_print_event(&difference->places[0], RUN_B, out);
}

static enum status print_spread(const struct run_difference *difference, enum table_format format,
                                FILE *out)
{
    static const char *const headers[] = {"part",     ">of",     ">differ",     ">from cycle",
                                          ">half by", ">all by", "first there", NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (unsigned i = 0; i < EVENT_PARTS; i++) {
        struct spread spread;
        char text[EVENT_TEXT];
        find_spread(difference, (enum event_part)i, &spread);
        if (!spread.places) /* neither machine has it */
            continue;
        table_text(table, event_parts[i].name);
        table_whole(table, (double)spread.places);
        table_whole(table, (double)spread.parted);
        table_whole(table, spread.parted ? (double)spread.first : NAN);
        table_whole(table, spread.parted ? (double)spread.half : NAN);
        table_whole(table, spread.parted ? (double)spread.last : NAN);
        table_text(table, spread.example ? event_print(earlier_event(spread.example), text) : "-");
    }
    table_fit(table, DIFFERENCE_COLUMNS);
    return table_finish(table, format, out);
}

static struct table *cycles_table(const struct difference_report *report,
                                  const struct cycles_rows *rows)
{
    static const char *const headers[] = {"cycles of|what",    ">A|a",  ">B|b",
                                          ">B - A|difference", "which", NULL};
    struct table *table = table_create(headers);
    for (unsigned kind = 0; table && kind < CYCLES_KINDS; kind++)
        for (size_t i = rows->firsts[kind]; i < shown_end(report, rows, kind); i++) {
            const struct cycles_row *row = &rows->items[i];
            table_text(table, cycles_words[kind][0]);
            table_whole(table, row->cycles[RUN_A]);
            table_whole(table, row->cycles[RUN_B]);
            table_whole(table, cycles_gained(row));
            table_text(table, row->name);
        }
    return table;
}

static void cycles_left_out(const struct difference_report *report, const struct cycles_rows *rows,
                            FILE *out)
{
    bool any = false;
    for (unsigned kind = 0; kind < CYCLES_KINDS; kind++) {
        const size_t more = rows->firsts[kind + 1] - shown_end(report, rows, kind);
        if (more)
            fprintf(out, "%s%zu %s", any ? ", " : "Not shown: ", more,
                    cycles_words[kind][more > 1]);
        any |= more > 0;
    }
    if (any)
        fputs(" that differ less; --limit 0 shows all.\n", out);
}

/* Which rows there cannot be. */
static void print_unpaired(const struct difference_report *report, FILE *out)
{
    const uint32_t same = same_launches(report), launches = launches_of_both(report);
    if (same < launches)
        fprintf(out,
                "\nLaunches of the same kernel and grid in both: %" PRIu32 " of %" PRIu32
                ". In others, a block or warp\nof A is not that of B: they are left out, as are "
                "kernels that only one run has.\n",
                same, launches);
}

static enum status difference_print_people(const struct difference_report *report,
                                           const struct cycles_rows *rows, enum table_format format,
                                           FILE *out)
{
    enum status status = STATUS_OK;
    difference_print_verdict(report, out);
    if (report->difference->equal)
        return status;
    fputs("\nHow the difference spreads\n\n", out);
    status = print_spread(report->difference, format, out);
    if (status || !rows->count)
        return status;
    fprintf(out, "\nCycles won and lost%s\n\n",
            report->sources[RUN_A]->tiles
                ? ""
                : " (of an instruction: those that schedulers waited for it)");
    struct table *table = cycles_table(report, rows);
    if (table)
        table_fit(table, DIFFERENCE_COLUMNS);
    status = table ? table_finish(table, format, out) : STATUS_MEMORY;
    if (!status)
        cycles_left_out(report, rows, out);
    if (!status)
        print_unpaired(report, out);
    return status;
}

/* ---- JSON ---- */

static json_t *difference_run_json(const struct difference_report *report, int run)
{
    const struct run_outcome *outcome = &report->difference->runs[run];
    return json_pack("{s:o, s:I, s:o, s:I}", "name", text_json(report->names[run]), "cycles",
                     (json_int_t)outcome->counts.cycles, "time", number_json(outcome->time),
                     "events", (json_int_t)outcome->events);
}

static json_t *optional_event(const struct place_difference *place, int run)
{
    return place->has[run] ? event_json(&place->events[run]) : json_null();
}

/* The keys of the earlier event, and both. */
static json_t *first_json(const struct run_difference *difference)
{
    if (!difference->parted)
        return json_null();
    const struct place_difference *place = &difference->places[0];
    json_t *object = event_json(earlier_event(place));
    if (object && (json_object_set_new(object, "a", optional_event(place, RUN_A)) ||
                   json_object_set_new(object, "b", optional_event(place, RUN_B)))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *spread_json(const struct run_difference *difference)
{
    json_t *array = json_array();
    for (unsigned i = 0; array && i < EVENT_PARTS; i++) {
        struct spread spread;
        find_spread(difference, (enum event_part)i, &spread);
        if (!spread.places)
            continue;
        const bool any = spread.parted > 0;
        json_t *row =
            json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "part", event_parts[i].name, "places",
                      (json_int_t)spread.places, "differ", (json_int_t)spread.parted, "from",
                      number_json(any ? (double)spread.first : NAN), "half",
                      number_json(any ? (double)spread.half : NAN), "all",
                      number_json(any ? (double)spread.last : NAN));
        if (json_array_append_new(array, row)) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *cycles_json(const struct difference_report *report, const struct cycles_rows *rows)
{
    json_t *array = json_array();
    for (unsigned kind = 0; array && kind < CYCLES_KINDS; kind++)
        for (size_t i = rows->firsts[kind]; array && i < shown_end(report, rows, kind); i++) {
            const struct cycles_row *row = &rows->items[i];
            json_t *item = json_pack(
                "{s:s, s:o, s:o, s:o, s:o}", "what", cycles_words[kind][0], "which",
                text_json(row->name), "a", number_json(row->cycles[RUN_A]), "b",
                number_json(row->cycles[RUN_B]), "difference", number_json(cycles_gained(row)));
            if (json_array_append_new(array, item)) {
                json_decref(array);
                array = NULL;
            }
        }
    return array;
}

static enum status difference_print_json(const struct difference_report *report,
                                         const struct cycles_rows *rows, FILE *out)
{
    const struct run_difference *difference = report->difference;
    const uint32_t same = same_launches(report), launches = launches_of_both(report);
    json_t *all = json_pack("{s:b, s:o, s:o, s:I, s:I, s:o, s:o, s:o}", "equal",
                            (int)difference->equal, "a", difference_run_json(report, RUN_A), "b",
                            difference_run_json(report, RUN_B), "launches", (json_int_t)launches,
                            "same_launches", (json_int_t)same, "first", first_json(difference),
                            "parts", spread_json(difference), "cycles", cycles_json(report, rows));
    return json_print(all, out);
}

enum status difference_report_print(const struct difference_report *report,
                                    enum table_format format, FILE *out)
{
    struct cycles_rows rows;
    cycles_make(report, &rows);
    enum status status = rows.status;
    if (!status && format == TABLE_JSON)
        status = difference_print_json(report, &rows, out);
    else if (!status && format == TABLE_CSV) {
        struct table *table = cycles_table(report, &rows);
        status = table ? table_finish(table, format, out) : STATUS_MEMORY;
    } else if (!status)
        status = difference_print_people(report, &rows, format, out);
    free(rows.items);
    return status;
}
