#include "report/runs/step_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/text_stream.h"
#include "report/runs/event_text.h"
#include "report/runs/set_report.h"
#include "report/runs/step_json.h"
#include "report/runs/step_scene.h"

const char *const step_part_names[STEP_PARTS + 1] = {
#define STEP_PART_NAME(name, of, title) #name,
    STEP_PART_LIST(STEP_PART_NAME)
#undef STEP_PART_NAME
        NULL};
const char *const step_part_titles[STEP_PARTS] = {
#define STEP_PART_TITLE(name, of, title) title,
    STEP_PART_LIST(STEP_PART_TITLE)
#undef STEP_PART_TITLE
};

bool step_part_is_of(enum step_part part, bool scene)
{
    static const enum step_part_of of_whom[STEP_PARTS] = {
#define STEP_PART_OF(name, of, title) STEP_OF_##of,
        STEP_PART_LIST(STEP_PART_OF)
#undef STEP_PART_OF
    };
    return of_whom[part] != (scene ? STEP_OF_SMS : STEP_OF_SCENE);
}

/* ---- why a warp waits ---- */

static void print_register(uint32_t number, char text[16])
{
    const bool uniform = number >= UNIFORM_REGISTER;
    snprintf(text, 16, "%s%" PRIu32, uniform ? "UR" : "R",
             uniform ? number - UNIFORM_REGISTER : number);
}

/* Where the instruction is that brings the register. */
static void wait_place_print(const struct warp_wait *wait, char *text, size_t size)
{
    const char *words = wait_places[wait->place];
    const size_t length = strlen(words);
    const bool counted = length > 5 && !strcmp(words + length - 5, "after");
    if (counted && !wait->ahead)
        snprintf(text, size, ", %.*s as the first", (int)(length - 6), words);
    else if (counted)
        snprintf(text, size, ", %s %" PRIu32 " other%s", words, wait->ahead,
                 wait->ahead == 1 ? "" : "s");
    else
        snprintf(text, size, "%s%s", *words ? ", " : "", words);
}

static void wait_lacking_print(const struct warp_wait *wait, char *text, size_t size)
{
    char lacks[16], place[128];
    print_register(wait->lacks, lacks);
    wait_place_print(wait, place, sizeof place);
    if (!wait->has_source)
        snprintf(text, size, "0x%" PRIx32 " waits for %s", wait->pc, lacks);
    else
        snprintf(text, size, "0x%" PRIx32 " waits for %s from the %s at 0x%" PRIx32 "%s%s%s",
                 wait->pc, lacks, wait->load ? "load" : "instruction", wait->source_pc, place,
                 wait->refusal ? ": " : "", wait->refusal ? wait->refusal : "");
}

static void step_wait_print(const struct warp_wait *wait, char text[WAIT_TEXT])
{
    if (wait->lacks != NO_REGISTER)
        wait_lacking_print(wait, text, WAIT_TEXT);
    else if (wait->state == WARP_barrier && wait->arrived)
        snprintf(text, WAIT_TEXT,
                 "waits at a barrier, to which %" PRIu32 " of %" PRIu32 " warps have come",
                 wait->arrived, wait->running);
    else if (wait->has_next)
        snprintf(text, WAIT_TEXT, "0x%" PRIx32 " %s", wait->pc, warp_states[wait->state].help);
    else
        snprintf(text, WAIT_TEXT, "%s", warp_states[wait->state].help);
}

/* ---- for people ---- */

static const uint8_t *states_of(const struct cursor_window *window, uint32_t sm, uint32_t slot)
{
    return window->states + ((size_t)sm * window->slots + slot) * CURSOR_COLUMNS;
}

bool strip_row_find(const struct run_cursor *cursor, uint32_t sm, uint32_t slot,
                    struct strip_row *row)
{
    const struct cursor_window window = run_cursor_window(cursor);
    const struct tile_run *tiles = run_cursor_tiles(cursor);
    const uint8_t *states = states_of(&window, sm, slot);
    bool any = tiles;
    for (uint32_t i = 0; i < window.columns; i++) {
        row->marks[i] = window.state_rows[states[i]].mark;
        any |= states[i] != WARP_absent;
    }
    row->marks[window.columns] = '\0';
    row->slot = slot;
    if (tiles) {
        row->state = window.columns ? states[window.columns - 1] : BANK_MARK_idle;
        step_bank_print(tiles, slot, row->why);
        return true;
    }
    warp_wait_find(run_cursor_gpu(cursor), sm, slot, &row->wait);
    row->state = (uint8_t)row->wait.state;
    step_wait_print(&row->wait, row->why);
    return any || row->state != WARP_absent;
}

