/* warpscape machines: all machines that can be named, built in or in the user's folders, with what
 * distinguishes them and where their numbers come from (config/provenance.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/data_files.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "config/card_memory.h"
#include "config/card_table.h"
#include "config/machine_file.h"
#include "config/provenance.h"

struct arguments {
    enum table_format format;
};

static void origins(FILE *out)
{
    fputs("\nOrigins of numbers:\n", out);
    for (int i = 0; i < ORIGIN_COUNT; i++)
        fprintf(out, "  %-12s %s\n", origin_names[i], origin_help[i]);
}

static void cmd_machines_parse(int argc, char **argv, struct arguments *arguments)
{
    const struct option_row options[] = {OPTION_FORMAT(&arguments->format), {0}};
    const struct command_line line = {
        .options = options,
        .usage = "",
        .help = "List the machines, what distinguishes them and the sources of their numbers.\v"
                "The numbers of a machine are sizes (SMs, clocks, capacities, bandwidths), "
                "latencies of loads, and the launch (gpu.launch_latency); the key `about` of its "
                "file says of each where it is from.",
        .more = origins};
    options_parse(&line, argc, argv);
}

struct machine_row {
    const char *name, *architecture;
    char kind[VALUE_TEXT];
    struct machine machine;
    struct number_origins about;
};

/* "768K" or "5.5M": a terminal has no room for more. */
static void size_cell(struct table *table, bool has, uint64_t size)
{
    enum { MEGABYTE = 1 << 20 };
    char text[QUANTITY_TEXT] = "-";
    if (has && size < MEGABYTE)
        snprintf(text, sizeof text, "%.4gK", (double)size / 1024);
    else if (has)
        snprintf(text, sizeof text, "%.4gM", (double)size / MEGABYTE);
    table_number(table, has ? (double)size : NAN, text);
}

/* "sizes data_sheet, latencies measured, launch measured"; equal origins are said once. */
static void origins_cell(struct table *table, const struct number_origins *about)
{
    char text[160] = "";
    size_t used = 0;
    for (int i = 0; i < PROVENANCE_COUNT; i++) {
        const bool last = i + 1 == PROVENANCE_COUNT;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", provenance_names[i]);
        if (!last && about->origins[i] == about->origins[i + 1])
            used += (size_t)snprintf(text + used, sizeof text - used, ", ");
        else
            used += (size_t)snprintf(text + used, sizeof text - used, " %s%s",
                                     origin_names[about->origins[i]], last ? "" : "; ");
    }
    table_text(table, text);
}

static void print_row(struct table *table, const struct machine_row *row, bool people)
{
    const struct machine *machine = &row->machine;
    const bool gpu = machine->kind == KIND_COMPUTE;
    char clock[QUANTITY_TEXT];
    table_text(table, row->name);
    if (!people)
        table_text(table, row->kind);
    table_text(table, people && !gpu ? row->kind : row->architecture);
    table_number(table, machine_runs_kernels(machine) ? (double)machine->gpu.sms : NAN, NULL);
    snprintf(clock, sizeof clock, "%.6g", (double)machine->gpu.clock / 1e6);
    table_number(table, (double)machine->gpu.clock, clock);
    const uint64_t shared = machine->l1d.unified; /* with shared memory, where both are one SRAM */
    size_cell(table, machine_has(machine, STAGE_L1D), shared ? shared : machine->l1d.size);
    size_cell(table, gpu && machine_has(machine, STAGE_L2), machine->l2.size);
    if (people) {
        origins_cell(table, &row->about);
        return;
    }
    table_number(table, gpu ? (double)card_memory_of(machine).bandwidth : NAN, NULL);
    table_text(table, *row->about.card ? row->about.card : NULL);
    for (int i = 0; i < PROVENANCE_COUNT; i++)
        table_text(table, origin_names[row->about.origins[i]]);
}

/* A file that is no machine is not listed here: warpscape check says what is wrong with it. */
static bool load(const char *name, const struct card_table *cards, struct machine_row *row)
{
    struct document *document = NULL;
    struct diagnostics unread = DIAGNOSTICS_INIT;
    bool near;
    if (machine_load(name, NULL, &row->machine, &document, NULL))
        return false;
    provenance_read(document, &row->about, &unread);
    diagnostics_free(&unread);
    document_free(document);
    const struct card_row *card =
        *row->about.card ? card_table_find(cards, row->about.card, 0, &near) : NULL;
    row->name = name;
    const struct parameter *kind = parameter_find("machine.kind");
    parameter_print(kind, parameter_get(kind, &row->machine), row->kind);
    row->architecture = card ? card->chip->capability->architecture : NULL;
    return true;
}

static enum status list_machines(const struct card_table *cards, enum table_format format)
{
    static const char *const for_people[] = {"machine", "family", ">SMs",         ">MHz",
                                             ">L1D",    ">L2",    "numbers from", NULL};
    static const char *const for_programs[] = {
        "machine",    "kind", "architecture", ">sms",      ">clock", ">l1d", ">l2",
        ">bandwidth", "card", "sizes",        "latencies", "launch", NULL};
    const bool people = format == TABLE_TEXT || format == TABLE_MARKDOWN;
    struct data_names names;
    enum status status = data_names_list(DATA_MACHINES, embedded_machines, &names);
    if (status)
        return status;
    struct table *table = table_create(people ? for_people : for_programs);
    for (size_t i = 0; table && i < names.count; i++) {
        struct machine_row row;
        if (load(names.items[i], cards, &row))
            print_row(table, &row, people);
    }
    if (table)
        table_fit(table, options_columns(STDOUT_FILENO));
    status = table ? table_finish(table, format, stdout) : STATUS_MEMORY;
    data_names_free(&names);
    return status;
}

int command_machines(int argc, char **argv)
{
    struct arguments arguments = {0};
    cmd_machines_parse(argc, argv, &arguments);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct card_table cards;
    enum status status = card_table_open(&cards, &diagnostics);
    if (!status)
        status = list_machines(&cards, arguments.format);
    card_table_free(&cards);
    return command_finish(status, &diagnostics);
}
