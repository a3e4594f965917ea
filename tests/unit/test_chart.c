/* Charts and bars as cells. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "report/drawing/axis.h"
#include "report/drawing/cells.h"
#include "report/drawing/chart.h"

static char *printed(const struct cells *cells)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    cells_print(cells, out);
    fclose(out);
    return text;
}

static void expect_chart(const struct chart *chart, int rows, int columns, const char *expected)
{
    struct cells cells;
    assert_int_equal(cells_init(&cells, rows, columns), STATUS_OK);
    chart_draw(chart, &cells, 0, 0, rows, columns);
    char *text = printed(&cells);
    assert_string_equal(text, expected);
    free(text);
    cells_free(&cells);
}

static const double sizes[] = {4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288};
static const double rates[] = {.81, .79, .77, .62, .5, .41, .33, .32};

static void a_miss_ratio_curve(void **state)
{
    (void)state;
    static const double x = 16384, y = .77;
    const struct series series[] = {
        {.kind = SERIES_LINE,
         .role = ROLE_SERIES_1,
         .x = sizes,
         .y = rates,
         .count = 8,
         .label = "lru"},
        {.kind = SERIES_POINTS, .role = ROLE_CURSOR, .x = &x, .y = &y, .count = 1},
    };
    struct chart chart = {.series = series,
                          .series_count = 2,
                          .x = {.label = "l1d.size", .unit = UNIT_BYTES, .logarithmic = true},
                          .y = {.label = "l1d.miss_rate", .unit = UNIT_PERCENT},
                          .cursor = 16384,
                          .glyphs = GLYPHS_BRAILLE};
    expect_chart(&chart, 11, 40,
                 "l1d.miss_rate                      • lru\n"
                 "   │          ┊\n"
                 "80%┤•⠉⠑⠒⠒•⠒⠢⠤⠤●⡀\n"
                 "   │          ┊⠈⠢⢄\n"
                 "60%┤          ┊   ⠉•⠤⣀\n"
                 "   │          ┊       ⠉⠒•⢄⡀\n"
                 "40%┤          ┊           ⠈⠉⠒•⢄⡀\n"
                 "   │          ┊                ⠈⠉⠒•⠤⠤⠤⠤•\n"
                 "   └┴─────────▲─────────┴─────────┴─────\n"
                 "   4K        16K       64K      256K\n"
                 "                  l1d.size\n");
    chart.glyphs = GLYPHS_BLOCK;
    expect_chart(&chart, 7, 40,
                 "l1d.miss_rate                      • lru\n"
                 "100%┤          ┊\n"
                 " 80%┤•▀▀▀▀•▀▚▄▄●▄▖\n"
                 " 60%┤          ┊ ▝▀▀•▚▄▖\n"
                 " 40%┤          ┊       ▝•▀▀▄▄•▄▄\n"
                 " 20%┤          ┊                ▀▀•▀▀▀▀•\n"
                 "    └4K───────16K──────64K──────256K────\n");
    chart.glyphs = GLYPHS_ASCII;
    expect_chart(&chart, 7, 40,
                 "l1d.miss_rate                      o lru\n"
                 "100%+          |\n"
                 " 80%+o''''o''..@..\n"
                 " 60%+          |  ''o..\n"
                 " 40%+          |       'o''..o..\n"
                 " 20%+          |                ''o''''o\n"
                 "    +4K-------16K------64K------256K----\n");
}

static void gaps_and_error_bars(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {4, 3, NAN, 1, INFINITY, 2};
    static const double error[] = {1, 0, 0, .5, 0, NAN};
    const struct series series[] = {
        {.kind = SERIES_LINE, .role = ROLE_SERIES_1, .x = x, .y = y, .error = error, .count = 6}};
    struct chart chart = {.series = series,
                          .series_count = 1,
                          .cursor = NAN,
                          .title = "gaps",
                          .glyphs = GLYPHS_BRAILLE};
    expect_chart(&chart, 9, 24,
                 "gaps\n"
                 " │⡇\n"
                 "4┤⡗⠤⣀\n"
                 " │⠃  ⠉⠒\n"
                 "2┤                     ⠠\n"
                 " │             ⡇\n"
                 "0┤             ⠃\n"
                 " └┴───┴───┴────┴───┴───┴\n"
                 "  1   2   3    4   5   6\n");
}

static void categories(void **state)
{
    (void)state;
    static const char *const names[] = {"linear", "xor", "fermi", "ipoly"};
    static const double x[] = {0, 1, 2, 3}, y[] = {.5, .4, .45, .39};
    const struct series series[] = {
        {.kind = SERIES_POINTS, .role = ROLE_SERIES_1, .x = x, .y = y, .count = 4}};
    struct chart chart = {.series = series,
                          .series_count = 1,
                          .x = {.ticks = names, .tick_count = 4},
                          .y = {.unit = UNIT_PERCENT},
                          .cursor = 2,
                          .glyphs = GLYPHS_BRAILLE};
    expect_chart(&chart, 7, 36,
                 "50%┤    •              ┊\n"
                 "   │                   •\n"
                 "   │                   ┊\n"
                 "40%┤            •      ┊\n"
                 "   │                   ┊       •\n"
                 "   └────┴───────┴──────▲───────┴────\n"
                 "     linear    xor   fermi   ipoly\n");
    /* Names that do not all fit are left out evenly. */
    expect_chart(&chart, 7, 20,
                 "50%┤  •      ┊\n"
                 "   │         •\n"
                 "   │         ┊\n"
                 "40%┤      •  ┊\n"
                 "   │         ┊   •\n"
                 "   └──┴──────▲──────\n"
                 "   linear  fermi\n");
}

