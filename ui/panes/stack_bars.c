#include "ui/panes/stack_bars.h"

#include <stdio.h>

#include "base/utf8.h"

enum { MARGIN = 3, WORDS_MARGIN = 1, NAME = 17, NUMBER = 7, WORD = 48 };

/* A share below this is not worth a word: it rounds to 0 %. */
#define SHARE_LEAST 0.005

/* The mark of a part as text. */
struct mark {
    char text[UTF8_MAX + 1];
};

static struct mark mark_of(enum glyphs glyphs, size_t part)
{
    struct mark mark = {0};
    utf8_write(cycle_stack_glyph(part, glyphs), mark.text);
    return mark;
}

/* One part in words, "" if its share is not worth any; returns its columns. */
static int print_part(enum glyphs glyphs, enum stack_level level, size_t part,
                      const struct metrics *metrics, char text[WORD])
{
    const double share = cycle_stack_share(level, part, metrics);
    text[0] = '\0';
    if (!(share >= SHARE_LEAST))
        return 0;
    snprintf(text, WORD, "%s%s %.0f", mark_of(glyphs, part).text, cycle_stack_name(level, part),
             100 * share);
    return (int)utf8_columns(text);
}

/* Where one line of the words is drawn. */
struct placing {
    const struct canvas *canvas;
    int row, line;
    bool colours;
};

/* Sets the words of a level in lines of `columns` columns, and draws the one that is placed (NULL:
 * none). Returns how many lines they are. */
static int place_words(enum stack_level level, const struct metrics *metrics, enum glyphs glyphs,
                       int columns, const struct placing *placing)
{
    const char *head = level == STACK_MEMORY ? "memory: " : "";
    int line = 0, column = WORDS_MARGIN + (int)utf8_columns(head), begin = column;
    if (placing && placing->line == 0)
        canvas_text(placing->canvas, placing->row, WORDS_MARGIN, WORD, STYLE(ROLE_DIM), head);
    for (size_t i = 0; i < cycle_stack_parts(level); i++) {
        char text[WORD];
        const int width = print_part(glyphs, level, i, metrics, text);
        if (!width)
            continue;
        if (column > begin && column + width > columns) {
            line++;
            column = begin = WORDS_MARGIN;
        }
        if (placing && placing->line == line)
            canvas_text(placing->canvas, placing->row, column, columns - column,
                        STYLE(placing->colours ? cycle_stack_role(i) : ROLE_DIM), text);
        column += width + 1;
    }
    return line + 1;
}

int cycle_stack_lines(enum stack_level level, const struct metrics *metrics, enum glyphs glyphs,
                      int columns)
{
    return place_words(level, metrics, glyphs, columns, NULL);
}

void cycle_stack_words(const struct canvas *canvas, int row, int line, enum stack_level level,
                       const struct metrics *metrics, bool colours)
{
    const struct placing placing = {canvas, row, line, colours};
    place_words(level, metrics, canvas->glyphs, canvas->rect.columns, &placing);
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

void cycle_stack_list(const struct canvas *canvas, const struct metrics *metrics,
                      const struct metrics *pinned)
{
    static const char *const heads[STACK_LEVELS] = {"cycles of schedulers", "core.stall.memory"};
    const int numbers = pinned ? 2 * NUMBER : NUMBER;
    const int bar = canvas->rect.columns - NAME - numbers - 1;
    int row = 0;
    for (unsigned l = 0; l < STACK_LEVELS; l++, row++) {
        const enum stack_level level = (enum stack_level)l;
        canvas_text(canvas, row, 1, canvas->rect.columns - 1, STYLE_BOLD(ROLE_ACCENT),
                    heads[level]);
        if (pinned)
            canvas_right(canvas, row, canvas->rect.columns - NUMBER, NUMBER, STYLE(ROLE_DIM),
                         "pinned");
        row++;
        for (size_t i = 0; i < cycle_stack_parts(level); i++) {
            const double share = cycle_stack_share(level, i, metrics);
            const double before = pinned ? cycle_stack_share(level, i, pinned) : 0;
            if (level == STACK_MEMORY && !(share > 0) && !(before > 0))
                continue;
            canvas_printf(canvas, row, 1, NAME, STYLE(ROLE_TEXT), "%s %s",
                          mark_of(canvas->glyphs, i).text, cycle_stack_name(level, i));
            canvas_bar(canvas, row, NAME, bar > 0 ? bar : 0, share, cycle_stack_role(i));
            canvas_printf(canvas, row, canvas->rect.columns - numbers, NUMBER, STYLE(ROLE_TEXT),
                          "%5.1f%%", 100 * share);
            if (pinned)
                canvas_printf(canvas, row, canvas->rect.columns - NUMBER, NUMBER, STYLE(ROLE_DIM),
                              "%5.1f%%", 100 * before);
            row++;
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
