#include "report/runs/step_json.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/drawing/number.h"
#include "report/runs/event_text.h"
#include "report/runs/step_scene.h"

struct json_rows {
    json_t *array;
};

/* Takes the item over; without memory the array goes. */
static void step_add_json(struct json_rows *rows, json_t *item)
{
    if (json_array_append_new(rows->array, item)) {
        json_decref(rows->array);
        rows->array = NULL;
    }
}

static void step_queue_json(void *context, const struct queue_state *queue)
{
    step_add_json(context,
                  json_pack("{s:s, s:s, s:I, s:o, s:o}", "queue", queue->name, "part",
                            queue->of ? queue->of : "sm", "holds", (json_int_t)queue->count, "most",
                            queue->most ? json_integer((json_int_t)queue->most) : json_null(),
                            "place", queue->of ? json_integer(queue->place) : json_null()));
}

static void step_block_json(void *context, const struct block_state *block)
{
    step_add_json(context, json_pack("{s:o, s:i, s:i, s:o, s:b, s:b}", "block",
                                     address_json(block->address), "nth", (int)block->nth + 1,
                                     "warp", (int)block->slot, "pc", address_json(block->pc),
                                     "store", (int)block->writes, "there", (int)block->here));
}

static void step_bank_json(void *context, const struct bank_state *bank)
{
    step_add_json(context,
                  json_pack("{s:i, s:i, s:o, s:o, s:b, s:i, s:I}", "channel", (int)bank->channel,
                            "bank", (int)bank->bank, "row",
                            bank->open ? json_integer((json_int_t)bank->row) : json_null(),
                            "serves", bank->serves ? address_json(bank->address) : json_null(),
                            "store", (int)bank->writes, "waiting", (int)bank->waiting, "rest",
                            (json_int_t)bank->rest));
}

static void step_way_json(void *context, const struct way_state *way)
{
    step_add_json(context,
                  json_pack("{s:i, s:o, s:I, s:I, s:I, s:I}", "way", (int)way->way, "line",
                            way->holds ? address_json(way->address) : json_null(), "valid",
                            (json_int_t)way->valid, "reserved", (json_int_t)way->reserved, "dirty",
                            (json_int_t)way->dirty, "used", (json_int_t)way->used));
}

static void step_tile_way_json(void *context, const struct way_state *way)
{
    step_add_json(context, json_pack("{s:i, s:o, s:b}", "way", (int)way->way, "line",
                                     way->holds ? address_json(way->address) : json_null(),
                                     "changed", (int)way->dirty));
}

static json_t *step_banks_json(const struct step_report *report, const struct cursor_window *window)
{
    struct json_rows rows = {json_array()};
    for (uint32_t slot = 0; slot < window->slots; slot++) {
        struct strip_row row;
        (void)strip_row_find(report->cursor, 0, slot, &row);
        step_add_json(&rows, json_pack("{s:i, s:s, s:s, s:s, s:o}", "bank", (int)slot, "state",
                                       window->state_rows[row.state].name, "marks", row.marks,
                                       "why", row.why, "chains",
                                       step_chains_json(run_cursor_tiles(report->cursor), slot)));
    }
    return rows.array;
}

static json_t *step_warps_json(const struct step_report *report, const struct cursor_window *window)
{
    struct json_rows rows = {json_array()};
    for (uint32_t slot = 0; slot < window->slots; slot++) {
        struct strip_row warp;
        if (!strip_row_find(report->cursor, report->sm, slot, &warp))
            continue;
        const bool here = warp.state != WARP_absent;
        step_add_json(&rows,
                      json_pack("{s:i, s:o, s:s, s:s, s:o, s:o}", "warp", (int)slot, "block",
                                here ? json_integer((json_int_t)warp.wait.block) : json_null(),
                                "state", warp_states[warp.state].name, "marks", warp.marks, "pc",
                                warp.wait.has_next ? address_json(warp.wait.pc) : json_null(),
                                "why", here ? json_string(warp.why) : json_null()));
    }
    return rows.array;
}

static json_t *step_events_json(const struct cursor_window *window)
{
    struct json_rows rows = {json_array()};
    for (size_t i = 0; i < window->event_count; i++)
        if (window->events[i].cycle >= window->first)
            step_add_json(&rows, event_json(&window->events[i]));
    return rows.array;
}

static enum status step_scene_json(const struct step_report *report,
                                   const struct cursor_window *window, FILE *out)
{
    const struct tile_run *run = run_cursor_tiles(report->cursor);
    struct json_rows queues = {json_array()}, ways = {NULL};
    size_t bytes;
    const size_t copies = run_cursor_copies(report->cursor, &bytes);
    step_scene_queues(run, step_queue_json, &queues);
    if (report->set) {
        ways.array = json_array();
        step_scene_set(run, report->set, step_tile_way_json, &ways);
    }
    return json_print(
        json_pack("{s:o, s:I, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "name",
                  text_json(report->name), "cycle", (json_int_t)run_cursor_cycle(report->cursor),
                  "ended", (int)run_cursor_ended(report->cursor), "first",
                  (json_int_t)window->first, "banks", step_banks_json(report, window), "events",
                  step_events_json(window), "queues", queues.array, "rasteriser",
                  step_bus_json(run), "set", report->set ? ways.array : json_null(), "copies",
                  (json_int_t)copies, "bytes", (json_int_t)bytes),
        out);
}

static enum status step_sms_json(const struct step_report *report,
                                 const struct cursor_window *window, FILE *out)
{
    const struct gpu *gpu = run_cursor_gpu(report->cursor);
    struct json_rows queues = {json_array()}, blocks = {json_array()}, banks = {json_array()},
                     ways = {NULL};
    size_t bytes;
    const size_t copies = run_cursor_copies(report->cursor, &bytes);
    run_state_queues(gpu, report->sm, step_queue_json, &queues);
    run_state_blocks(gpu, report->sm, step_block_json, &blocks);
    run_state_banks(gpu, step_bank_json, &banks);
    if (report->set) {
        ways.array = json_array();
        run_state_set(gpu, report->set->stage, report->set->instance, report->set->set,
                      step_way_json, &ways);
    }
    return json_print(json_pack("{s:o, s:I, s:b, s:I, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I}",
                                "name", text_json(report->name), "cycle",
                                (json_int_t)run_cursor_cycle(report->cursor), "ended",
                                (int)run_cursor_ended(report->cursor), "first",
                                (json_int_t)window->first, "sm", (int)report->sm, "warps",
                                step_warps_json(report, window), "events", step_events_json(window),
                                "queues", queues.array, "blocks", blocks.array, "banks",
                                banks.array, "set", report->set ? ways.array : json_null(),
                                "copies", (json_int_t)copies, "bytes", (json_int_t)bytes),
                      out);
}

enum status step_json_print(const struct step_report *report, const struct cursor_window *window,
                            FILE *out)
{
    return (run_cursor_scene(report->cursor) ? step_scene_json : step_sms_json)(report, window,
                                                                                out);
}