static void step_legend(const struct cursor_window *window, uint32_t sm, FILE *out)
{
    unsigned seen = 0;
    for (uint32_t slot = 0; slot < window->slots; slot++)
        for (uint32_t i = 0; i < window->columns; i++)
            seen |= 1u << states_of(window, sm, slot)[i];
    for (unsigned i = 1; i < window->state_count; i++)
        if (seen >> i & 1)
            fprintf(out, "  %c %s\n", window->state_rows[i].mark, window->state_rows[i].help);
}

static void step_strip(const struct step_report *report, const struct cursor_window *window,
                       FILE *out)
{
    char count[2][COUNT_TEXT], place[32] = "Tile cache";
    bool any = false;
    const bool scene = run_cursor_scene(report->cursor);
    if (!scene)
        snprintf(place, sizeof place, "SM %" PRIu32, report->sm);
    fprintf(out, "\n%s, cycles %s to %s, one row per %s\n\n", place,
            count_print(window->first, count[0]),
            count_print(window->first + window->columns - 1, count[1]), scene ? "bank" : "warp");
    for (uint32_t slot = 0; slot < window->slots; slot++) {
        struct strip_row row;
        if (!strip_row_find(report->cursor, report->sm, slot, &row))
            continue;
        fprintf(out, "%5" PRIu32 " |%s|\n", slot, row.marks);
        any = true;
    }
    if (any)
        step_legend(window, report->sm, out);
    else
        fputs("  no warps\n", out);
}

struct row_printer {
    struct table *table;
    uint64_t limit, rows, more;
};

/* Whether there is room for one more row. */
static bool printer_takes(struct row_printer *printer)
{
    const bool takes = !printer->limit || printer->rows < printer->limit;
    printer->rows += takes;
    printer->more += !takes;
    return takes;
}

static void step_add_waits(const struct step_report *report, struct row_printer *printer)
{
    const struct cursor_window window = run_cursor_window(report->cursor);
    for (uint32_t slot = 0; slot < window.slots; slot++) {
        struct strip_row row;
        if (!strip_row_find(report->cursor, report->sm, slot, &row) || row.state == WARP_absent ||
            !printer_takes(printer))
            continue;
        table_whole(printer->table, slot);
        if (!run_cursor_scene(report->cursor))
            table_whole(printer->table, (double)row.wait.block);
        table_text(printer->table, row.why);
    }
}

static bool is_shown_there(const struct step_report *report, const struct timing_event *event)
{
    uint32_t sm, slot;
    return event_row(event, &sm, &slot) && sm == report->sm;
}

/* The events of the last cycle, those of the SM first. */
static enum status step_events(const struct step_report *report, FILE *out)
{
    const struct cursor_window window = run_cursor_window(report->cursor);
    const uint64_t last = run_cursor_cycle(report->cursor) - 1;
    struct row_printer rows = {.limit = report->limit};
    char text[EVENT_TEXT];
    for (int others = 0; window.columns && others < 2; others++)
        for (size_t i = 0; i < window.event_count; i++) {
            const struct timing_event *event = &window.events[i];
            if (event->cycle == last && is_shown_there(report, event) == !others &&
                printer_takes(&rows))
                fprintf(out, "  %s\n", event_print(event, text));
        }
    if (rows.more)
        fprintf(out, "  and %" PRIu64 " more\n", rows.more);
    return STATUS_OK;
}

static void step_add_queue(void *context, const struct queue_state *queue)
{
    const struct row_printer *printer = context;
    char place[64] = "SM", head[32] = "-";
    if (queue->of)
        snprintf(place, sizeof place, "%s %" PRIu32, queue->of, queue->place);
    if (queue->address)
        snprintf(head, sizeof head, "0x%" PRIx64, queue->address);
    table_text(printer->table, place);
    table_text(printer->table, queue->name);
    table_whole(printer->table, (double)queue->count);
    table_number(printer->table, (double)queue->most, queue->most ? NULL : "-");
    table_text(printer->table, head);
}

static void step_add_block(void *context, const struct block_state *block)
{
    struct row_printer *printer = context;
    if (!printer_takes(printer))
        return;
    table_printf(printer->table, "0x%" PRIx64, block->address);
    table_whole(printer->table, block->nth + 1);
    table_whole(printer->table, block->slot);
    table_printf(printer->table, "0x%" PRIx32, block->pc);
    table_text(printer->table, block->writes ? "store" : "load");
    table_text(printer->table, block->here ? "there" : "on their way");
}

