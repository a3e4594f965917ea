/* warpscape trace: info, stats and list show what a trace or workload contains; import converts a
 * foreign trace to .wtr (docs/FORMATS.md). list holds at most BLOCK_ROWS rows in memory, so it
 * works on traces of any length; stats reads the whole stream. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/counts.h"
#include "base/data_files.h"
#include "base/units.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "model/gpu/stream_stats.h"
#include "report/drawing/number.h"
#include "trace/access_words.h"
#include "trace/trace_file.h"
#include "workload/part.h"
#include "workload/workload.h"

enum { LIMIT_USUAL = 1000, BLOCK_ROWS = 4096 /* at once */, CELL_BYTES = WARP_SIZE * 20 };
#define ANY UINT64_MAX

struct trace_arguments {
    const char *action, *file, *output, *format_in;
    enum table_format format;
    uint64_t launch, block, warp, limit;
    bool force;
};

static const char *const actions[] = {"info", "stats", "list", "import", NULL};

static void check_arguments(const struct trace_arguments *arguments)
{
    bool known = false;
    for (size_t i = 0; arguments->action && actions[i]; i++)
        known |= !strcmp(arguments->action, actions[i]);
    if (!known)
        usage_error("expected info, stats, list or import first");
    if (!arguments->file)
        usage_error("%s needs a trace or workload", arguments->action);
    bool import = !strcmp(arguments->action, "import");
    if (import != (arguments->output != NULL))
        usage_error("%s", import ? "import needs --output OUT.wtr" : "--output belongs to import");
    if (arguments->force && !import)
        usage_error("--force belongs to import");
    if (arguments->format != TABLE_TEXT && import)
        usage_error("--format belongs to info, stats and list");
    if (strcmp(arguments->action, "list") != 0 &&
        (arguments->launch != ANY || arguments->block != ANY || arguments->warp != ANY ||
         arguments->limit != LIMIT_UNSAID))
        usage_error("--launch, --block, --warp and --limit belong to list");
}

/* The first operand is the action, the second the trace. */
static void read_operand(const struct option_row *row, const char *text)
{
    struct trace_arguments *arguments = row->slot;
    if (!arguments->action)
        arguments->action = text;
    else if (!arguments->file)
        arguments->file = text;
    else
        usage_error("one trace is enough; '%s' is a second one", text);
}

/* Lists the formats that `import` reads, after the options. */
static void print_formats(FILE *out)
{
    for (size_t i = 0; trace_importers[i]; i++)
        fprintf(out, "\n  %-10s %s", trace_importers[i]->name, trace_importers[i]->help);
}

static void cmd_trace_parse(int argc, char **argv, struct trace_arguments *arguments)
{
    const struct option_row options[] = {
        OPTION_FORMAT(&arguments->format),
        {"output", 'o', "OUT.wtr", "import: the file to write", option_text, &arguments->output,
         NULL},
        {"force", 0, NULL, "import: overwrite OUT.wtr", option_flag, &arguments->force, NULL},
        OPTION_FORMAT_IN(&arguments->format_in),
        {"launch", 0, "N", "list: only this launch, counted from 0", option_count,
         &arguments->launch, NULL},
        {"block", 0, "N", "list: only this block of each launch", option_count, &arguments->block,
         NULL},
        {"warp", 0, "N", "list: only this warp of each block", option_count, &arguments->warp,
         NULL},
        OPTION_LIMIT("list: at most this many records", "1000", &arguments->limit),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "info|stats|list|import FILE",
        .help = "Inspect and import traces.\v"
                "info shows the launches, stats counts instructions, transactions and the "
                "footprint, list prints records; FILE is a trace file, or whatever --workload of "
                "`warpscape run` takes. import writes FILE as .wtr, which opens at once. Formats:",
        .more = print_formats,
        .operand = {.name = "trace",
                    .value = "NAME|FILE",
                    .read = read_operand,
                    .slot = arguments,
                    .words = actions}};
    options_parse(&line, argc, argv);
    check_arguments(arguments);
    options_name_format(&arguments->file, arguments->format_in);
}

static void print_shape(const uint32_t shape[3], char text[40])
{
    snprintf(text, 40, "%ux%ux%u", shape[0], shape[1], shape[2]);
}

