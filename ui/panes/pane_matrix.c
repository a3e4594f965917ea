#include "ui/panes/pane_matrix.h"

#include <math.h>
#include <string.h>

enum { LABEL = 14, CELL = 9, MATRIX_MAX = 4096, STEPS = ROLE_RAMP_8 - ROLE_RAMP_1 + 1 };

/* The part of the points that fits: as many values of each axis as there is room for. */
struct matrix {
    const struct points *points;
    const struct axis *down, *across;
    const struct objective *objective;
    size_t workload; /* whose points these are, unless a row stands for all workloads */
    size_t rows, columns;
    double best[MATRIX_MAX]; /* rows x columns; NaN: no point */
    double least, most, winner;
};

static double better_of(double best, double value, enum direction direction)
{
    bool better = direction == HIGHER_IS_BETTER ? value > best : value < best;
    return isnan(best) || better ? value : best;
}

static size_t at_most(size_t count, int room)
{
    return room < 0 ? 0 : count < (size_t)room ? count : (size_t)room;
}

/* Fills all cells in one scan of the points. */
static void matrix_fill(const struct explorer *explorer, int rows, int columns,
                        struct matrix *matrix)
{
    const struct points *points = points_shown(explorer);
    const struct study *study = points->study;
    matrix->points = points;
    matrix->down = &study->axes[0];
    matrix->across = &study->axes[1];
    matrix->objective = &study->objectives[0];
    matrix->columns = at_most(matrix->across->count, (columns - LABEL) / CELL);
    matrix->rows = at_most(matrix->down->count, rows - 1);
    matrix->workload = points_workload_of(points, explorer->workload);
    while (matrix->rows * matrix->columns > MATRIX_MAX)
        matrix->rows--;
    matrix->least = matrix->most = matrix->winner = NAN;
    for (size_t i = 0; i < matrix->rows * matrix->columns; i++)
        matrix->best[i] = NAN;
    const size_t column = points_column(points, matrix->objective->metric);
    for (size_t i = 0; i < points->count; i++) {
        const uint64_t machine = points->items[i].index % points->space.machines;
        const size_t down = space_digit(&points->space, machine, 0);
        const size_t across = space_digit(&points->space, machine, 1);
        const double value = points->values[i * points->column_count + column];
        if (!points->query.across &&
            points->items[i].index / points->space.machines != matrix->workload)
            continue;
        if (down >= matrix->rows || across >= matrix->columns || isnan(value))
            continue;
        double *cell = &matrix->best[down * matrix->columns + across];
        *cell = better_of(*cell, value, matrix->objective->direction);
    }
    for (size_t i = 0; i < matrix->rows * matrix->columns; i++) {
        matrix->least = fmin(matrix->least, matrix->best[i]);
        matrix->most = fmax(matrix->most, matrix->best[i]);
    }
    matrix->winner =
        matrix->objective->direction == HIGHER_IS_BETTER ? matrix->most : matrix->least;
}

static const char *leaf(const struct parameter *parameter)
{
    const char *dot = strrchr(parameter->path, '.');
    return dot ? dot + 1 : parameter->path;
}

static bool is_own(const struct explorer *explorer, const struct axis *axis, size_t index)
{
    return parameter_equal(axis->parameter, axis->values[index],
                           parameter_get(axis->parameter, &explorer->session->machine));
}

/* What a cell of each step of the ramp begins with, in ASCII and in UTF-8. */
static const char *const heights[STEPS][2] = {{".", "▁"}, {":", "▂"}, {"-", "▃"}, {"=", "▄"},
                                              {"+", "▅"}, {"%", "▆"}, {"#", "▇"}, {"@", "█"}};

/* The scale: "28.5% ▁▂▃▄▅▆▇█ 90.8%", and what the marks mean. */
static void draw_scale(const struct canvas *canvas, const struct matrix *matrix)
{
    const enum unit unit = matrix->objective->metric->unit;
    const int row = canvas->rect.rows - 1, end = canvas->rect.columns - 1;
    char value[QUANTITY_TEXT];
    int column = canvas_printf(canvas, row, 1, end - 1, STYLE(ROLE_AXIS), "%s ",
                               quantity_print_short(matrix->least, unit, 3, value));
    for (int step = 0; step < STEPS && column + 2 <= end; step++, column += 2)
        canvas_printf(canvas, row, column, 2, STYLE(ROLE_RAMP_1 + (unsigned)step), "%s ",
                      heights[step][canvas->glyphs != GLYPHS_ASCII]);
    canvas_printf(canvas, row, column, end - column, STYLE(ROLE_AXIS),
                  " %s   %s best   %s this machine",
                  quantity_print_short(matrix->most, unit, 3, value),
                  canvas_glyph(canvas, GLYPH_MARKED), canvas_glyph(canvas, GLYPH_CLOSED));
}

