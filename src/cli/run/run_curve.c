/* warpscape run --curve: a metric over one parameter, as a chart and a table. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/run/run.h"
#include "cli/shared/options.h"
#include "explore/sweep/curve.h"
#include "report/cells.h"
#include "schema/metrics.h"

enum { VALUES_MAX = 64, CHART_ROWS = 18, CHART_COLUMNS = 78, CHART_COLUMNS_MAX = 160 };

struct curve {
    const struct parameter *parameter;
    const struct metric *metric;
    double low, high;
    struct value values[VALUES_MAX];
    struct metrics metrics[VALUES_MAX];
    size_t count;
};

/* What shows best what a parameter changes: where its stage has several parts, that of its part;
 * else the headline of the first stage behind it. Area comes last. */
static const struct metric *default_metric(const struct parameter *parameter, enum depth depth)
{
    static const struct {
        const char *group, *metric;
    } parts[] = {{"l2tlb.", "l2tlb.hit_rate"}, {"walker.", "walk.wait.mean"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct metric *metric = metric_find(parts[i].metric);
        if (!strncmp(parameter->path, parts[i].group, strlen(parts[i].group)) &&
            parameter->stages & metric->stage && metric_answered(metric, depth))
            return metric;
    }
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (parameter->stages & metric_headline_stages(&metric_table[i], depth))
            return &metric_table[i];
    return metric_find("l1d.miss_rate");
}

static enum status parse_bound(const struct parameter *parameter, char *text, double *bound,
                               struct diagnostics *diagnostics)
{
    struct value value;
    char why[VALUE_TEXT];
    if (!*text)
        return STATUS_OK; /* open on this side */
    if (parameter_parse(parameter, text, &value, why))
        return diagnostics_error(diagnostics, STATUS_INVALID, "--curve %s: %s", parameter->path,
                                 why);
    *bound = parameter_number(parameter, value);
    return STATUS_OK;
}

/* "l1d.size" or "l1d.size=4KiB..64KiB". */
static enum status parse_curve(const char *text, struct curve *curve,
                               struct diagnostics *diagnostics)
{
    char *copy = strdup(text);
    if (!copy)
        return STATUS_MEMORY;
    char *range = strchr(copy, '='), *dots = range ? strstr(range, "..") : NULL;
    if (range)
        *range++ = '\0';
    enum status status = STATUS_OK;
    curve->low = -INFINITY;
    curve->high = INFINITY;
    curve->parameter = parameter_find(copy);
    if (!curve->parameter) {
        const char *nearest = parameter_nearest(copy);
        status = diagnostics_error(
            diagnostics, STATUS_NOT_FOUND, "--curve: unknown parameter '%s'%s%s%s", copy,
            nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    } else if (curve->parameter->stepping == STEP_NONE) {
        status = diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                   "--curve: %s has no values to step through", copy);
    } else if (range && !dots) {
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "--curve %s: expected LOW..HIGH, got '%s'", copy, range);
    } else if (range) {
        *dots = '\0';
        status = parse_bound(curve->parameter, range, &curve->low, diagnostics);
        if (!status)
            status = parse_bound(curve->parameter, dots + 2, &curve->high, diagnostics);
    }
    free(copy);
    return status;
}

static enum status parse_metric(const char *path, enum depth depth, struct curve *curve,
                                struct diagnostics *diagnostics)
{
    curve->metric = path ? metric_find(path) : default_metric(curve->parameter, depth);
    if (curve->metric && metric_answered(curve->metric, depth))
        return STATUS_OK;
    if (curve->metric)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "--metric: %s is not simulated at the %s depth",
                                 curve->metric->path, depth_name(depth));
    const char *nearest = metric_nearest(path);
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "--metric: unknown metric '%s'%s%s%s",
                             path, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                             nearest ? "'?" : "");
}

static bool is_named(const struct parameter *parameter)
{
    return parameter->type == PARAMETER_ENUM || parameter->type == PARAMETER_BOOL;
}

static enum status print_table(const struct curve *curve, enum table_format format)
{
    char value_header[64], metric_header[64], text[VALUE_TEXT];
    snprintf(value_header, sizeof value_header, "%s%s", is_named(curve->parameter) ? "" : ">",
             curve->parameter->path);
    snprintf(metric_header, sizeof metric_header, ">%s", curve->metric->path);
    const char *const headers[] = {value_header, metric_header, NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < curve->count; i++) {
        double y = metric_get(curve->metric, &curve->metrics[i]);
        parameter_print(curve->parameter, curve->values[i], text);
        if (is_named(curve->parameter) || parameter_is_top(curve->parameter, curve->values[i]))
            table_text(table, text);
        else
            table_number(table, parameter_number(curve->parameter, curve->values[i]), text);
        table_number(table, y, quantity_print_short(y, curve->metric->unit, 4, text));
    }
    return table_finish(table, format, stdout);
}

/* The window's width where there is a window. */
static int chart_columns(void)
{
    struct winsize size;
    if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col > 0)
        return size.ws_col < CHART_COLUMNS_MAX ? size.ws_col : CHART_COLUMNS_MAX;
    return CHART_COLUMNS;
}