static void table_count(struct table *table, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    table_number(table, (double)value, text);
}

static json_t *shape_json(const uint32_t shape[3])
{
    return json_pack("[I, I, I]", (json_int_t)shape[0], (json_int_t)shape[1], (json_int_t)shape[2]);
}

/* Kernel names come from files and may not be UTF-8, which JSON requires. */
static json_t *name_json(const char *name)
{
    json_t *string = json_string(name);
    if (string)
        return string;
    char *plain = strdup(name);
    for (char *at = plain; at && *at; at++)
        if (*at & 0x80)
            *at = '?';
    string = plain ? json_string(plain) : NULL;
    free(plain);
    return string;
}

/* How many different instructions the kernel of a launch has; 0: not known. */
static uint32_t launch_code(const struct trace_source *source, uint32_t launch)
{
    const struct trace_code *code = trace_launch_code(source, launch);
    return code ? code->count : 0;
}

static json_t *launch_json(const struct trace_source *source, uint32_t index)
{
    const struct trace_launch *launch = &source->launches[index];
    return json_pack("{s: o, s: I, s: o, s: o, s: I, s: I, s: I, s: I, s: I, s: I}", "name",
                     name_json(launch->name), "number", (json_int_t)launch_number(launch, index),
                     "grid", shape_json(launch->grid), "block", shape_json(launch->block), "blocks",
                     (json_int_t)launch_blocks(launch), "warps_per_block",
                     (json_int_t)launch_warps(launch), "registers", (json_int_t)launch->registers,
                     "shared_bytes", (json_int_t)launch->shared_bytes, "arch",
                     (json_int_t)launch->arch, "code", (json_int_t)launch_code(source, index));
}

static json_t *source_json(const struct trace_source *source)
{
    const char *code = *source->code_digest ? source->code_digest : NULL;
    return json_pack("{s: o, s: o, s: s, s: s?}", "name", name_json(source->name), "provenance",
                     name_json(source->provenance), "digest", source->digest, "code_digest", code);
}

/* Says whether models of time can run. */
static void print_code(const struct trace_source *source)
{
    char rows[COUNT_TEXT], kernels[COUNT_TEXT];
    uint64_t total = 0;
    for (uint32_t i = 0; i < source->code_count; i++)
        total += source->codes[i].count;
    if (trace_source_timed(source))
        printf("code %s: %s of %s\n", source->code_digest,
               counted_print(total, "instruction", rows),
               counted_print(source->code_count, "kernel", kernels));
    else
        printf("no code: it is not known which instructions its warps issue\n");
}

static enum status print_table(struct table *table, enum table_format format)
{
    if (!table)
        return STATUS_MEMORY;
    return table_finish(table, format, stdout);
}

static enum status show_info(const struct trace_source *source, enum table_format format)
{
    if (format == TABLE_JSON) {
        json_t *root = source_json(source), *launches = json_array();
        for (uint32_t i = 0; i < source->launch_count; i++)
            json_array_append_new(launches, launch_json(source, i));
        json_object_set_new(root, "launches", launches);
        return json_print(root, stdout);
    }
    if (format == TABLE_TEXT) {
        printf("%s\n%s\ndigest %s\n", source->name, source->provenance, source->digest);
        print_code(source);
        putchar('\n');
    }
    static const char *const headers[] = {">launch", ">number",    "name",
                                          "grid",    "block",      ">blocks",
                                          ">warps",  ">registers", ">shared|shared_bytes",
                                          ">arch",   ">code",      NULL};
    struct table *table = table_create(headers);
    for (uint32_t i = 0; table && i < source->launch_count; i++) {
        const struct trace_launch *launch = &source->launches[i];
        char grid[40], block[40];
        print_shape(launch->grid, grid);
        print_shape(launch->block, block);
        table_count(table, i);
        table_count(table, launch_number(launch, i));
        table_text(table, launch->name);
        table_text(table, grid);
        table_text(table, block);
        table_count(table, launch_blocks(launch));
        table_count(table, launch_blocks(launch) * launch_warps(launch));
        table_count(table, launch->registers);
        table_count(table, launch->shared_bytes);
        table_count(table, launch->arch);
        table_count(table, launch_code(source, i));
    }
    return print_table(table, format);
}

