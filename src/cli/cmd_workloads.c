/* warpscape workloads: lists the workloads that come with the program, and for one of them its
 * parameters with their defaults, and what it amounts to with these values. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/counts.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "workload/cuda/compiled.h"
#include "workload/recipe.h"

struct request {
    const char *name; /* NULL: list all workloads */
    bool registers;
    enum table_format format;
};

static void cmd_workloads_parse(int argc, char **argv, struct request *request)
{
    const struct option_row options[] = {
        OPTION_FORMAT(&request->format),
        {"registers", 0, NULL,
         "list the kernels of the programs (of NAME) with the compiler that they follow and the "
         "registers per thread that it gives them, by architecture",
         option_flag, &request->registers, NULL},
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[NAME]",
        .help = "List the programs and recipes that can be run; with NAME, its parameters.\v"
                "A workload is named as PROGRAM, PROGRAM:parameter=value,..., RECIPE, or the path "
                "of a recipe or of a trace file. Recipes and traces are looked for in "
                "$WARPSCAPE_TRACES, ./traces and ~/.local/share/warpscape/traces before those that "
                "come with the program.",
        .operand = {
            .name = "name", .value = "NAME|FILE", .read = option_once, .slot = &request->name}};
    options_parse(&line, argc, argv);
}

static enum status list_workloads(enum table_format format)
{
    static const char *const headers[] = {"name", "kind", "origin", "help", NULL};
    struct workload_entry *entries;
    size_t count;
    enum status status = workload_list(&entries, &count);
    if (status)
        return status;
    struct table *table = table_create(headers);
    for (size_t i = 0; table && i < count; i++) {
        table_text(table, entries[i].name);
        table_text(table, entries[i].kind);
        table_text(table, entries[i].origin);
        table_text(table, entries[i].help);
    }
    if (table)
        table_fit(table, options_columns(STDOUT_FILENO));
    status = table ? table_print(table, format, stdout) : STATUS_MEMORY;
    table_free(table);
    workload_list_free(entries, count);
    return status;
}

/* For people, print numbers in hexadecimal that are so large that only addresses and seeds are. */
static void number_cell(struct table *table, uint64_t number)
{
    char text[QUANTITY_TEXT];
    bool address = number >= UINT32_C(1) << 24;
    snprintf(text, sizeof text, address ? "%#" PRIx64 : "%" PRIu64, number);
    table_number(table, (double)number, text);
}

/* A column for each architecture of the table; a kernel with one number has it in the first and on
 * every machine. */
static enum status list_registers(const char *name, enum table_format format,
                                  struct diagnostics *diagnostics)
{
    static const char *const headers[] = {"program", "kernel", "compiled by", ">sm_52",
                                          ">sm_70",  ">sm_75", ">sm_80",      ">sm_86",
                                          ">sm_89",  ">sm_90", NULL};
    const struct workload *workload = name ? workload_find(name) : NULL;
    if (name && !workload)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "'%s' is no program", name);
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (const struct compiled_kernel *row = compiled_kernels; row->program; row++) {
        if (workload && strcmp(row->program, workload->name))
            continue;
        const struct trace_launch launch = {.compiled = &row->registers};
        table_text(table, row->program);
        table_text(table, row->kernel);
        table_text(table, compiled_by_name(row->by));
        for (size_t i = 3; headers[i]; i++)
            number_cell(table,
                        launch_registers(&launch, strtoul(headers[i] + strlen(">sm_"), NULL, 10)));
    }
    return table_finish(table, format, stdout);
}

/* A value, the default and the range of an integer; words in their place. */
static void parameter_cells(struct table *table, const struct workload *workload, size_t index,
                            uint64_t value)
{
    const struct workload_parameter *parameter = &workload->parameters[index];
    const char *const *words = workload_words(workload, index);
    uint64_t cells[] = {value, parameter->fallback, parameter->min, parameter->max};
    for (cells[3] = words ? 0 : cells[3]; words && words[cells[3] + 1];)
        cells[3]++;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (words)
            table_text(table, words[cells[i]]);
        else
            number_cell(table, cells[i]);
}

static enum status print_parameters(const struct arguments *arguments, enum table_format format)
{
    static const char *const headers[] = {"parameter", ">value", ">default", ">min",
                                          ">max",      "help",   NULL};
    const struct workload *workload = arguments->workload;
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < workload->parameter_count; i++) {
        const struct workload_parameter *parameter = &workload->parameters[i];
        table_text(table, parameter->name);
        parameter_cells(table, workload, i, arguments->values[i]);
        table_text(table, parameter->help);
    }
    table_fit(table, options_columns(STDOUT_FILENO));
    return table_finish(table, format, stdout);
}

static enum status print_recipe(const struct recipe *recipe, enum table_format format)
{
    if (recipe->arguments.workload) {
        if (format == TABLE_TEXT)
            printf("%s: %s\nruns %s: %s\n\n", recipe->name, recipe->help,
                   recipe->arguments.workload->name, recipe->arguments.workload->help);
        return print_parameters(&recipe->arguments, format);
    }
    static const char *const headers[] = {"key", "value", NULL};
    const char *const rows[][2] = {{"name", recipe->name},     {"help", recipe->help},
                                   {"file", recipe->file},     {"digest", recipe->digest},
                                   {"origin", recipe->origin}, {"licence", recipe->licence},
                                   {"recipe", recipe->path}};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i][1])
            continue;
        table_text(table, rows[i][0]);
        table_text(table, rows[i][1]);
    }
    return table_finish(table, format, stdout);
}

