#include "ui/panes/deltas.h"

#include <math.h>
#include <stdio.h>

/* Below it a difference is only said to be there. */
static const double LEAST = 0.001;

/* As many digits as show the first that is not 0. */
static void delta_print(double change, const char *unit, struct delta *delta)
{
    const double size = fabs(change);
    const int decimals = size >= 1000 ? 0 : size >= 0.05 ? 1 : size >= 0.005 ? 2 : 3;
    if (size < LEAST)
        snprintf(delta->text, sizeof delta->text, "%c<%g%s", change > 0 ? '+' : '-', LEAST, unit);
    else
        snprintf(delta->text, sizeof delta->text, "%+.*f%s", decimals, change, unit);
}

static struct delta wanted_delta(const struct metric *metric, enum direction wanted, double value,
                                 double with)
{
    const bool share = metric->unit == UNIT_PERCENT;
    const double change = share ? (value - with) * 100 : with != 0 ? (value / with - 1) * 100 : NAN;
    struct delta delta = {.text = ""};
    if (value == with)
        snprintf(delta.text, sizeof delta.text, "=");
    else if (!isnan(change))
        delta_print(change, share ? "" : "%", &delta);
    if (value != with && !isnan(change) && wanted != NO_DIRECTION)
        delta.better = (change < 0) == (wanted == LOWER_IS_BETTER) ? 1 : -1;
    return delta;
}

struct delta delta_between(const struct metric *metric, double value, double with)
{
    return wanted_delta(metric, metric->direction, value, with);
}

struct delta delta_of(const struct metric *metric, const struct metrics *now,
                      const struct metrics *base)
{
    const struct metric *own = metric_compares(metric);
    const struct metric *shown = own ? own : metric;
    return wanted_delta(shown, own ? LOWER_IS_BETTER : metric->direction, metric_get(shown, now),
                        metric_get(shown, base));
}

void delta_draw(const struct canvas *canvas, int row, int column, int width,
                const struct delta *delta)
{
    const enum role role = delta->better > 0 ? ROLE_GOOD : delta->better < 0 ? ROLE_BAD : ROLE_DIM;
    canvas_right(canvas, row, column, width - 2, STYLE(role), delta->text);
    if (delta->better)
        canvas_text(canvas, row, column + width - 1, 1, STYLE_BOLD(role),
                    canvas_glyph(canvas, delta->better > 0 ? GLYPH_BETTER : GLYPH_WORSE));
}
