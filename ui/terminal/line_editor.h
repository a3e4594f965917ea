/* A one-line editor with history, for the ':' line, values, searches and filters. It edits UTF-8
 * text in a fixed buffer; the cursor is always at the start of a code point. */
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
    int cursor;    /* byte offset, at the start of a code point */
    bool selected; /* the first typed character replaces the whole text */
    int recalled;  /* shown entry of the history; history->count: the line being typed */
    char typed[LINE_MAX_BYTES];   /* the line being typed, while an older one is shown */
    struct line_history *history; /* may be NULL */
};

enum line_result { LINE_EDITED, LINE_ACCEPTED, LINE_CANCELLED, LINE_COMPLETE, LINE_IGNORED };

void line_start(struct line_editor *editor, const char *text, struct line_history *history);
/* Marks the text as a suggestion: typing replaces it, any other key starts to edit it. */
void line_select(struct line_editor *editor);
/* Handles one key (keymap.h): Emacs keys, arrows, Home, End. Tab asks for completion. */
enum line_result line_key(struct line_editor *editor, uint32_t key);
/* Inserts pasted text in one step. Replaces what is not printable by blanks, drops what does not
 * fit. */
void line_paste(struct line_editor *editor, const char *text);
/* Replaces the bytes [from, cursor) by `text`. */
void line_replace(struct line_editor *editor, int from, const char *text);
int line_cursor_column(const struct line_editor *editor);

void line_remember(struct line_history *history, const char *text);
void line_history_free(struct line_history *history);
