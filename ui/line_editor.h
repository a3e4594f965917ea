/* A one-line editor with history, for the ':' line, values, searches and filters. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { LINE_MAX_BYTES = 1024, LINE_HISTORY = 64 };

struct line_history {
    char *items[LINE_HISTORY]; /* oldest first */
    int count;
};

struct line_editor {
    char text[LINE_MAX_BYTES];
    int cursor;    /* byte offset of a code point */
    bool selected; /* the first character that is typed takes the place of all */
    int recalled;  /* entry of the history that is shown; history->count = the line being typed */
    char typed[LINE_MAX_BYTES];   /* that line, while an older one is shown */
    struct line_history *history; /* may be NULL */
};

enum line_result { LINE_EDITED, LINE_ACCEPTED, LINE_CANCELLED, LINE_COMPLETE, LINE_IGNORED };

void line_start(struct line_editor *editor, const char *text, struct line_history *history);
/* The text is an offer: typing replaces it, any other key begins to edit it. */
void line_select(struct line_editor *editor);
/* One key (keymap.h). Emacs keys, arrows, Home, End; Tab asks for completion. */
enum line_result line_key(struct line_editor *editor, uint32_t key);
/* As if `text` had been typed, in one go: what is not printable becomes a blank, what does not fit
 * is left out. */
void line_paste(struct line_editor *editor, const char *text);
/* Puts `text` in place of the bytes [from, cursor). */
void line_replace(struct line_editor *editor, int from, const char *text);
int line_cursor_column(const struct line_editor *editor);

void line_remember(struct line_history *history, const char *text);
void line_history_free(struct line_history *history);
