#include "ui/views/text_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

void text_lines_clear(struct text_lines *lines)
{
    for (int i = 0; i < lines->count; i++)
        free(lines->items[i]);
    lines->count = 0;
}

void text_lines_free(struct text_lines *lines)
{
    text_lines_clear(lines);
    free(lines->items);
}

enum status text_lines_add(struct text_lines *lines, const char *format, ...)
{
    if (array_reserve(&lines->items, &lines->capacity, (size_t)lines->count + 1))
        return STATUS_MEMORY;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&lines->items[lines->count], format, arguments);
    va_end(arguments);
    if (length < 0)
        return STATUS_MEMORY;
    lines->count++;
    return STATUS_OK;
}

enum status text_lines_wrap(struct text_lines *lines, const char *head, const char *text)
{
    int indent = (int)utf8_columns(head);
    int room = lines->columns - indent > 20 ? lines->columns - indent : 20;
    enum status status = STATUS_OK;
    do {
        size_t length = text_wrap(text, room);
        status = text_lines_add(lines, "%-*s%.*s", indent, head, (int)length, text);
        text += length + strspn(text + length, " ");
        head = "";
    } while (!status && *text);
    return status;
}

void text_lines_draw(const struct text_lines *lines, const struct canvas *canvas, bool selects)
{
    for (int row = 0; row < canvas->rect.rows; row++) {
        int index = lines->list.top + row;
        if (index >= lines->count)
            break;
        const char *line = lines->items[index];
        bool head = line[0] != ' ' && !selects;
        canvas_text(canvas, row, 1, canvas->rect.columns - 1,
                    head ? STYLE_BOLD(ROLE_ACCENT) : STYLE(ROLE_TEXT), line);
        if (index == lines->list.selected) {
            canvas_cursor(canvas, row, 1);
            canvas_reverse(canvas, row);
        }
    }
}
