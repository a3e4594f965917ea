#include "ui/panes/stack_bars.h"

#include <stdio.h>

#include "base/utf8.h"

enum { MARGIN = 3, NAME = 17, NUMBER = 7, WORD = 48 };

/* The mark of a part as text. */
struct mark {
    char text[UTF8_MAX + 1];
};

static struct mark mark_of(const struct canvas *canvas, size_t part)
{
    struct mark mark = {0};
    utf8_write(cycle_stack_glyph(part, canvas->glyphs), mark.text);
    return mark;
}

/* One part in words, "" if its share is below `least`; returns its columns. */
static int print_part(const struct canvas *canvas, enum stack_level level, size_t part,
                      double share, double least, char text[WORD])
{
    text[0] = '\0';
    if (!(share >= least))
        return 0;
    snprintf(text, WORD, "%s%s %.0f ", mark_of(canvas, part).text, cycle_stack_name(level, part),
             100 * share);
    return (int)utf8_columns(text);
}

/* The least share for which the words fit from a column on. */
static double choose_least(const struct canvas *canvas, enum stack_level level, int column,
                           const struct metrics *metrics)
{
    enum { DOUBLINGS = 8 };
    double least = 0.005;
    for (unsigned i = 0; i < DOUBLINGS; i++, least *= 2) {
        char text[WORD];
        int width = column + 1; /* "%" for all */
        for (size_t part = 0; part < cycle_stack_parts(level); part++)
            width += print_part(canvas, level, part, cycle_stack_share(level, part, metrics), least,
                                text);
        if (width <= canvas->rect.columns)
            break;
    }
    return least;
}

void cycle_stack_words(const struct canvas *canvas, int row, enum stack_level level,
                       const struct metrics *metrics, bool colours)
{
    int column = MARGIN;
    if (level == STACK_MEMORY)
        column = canvas_text(canvas, row, MARGIN, WORD, STYLE(ROLE_DIM), "memory: ");
    const double least = choose_least(canvas, level, column, metrics);
    for (size_t i = 0; i < cycle_stack_parts(level); i++) {
        char text[WORD];
        if (print_part(canvas, level, i, cycle_stack_share(level, i, metrics), least, text))
            column = canvas_printf(canvas, row, column, WORD,
                                   STYLE(colours ? cycle_stack_role(i) : ROLE_DIM), "%s", text);
    }
    canvas_text(canvas, row, column, 1, STYLE(ROLE_DIM), "%");
}

void cycle_stack_draw(const struct canvas *canvas, int row, enum stack_level level,
                      const struct metrics *metrics, bool colours)
{
    const struct rect *rect = &canvas->rect;
    const struct region region =
        region_clip(canvas->cells, rect->row, rect->column, rect->rows, rect->columns);
    cycle_stack_bar(&region, row, MARGIN, rect->columns - 2 * MARGIN, level, metrics,
                    canvas->glyphs, !colours);
}

void cycle_stack_list(const struct canvas *canvas, const struct metrics *metrics)
{
    static const char *const heads[STACK_LEVELS] = {"cycles of schedulers", "core.stall.memory"};
    const int bar = canvas->rect.columns - NAME - NUMBER - 1;
    int row = 0;
    for (unsigned l = 0; l < STACK_LEVELS; l++, row++) {
        const enum stack_level level = (enum stack_level)l;
        canvas_text(canvas, row++, 1, canvas->rect.columns - 1, STYLE_BOLD(ROLE_ACCENT),
                    heads[level]);
        for (size_t i = 0; i < cycle_stack_parts(level); i++) {
            const double share = cycle_stack_share(level, i, metrics);
            if (level == STACK_MEMORY && !(share > 0))
                continue;
            canvas_printf(canvas, row, 1, NAME, STYLE(ROLE_TEXT), "%s %s", mark_of(canvas, i).text,
                          cycle_stack_name(level, i));
            canvas_bar(canvas, row, NAME, bar > 0 ? bar : 0, share, cycle_stack_role(i));
            canvas_printf(canvas, row++, canvas->rect.columns - NUMBER, NUMBER, STYLE(ROLE_TEXT),
                          "%5.1f%%", 100 * share);
        }
    }
}

void cycle_stack_describe(enum stack_level level, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", cycle_stack_path(level, 0));
    for (size_t i = 1; i < cycle_stack_parts(level) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, ", %s", cycle_stack_name(level, i));
    if (used < size)
        snprintf(text + used, size - used, ": shares of the schedulers' cycles");
}