static void step_add_bank(void *context, const struct bank_state *bank)
{
    struct row_printer *printer = context;
    if (!printer_takes(printer))
        return;
    table_whole(printer->table, bank->channel);
    table_whole(printer->table, bank->bank);
    table_whole(printer->table, bank->open ? (double)bank->row : (double)NAN);
    if (bank->serves)
        table_printf(printer->table, "%s 0x%" PRIx64, bank->writes ? "write" : "read",
                     bank->address);
    else
        table_text(printer->table, "-");
    table_whole(printer->table, bank->waiting);
    table_whole(printer->table, (double)bank->rest);
}

static void step_add_way(void *context, const struct way_state *way)
{
    const struct row_printer *printer = context;
    char address[32] = "-", sectors[40] = "";
    for (uint32_t i = 0; way->holds && i < way->sectors && i < 32; i++)
        sectors[i] = way->reserved >> i & 1 ? 'r'
                     : way->dirty >> i & 1  ? 'd'
                     : way->valid >> i & 1  ? 'v'
                                            : '-';
    if (way->holds)
        snprintf(address, sizeof address, "0x%" PRIx64, way->address);
    table_whole(printer->table, way->way);
    table_text(printer->table, address);
    table_text(printer->table, *sectors ? sectors : "-");
    table_whole(printer->table, (double)way->used);
}

static const char *const wait_headers[] = {">warp", ">block", "why it waits", NULL};
static const char *const bank_wait_headers[] = {">bank", "what it does", NULL};
static const char *const queue_headers[] = {"where", "queue", ">holds", ">of", "first", NULL};
static const char *const block_headers[] = {
    "block in flight|block", ">nth", ">warp", "pc", "waits", "data", NULL};
static const char *const bank_headers[] = {">channel", ">bank", ">open row", "serves",
                                           ">waiting", ">rest", NULL};
static const char *const bus_headers[] = {"", "what it does", NULL};
static const char *const way_headers[] = {">way", "line", "sectors", ">used", NULL};
static const char *const tile_way_headers[] = {">way", "line", "changed", NULL};

static void visit_queues(const struct step_report *report, struct row_printer *printer)
{
    if (run_cursor_scene(report->cursor))
        step_scene_queues(run_cursor_tiles(report->cursor), step_add_queue, printer);
    else
        run_state_queues(run_cursor_gpu(report->cursor), report->sm, step_add_queue, printer);
}
static void visit_blocks(const struct step_report *report, struct row_printer *printer)
{
    run_state_blocks(run_cursor_gpu(report->cursor), report->sm, step_add_block, printer);
}
static void visit_banks(const struct step_report *report, struct row_printer *printer)
{
    run_state_banks(run_cursor_gpu(report->cursor), step_add_bank, printer);
}
static void visit_bus(const struct step_report *report, struct row_printer *printer)
{
    const struct tile_run *run = run_cursor_tiles(report->cursor);
    char text[SCENE_TEXT];
    table_text(printer->table, "rasteriser");
    table_text(printer->table, step_pass_print(run, text));
    table_text(printer->table, "bus");
    table_text(printer->table, step_bus_print(run, text));
}

static void step_add_tile_way(void *context, const struct way_state *way)
{
    const struct row_printer *printer = context;
    char address[32] = "-";
    if (way->holds)
        snprintf(address, sizeof address, "0x%" PRIx64, way->address);
    table_whole(printer->table, way->way);
    table_text(printer->table, address);
    table_text(printer->table, way->dirty ? "yes" : way->holds ? "no" : "-");
}

static void visit_set(const struct step_report *report, struct row_printer *printer)
{
    if (run_cursor_scene(report->cursor))
        step_scene_set(run_cursor_tiles(report->cursor), report->set, step_add_tile_way, printer);
    else
        run_state_set(run_cursor_gpu(report->cursor), report->set->stage, report->set->instance,
                      report->set->set, step_add_way, printer);
}

/* A table, if it has rows. */
static enum status step_table(const struct step_report *report, const char *const *headers,
                              void (*visit)(const struct step_report *, struct row_printer *),
                              enum table_format format, FILE *out)
{
    struct row_printer printer = {.table = table_create(headers), .limit = report->limit};
    if (!printer.table)
        return STATUS_MEMORY;
    visit(report, &printer);
    if (!table_rows(printer.table)) {
        table_free(printer.table);
        return STATUS_OK;
    }
    table_fit(printer.table, 78); /* as the view has */
    const enum status status = table_finish(printer.table, format, out);
    if (printer.more)
        fprintf(out, "and %" PRIu64 " more\n", printer.more);
    return status;
}

