/* warpscape bench: parses the options, runs the chosen measurements (bench.h) in the order of their
 * table, and prints one row for each. The numbers in the docs come from this command. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

#include "base/clock.h"
#include "base/diag.h"
#include "cli/bench/bench.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "config/machine_file.h"
#include "workload/workload.h"

static const struct measurement {
    const char *name, *help;
    enum status (*run)(struct bench *bench, struct diagnostics *diagnostics);
} measurements[] = {
    {"generate", "records that the workload makes", bench_generate},
    {"coalesce", "records into requests", bench_coalesce},
    {"issue", "requests in the order of issue", bench_issue},
    {"evaluate", "requests through all models of one machine", bench_evaluate},
    {"area", "structures into bits, area, time, energy and leakage", bench_area},
    {"timing", "warp instructions through the timing depth, loading included", bench_timing},
    {"tile", "scenes through a tile cache, and in time with its miss queue", bench_tile},
    {"simt", "programs of the SIMT processor through its two caches", bench_simt},
    {"share", "machines that share a pass", bench_share},
    {"cache", "addresses through one cache", bench_cache},
    {"policies", "... through a cache of each replacement policy", bench_policies},
    {"stack", "... through one stack pass for thousands of sizes", bench_stack},
    {"lru-grid", "... through grids of caches", bench_lru_grid},
    {"planner", "a study, and the same one point by one, compared", bench_planner},
    {"store", "rows of the result store", bench_store},
};
enum { MEASUREMENT_COUNT = sizeof measurements / sizeof *measurements };

static uint64_t clock_cycles(void)
{
#ifdef __x86_64__
    return __rdtsc();
#else
    return 0;
#endif
}

void stopwatch_start(struct stopwatch *watch)
{
    watch->start = clock_seconds();
    watch->start_processor = clock_read(CLOCK_PROCESS_CPUTIME_ID);
    watch->start_cycles = clock_cycles();
}

double stopwatch_seconds(const struct stopwatch *watch)
{
    return clock_seconds() - watch->start;
}

static void add_short(struct table *table, double number)
{
    char text[QUANTITY_TEXT];
    table_number(table, number,
                 isnan(number) ? "" : quantity_print_short(number, UNIT_NONE, 3, text));
}

void bench_row(struct bench *bench, const struct bench_result *result,
               const struct stopwatch *watch)
{
    char text[QUANTITY_TEXT];
    uint64_t ticks = clock_cycles();
    double seconds = stopwatch_seconds(watch), rate = result->count / seconds;
    double processor = clock_read(CLOCK_PROCESS_CPUTIME_ID) - watch->start_processor;
    double cycles = ticks ? (double)(ticks - watch->start_cycles) / seconds * processor : NAN;
    double configurations = result->configurations;
    table_text(bench->table, result->what);
    table_number(bench->table, result->threads, NULL);
    add_short(bench->table, rate);
    table_printf(bench->table, "%s/s", result->unit);
    add_short(bench->table, configurations > 0 ? configurations : NAN);
    add_short(bench->table, configurations > 0 ? rate * configurations : NAN);
    add_short(bench->table, result->count / processor);
    add_short(bench->table, result->count > 0 ? cycles / result->count : NAN);
    table_number(bench->table, seconds, quantity_print_short(seconds, UNIT_SECONDS, 3, text));
    table_text(bench->table, result->how);
}

struct bench_arguments {
    const char *machine, *workload;
    enum table_format format;
    double seconds;
    int threads;
    bool chosen[MEASUREMENT_COUNT], any, force;
    struct bench_grid grid;
    struct bench_search search;
    bool searches; /* "search" was named */
};

static void read_seconds(const struct option_row *row, const char *text)
{
    double *seconds = row->slot;
    if (quantity_parse_real(text, UNIT_SECONDS, seconds) || !(*seconds >= 0 && *seconds <= 3600))
        usage_error("--seconds: expected a time from 0s to 3600s, got '%s'", text);
}