static void add_statistics_json(json_t *object, const struct stream_stats *stats)
{
    for (const struct stream_statistic *row = stream_statistics; row->key; row++)
        json_object_set_new(object, row->key,
                            json_integer((json_int_t)stream_statistic_read(row, stats)));
}

static enum status stats_json(const struct trace_source *source, const struct stream_stats *total,
                              const struct stream_stats *launches)
{
    json_t *root = source_json(source), *list = json_array();
    add_statistics_json(root, total);
    for (uint32_t i = 0; i < source->launch_count; i++) {
        json_t *launch = launch_json(source, i);
        add_statistics_json(launch, &launches[i]);
        json_array_append_new(list, launch);
    }
    json_object_set_new(root, "launches", list);
    return json_print(root, stdout);
}

static void add_launch_row(struct table *table, const char *label, const char *name,
                           const char *grid, const struct stream_stats *stats, bool brief)
{
    table_text(table, label);
    table_text(table, name);
    table_text(table, grid);
    for (const struct stream_statistic *row = stream_statistics; row->key; row++)
        if (!brief || row->brief)
            table_count(table, stream_statistic_read(row, stats));
}

/* One row for each launch, and one for all. */
static enum status stats_by_launch(const struct trace_source *source,
                                   const struct stream_stats *total,
                                   const struct stream_stats *launches, enum table_format format)
{
    enum { HEADERS_MAX = 32, HEADER_BYTES = 32 };
    bool brief = format == TABLE_TEXT;
    char text[HEADERS_MAX][HEADER_BYTES];
    const char *headers[HEADERS_MAX + 1] = {">launch", "name", "grid"};
    size_t count = 3;
    for (const struct stream_statistic *row = stream_statistics; row->key; row++) {
        if (count == HEADERS_MAX || (brief && !row->brief))
            continue;
        snprintf(text[count], HEADER_BYTES, ">%s", row->key);
        headers[count] = text[count];
        count++;
    }
    struct table *table = table_create(headers);
    for (uint32_t i = 0; table && i < source->launch_count; i++) {
        char label[16], grid[40];
        snprintf(label, sizeof label, "%u", i);
        print_shape(source->launches[i].grid, grid);
        add_launch_row(table, label, source->launches[i].name, grid, &launches[i], brief);
    }
    if (table)
        add_launch_row(table, "all", "", "", total, brief);
    return print_table(table, format);
}

static enum status stats_in_words(const struct stream_stats *total)
{
    static const char *const headers[] = {"statistic", ">value", "meaning", NULL};
    struct table *table = table_create(headers);
    for (const struct stream_statistic *row = stream_statistics; table && row->key; row++) {
        table_text(table, row->key);
        table_count(table, stream_statistic_read(row, total));
        table_text(table, row->help);
    }
    return print_table(table, TABLE_TEXT);
}

static enum status show_stats(const struct trace_source *source, enum table_format format,
                              struct diagnostics *diagnostics)
{
    struct stream_stats total, *launches = calloc(source->launch_count + 1, sizeof *launches);
    if (!launches)
        return STATUS_MEMORY;
    enum status status = stream_stats(source, &total, launches, diagnostics);
    if (!status && format == TABLE_JSON) {
        status = stats_json(source, &total, launches);
    } else if (!status) {
        if (format == TABLE_TEXT) {
            status = stats_in_words(&total);
            putchar('\n');
        }
        if (!status)
            status = stats_by_launch(source, &total, launches, format);
    }
    free(launches);
    return status;
}

/* Prints "0x100", or "0x100 +4 .. 0x17c" for lanes at equal distances; every address for programs,
 * or if there is no pattern. */
static void print_addresses(const struct warp_access *access, const struct access_window *window,
                            bool all, char text[CELL_BYTES])
{
    uint64_t addresses[WARP_SIZE];
    unsigned count = access_addresses(access, window, addresses);
    if (!all && count > 1 && access_is_affine(access)) {
        snprintf(text, CELL_BYTES, "0x%" PRIx64 " %+d .. 0x%" PRIx64, addresses[0], access->stride,
                 addresses[count - 1]);
        return;
    }
    size_t length = 0;
    for (unsigned i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, CELL_BYTES - length, "%s0x%" PRIx64, i ? " " : "",
                                   addresses[i]);
}

