/* warpscape tile: a scene on the tile cache of a machine, looked at as on the screen: maps of the
 * frame, banks, time (report/runs/tile_view.h), and the miss queue of a bank, step by step
 * (report/runs/tile_steps.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text_stream.h"
#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "cli/shared/scene_argument.h"
#include "report/runs/tile_steps.h"
#include "report/runs/tile_view.h"

enum { ROWS = 24, COLUMNS = 80, COLUMNS_MAX = 400 };

struct tile_arguments {
    const char *machine, *workload, *surface, *output;
    struct options_list settings;
    unsigned view;
    uint64_t bank, steps, from;
    bool force;
    enum table_format format;
};

static void print_views(FILE *out)
{
    fputs("\nMaps:\n", out);
    for (int i = 0; i < TILE_VIEWS; i++)
        fprintf(out, "  %-10s %s\n", tile_view_names[i], tile_view_helps[i]);
}

static void cmd_tile_parse(int argc, char **argv, struct tile_arguments *arguments)
{
    const struct option_row options[] = {
        {"workload", 'w', "SCENE", "the scene " EXPLORED_HELP, option_once, &arguments->workload,
         NULL},
        {"map", 0, "MAP", "the map (default: frame)", option_index, &arguments->view,
         tile_view_names},
        {"surface", 0, "NAME", "the surface of the map (default: colour)", option_once,
         &arguments->surface, NULL},
        {"output", 'o', "FILE.png", "write the map as a picture", option_once, &arguments->output,
         NULL},
        OPTION_FORCE("FILE.png", &arguments->force),
        {"steps", 0, "COUNT", "instead: this many steps of a bank's miss queue", option_count,
         &arguments->steps, NULL},
        {"from", 0, "STEP", "the first step (default: 1)", option_count, &arguments->from, NULL},
        {"bank", 0, "NUMBER", "the bank of the steps (default: 0)", option_count, &arguments->bank,
         NULL},
        OPTION_FORMAT(&arguments->format),
        OPTION_SET(&arguments->settings),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE]",
        .help =
            "Inspect a scene on the tile cache of a machine (default: tile-gpu).\v"
            "Scenes are those of `warpscape raster`. Maps are drawn in characters, brighter "
            "where there is more; as csv, json or md they have one row per line of the surface, "
            "bank or part of time. A step is a look-up, a wait or the execution of an entry "
            "of the queue, with the queue as it is then.",
        .more = print_views,
        .operand = OPERAND_MACHINE(&arguments->machine)};
    options_parse(&line, argc, argv);
    if (arguments->steps && (arguments->output || arguments->surface))
        usage_error("--steps shows a queue, which has no --surface and no --output");
    if (arguments->output && arguments->format != TABLE_TEXT)
        usage_error("--output writes a picture, which has no --format");
    if (arguments->steps && arguments->bank > UINT32_MAX)
        usage_error("--bank: expected a number of a bank");
}

/* ---- maps ---- */

static enum status print_view(const struct tile_sight *sight)
{
    const int wide = (int)options_columns(STDOUT_FILENO);
    const int columns = wide ? wide < COLUMNS_MAX ? wide : COLUMNS_MAX : COLUMNS;
    struct cells cells;
    enum status status = cells_init(&cells, ROWS * columns / COLUMNS, columns);
    if (status)
        return status;
    status = tile_view_draw(sight, &cells, 0, 0, cells.rows, cells.columns);
    if (!status)
        cells_print(&cells, stdout);
    cells_free(&cells);
    return status;
}

static enum status write_view(const struct tile_sight *sight, const char *path, bool force,
                              struct diagnostics *diagnostics)
{
    struct picture picture;
    enum status status = tile_view_picture(sight, &picture, diagnostics);
    if (!status)
        status = picture_write(&picture, path, output_options(force), diagnostics);
    picture_free(&picture);
    return status;
}

static enum status show_view(const struct tile_arguments *arguments, const struct machine *machine,
                             const struct tile_stream *stream, struct diagnostics *diagnostics)
{
    struct tile_frame frame = {0};
    struct tile_sight sight = {.frame = &frame,
                               .stream = stream,
                               .view = (enum tile_view)arguments->view,
                               .glyphs = options_glyphs()};
    enum status status = tile_surface_find(stream, arguments->surface, &sight.surface, diagnostics);
    if (!status)
        status = tile_frame_run(machine, stream, interrupt_flag(), &frame, diagnostics);
    const char *refused = status ? NULL : tile_view_refused(&frame, sight.view);
    if (refused)
        status = diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "%s", refused);
    if (!status && arguments->output)
        status = write_view(&sight, arguments->output, arguments->force, diagnostics);
    else if (!status)
        status = arguments->format == TABLE_TEXT
                     ? print_view(&sight)
                     : tile_view_table(&sight, arguments->format, stdout);
    tile_frame_free(&frame);
    return status;
}

