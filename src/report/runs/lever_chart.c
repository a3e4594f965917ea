#include "report/runs/lever_chart.h"

#include <string.h>

/* Rows of a chart that are no bars: what it shows, the axis, and its labels, which are in the axis
 * of a low one. */
enum { ROWS_AROUND = 3, LOW = 5, TITLE = 64 };

static int rows_for(size_t bars)
{
    return (int)bars + ROWS_AROUND - (bars < LOW);
}

static size_t bars_in(int rows)
{
    const int low = rows - ROWS_AROUND + 1;
    return low <= 0 ? 0 : (size_t)(low < LOW ? low : low - 1);
}

/* Whether a bar belongs below one with these ends: by what is gained at best, then lost at worst.
 */
static bool is_below(const struct lever_chart *chart, size_t bar, double least, double most)
{
    return chart->most[bar] != most ? chart->most[bar] < most : chart->least[bar] > least;
}

/* Puts a bar where it belongs among those that are there, the best one last; where all are taken
 * the first one leaves. */
static void insert_bar(struct lever_chart *chart, size_t bars, const char *name, double least,
                       double most)
{
    size_t at = 0;
    while (at < chart->count && is_below(chart, at, least, most))
        at++;
    const bool full = chart->count == bars;
    if (full && at-- == 0)
        return;
    const size_t from = full ? 1 : at, to = full ? 0 : at + 1;
    const size_t moved = full ? at : chart->count - at;
    memmove(chart->names[to], chart->names[from], moved * sizeof *chart->names);
    memmove(&chart->least[to], &chart->least[from], moved * sizeof *chart->least);
    memmove(&chart->most[to], &chart->most[from], moved * sizeof *chart->most);
    chart->count += !full;
    snprintf(chart->names[at], LEVER_CHART_NAME, "%s", name);
    chart->least[at] = least;
    chart->most[at] = most;
}

/* How far the axis goes to both sides: what is gained at most, or else lost. A setting that ruins
 * the machine must not make the others too small to see, so its bar ends at the edge. */
static double axis_end(const struct lever_chart *chart)
{
    double gained = 0, lost = 0;
    for (size_t i = 0; i < chart->count; i++) {
        gained = fmax(gained, chart->most[i]);
        lost = fmax(lost, -chart->least[i]);
    }
    return gained > 0 ? gained : fmin(lost, 1);
}

void lever_chart_make(const struct levers *levers, size_t bars, struct lever_chart *chart)
{
    chart->count = 0;
    bars = bars < LEVER_CHART_BARS ? bars : LEVER_CHART_BARS;
    for (size_t i = 0; i < levers->single_count && bars; i++) {
        const struct parameter *parameter = levers->singles[i].change.settings[0].parameter;
        double least = 0, most = 0;
        bool first = true;
        for (size_t k = 0; k < levers->single_count; k++) {
            const struct lever *lever = &levers->singles[k];
            if (lever->change.settings[0].parameter != parameter)
                continue;
            first = first && k >= i;
            least = fmin(least, lever->gain);
            most = fmax(most, lever->gain);
        }
        if (first && most > least)
            insert_bar(chart, bars, parameter->path, least, most);
    }
}

void lever_chart_draw(const struct levers *levers, const struct metric *metric, enum glyphs glyphs,
                      struct cells *cells, int row, int column, int rows, int columns)
{
    struct lever_chart bars;
    double zero[LEVER_CHART_BARS] = {0}, y[LEVER_CHART_BARS];
    const char *names[LEVER_CHART_BARS];
    char label[TITLE];
    lever_chart_make(levers, bars_in(rows), &bars);
    for (size_t i = 0; i < bars.count; i++) {
        y[i] = (double)i;
        names[i] = bars.names[i];
    }
    const struct series series[] = {{.kind = SERIES_RANGES,
                                     .role = ROLE_SERIES_2,
                                     .x = bars.least,
                                     .end = zero,
                                     .y = y,
                                     .count = bars.count},
                                    {.kind = SERIES_RANGES,
                                     .role = ROLE_SERIES_1,
                                     .x = zero,
                                     .end = bars.most,
                                     .y = y,
                                     .count = bars.count}};
    const double end = axis_end(&bars);
    snprintf(label, sizeof label, "%s %s: worst to best setting", metric->path,
             metric->direction == HIGHER_IS_BETTER ? "gained" : "saved");
    const struct chart chart = {.series = series,
                                .series_count = 2,
                                .x = {.unit = UNIT_PERCENT, .min = -end, .max = end},
                                .y = {.label = label, .ticks = names, .tick_count = bars.count},
                                .cursor = 0,
                                .glyphs = glyphs};
    const int used = rows_for(bars.count);
    if (bars.count)
        chart_draw(&chart, cells, row, column, used < rows ? used : rows, columns);
}

enum status lever_chart_print(const struct levers *levers, const struct metric *metric, size_t bars,
                              enum glyphs glyphs, int columns, FILE *out)
{
    struct lever_chart made;
    struct cells cells;
    lever_chart_make(levers, bars, &made);
    if (!made.count)
        return STATUS_OK;
    if (cells_init(&cells, rows_for(made.count), columns))
        return STATUS_MEMORY;
    lever_chart_draw(levers, metric, glyphs, &cells, 0, 0, cells.rows, columns);
    cells_print(&cells, out);
    cells_free(&cells);
    return STATUS_OK;
}
