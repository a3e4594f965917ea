/* warpscape metrics: the manual of metrics, printed from the metric table (schema/metrics.h).
 * docs/METRICS.md is its output. */
#include <stdio.h>

#include "cli/shared/command.h"
#include "cli/shared/manual.h"
#include "schema/metrics.h"

static void metrics_manual_row(struct table *table, size_t index)
{
    static const char *const directions[] = {
        [LOWER_IS_BETTER] = "lower", [HIGHER_IS_BETTER] = "higher", [NO_DIRECTION] = "-"};
    const struct metric *metric = &metric_table[index];
    char text[METRIC_SOURCES];
    table_text(table, metric->path);
    table_text(table, unit_name(metric->unit));
    table_text(table, directions[metric->direction]);
    table_text(table, metric_sources(metric, text));
    table_text(table, metric->help);
}

/* What the words of a line stand for. */
static void print_clock(size_t index)
{
    if (metric_table[index].traits & METRIC_WALKERS)
        puts("\n" ISSUE_CLOCK ".");
}

static const char *path_at(size_t index)
{
    return metric_table[index].path;
}

static const char *metric_suggestion(const char *path, char text[SUGGESTION_TEXT])
{
    return suggestion(metric_nearest(path), text);
}

int command_metrics(int argc, char **argv)
{
    static const char *const headers[] = {"path", "unit", "better", "source", "help", NULL};
    const struct manual manual = {
        .name = "metric",
        .help = "The manual of metrics: what an evaluation answers and a study may optimize.\v"
                "PATH shows one metric or a group (l1d, l1d.miss), else all that have it in their "
                "name (stall). The source says how a number "
                "comes about: counted in the stream, counted by simulation at the depths that are "
                "named, exact arithmetic (formula), or an estimate after runs of CACTI 7.",
        .completes = "METRIC",
        .headers = headers,
        .count = METRIC_COUNT,
        .path = path_at,
        .add_row = metrics_manual_row,
        .suggestion = metric_suggestion,
        .details = print_clock,
    };
    return manual_run(&manual, argc, argv);
}