static void read_measurement(const struct option_row *row, const char *text)
{
    struct bench_arguments *arguments = row->slot;
    char hint[SUGGESTION_TEXT];
    if (!strcmp(text, row->words[MEASUREMENT_COUNT])) {
        arguments->searches = true;
        return;
    }
    for (size_t i = 0; i < MEASUREMENT_COUNT; i++)
        if (!strcmp(text, row->words[i])) {
            arguments->chosen[i] = arguments->any = true;
            return;
        }
    usage_error("unknown measurement '%s'%s", text,
                suggestion(nearest_name(text, row->words, MEASUREMENT_COUNT + 1), hint));
}

/* The help lists the measurements from the table that runs them. */
static void print_measurements(FILE *out)
{
    fputs("Measurements (default: all):\n", out);
    for (size_t i = 0; i < MEASUREMENT_COUNT; i++)
        fprintf(out, "  %-10s %s\n", measurements[i].name, measurements[i].help);
    fputs("Alone, and not by default:\n"
          "  search     searches on a table of all points of a space (docs/BENCHMARK.md)\n",
          out);
    fputs(
        "\nA rate counts what one pass over the workload saw; times the configurations that it "
        "was answered for, it is what simulating them one by one would have to reach. The rate of "
        "a processor second counts the time that the threads were running, so other programs do "
        "not matter to it; cycles are those of the time-stamp counter in that time.\n",
        out);
}

static void cmd_bench_parse(int argc, char **argv, struct bench_arguments *arguments)
{
    static const char *const indices[] = {"linear", "xor", "ipoly", NULL};
    const char *names[MEASUREMENT_COUNT + 2] = {NULL}, *format_in = NULL;
    for (size_t i = 0; i < MEASUREMENT_COUNT; i++)
        names[i] = measurements[i].name;
    names[MEASUREMENT_COUNT] = "search";
    const struct option_row options[] = {
        {"machine", 'm', "MACHINE", "machine to evaluate (default: gtx480)", option_text,
         &arguments->machine, NULL},
        {"workload", 'w', "NAME|FILE",
         "workload to evaluate it on (default: conv2d-512; for share and planner 2DCONV:n=2048)",
         option_once, &arguments->workload, NULL},
        OPTION_FORMAT_IN(&format_in),
        {"seconds", 0, "TIME", "least time of one measurement (default: 0.5s)", read_seconds,
         &arguments->seconds, NULL},
        {"threads", 'j', "COUNT", "measured with 1 and this many; 0: all (default: 2)",
         option_threads, &arguments->threads, NULL},
        OPTION_FORMAT(&arguments->format),
        {.help = "Options of lru-grid:"},
        {"grid", 0, "NAME",
         "caches to simulate: 352 or 1242 LRU ones, fifo112 or one (default: each)",
         bench_read_grid, &arguments->grid.grid, NULL},
        {"csv", 0, "FILE", "write the misses of every cache", option_text, &arguments->grid.csv,
         NULL},
        OPTION_FORCE("FILE", &arguments->force),
        {"index", 0, "FUNCTION", "their set index: linear (default), xor or ipoly",
         bench_read_index, &arguments->grid.index, indices},
        {"kernel", 0, "NAME", "instructions: best (default), plain, avx2 or avx512", option_index,
         &arguments->grid.kernel, bench_kernel_names},
        {.help = "Options of search:"},
        {"table", 0, "FILE", "CSV with a header; a row is a point", option_text,
         &arguments->search.table, NULL},
        {"objectives", 0, "max:COLUMN,...", "columns that are to be large (max) or small (min)",
         option_text, &arguments->search.columns.objectives, NULL},
        {"ignore", 0, "COLUMN,...", "columns that are neither axes nor objectives", option_text,
         &arguments->search.columns.ignored, NULL},
        {"exact", 0, "COLUMN,...",
         "objectives that are known of every row, such as areas; walk uses them", option_text,
         &arguments->search.columns.exact, NULL},
        {"points", 0, "COUNT", "rows to choose; 0: a hundredth of them (default)", option_count,
         &arguments->search.points, NULL},
        {"seeds", 0, "COUNT", "seeds to take means over (default: 8)", option_count,
         &arguments->search.seeds, NULL},
        {0}};
    const struct command_line line = {.options = options,
                                      .usage = "[MEASUREMENT...]",
                                      .help = "Measure the speed of the engine here.",
                                      .more = print_measurements,
                                      .operand = {.name = "measurement",
                                                  .value = "MEASUREMENT",
                                                  .read = read_measurement,
                                                  .slot = arguments,
                                                  .words = names}};
    options_parse(&line, argc, argv);
    options_name_format(&arguments->workload, format_in);
    const struct bench_search *search = &arguments->search;
    if (arguments->searches && (arguments->any || !search->table || !search->columns.objectives))
        usage_error("search stands alone, and needs --table and --objectives");
    if (!arguments->searches && (search->table || search->columns.objectives ||
                                 search->columns.ignored || search->columns.exact))
        usage_error("--table, --objectives, --ignore and --exact are for search");
    if (!search->seeds || search->seeds > 1000)
        usage_error("--seeds: expected a number from 1 to 1000");
}