/* Whatever the data and the height: equally many rows between ticks, and the data inside. */
static void vertical_ticks_are_even(void **state)
{
    (void)state;
    static const enum unit units[] = {UNIT_NONE, UNIT_PERCENT, UNIT_BYTES};
    for (uint64_t round = 0; round < 20000; round++) {
        const struct axis_style style = {.unit = units[random_at(1, round) % 3]};
        const int rows = 3 + (int)(random_at(2, round) % 40);
        double low = (double)(random_at(3, round) % 2000) / 1000 - 0.5;
        double high = low + (double)(1 + random_at(4, round) % 100000) / 10000;
        struct axis_range range = axis_fit_rows(&style, low, high, rows);
        struct axis_tick ticks[AXIS_TICKS_MAX];
        assert_true(range.step > 0);
        assert_true(range.min <= low + 1e-9 && range.max >= high - 1e-9);
        size_t count = axis_ticks(&style, &range, AXIS_TICKS_MAX, ticks);
        assert_in_range(count, 2, 7);
        for (size_t i = 0; i < count; i++) {
            double row = ticks[i].position * (rows - 1);
            assert_true(fabs(row - floor(row + 0.5)) < 1e-6);
        }
    }
}

static void axes_choose_round_ticks(void **state)
{
    (void)state;
    static const struct {
        double min, max;
        enum unit unit;
        bool logarithmic;
        const char *labels; /* the bottom line, blanks squeezed */
    } cases[] = {
        {0, 1, UNIT_NONE, false, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0"},
        {0, 0.004, UNIT_PERCENT, false, "0% 0.1% 0.2% 0.3% 0.4%"},
        {0, 1 << 20, UNIT_BYTES, false, "0 0.25M 0.50M 0.75M 1.00M"},
        {1, 16, UNIT_NONE, true, "1 2 4 8 16"},
        {1, 1e9, UNIT_NONE, true, "1 100 10000 1M 100M"},
        {3e-10, 4e-10, UNIT_SECONDS, true, "300ps 320ps 340ps 360ps 380ps 400ps"},
        {1e-3, 2.5, UNIT_AREA, false, "0.5mm2 1.0mm2 1.5mm2 2.0mm2 2.5mm2"},
        {1e15, 1e15 + 1, UNIT_NONE, false, "600000G 800000G 1000000G 1200000G 1400000G"},
        {-3, 3, UNIT_NONE, false, "-3 -2 -1 0 1 2 3"},
        {0, DBL_MAX, UNIT_NONE, false, "0 5e+290G 1e+291G"},
        {-DBL_MAX, DBL_MAX, UNIT_NONE, false, "-1e+291G -5e+290G 0 5e+290G 1e+291G"},
        {DBL_TRUE_MIN, 3 * DBL_TRUE_MIN, UNIT_NONE, true, "4.94e-324 9.88e-324"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct chart chart = {.x = {.unit = cases[i].unit,
                                    .logarithmic = cases[i].logarithmic,
                                    .min = cases[i].min,
                                    .max = cases[i].max},
                              .cursor = NAN};
        struct cells cells;
        assert_int_equal(cells_init(&cells, 8, 50), STATUS_OK);
        chart_draw(&chart, &cells, 0, 0, 8, 50);
        char line[51] = "";
        size_t length = 0;
        for (int column = 0; column < 50; column++) {
            uint32_t glyph = cells.items[7 * 50 + column].glyph;
            bool blank = !glyph || glyph == ' ';
            if (!blank || (length && line[length - 1] != ' '))
                line[length++] = blank ? ' ' : (char)glyph;
        }
        while (length && line[length - 1] == ' ')
            line[--length] = '\0';
        assert_string_equal(line, cases[i].labels);
        cells_free(&cells);
    }
}

/* A number that is nice, degenerate or wild. */
static double wild(uint64_t bits)
{
    static const double values[] = {0,        1,       -1,       NAN,           INFINITY, -INFINITY,
                                    DBL_MAX,  DBL_MIN, -DBL_MAX, DBL_TRUE_MIN,  16384,    0.5,
                                    1e15 + 1, 1e15,    1e-300,   -DBL_TRUE_MIN, 3e300,    7};
    enum { COUNT = sizeof values / sizeof *values };
    return bits % 3 ? values[bits / 3 % COUNT] : (double)(bits >> 40) / 1e4;
}

enum { POINTS_MAX = 40, MARGIN = 2, SENTINEL = 0xe000 };

struct random_chart {
    struct chart chart;
    struct series series[3];
    double x[3][POINTS_MAX], y[3][POINTS_MAX], error[3][POINTS_MAX];
};

static void make_chart(uint64_t seed, struct random_chart *random)
{
    static const char *const names[] = {"lru", "größer", "日本", "", "a-very-long-name-indeed"};
    uint64_t n = 0;
    struct chart *chart = &random->chart;
    *chart = (struct chart){.series = random->series, .series_count = random_at(seed, n++) % 4};
    for (size_t i = 0; i < chart->series_count; i++) {
        uint64_t bits = random_at(seed, n++);
        random->series[i] = (struct series){.kind = (enum series_kind)(bits % 2),
                                            .role = (enum role)(bits >> 8 & 7) + ROLE_SERIES_1,
                                            .x = random->x[i],
                                            .y = random->y[i],
                                            .error = bits & 16 ? random->error[i] : NULL,
                                            .count = (bits >> 20) % (POINTS_MAX + 1),
                                            .label = bits & 32 ? names[bits >> 40 & 3] : NULL};
        bool same = bits & 64;
        for (size_t j = 0; j < POINTS_MAX; j++) {
            random->x[i][j] = wild(random_at(seed, n++));
            random->y[i][j] = same && j ? random->y[i][0] : wild(random_at(seed, n++));
            random->error[i][j] = wild(random_at(seed, n++));
        }
    }
    uint64_t bits = random_at(seed, n);
    chart->glyphs = (enum glyphs)(bits % 3);
    chart->x.logarithmic = bits & 16;
    chart->y.logarithmic = bits & 32;
    chart->x.unit = (enum unit)(bits >> 8 & 7);
    chart->y.unit = (enum unit)(bits >> 12 & 7);
    chart->x.label = bits & 64 ? "l1d.size" : NULL;
    chart->y.label = bits & 128 ? "l1d.miss_rate" : NULL;
    chart->title = bits & (1 << 16) ? "a title" : NULL;
    if (bits & 1 << 17) {
        chart->x.ticks = names;
        chart->x.tick_count = 5;
    }
    if (bits & 1 << 18) {
        chart->y.min = wild(bits >> 20);
        chart->y.max = wild(bits >> 28);
    }
    chart->cursor = wild(bits >> 32);
}

/* Draws into a window of a larger grid, whose rest must stay as it was. */
static void draw_in_window(const struct chart *chart, int rows, int columns)
{
    struct cells cells;
    int all_rows = rows + 2 * MARGIN, all_columns = columns + 2 * MARGIN;
    assert_int_equal(cells_init(&cells, all_rows, all_columns), STATUS_OK);
    for (int i = 0; i < all_rows * all_columns; i++)
        cells.items[i].glyph = SENTINEL;
    chart_draw(chart, &cells, MARGIN, MARGIN, rows, columns);
    for (int row = 0; row < all_rows; row++)
        for (int column = 0; column < all_columns; column++) {
            uint32_t glyph = cells.items[row * all_columns + column].glyph;
            bool inside = row >= MARGIN && row < MARGIN + rows && column >= MARGIN &&
                          column < MARGIN + columns;
            if (inside == (glyph == SENTINEL) || (inside && utf8_width(glyph ? glyph : ' ') != 1))
                fail_msg("%d x %d: cell %d,%d is %x", rows, columns, row, column, glyph);
            if (inside && chart->glyphs == GLYPHS_ASCII && !chart->x.ticks)
                assert_true(glyph < 0x80 || glyph == 0xf6 || glyph == 0xdf || glyph == 0xfffd);
        }
    cells_free(&cells);
}

static void no_size_is_overrun(void **state)
{
    (void)state;
    static struct random_chart random;
    uint64_t seed = 1;
    for (int rows = 0; rows <= 60; rows += rows < 14 ? 1 : 7)
        for (int columns = 0; columns <= 200; columns += columns < 24 ? 1 : 19) {
            make_chart(seed++, &random);
            draw_in_window(&random.chart, rows, columns);
        }
}

static void a_rectangle_beyond_the_grid_is_clipped(void **state)
{
    (void)state;
    static struct random_chart random;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct cells cells;
        make_chart(seed, &random);
        assert_int_equal(cells_init(&cells, 9, 30), STATUS_OK);
        int row = (int)(random_at(seed, 1000) % 40) - 20;
        int column = (int)(random_at(seed, 1001) % 80) - 40;
        chart_draw(&random.chart, &cells, row, column, 20, 40);
        chart_draw(&random.chart, &cells, row, column, -3, 40);
        chart_draw(&random.chart, &cells, 0, 0, INT32_MAX, INT32_MAX);
        bar_draw(&cells, row, column, 50, wild(random_at(seed, 1002)), ROLE_GOOD,
                 random.chart.glyphs);
        cells_text(&cells, row, column, ROLE_TEXT, "some text that is rather long for it");
        cells_free(&cells);
    }
}

static void every_point_is_drawn_where_it_stands(void **state)
{
    (void)state;
    /* Twin: with fixed axes and no labels a point's braille dot follows from two divisions. */
    for (uint64_t seed = 0; seed < 500; seed++) {
        enum { ROWS = 2, COLUMNS = 9 }; /* too low for axes: all of it is the plot */
        double x[2 * COLUMNS], y[2 * COLUMNS];
        bool expected[ROWS * 4][COLUMNS * 2] = {{false}};
        for (int i = 0; i < COLUMNS * 2; i++) {
            int dot_x = (int)random_below(random_at(seed, (uint64_t)(2 * i)), COLUMNS * 2);
            int dot_y = (int)random_below(random_at(seed, (uint64_t)(2 * i + 1)), ROWS * 4);
            x[i] = dot_x;
            y[i] = ROWS * 4 - 1 - dot_y;
            expected[dot_y][dot_x] = true;
        }
        const struct series series = {
            .kind = SERIES_POINTS, .role = ROLE_SERIES_1, .x = x, .y = y, .count = 2 * COLUMNS};
        const struct chart chart = {.series = &series,
                                    .series_count = 1,
                                    .x = {.min = 0, .max = COLUMNS * 2 - 1},
                                    .y = {.min = 0, .max = ROWS * 4 - 1},
                                    .cursor = NAN,
                                    .glyphs = GLYPHS_BRAILLE};
        struct cells cells;
        assert_int_equal(cells_init(&cells, ROWS, COLUMNS), STATUS_OK);
        chart_draw(&chart, &cells, 0, 0, ROWS, COLUMNS);
        static const uint8_t bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
        for (int dot_y = 0; dot_y < ROWS * 4; dot_y++)
            for (int dot_x = 0; dot_x < COLUMNS * 2; dot_x++) {
                uint32_t glyph = cells.items[dot_y / 4 * COLUMNS + dot_x / 2].glyph;
                assert_int_equal((glyph & bits[dot_y % 4][dot_x % 2]) != 0, expected[dot_y][dot_x]);
            }
        cells_free(&cells);
    }
}

/* Where there is no colour, bold tells the machine on the screen from the points around it. */
static void only_the_current_point_is_bold(void **state)
{
    (void)state;
    static const double x[] = {1, 5, 9}, y[] = {1, 2, 3}, here_x = 7, here_y = 2.5;
    const struct series series[] = {
        {.kind = SERIES_POINTS, .role = ROLE_SERIES_1, .x = x, .y = y, .count = 3},
        {.kind = SERIES_POINTS, .role = ROLE_CURSOR, .x = &here_x, .y = &here_y, .count = 1}};
    const struct chart chart = {
        .series = series, .series_count = 2, .cursor = NAN, .glyphs = GLYPHS_BRAILLE};
    struct cells cells;
    int bold = 0, others = 0;
    assert_int_equal(cells_init(&cells, 12, 40), STATUS_OK);
    chart_draw(&chart, &cells, 0, 0, 12, 40);
    for (int i = 0; i < cells.rows * cells.columns; i++) {
        bold += cells.items[i].bold && cells.items[i].role == ROLE_CURSOR;
        others += cells.items[i].bold && cells.items[i].role == ROLE_SERIES_1;
    }
    assert_int_equal(bold, 1);
    assert_int_equal(others, 0);
    cells_free(&cells);
}

/* Bars stand on the axis; what is not above it is not there. */
static void bars_of_a_histogram(void **state)
{
    (void)state;
    static const double x[] = {0, 1, 2, 3}, y[] = {.5, 1, 0, NAN};
    static const char *const ticks[] = {"0", "1", "2", "new"};
    const struct series series = {
        .kind = SERIES_BARS, .role = ROLE_SERIES_1, .x = x, .y = y, .count = 4};
    const struct chart chart = {.series = &series,
                                .series_count = 1,
                                .x = {.ticks = ticks, .tick_count = 4},
                                .y = {.unit = UNIT_PERCENT},
                                .cursor = 1.5,
                                .glyphs = GLYPHS_BLOCK};
    expect_chart(&chart, 7, 29,
                 "100%┤      ▐████▌┊\n"
                 " 75%┤      ▐████▌┊\n"
                 " 50%┤▗▄▄▄▄▖▐████▌┊\n"
                 " 25%┤▐████▌▐████▌┊\n"
                 "  0%┤▐████▌▐████▌┊\n"
                 "    └───┴─────┴──▲─┴─────┴───\n"
                 "        0     1    2    new\n");
}

static void bars_fill(void **state)
{
    (void)state;
    static const struct {
        double share;
        enum glyphs glyphs;
        const char *expected;
    } cases[] = {{0, GLYPHS_BLOCK, "░░░░\n"},         {1, GLYPHS_BLOCK, "████\n"},
                 {.5, GLYPHS_BRAILLE, "██░░\n"},      {.625, GLYPHS_BLOCK, "██▌░\n"},
                 {1e-9, GLYPHS_BLOCK, "▏░░░\n"},      {7, GLYPHS_BLOCK, "████\n"},
                 {-INFINITY, GLYPHS_BLOCK, "░░░░\n"}, {NAN, GLYPHS_BLOCK, "░░░░\n"},
                 {.5, GLYPHS_ASCII, "##..\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cells cells;
        assert_int_equal(cells_init(&cells, 1, 4), STATUS_OK);
        bar_draw(&cells, 0, 0, 4, cases[i].share, ROLE_GOOD, cases[i].glyphs);
        char *text = printed(&cells);
        assert_string_equal(text, cases[i].expected);
        free(text);
        cells_free(&cells);
    }
}

/* Areas that meet neither overlap nor leave a gap, whatever the size: where shares add up to 1,
 * every cell of the plot has the glyph of one series, in their order. */
static void stacks_fill_the_plot(void **state)
{
    (void)state;
    enum { ITEMS = 9, STACKS = 4 };
    for (uint64_t round = 0; round < 200; round++) {
        double x[ITEMS], end[ITEMS], y[STACKS][ITEMS], at = 0;
        struct series series[STACKS];
        for (uint64_t i = 0; i < ITEMS; i++) {
            double sum = 0;
            x[i] = at;
            at = end[i] = at + 1 + (double)(random_at(round, i) % 50);
            for (uint64_t s = 0; s < STACKS; s++)
                sum += y[s][i] = (double)(random_at(round + 1000, i * STACKS + s) % 5);
            for (uint64_t s = 0; s < STACKS; s++)
                y[s][i] = sum > 0 ? y[s][i] / sum : 1.0 / STACKS;
        }
        for (size_t s = 0; s < STACKS; s++)
            series[s] = (struct series){.kind = SERIES_STACK,
                                        .role = ROLE_SERIES_1,
                                        .x = x,
                                        .end = end,
                                        .y = y[s],
                                        .count = ITEMS,
                                        .fill = 'a' + (uint32_t)s};
        const struct chart chart = {.series = series,
                                    .series_count = STACKS,
                                    .y = {.unit = UNIT_PERCENT, .min = 0, .max = 1},
                                    .cursor = NAN,
                                    .glyphs = GLYPHS_ASCII};
        struct cells cells;
        const int rows = 2 + (int)(round % 20), columns = 20 + (int)(round % 37);
        assert_int_equal(cells_init(&cells, rows, columns), STATUS_OK);
        chart_draw(&chart, &cells, 0, 0, rows, columns);
        int left = 0, bottom = 0; /* the plot is where there are letters */
        for (int i = 0; i < rows * columns; i++)
            if (cells.items[i].glyph >= 'a' && cells.items[i].glyph < 'a' + STACKS) {
                left = left ? left : i % columns + 1;
                bottom = i / columns;
            }
        assert_true(left > 0);
        for (int column = left - 1; column < columns; column++)
            for (int row = 0; row <= bottom; row++) {
                const uint32_t glyph = cells.items[row * columns + column].glyph;
                const uint32_t above = row ? cells.items[(row - 1) * columns + column].glyph : 'z';
                assert_in_range(glyph, 'a', 'a' + STACKS - 1);
                assert_true(glyph <= above);
            }
        cells_free(&cells);
    }
}

/* Every column belongs to the point whose own is nearest, as the curve is drawn. */
static void a_column_means_its_nearest_point(void **state)
{
    (void)state;
    const struct series series = {
        .kind = SERIES_LINE, .role = ROLE_SERIES_1, .x = sizes, .y = rates, .count = 8};
    const struct chart chart = {.series = &series,
                                .series_count = 1,
                                .x = {.unit = UNIT_BYTES, .logarithmic = true},
                                .y = {.unit = UNIT_PERCENT},
                                .cursor = NAN};
    assert_int_equal(chart_nearest(&chart, 12, 60, -5), 0);
    assert_int_equal(chart_nearest(&chart, 12, 60, 0), 0);
    assert_int_equal(chart_nearest(&chart, 12, 60, 59), 7);
    assert_int_equal(chart_nearest(&chart, 12, 60, 500), 7);
    for (size_t i = 0, before = 0; i < 60; i++) {
        const size_t at = chart_nearest(&chart, 12, 60, (int)i);
        assert_true(at == before || at == before + 1);
        before = at;
    }
    for (size_t i = 0; i < 8; i++) { /* where the marker of each stands */
        struct chart marked = chart;
        struct cells cells;
        int column = 59;
        marked.cursor = sizes[i];
        assert_int_equal(cells_init(&cells, 12, 60), STATUS_OK);
        chart_draw(&marked, &cells, 0, 0, 12, 60);
        while (column > 0 && cells.items[10 * 60 + column].role != ROLE_CURSOR)
            column--;
        assert_int_equal(chart_nearest(&chart, 12, 60, column), i);
        cells_free(&cells);
    }
    assert_true(chart_nearest(&chart, 0, 60, 3) == SIZE_MAX);
    assert_true(chart_nearest(&(struct chart){0}, 12, 60, 3) == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_ratio_curve),
        cmocka_unit_test(gaps_and_error_bars),
        cmocka_unit_test(categories),
        cmocka_unit_test(axes_choose_round_ticks),
        cmocka_unit_test(vertical_ticks_are_even),
        cmocka_unit_test(no_size_is_overrun),
        cmocka_unit_test(a_rectangle_beyond_the_grid_is_clipped),
        cmocka_unit_test(every_point_is_drawn_where_it_stands),
        cmocka_unit_test(only_the_current_point_is_bold),
        cmocka_unit_test(bars_of_a_histogram),
        cmocka_unit_test(bars_fill),
        cmocka_unit_test(stacks_fill_the_plot),
        cmocka_unit_test(a_column_means_its_nearest_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
