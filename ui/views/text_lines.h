/* Lines of text that fill a view, wrapped for its width. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "ui/panes/list.h"
#include "ui/terminal/canvas.h"

struct text_lines {
    struct list list;
    char **items;
    int count;
    int columns; /* the width that they are wrapped for */
    size_t capacity;
};

void text_lines_free(struct text_lines *lines);
void text_lines_clear(struct text_lines *lines);
enum status text_lines_add(struct text_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `text` after `head`, the rest of a long one in lines below, at the same column. */
enum status text_lines_wrap(struct text_lines *lines, const char *head, const char *text);
/* With the selected line in reverse; unless one `selects` lines, those that are not indented are
 * heads. */
void text_lines_draw(const struct text_lines *lines, const struct canvas *canvas, bool selects);