static enum status bench_measure(const struct bench_arguments *arguments, struct bench *bench,
                                 struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    const atomic_bool *interrupted = interrupt_flag();
    for (size_t i = 0; i < MEASUREMENT_COUNT && !status; i++) {
        if (arguments->any && !arguments->chosen[i])
            continue;
        char name[16];
        snprintf(name, sizeof name, "%s", measurements[i].name);
        progress_show(name, (double)i / MEASUREMENT_COUNT);
        status = measurements[i].run(bench, diagnostics);
        if (!status && *interrupted)
            status = STATUS_CANCELLED;
    }
    progress_end();
    /* Print what was measured before an error or an interrupt. */
    enum status printed = table_print(bench->table, arguments->format, stdout);
    return status ? status : printed;
}

int command_bench(int argc, char **argv)
{
    static const char *const headers[] = {"measurement",
                                          ">threads",
                                          ">rate",
                                          "unit",
                                          ">configurations",
                                          ">x configurations/s|configuration_rate",
                                          ">a processor second|processor_rate",
                                          ">cycles each|cycles",
                                          ">time|seconds",
                                          "what was done|help",
                                          NULL};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct bench_arguments arguments = {
        .machine = "gtx480", .seconds = 0.5, .threads = 2, .search = {.seeds = 8}};
    cmd_bench_parse(argc, argv, &arguments);
    if (arguments.searches)
        return command_finish(bench_search(&arguments.search, arguments.format, &diagnostics),
                              &diagnostics);
    const char *chosen = arguments.workload;
    struct bench bench = {.workload = chosen ? chosen : "conv2d-512",
                          .chosen = chosen,
                          .long_workload = chosen ? chosen : "2DCONV:n=2048",
                          .seconds = arguments.seconds,
                          .threads = arguments.threads,
                          .grid = arguments.grid};
    if (!bench.threads)
        bench.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    bench.table = table_create(headers);
    enum status status = bench.table ? STATUS_OK : STATUS_MEMORY;
    if (!status && arguments.grid.csv)
        status = output_check(arguments.grid.csv, arguments.force, &diagnostics);
    if (!status)
        status = machine_load(arguments.machine, NULL, &bench.machine, NULL, &diagnostics);
    if (!status)
        status = workload_open(bench.workload, &bench.source, &diagnostics);
    if (!status)
        status = workload_open(bench.long_workload, &bench.long_source, &diagnostics);
    if (!status)
        status = bench_measure(&arguments, &bench, &diagnostics);
    line_ids_free(&bench.addresses.ids);
    free(bench.addresses.items);
    trace_source_free(bench.source);
    trace_source_free(bench.long_source);
    table_free(bench.table);
    return command_finish(status, &diagnostics);
}
