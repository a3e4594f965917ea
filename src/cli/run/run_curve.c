/* warpscape run --curve: a metric as a function of one parameter, as a chart and a table. All
 * values of the parameter are evaluated together (explore/sweep/curve.h), so they share the
 * simulation of every stage that the parameter does not change. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cli/run/run.h"
#include "cli/shared/options.h"
#include "explore/sweep/curve.h"
#include "report/runs/curve_chart.h"
#include "schema/metrics.h"
#include "schema/moved_settings.h"

enum { VALUES_MAX = 64, CHART_ROWS = 18, CHART_COLUMNS = 78, CHART_COLUMNS_MAX = 160 };

struct curve {
    const struct parameter *parameter, *follower;
    const struct metric *metric;
    double low, high;
    struct value values[VALUES_MAX];
    struct metrics metrics[VALUES_MAX];
    size_t count;
};

static enum status parse_bound(const struct parameter *parameter, char *text, double *bound,
                               struct diagnostics *diagnostics)
{
    struct value value;
    char why[VALUE_TEXT];
    if (!*text)
        return STATUS_OK; /* no bound on this side */
    if (parameter_parse(parameter, text, &value, why))
        return diagnostics_error(diagnostics, STATUS_INVALID, "--curve %s: %s", parameter->path,
                                 why);
    *bound = parameter_number(parameter, value);
    return STATUS_OK;
}

/* Parses "l1d.size" or "l1d.size=4KiB..64KiB". */
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
        char hint[SUGGESTION_TEXT];
        status =
            diagnostics_error(diagnostics, STATUS_NOT_FOUND, "--curve: unknown parameter '%s'%s",
                              copy, parameter_suggestion(copy, hint));
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
    char why[METRIC_UNANSWERED];
    curve->metric = path ? metric_find(path) : curve_metric(curve->parameter, depth);
    if (curve->metric && metric_answered(curve->metric, depth))
        return STATUS_OK;
    if (curve->metric)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "--metric: %s %s",
                                 curve->metric->path, metric_unanswered(curve->metric, depth, why));
    const char *nearest = metric_nearest(path);
    char hint[SUGGESTION_TEXT];
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "--metric: unknown metric '%s'%s", path,
                             suggestion(nearest, hint));
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

int run_columns(void)
{
    int columns = (int)options_columns(STDOUT_FILENO);
    if (!columns)
        return CHART_COLUMNS;
    return columns < CHART_COLUMNS_MAX ? columns : CHART_COLUMNS_MAX;
}

enum status run_draw(void (*draw)(const void *argument, struct cells *cells), const void *argument)
{
    struct cells cells;
    if (cells_init(&cells, CHART_ROWS, run_columns()))
        return STATUS_MEMORY;
    draw(argument, &cells);
    cells_print(&cells, stdout);
    putchar('\n');
    cells_free(&cells);
    return STATUS_OK;
}

static void draw_picture(const void *picture, struct cells *cells)
{
    curve_chart_draw(picture, cells, 0, 0, cells->rows, cells->columns);
}

static enum status print_chart(const struct curve *curve, const struct run *run)
{
    const struct parameter *parameter = curve->parameter;
    const struct value now = parameter_get(parameter, &run->machine);
    double y[VALUES_MAX];
    char title[300];
    size_t own = 0;
    while (own < curve->count && !parameter_equal(parameter, curve->values[own], now))
        own++;
    for (size_t i = 0; i < curve->count; i++)
        y[i] = metric_get(curve->metric, &curve->metrics[i]);
    snprintf(title, sizeof title, "%s over %s: %s", curve->metric->path, parameter->path,
             run->source->name);
    const struct curve_picture picture = {.parameter = parameter,
                                          .follower = curve->follower,
                                          .metric = curve->metric,
                                          .values = curve->values,
                                          .y = y,
                                          .count = curve->count,
                                          .own = own,
                                          .cursor = curve->count,
                                          .title = title,
                                          .own_label = "as configured",
                                          .glyphs = options_glyphs()};
    return run_draw(draw_picture, &picture);
}

/* Prints the notes that a reader of the table needs. */
static void print_notes(const struct curve *curve, const struct run *run,
                        const struct run_arguments *arguments)
{
    char why[VALUE_TEXT];
    run_print_notes(arguments, run, NULL);
    if (parameter_dead(curve->parameter, NULL, arguments->depth, why))
        printf("note: %s has no effect%s\n", curve->parameter->path, why);
}

/* Refuse a metric without values: an empty chart would look like an answer. */
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

static enum status check_point(const struct curve *curve, const struct run *run, size_t i,
                               struct diagnostics *diagnostics)
{
    struct machine machine = run->machine;
    curve_set(&machine, curve->parameter, curve->follower, curve->values[i]);
    return evaluate_check_machine(&machine, run->source, diagnostics);
}

/* Says which values have no point, because their machines cannot run the workload. Fails where none
 * has one. */
static enum status warn_refused(const struct curve *curve, const struct run *run,
                                struct diagnostics *diagnostics)
{
    char text[VALUE_TEXT];
    size_t refused = 0;
    for (size_t i = 0; i < curve->count; i++)
        refused += check_point(curve, run, i, NULL) != STATUS_OK;
    if (refused == curve->count)
        return check_point(curve, run, 0, diagnostics);
    for (size_t i = 0; i < curve->count; i++) {
        struct diagnostics why = DIAGNOSTICS_INIT;
        const enum status status = check_point(curve, run, i, &why);
        if (status)
            diagnostics_add(diagnostics, SEVERITY_WARNING, NULL, "%s %s has no point: %s",
                            curve->parameter->path,
                            parameter_print(curve->parameter, curve->values[i], text),
                            diagnostics_first(&why, status));
        diagnostics_free(&why);
    }
    return STATUS_OK;
}

/* Evaluates and prints. The caller allocates the curve, which is too large for the stack. */
static enum status show(struct curve *curve, const struct run_arguments *arguments,
                        const struct run *run, struct diagnostics *diagnostics)
{
    curve->follower = curve_follower(&run->machine, curve->parameter);
    curve->count = curve_values(&run->machine, curve->parameter, curve->follower, curve->low,
                                curve->high, curve->values, VALUES_MAX);
    if (!curve->count)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "--curve: this machine can take no value of %s in that range",
                                 curve->parameter->path);
    struct evaluate_options how = run_evaluate_options(arguments, run);
    how.needs = metric_needs(curve->metric);
    how.threads = 0; /* the values of the curve share the threads */
    enum status status =
        curve_run(&run->machine, curve->parameter, curve->follower, curve->values, curve->count,
                  run->source, &how, arguments->threads, curve->metrics, diagnostics);
    progress_end();
    if (!status)
        status = warn_refused(curve, run, diagnostics);
    if (!status)
        status = check_known(curve, run, diagnostics);
    if (!status && arguments->format == TABLE_TEXT)
        status = print_chart(curve, run);
    if (!status)
        status = print_table(curve, arguments->format);
    if (!status && arguments->format == TABLE_TEXT)
        print_notes(curve, run, arguments);
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
