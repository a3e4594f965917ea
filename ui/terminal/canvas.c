#include "ui/terminal/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static struct cell *cell_at(const struct canvas *canvas, int row, int column)
{
    if (row < 0 || column < 0 || row >= canvas->rect.rows || column >= canvas->rect.columns)
        return NULL;
    int y = canvas->rect.row + row, x = canvas->rect.column + column;
    if (y < 0 || x < 0 || y >= canvas->cells->rows || x >= canvas->cells->columns)
        return NULL;
    return &canvas->cells->items[y * canvas->cells->columns + x];
}

static void canvas_put(const struct canvas *canvas, int row, int column, struct style style,
                       uint32_t point)
{
    struct cell *cell = cell_at(canvas, row, column);
    if (!cell)
        return;
    if (point < ' ' || (point >= 0x7f && point < 0xa0) || utf8_width(point) != 1 ||
        (canvas->glyphs == GLYPHS_ASCII && point > 0x7e))
        point = '?';
    *cell = (struct cell){.glyph = point == ' ' ? 0 : point,
                          .role = (uint8_t)style.role,
                          .bold = style.bold,
                          .reverse = style.reverse};
}

int canvas_text(const struct canvas *canvas, int row, int column, int width, struct style style,
                const char *text)
{
    int room = canvas->rect.columns - column;
    if (width > room)
        width = room;
    int end = column + width, at = column;
    for (uint32_t point; at < end && (point = utf8_next(&text)) != 0; at++) {
        if (at == end - 1 && *text) {
            const char *cut = canvas_glyph(canvas, GLYPH_CUT);
            point = utf8_next(&cut);
        }
        canvas_put(canvas, row, at, style, point);
    }
    return at;
}

int canvas_printf(const struct canvas *canvas, int row, int column, int width, struct style style,
                  const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return canvas_text(canvas, row, column, width, style, text);
}

int canvas_words(const struct canvas *canvas, int row, int column, int width, struct style style,
                 const char *text)
{
    size_t fits = text_wrap(text, width);
    if (!text[fits])
        return canvas_text(canvas, row, column, width, style, text);
    fits = text_wrap(text, width - 2);
    return canvas_printf(canvas, row, column, width, style, "%.*s %s", (int)fits, text,
                         canvas_glyph(canvas, GLYPH_CUT));
}

void canvas_paragraph(const struct canvas *canvas, int row, struct style style, const char *text)
{
    for (; *text && row < canvas->rect.rows && canvas->rect.columns > 2; row++) {
        size_t length = text_wrap(text, canvas->rect.columns - 2);
        canvas_printf(canvas, row, 1, canvas->rect.columns - 1, style, "%.*s", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

void canvas_right(const struct canvas *canvas, int row, int column, int width, struct style style,
                  const char *text)
{
    int columns = (int)utf8_columns(text);
    int indent = columns < width ? width - columns : 0;
    canvas_text(canvas, row, column + indent, width - indent, style, text);
}

void canvas_fill(const struct canvas *canvas, int row, int column, int width, struct style style,
                 enum glyph glyph)
{
    const char *text = canvas_glyph(canvas, glyph);
    uint32_t point = utf8_next(&text);
    for (int i = 0; i < width; i++)
        canvas_put(canvas, row, column + i, style, point);
}

void canvas_reverse(const struct canvas *canvas, int row)
{
    for (int column = 0; column < canvas->rect.columns; column++) {
        struct cell *cell = cell_at(canvas, row, column);
        if (cell) {
            cell->reverse = true;
            cell->role = ROLE_TEXT; /* one colour for the whole row */
        }
    }
}

void canvas_cursor(const struct canvas *canvas, int row, int column)
{
    if (canvas->cursor && cell_at(canvas, row, column))
        *canvas->cursor = (struct spot){canvas->rect.row + row, canvas->rect.column + column};
}

int canvas_bar(const struct canvas *canvas, int row, int column, int width, double share,
               enum role role)
{
    int room = canvas->rect.columns - column;
    if (width > room)
        width = room;
    if (width > 0 && row >= 0 && row < canvas->rect.rows)
        bar_draw(canvas->cells, canvas->rect.row + row, canvas->rect.column + column, width, share,
                 role, canvas->glyphs);
    return column + (width > 0 ? width : 0);
}

void canvas_copy(const struct canvas *canvas, int row, int column, const struct cells *cells)
{
    for (int y = 0; y < cells->rows; y++)
        for (int x = 0; x < cells->columns; x++) {
            struct cell *cell = cell_at(canvas, row + y, column + x);
            if (cell)
                *cell = cells->items[(size_t)y * (size_t)cells->columns + (size_t)x];
        }
}

const char *canvas_glyph(const struct canvas *canvas, enum glyph glyph)
{
    return glyph_text(canvas->glyphs, glyph);
}

struct canvas canvas_part(const struct canvas *canvas, int row, int column, int rows, int columns)
{
    struct canvas part = *canvas;
    int rows_left = canvas->rect.rows - row, columns_left = canvas->rect.columns - column;
    part.rect.row += row;
    part.rect.column += column;
    part.rect.rows = rows < rows_left ? rows : rows_left > 0 ? rows_left : 0;
    part.rect.columns = columns < columns_left ? columns : columns_left > 0 ? columns_left : 0;
    return part;
}

size_t text_wrap(const char *text, int columns)
{
    const char *at = text, *blank = NULL;
    for (int column = 0; column < columns; column++) {
        const char *before = at;
        uint32_t point = utf8_next(&at);
        if (!point)
            return (size_t)(before - text);
        if (point == ' ')
            blank = before;
        else if (point == ',')
            blank = at;
    }
    if (!*at || *at == ' ' || !blank)
        return (size_t)(at - text);
    return (size_t)(blank - text);
}

const char *path_print(const char *path, char text[ROW_TEXT])
{
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;
    bool inside = length > 1 && !strncmp(path, home, length) && path[length] == '/';
    snprintf(text, ROW_TEXT, "%s%s", inside ? "~" : "", inside ? path + length : path);
    return text;
}

const char *path_tail(const char *path, int columns)
{
    const char *tail = path, *slash;
    while ((int)utf8_columns(tail) > columns && (slash = strchr(tail, '/')) && slash[1])
        tail = slash + 1;
    return tail;
}