enum status run_draw(void (*draw)(const void *argument, struct cells *cells), const void *argument)
{
    struct cells cells;
    if (cells_init(&cells, CHART_ROWS, chart_columns()))
        return STATUS_MEMORY;
    draw(argument, &cells);
    cells_print(&cells, stdout);
    putchar('\n');
    cells_free(&cells);
    return STATUS_OK;
}

static void draw_chart(const void *chart, struct cells *cells)
{
    chart_draw(chart, cells, 0, 0, cells->rows, cells->columns);
}

static enum status print_chart(const struct curve *curve, const struct run *run)
{
    const struct parameter *parameter = curve->parameter;
    double x[VALUES_MAX], y[VALUES_MAX], own_y = NAN;
    double own_x = parameter_number(parameter, parameter_get(parameter, &run->machine));
    char names[VALUES_MAX][VALUE_TEXT], title[300];
    const char *ticks[VALUES_MAX];
    assert(curve->count);
    for (size_t i = 0; i < curve->count; i++) {
        double number = parameter_number(parameter, curve->values[i]);
        y[i] = metric_get(curve->metric, &curve->metrics[i]);
        ticks[i] = parameter_print(parameter, curve->values[i], names[i]);
        if (number == own_x) {
            own_y = y[i];
            own_x = is_named(parameter) ? (double)i : number;
        }
        x[i] = is_named(parameter) ? (double)i : number;
    }
    /* Hardware grows by doubling: anything that spans a decade is seen on a logarithmic axis. */
    bool logarithmic = x[0] > 0 && x[curve->count - 1] >= 8 * x[0];
    const struct series series[] = {{.kind = is_named(parameter) ? SERIES_POINTS : SERIES_LINE,
                                     .role = ROLE_SERIES_1,
                                     .x = x,
                                     .y = y,
                                     .count = curve->count},
                                    {.kind = SERIES_POINTS,
                                     .role = ROLE_CURSOR,
                                     .x = &own_x,
                                     .y = &own_y,
                                     .count = 1,
                                     .label = "as configured"}};
    snprintf(title, sizeof title, "%s over %s: %s", curve->metric->path, parameter->path,
             run->source->name);
    const struct chart chart = {.series = series,
                                .series_count = isnan(own_y) ? 1 : 2,
                                .x = {.label = parameter->path,
                                      .unit = parameter->unit,
                                      .logarithmic = logarithmic && !is_named(parameter),
                                      .ticks = is_named(parameter) ? ticks : NULL,
                                      .tick_count = curve->count},
                                .y = {.unit = curve->metric->unit},
                                .cursor = own_x,
                                .title = title,
                                .glyphs = options_glyphs()};
    return run_draw(draw_chart, &chart);
}

/* What a reader of the table must know. */
static void print_notes(const struct curve *curve, const struct run *run, enum depth depth)
{
    const char *notes[8];
    size_t count = evaluate_notes(&run->machine, depth, notes, sizeof notes / sizeof *notes);
    putchar('\n');
    if (!parameter_answers(curve->parameter, depth))
        printf("note: %s has no effect at the %s depth\n", curve->parameter->path,
               depth_name(depth));
    for (size_t i = 0; i < count; i++)
        printf("note: %s\n", notes[i]);
}

/* An empty chart would look like an answer. */
static enum status check_known(const struct curve *curve, const struct run *run,
                               struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < curve->count; i++)
        if (!isnan(metric_get(curve->metric, &curve->metrics[i])))
            return STATUS_OK;
    return diagnostics_error(
        diagnostics, STATUS_UNSUPPORTED,
        "--curve: %s has no value at any %s: %s has no such part, or nothing accesses it",
        curve->metric->path, curve->parameter->path, run->machine_name);
}

/* Evaluates and prints; the curve is too large for the stack of a careful program. */
static enum status show(struct curve *curve, const struct run_arguments *arguments,
                        const struct run *run, struct diagnostics *diagnostics)
{
    curve->count = curve_values(&run->machine, curve->parameter, NULL, curve->low, curve->high,
                                curve->values, VALUES_MAX);
    if (!curve->count)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "--curve: this machine can take no value of %s in that range",
                                 curve->parameter->path);
    const struct evaluate_options how = {.depth = arguments->depth,
                                         .needs = metric_needs(curve->metric),
                                         .progress = progress_show,
                                         .argument = run->source->name,
                                         .cancel = interrupt_flag()};
    enum status status =
        curve_run(&run->machine, curve->parameter, NULL, curve->values, curve->count, run->source,
                  &how, arguments->threads, curve->metrics, diagnostics);
    progress_end();
    if (!status)
        status = check_known(curve, run, diagnostics);
    if (!status && arguments->format == TABLE_TEXT)
        status = print_chart(curve, run);
    if (!status)
        status = print_table(curve, arguments->format);
    if (!status && arguments->format == TABLE_TEXT)
        print_notes(curve, run, arguments->depth);
    return status;
}

enum status run_curve(const struct run_arguments *arguments, const struct run *run,
                      struct diagnostics *diagnostics)
{
    struct curve *curve = calloc(1, sizeof *curve);
    if (!curve)
        return STATUS_MEMORY;
    enum status status = parse_curve(arguments->curve, curve, diagnostics);
    if (curve->parameter) {
        enum status result = parse_metric(arguments->metric, arguments->depth, curve, diagnostics);
        status = status ? status : result;
    }
    if (!status)
        status = show(curve, arguments, run, diagnostics);
    free(curve);
    return status;
}