static void draw_cell(const struct explorer *explorer, const struct canvas *canvas,
                      const struct matrix *matrix, size_t i, size_t j)
{
    const int row = (int)i + 1, column = LABEL + CELL * (int)j;
    const double value = matrix->best[i * matrix->columns + j];
    const double span = matrix->most - matrix->least;
    const int step = span > 0 ? (int)fmin((value - matrix->least) / span * STEPS, STEPS - 1) : 0;
    char text[QUANTITY_TEXT];
    if (isnan(value)) {
        canvas_right(canvas, row, column, CELL - 1, STYLE(ROLE_DIM), "-");
        return;
    }
    struct style style = STYLE(ROLE_RAMP_1 + (unsigned)step);
    style.bold = value == matrix->winner;
    if (is_own(explorer, matrix->down, i) && is_own(explorer, matrix->across, j))
        canvas_text(canvas, row, column - 1, 1, STYLE_BOLD(ROLE_CURSOR),
                    canvas_glyph(canvas, GLYPH_CLOSED));
    canvas_printf(canvas, row, column, CELL - 1, style, "%*s", CELL - 1, "");
    canvas_text(canvas, row, column, 1, style,
                value == matrix->winner ? canvas_glyph(canvas, GLYPH_MARKED)
                                        : heights[step][canvas->glyphs != GLYPHS_ASCII]);
    canvas_right(canvas, row, column + 1, CELL - 2, style,
                 quantity_print_short(value, matrix->objective->metric->unit, 3, text));
}

void matrix_draw(const struct explorer *explorer, const struct canvas *canvas)
{
    struct matrix matrix;
    char text[VALUE_TEXT];
    matrix_fill(explorer, canvas->rect.rows, canvas->rect.columns, &matrix);
    canvas_printf(canvas, 0, 1, LABEL - 2, STYLE(ROLE_AXIS), "%s \\ %s",
                  leaf(matrix.down->parameter), leaf(matrix.across->parameter));
    for (size_t j = 0; j < matrix.columns; j++)
        canvas_right(canvas, 0, LABEL + CELL * (int)j, CELL - 1, STYLE(ROLE_AXIS),
                     parameter_print(matrix.across->parameter, matrix.across->values[j], text));
    if (matrix.columns < matrix.across->count) /* some values do not fit */
        canvas_text(canvas, 0, LABEL + CELL * (int)matrix.columns, 1, STYLE(ROLE_AXIS),
                    canvas_glyph(canvas, GLYPH_CUT));
    for (size_t i = 0; i < matrix.rows; i++) {
        const bool last = i + 1 == matrix.rows && i + 1 < matrix.down->count;
        canvas_printf(canvas, (int)i + 1, 1, LABEL - 2, STYLE(ROLE_AXIS), "%s%s",
                      parameter_print(matrix.down->parameter, matrix.down->values[i], text),
                      last ? canvas_glyph(canvas, GLYPH_CUT) : "");
        for (size_t j = 0; j < matrix.columns; j++)
            draw_cell(explorer, canvas, &matrix, i, j);
    }
    if ((int)matrix.rows + 1 < canvas->rect.rows && !isnan(matrix.least))
        draw_scale(canvas, &matrix);
}

void matrix_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    struct matrix matrix;
    char least[QUANTITY_TEXT], most[QUANTITY_TEXT];
    const struct rect *pane = &explorer->layout.panes[PANE_CHART];
    matrix_fill(explorer, pane->rows - 1, pane->columns, &matrix);
    const enum unit unit = matrix.objective->metric->unit;
    char whose[POINTS_TEXT];
    points_whose(matrix.points, matrix.workload, whose);
    snprintf(text, ROW_TEXT, "best %s of each pair%.100s, from %s to %s",
             matrix.objective->metric->path, whose,
             quantity_print_short(matrix.least, unit, 3, least),
             quantity_print_short(matrix.most, unit, 3, most));
}
