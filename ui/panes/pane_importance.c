#include "ui/panes/pane_importance.h"

#include <math.h>

enum { NAME = 30, SHARE = 8 };

const char *importance_missing(const struct explorer *explorer)
{
    const struct points *points = points_shown(explorer);
    if (!points->query.importance)
        return pane_waits(explorer, CONTEXT_EXPLORE)
                   ? "the importance of the axes is being worked out"
                   : "no importance: the points could not be read again";
    return points->importance.rows && points->importance.axis_count
               ? NULL
               : "no importance: the points have no such value, or it is the same at all";
}

static int importance_names(const struct canvas *canvas)
{
    return canvas->rect.columns > 60 ? NAME : canvas->rect.columns - SHARE - 12;
}

static void importance_draw_share(const struct canvas *canvas, int row, const char *name,
                                  double share, double margin, enum role role)
{
    const int name_columns = importance_names(canvas);
    const int bar = canvas->rect.columns - name_columns - SHARE - 3;
    canvas_text(canvas, row, 1, name_columns, STYLE(ROLE_TEXT), name);
    if (isnan(share))
        return;
    if (margin > 0)
        canvas_printf(canvas, row, name_columns + 1, SHARE, STYLE_BOLD(ROLE_TEXT), "%3.0f+-%.0f%%",
                      100 * share, 100 * margin);
    else
        canvas_printf(canvas, row, name_columns + 1, SHARE, STYLE_BOLD(ROLE_TEXT), "%6.1f%%",
                      100 * share);
    if (bar > 0)
        canvas_bar(canvas, row, name_columns + SHARE + 2, bar, share, role);
}

/* Shares, or of a summary what axes explain by themselves. */
void importance_draw(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct importance *importance = &points_shown(explorer)->importance;
    const bool shared = importance->axis_count && !isnan(importance->axes->share);
    char reason[IMPORTANCE_TEXT];
    int row = 0;
    for (size_t i = 0; i < importance->axis_count; i++) {
        const struct importance_axis *axis = &importance->axes[i];
        importance_draw_share(canvas, row, axis->axis->parameter->path,
                              importance_unknown(axis) ? NAN
                              : shared                 ? axis->share
                                                       : axis->alone,
                              axis->margin, ROLE_SERIES_1);
        if (importance_unknown(axis))
            canvas_printf(canvas, row, importance_names(canvas) + 3, canvas->rect.columns,
                          STYLE(ROLE_DIM), "%s", importance_reason(importance, axis, reason));
        row++;
    }
    if (importance->unassigned >= UNASSIGNED_SHOWN)
        importance_draw_share(canvas, row++, "of no axis for certain", importance->unassigned, 0,
                              ROLE_DIM);
    canvas_text(canvas, row++, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM),
                !shared             ? "what each explains by itself: a summary knows no shares"
                : importance->exact ? "Shapley effects: shares of the variance"
                                    : "Shapley effects: shares of the variance, estimated");
    canvas_text(canvas, row++, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM),
                importance->unrun      ? "over all legal points, run or not: it needs no run"
                : importance->complete ? "over these values of the axes: others give other shares"
                : importance->sampled
                    ? "for all points, as if those that were run were drawn by chance"
                    : "over the points that exist: the table is not complete");
    for (size_t i = 0; i < importance->axis_count; i++) {
        const struct importance_axis *axis = &importance->axes[i];
        if (axis->basis == BASIS_CONFOUNDED && !importance_unknown(axis))
            canvas_printf(canvas, row++, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM),
                          "%s is confounded with %s: no points differ in it alone",
                          axis->axis->parameter->path,
                          importance->axes[axis->other].axis->parameter->path);
    }
    for (size_t i = 0; i < importance->pair_count; i++) {
        const struct importance_pair *pair = &importance->pairs[i];
        char name[160];
        snprintf(name, sizeof name, "%s x %s", importance->axes[pair->first].axis->parameter->path,
                 importance->axes[pair->second].axis->parameter->path);
        importance_draw_share(canvas, row++, name, pair->share, 0, ROLE_SERIES_2);
    }
    if (!isnan(importance->rest) && importance->axis_count > 2)
        importance_draw_share(canvas, row++, "three axes and more together", importance->rest, 0,
                              ROLE_DIM);
    if (importance->pair_count)
        canvas_text(canvas, row, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM),
                    "of that, what axes explain together beyond each by itself");
}