/* Programs get what makes a trace of the list again (docs/FORMATS.md, csv). */
static bool lists_all(enum table_format format)
{
    return format == TABLE_CSV || format == TABLE_JSON;
}

static const char *print_flags(uint8_t flags, char text[CELL_BYTES])
{
    size_t length = 0;
    text[0] = '\0';
    for (const struct access_word *row = access_words; row->word; row++)
        if (flags & row->flag)
            length += (size_t)snprintf(text + length, CELL_BYTES - length, "%s%s",
                                       length ? "+" : "", row->word);
    return text;
}

struct listing {
    const struct trace_source *source;
    const struct trace_arguments *arguments;
    struct table *table;
    struct access_window window;
    uint64_t left; /* how many more records may be listed */
    bool cut;      /* some records were not listed */
};

static void list_record(struct listing *listing, uint32_t launch, uint64_t block, uint32_t warp,
                        const struct warp_access *access)
{
    char text[CELL_BYTES];
    struct table *table = listing->table;
    table_count(table, launch);
    table_count(table, block);
    table_count(table, warp);
    snprintf(text, sizeof text, "0x%x", access->pc);
    table_text(table, text);
    table_count(table, access->gap);
    table_text(table, op_names[access->op]);
    table_text(table, space_table[access->space].name);
    table_count(table, access->bytes);
    snprintf(text, sizeof text, "0x%08x", access->mask);
    table_text(table, text);
    const bool all = lists_all(listing->arguments->format);
    print_addresses(access, &listing->window, all, text);
    table_text(table, text);
    if (all)
        table_text(table, print_flags(access->flags, text));
}

static enum status list_warp(struct listing *listing, struct block_reader *reader, uint32_t launch,
                             uint64_t block, uint32_t warp, struct diagnostics *diagnostics)
{
    struct access_window *window = &listing->window;
    do {
        enum status status = listing->source->ops->read(reader, warp, window, diagnostics);
        if (status)
            return status;
        for (uint32_t i = 0; i < window->count && !listing->cut; i++) {
            listing->cut = !listing->left;
            if (listing->cut)
                break;
            list_record(listing, launch, block, warp, &window->items[i]);
            listing->left--;
        }
        if (table_rows(listing->table) >= BLOCK_ROWS)
            status = table_flush(listing->table, listing->arguments->format, stdout);
        if (status)
            return status;
    } while (!window->end && !listing->cut);
    return STATUS_OK;
}

static bool wanted(uint64_t filter, uint64_t value)
{
    return filter == ANY || filter == value;
}

static enum status list_block(struct listing *listing, uint32_t launch, uint64_t block,
                              struct diagnostics *diagnostics)
{
    const struct trace_source *source = listing->source;
    struct block_reader *reader;
    enum status status = source->ops->open_block(source, launch, block, &reader, diagnostics);
    if (status)
        return status;
    uint32_t warps = launch_warps(&source->launches[launch]);
    for (uint32_t warp = 0; !status && !listing->cut && warp < warps; warp++)
        if (wanted(listing->arguments->warp, warp))
            status = list_warp(listing, reader, launch, block, warp, diagnostics);
    source->ops->close_block(reader);
    return status;
}

/* Refuses a number beyond the last one: an empty list would not say why it is. */
static enum status check_wanted(const struct trace_source *source,
                                const struct trace_arguments *arguments,
                                struct diagnostics *diagnostics)
{
    uint64_t blocks = 0, warps = 0;
    for (uint32_t i = 0; i < source->launch_count; i++) {
        if (!wanted(arguments->launch, i))
            continue;
        const uint64_t ours = launch_blocks(&source->launches[i]);
        blocks = ours > blocks ? ours : blocks;
        warps =
            launch_warps(&source->launches[i]) > warps ? launch_warps(&source->launches[i]) : warps;
    }
    const struct {
        const char *what, *where;
        uint64_t asked, count;
    } filters[] = {{"launch", "", arguments->launch, source->launch_count},
                   {"block", " per launch", arguments->block, blocks},
                   {"warp", " per block", arguments->warp, warps}};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        char counted[COUNT_TEXT];
        if (filters[i].asked != ANY && filters[i].asked >= filters[i].count)
            return diagnostics_error(
                diagnostics, STATUS_NOT_FOUND, "--%s %" PRIu64 ": %s has %s%s, counted from 0",
                filters[i].what, filters[i].asked, source->name,
                counted_print(filters[i].count, filters[i].what, counted), filters[i].where);
    }
    return STATUS_OK;
}