static bool same_shape(const struct trace_launch *a, const struct trace_launch *b)
{
    return !strcmp(a->name, b->name) && !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block) && a->registers == b->registers &&
           a->shared_bytes == b->shared_bytes;
}

/* Counts the launches of each shape, in order of first appearance, for at most `capacity` shapes.
 * Returns how many shapes; `*rest` is the number of launches with other shapes. */
static uint32_t group_launches(const struct trace_source *source, uint32_t capacity,
                               uint32_t first[], uint32_t counts[], uint32_t *rest)
{
    uint32_t groups = 0;
    *rest = 0;
    for (uint32_t i = 0; i < source->launch_count; i++) {
        uint32_t g = 0;
        while (g < groups && !same_shape(&source->launches[first[g]], &source->launches[i]))
            g++;
        if (g == capacity) {
            ++*rest;
            continue;
        }
        if (g == groups) {
            first[groups] = i;
            counts[groups++] = 0;
        }
        counts[g]++;
    }
    return groups;
}

/* "24", or "26 to 32" where they depend on the architecture. */
enum { REGISTERS_TEXT = 24 };
static const char *print_registers(const struct trace_launch *launch, char text[REGISTERS_TEXT])
{
    uint32_t least = launch->registers, most = least;
    for (int i = 0; launch->compiled && i < REGISTER_ARCHS_MAX && launch->compiled->arch[i]; i++) {
        least = launch->compiled->count[i] < least ? launch->compiled->count[i] : least;
        most = launch->compiled->count[i] > most ? launch->compiled->count[i] : most;
    }
    snprintf(text, REGISTERS_TEXT, least < most ? "%" PRIu32 " to %" PRIu32 : "%" PRIu32, least,
             most);
    return text;
}

/* For people: the size of the workload with these values. */
static void print_source(const struct trace_source *source)
{
    enum { GROUPS = 12 };
    uint32_t first[GROUPS], counts[GROUPS], rest;
    char registers[REGISTERS_TEXT];
    uint32_t groups = group_launches(source, GROUPS, first, counts, &rest);
    char launches[COUNT_TEXT];
    printf("\n%s\ndigest %s\n%s\n", source->provenance, source->digest,
           counted_print(source->launch_count, "launch", launches));
    for (uint32_t g = 0; g < groups; g++) {
        const struct trace_launch *launch = &source->launches[first[g]];
        printf("  %" PRIu32 " x %s  grid %" PRIu32 "x%" PRIu32 "x%" PRIu32 "  block %" PRIu32
               "x%" PRIu32 "x%" PRIu32 "  %s registers  %" PRIu32 " B shared\n",
               counts[g], launch->name, launch->grid[0], launch->grid[1], launch->grid[2],
               launch->block[0], launch->block[1], launch->block[2],
               print_registers(launch, registers), launch->shared_bytes);
    }
    if (rest)
        printf("  and %" PRIu32 " of other shapes\n", rest);
}

/* Describes a plain name. A name with parameters, or a path, has only its source to show. */
static enum status print_known(const char *name, enum table_format format)
{
    const struct workload *workload = workload_find(name);
    struct recipe recipe;
    enum status status = recipe_find(name, &recipe, NULL);
    if (!status && !(workload && !strcmp(workload->name, name))) {
        status = print_recipe(&recipe, format);
    } else if (workload) {
        struct arguments arguments;
        workload_arguments_init(&arguments, workload);
        if (format == TABLE_TEXT)
            printf("%s (%s): %s\n\n", workload->name, workload->suite, workload->help);
        status = print_parameters(&arguments, format);
    } else if (format != TABLE_TEXT) {
        status = STATUS_UNSUPPORTED;
    } else {
        status = STATUS_OK;
    }
    recipe_free(&recipe);
    return status;
}

static enum status workloads_describe(const struct request *request,
                                      struct diagnostics *diagnostics)
{
    struct trace_source *source;
    enum status status = workload_open(request->name, &source, diagnostics);
    if (status)
        return status;
    status = print_known(request->name, request->format);
    if (status == STATUS_UNSUPPORTED)
        diagnostics_error(diagnostics, status,
                          "'%s' is no plain name of a program or recipe; only --format table "
                          "describes it",
                          request->name);
    else if (!status && request->format == TABLE_TEXT)
        print_source(source);
    trace_source_free(source);
    return status;
}

int command_workloads(int argc, char **argv)
{
    struct request request = {.format = TABLE_TEXT};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    cmd_workloads_parse(argc, argv, &request);
    enum status status = request.registers
                             ? list_registers(request.name, request.format, &diagnostics)
                         : request.name ? workloads_describe(&request, &diagnostics)
                                        : list_workloads(request.format);
    return command_finish(status, &diagnostics);
}
