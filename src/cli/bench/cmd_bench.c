/* warpscape bench: what this machine makes of the program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

#include "base/clock.h"
#include "cli/bench/bench.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
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
    {"share", "machines that share a pass", bench_share},
    {"cache", "addresses through one cache", bench_cache},
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

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void stopwatch_start(struct stopwatch *watch)
{
    watch->start = clock_seconds();
    watch->start_processor = processor_seconds();
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
    double processor = processor_seconds() - watch->start_processor;
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
    bool chosen[MEASUREMENT_COUNT], any;
    struct bench_grid grid;
};

enum { OPTION_SECONDS = 256 };

static const struct argp_option options[] = {
    {"machine", 'm', "MACHINE", 0, "machine to evaluate (default: gtx480)", 0},
    {"workload", 'w', "NAME|FILE", 0,
     "workload to evaluate it on (default: conv2d-512; for share and planner 2DCONV:n=2048)", 0},
    {"seconds", OPTION_SECONDS, "TIME", 0, "least time of one measurement (default: 0.5s)", 0},
    {"threads", 'j', "COUNT", 0, "measured with 1 and this many; 0: all (default: 2)", 0},
    {"format", 'f', "FORMAT", 0, "table (default), csv, json or md", 0},
    {0}};

static void choose(struct argp_state *state, const char *name, struct bench_arguments *arguments)
{
    const char *names[MEASUREMENT_COUNT + 1] = {NULL};
    for (size_t i = 0; i < MEASUREMENT_COUNT; i++) {
        names[i] = measurements[i].name;
        if (!strcmp(name, names[i])) {
            arguments->chosen[i] = arguments->any = true;
            return;
        }
    }
    const char *nearest = nearest_name(name, names, MEASUREMENT_COUNT);
    argp_error(state, "unknown measurement '%s'%s%s%s", name, nearest ? "; did you mean '" : "",
               nearest ? nearest : "", nearest ? "'?" : "");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct bench_arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->grid;
        return 0;
    case 'm':
        arguments->machine = text;
        return 0;
    case 'w':
        arguments->workload = text;
        return 0;
    case 'j':
        arguments->threads = options_threads(state, text);
        return 0;
    case 'f':
        arguments->format = options_format(state, text);
        return 0;
    case OPTION_SECONDS:
        if (quantity_parse_real(text, UNIT_SECONDS, &arguments->seconds) ||
            !(arguments->seconds >= 0 && arguments->seconds <= 3600))
            argp_error(state, "--seconds: expected a time from 0s to 3600s, got '%s'", text);
        return 0;
    case ARGP_KEY_ARG:
        choose(state, text, arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The measurements stand in the help as they stand in the table. */
static char *filter_help(int key, const char *text, void *input)
{
    (void)input;
    /* argp compares the pointer and frees only another one; it lacks the word const. */
    const union {
        const char *in;
        char *out;
    } same = {text};
    if (key != ARGP_KEY_HELP_POST_DOC)
        return same.out;
    char *help = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&help, &size);
    if (!out)
        return NULL;
    fputs("Measurements (default: all):\n", out);
    for (size_t i = 0; i < MEASUREMENT_COUNT; i++)
        fprintf(out, "  %-10s %s\n", measurements[i].name, measurements[i].help);
    fputs(
        "\nA rate counts what one pass over the workload saw; times the configurations that it "
        "was answered for, it is what simulating them one by one would have to reach. The rate of "
        "a processor second counts the time that the threads were running, so other programs do "
        "not matter to it; cycles are those of the time-stamp counter in that time.\n",
        out);
    fclose(out);
    return help;
}

static const struct argp_child children[] = {{&bench_grid_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    options,     parse, "[MEASUREMENT...]", "Measure the speed of the engine here.", children,
    filter_help, NULL};

static enum status measure(const struct bench_arguments *arguments, struct bench *bench,
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
    /* What was measured before an error or an interrupt is worth seeing. */
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
                                          ">x configurations/s",
                                          ">a processor second",
                                          ">cycles each",
                                          ">time",
                                          "what was done",
                                          NULL};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct bench_arguments arguments = {.machine = "gtx480", .seconds = 0.5, .threads = 2};
    options_parse(&argp, argc, argv, &arguments);
    const char *chosen = arguments.workload;
    struct bench bench = {.workload = chosen ? chosen : "conv2d-512",
                          .long_workload = chosen ? chosen : "2DCONV:n=2048",
                          .seconds = arguments.seconds,
                          .threads = arguments.threads,
                          .grid = arguments.grid};
    if (!bench.threads)
        bench.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    bench.table = table_create(headers);
    enum status status = bench.table ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = machine_load(arguments.machine, NULL, &bench.machine, NULL, &diagnostics);
    if (!status)
        status = workload_open(bench.workload, &bench.source, &diagnostics);
    if (!status)
        status = workload_open(bench.long_workload, &bench.long_source, &diagnostics);
    if (!status)
        status = measure(&arguments, &bench, &diagnostics);
    line_ids_free(&bench.addresses.ids);
    free(bench.addresses.items);
    trace_source_free(bench.source);
    trace_source_free(bench.long_source);
    table_free(bench.table);
    return command_finish(status, &diagnostics);
}