static enum status show_list(const struct trace_source *source,
                             const struct trace_arguments *arguments,
                             struct diagnostics *diagnostics)
{
    const char *headers[] = {">launch", ">block", ">warp", "pc",        ">gap",  "op",
                             "space",   ">bytes", "mask",  "addresses", "flags", NULL};
    if (!lists_all(arguments->format))
        headers[sizeof headers / sizeof *headers - 2] = NULL;
    const uint64_t limit = limit_meant(arguments->limit, LIMIT_USUAL, arguments->format);
    struct listing listing = {.source = source,
                              .arguments = arguments,
                              .table = table_create(headers),
                              .left = limit ? limit : UINT64_MAX};
    enum status status = check_wanted(source, arguments, diagnostics);
    if (!status)
        status = window_init(&listing.window, WINDOW_RECORDS);
    if (!listing.table)
        status = STATUS_MEMORY;
    for (uint32_t launch = 0; !status && launch < source->launch_count; launch++) {
        if (!wanted(arguments->launch, launch))
            continue;
        uint64_t blocks = launch_blocks(&source->launches[launch]);
        uint64_t block = arguments->block == ANY ? 0 : arguments->block;
        uint64_t end = arguments->block == ANY || block >= blocks ? blocks : block + 1;
        for (; !status && !listing.cut && block < end; block++)
            status = list_block(&listing, launch, block, diagnostics);
    }
    if (!status)
        status = table_print(listing.table, arguments->format, stdout);
    if (!status && listing.cut)
        fprintf(stderr, "warpscape: there are more records; --limit 0 lists all\n");
    table_free(listing.table);
    window_free(&listing.window);
    return status;
}

/* The file that an import is of: the whole text, or what stands before its arguments. */
static enum status find_import(const char *text, const struct part *part, char **file,
                               struct diagnostics *diagnostics)
{
    enum status status = data_file_find(DATA_TRACES, DATA_ALL, text, file);
    if (!status && !*file && !*part->others)
        status = data_file_find(DATA_TRACES, DATA_ALL, part->name, file);
    if (status || *file)
        return status;
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                             "%s: no such file; import reads trace files, workloads need none",
                             part->name);
}

static enum status import(const struct trace_arguments *arguments, struct diagnostics *diagnostics)
{
    struct part part = {0};
    char *file = NULL;
    enum status status = output_check(arguments->output, arguments->force, diagnostics);
    if (!status)
        status = part_parse(arguments->file, &part, diagnostics);
    if (!status)
        status = find_import(arguments->file, &part, &file, diagnostics);
    const struct trace_part what = {.format = part.format, .choice = part.choice};
    if (!status)
        status = trace_import(file, &what, arguments->output, output_options(arguments->force),
                              diagnostics);
    part_free(&part);
    free(file);
    return status;
}

int command_trace(int argc, char **argv)
{
    struct trace_arguments arguments = {
        .launch = ANY, .block = ANY, .warp = ANY, .limit = LIMIT_UNSAID};
    cmd_trace_parse(argc, argv, &arguments);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    if (!strcmp(arguments.action, "import"))
        return command_finish(import(&arguments, &diagnostics), &diagnostics);
    struct trace_source *source = NULL;
    enum status status = workload_open(arguments.file, &source, &diagnostics);
    if (!status && !strcmp(arguments.action, "info"))
        status = show_info(source, arguments.format);
    else if (!status && !strcmp(arguments.action, "stats"))
        status = show_stats(source, arguments.format, &diagnostics);
    else if (!status)
        status = show_list(source, &arguments, &diagnostics);
    trace_source_free(source);
    return command_finish(status, &diagnostics);
}