/* Those of one bank, or of all. */
static enum status step_chains(const struct step_report *report, FILE *out)
{
    const struct tile_run *run = run_cursor_tiles(report->cursor);
    const bool one = report->bank != CURSOR_ANY;
    const uint32_t first = one ? report->bank : 0;
    const uint32_t end = one ? first + 1 : run->tiles.bank_count;
    enum status status = STATUS_OK;
    bool headed = false;
    uint64_t more = 0;
    for (uint32_t i = first; !status && i < end; i++)
        status = step_chains_print(run, i, report->limit, &headed, &more, out);
    if (more)
        fprintf(out, "and %" PRIu64 " more\n", more);
    return status;
}

static enum status step_part(const struct step_report *report, enum step_part part,
                             enum table_format format, FILE *out)
{
    if (!step_part_is_of(part, run_cursor_scene(report->cursor)))
        return STATUS_OK;
    switch (part) {
    case STEP_PART_events:
        return step_events(report, out);
    case STEP_PART_queues:
        return step_table(report, queue_headers, visit_queues, format, out);
    case STEP_PART_blocks:
        return step_table(report, block_headers, visit_blocks, format, out);
    case STEP_PART_banks:
        return step_table(report, bank_headers, visit_banks, format, out);
    case STEP_PART_chains:
        return step_chains(report, out);
    case STEP_PART_bus:
        return step_table(report, bus_headers, visit_bus, format, out);
    default:
        return !report->set
                   ? STATUS_OK
                   : step_table(report,
                                run_cursor_scene(report->cursor) ? tile_way_headers : way_headers,
                                visit_set, format, out);
    }
}

enum status step_report_part(const struct step_report *report, enum step_part part, FILE *out)
{
    return step_part(report, part, TABLE_TEXT, out);
}

/* Under its title, which says more where it can. */
static enum status step_titled_part(const struct step_report *report, enum step_part part,
                                    enum table_format format, FILE *out)
{
    char count[COUNT_TEXT], place[SET_PLACE_TEXT], *text;
    struct text_stream stream;
    FILE *memory = text_stream_open(&stream);
    enum status status = memory ? step_part(report, part, format, memory) : STATUS_MEMORY;
    status = text_stream_finish(&stream, status, &text);
    if (!status && *text && part == STEP_PART_events)
        fprintf(out, "\nIn cycle %s\n%s", count_print(run_cursor_cycle(report->cursor) - 1, count),
                text);
    else if (!status && *text)
        fprintf(out, "\n%s\n\n%s",
                part == STEP_PART_set ? set_place_words(report->set, place)
                                      : step_part_titles[part],
                text);
    free(text);
    return status;
}

static enum status step_print_people(const struct step_report *report,
                                     const struct cursor_window *window, enum table_format format,
                                     FILE *out)
{
    char count[COUNT_TEXT];
    fprintf(out, "%s, %s cycle %s\n", report->name,
            run_cursor_ended(report->cursor) ? "at its end:" : "in front of",
            count_print(run_cursor_cycle(report->cursor), count));
    if (window->columns)
        step_strip(report, window, out);
    fputc('\n', out);
    enum status status =
        step_table(report, run_cursor_scene(report->cursor) ? bank_wait_headers : wait_headers,
                   step_add_waits, format, out);
    for (unsigned i = 0; !status && i < STEP_PARTS; i++)
        status = step_titled_part(report, (enum step_part)i, format, out);
    return status;
}

/* ---- for programs ---- */

static struct table *step_rows_table(const struct step_report *report,
                                     const struct cursor_window *window)
{
    static const char *const warps[] = {">warp", ">block", "state", "marks", "why", NULL},
                             *const banks[] = {">bank", "state", "marks", "why", NULL};
    const bool scene = run_cursor_scene(report->cursor);
    struct table *table = table_create(scene ? banks : warps);
    for (uint32_t slot = 0; table && slot < window->slots; slot++) {
        struct strip_row row;
        if (!strip_row_find(report->cursor, report->sm, slot, &row))
            continue;
        const bool here = row.state != WARP_absent;
        table_whole(table, slot);
        if (!scene)
            table_whole(table, here ? (double)row.wait.block : (double)NAN);
        table_text(table, window->state_rows[row.state].name);
        table_text(table, row.marks);
        table_text(table, here ? row.why : NULL);
    }
    return table;
}

enum status step_report_print(const struct step_report *report, enum table_format format, FILE *out)
{
    const struct cursor_window window = run_cursor_window(report->cursor);
    if (format == TABLE_JSON)
        return step_json_print(report, &window, out);
    if (format != TABLE_CSV)
        return step_print_people(report, &window, format, out);
    struct table *table = step_rows_table(report, &window);
    return table ? table_finish(table, format, out) : STATUS_MEMORY;
}