/* ---- steps ---- */

struct steps {
    const struct tile_arguments *arguments;
    const struct tile_stream *stream;
    struct table *table; /* NULL: text for people */
    struct tile_waiting *waiting;
    size_t capacity;
    uint64_t shown;
};

static void print_step(const struct steps *steps, const struct tile_step *step, size_t waiting)
{
    char words[TILE_STEP_TEXT], row[TILE_WAITING_TEXT];
    const uint64_t cycle = step->event->cycle;
    printf("step %" PRIu64 ", cycle %" PRIu64 ": %s\n", step->number, cycle,
           tile_step_explain(step->event, steps->stream, words));
    if (waiting)
        printf("    %s\n", tile_waiting_headings);
    for (size_t i = 0; i < waiting; i++)
        printf("    %s\n", tile_waiting_print(&steps->waiting[i], steps->stream, cycle, row));
}

/* The queue in a cell: "0:r0>2:r2, 1:r1", a chain after a comma. */
static void add_queue(const struct steps *steps, size_t waiting)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    for (size_t i = 0; out && i < waiting; i++) {
        const struct tile_waiting *one = &steps->waiting[i];
        char serial[TILE_SERIAL_TEXT];
        fprintf(out, "%s%" PRIu32 ":%s",
                !i          ? ""
                : one->head ? ", "
                            : ">",
                one->entry, tile_serial_print(one->serial, serial));
    }
    char *text = text_stream_take(&stream);
    table_text(steps->table, text ? text : "");
    free(text);
}

static void tile_add_step(const struct steps *steps, const struct tile_step *step, size_t waiting)
{
    const struct bank_event *event = step->event;
    const struct tile_request *request = event->item ? &event->item->request : NULL;
    char words[TILE_STEP_TEXT], line[TILE_LINE_TEXT] = "";
    if (request)
        tile_line_print(steps->stream, request->surface, request->x, request->y, line);
    table_whole(steps->table, (double)step->number);
    table_whole(steps->table, (double)event->cycle);
    table_text(steps->table, tile_step_name(event));
    table_number(steps->table,
                 event->item && !bank_item_is_ahead(event->item) ? (double)event->item->serial
                                                                 : __builtin_nan(""),
                 NULL);
    table_text(steps->table, line);
    table_text(steps->table, tile_step_explain(event, steps->stream, words));
    add_queue(steps, waiting);
}

static enum status show_step(void *context, const struct tile_step *step)
{
    struct steps *steps = context;
    const struct tile_arguments *arguments = steps->arguments;
    if (step->number < arguments->from)
        return STATUS_OK;
    if (steps->shown++ == arguments->steps)
        return STATUS_CANCELLED;
    if (array_reserve(&steps->waiting, &steps->capacity, step->bank->used + 1))
        return STATUS_MEMORY;
    const size_t waiting = tile_waiting_list(step->bank, steps->waiting);
    if (steps->table)
        tile_add_step(steps, step, waiting);
    else
        print_step(steps, step, waiting);
    return STATUS_OK;
}

static enum status show_steps(const struct tile_arguments *arguments, const struct machine *machine,
                              const struct tile_stream *stream, struct diagnostics *diagnostics)
{
    static const char *const headers[] = {">step", ">cycle", "what",  ">request",
                                          "line",  "words",  "queue", NULL};
    const bool text = arguments->format == TABLE_TEXT;
    struct steps steps = {
        .arguments = arguments, .stream = stream, .table = text ? NULL : table_create(headers)};
    bool whole = false;
    enum status status = text || steps.table ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = tile_watch(machine, stream, (uint32_t)arguments->bank, show_step, &steps,
                            interrupt_flag(), &whole, diagnostics);
    if (!status && steps.table)
        status = table_print(steps.table, arguments->format, stdout);
    table_free(steps.table);
    free(steps.waiting);
    return status;
}

int command_tile(int argc, char **argv)
{
    struct tile_arguments arguments = {.from = 1};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    struct machine machine;
    struct exploration explored;
    unsigned depth = DEPTH_TIMING;
    cmd_tile_parse(argc, argv, &arguments);
    if (!arguments.machine)
        arguments.machine = "tile-gpu";
    enum status status = machine_argument_open(arguments.machine, &arguments.settings, &depth,
                                               &explored, &machine, &diagnostics);
    if (!status && arguments.output)
        status = output_check(arguments.output, arguments.force, &diagnostics);
    if (!status)
        status = scene_argument_open(arguments.workload ? arguments.workload : explored.workload,
                                     &source, &diagnostics);
    if (!status && arguments.steps)
        status = show_steps(&arguments, &machine, source->tiles, &diagnostics);
    else if (!status)
        status = show_view(&arguments, &machine, source->tiles, &diagnostics);
    trace_source_free(source);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
