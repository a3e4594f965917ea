#include "ui/terminal/line_editor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/terminal/keymap.h"

void line_start(struct line_editor *editor, const char *text, struct line_history *history)
{
    size_t bytes = strlen(text);
    if (bytes >= LINE_MAX_BYTES)
        bytes = 0;
    memcpy(editor->text, text, bytes);
    editor->text[bytes] = '\0';
    editor->cursor = (int)bytes;
    editor->history = history;
    editor->recalled = history ? history->count : 0;
    editor->typed[0] = '\0';
    editor->selected = false;
}

void line_select(struct line_editor *editor)
{
    editor->selected = *editor->text != '\0';
}

static bool continues(char byte)
{
    return (byte & 0xc0) == 0x80;
}

static int previous(const struct line_editor *editor, int at)
{
    if (at > 0)
        at--;
    while (at > 0 && continues(editor->text[at]))
        at--;
    return at;
}

static int next(const struct line_editor *editor, int at)
{
    if (editor->text[at])
        at++;
    while (continues(editor->text[at]))
        at++;
    return at;
}

static int word_start(const struct line_editor *editor)
{
    int at = editor->cursor;
    while (at > 0 && editor->text[at - 1] == ' ')
        at--;
    while (at > 0 && editor->text[at - 1] != ' ')
        at--;
    return at;
}

static void erase(struct line_editor *editor, int from, int to)
{
    memmove(editor->text + from, editor->text + to, strlen(editor->text + to) + 1);
    editor->cursor = from;
}

void line_replace(struct line_editor *editor, int from, const char *text)
{
    size_t bytes = strlen(text), tail = strlen(editor->text + editor->cursor);
    if ((size_t)from + bytes + tail >= LINE_MAX_BYTES)
        return;
    memmove(editor->text + from + bytes, editor->text + editor->cursor, tail + 1);
    memcpy(editor->text + from, text, bytes);
    editor->cursor = from + (int)bytes;
}

static void line_recall(struct line_editor *editor, int direction)
{
    struct line_history *history = editor->history;
    int wanted = editor->recalled + direction;
    if (!history || wanted < 0 || wanted > history->count)
        return;
    if (editor->recalled == history->count)
        memcpy(editor->typed, editor->text, sizeof editor->typed);
    const char *text = wanted == history->count ? editor->typed : history->items[wanted];
    snprintf(editor->text, sizeof editor->text, "%s", text);
    editor->cursor = (int)strlen(editor->text);
    editor->recalled = wanted;
}

static void insert(struct line_editor *editor, uint32_t key)
{
    char bytes[UTF8_MAX + 1];
    bytes[utf8_write(key, bytes)] = '\0';
    line_replace(editor, editor->cursor, bytes);
}

void line_paste(struct line_editor *editor, const char *text)
{
    char clean[LINE_MAX_BYTES];
    size_t used = 0, kept = editor->selected ? 0 : strlen(editor->text);
    if (editor->selected)
        line_start(editor, "", editor->history);
    for (uint32_t point; (point = utf8_next(&text));) {
        char bytes[UTF8_MAX];
        size_t length = utf8_write(point < ' ' || point == 0x7f ? ' ' : point, bytes);
        if (kept + used + length >= sizeof clean)
            break;
        memcpy(clean + used, bytes, length);
        used += length;
    }
    clean[used] = '\0';
    line_replace(editor, editor->cursor, clean);
}

enum { CONTROL = 'a' - 1 };

enum line_result line_key(struct line_editor *editor, uint32_t key)
{
    int end = (int)strlen(editor->text);
    bool selected = editor->selected;
    editor->selected = false;
    switch (key) {
    case KEY_RETURN:
        return LINE_ACCEPTED;
    case KEY_ESCAPE:
    case 'c' - CONTROL:
    case 'g' - CONTROL:
        return LINE_CANCELLED;
    case KEY_TAB:
        return LINE_COMPLETE;
    case KEY_ARROW_LEFT:
    case 'b' - CONTROL:
        editor->cursor = previous(editor, editor->cursor);
        break;
    case KEY_ARROW_RIGHT:
    case 'f' - CONTROL:
        editor->cursor = next(editor, editor->cursor);
        break;
    case KEY_FIRST:
    case 'a' - CONTROL:
        editor->cursor = 0;
        break;
    case KEY_LAST:
    case 'e' - CONTROL:
        editor->cursor = end;
        break;
    case KEY_ARROW_UP:
    case 'p' - CONTROL:
        line_recall(editor, -1);
        break;
    case KEY_ARROW_DOWN:
    case 'n' - CONTROL:
        line_recall(editor, 1);
        break;
    case KEY_ERASE:
    case 'h' - CONTROL:
        if (!end)
            return LINE_CANCELLED;
        erase(editor, previous(editor, editor->cursor), editor->cursor);
        break;
    case KEY_DELETE:
    case 'd' - CONTROL:
        erase(editor, editor->cursor, next(editor, editor->cursor));
        break;
    case 'w' - CONTROL:
        erase(editor, word_start(editor), editor->cursor);
        break;
    case 'u' - CONTROL:
        erase(editor, 0, editor->cursor);
        break;
    case 'k' - CONTROL:
        erase(editor, editor->cursor, end);
        break;
    default:
        if (key < ' ' || key >= KEY_NAMED)
            return LINE_IGNORED;
        if (selected)
            erase(editor, 0, end);
        insert(editor, key);
    }
    return LINE_EDITED;
}

int line_cursor_column(const struct line_editor *editor)
{
    int column = 0;
    for (int at = 0; at < editor->cursor; at = next(editor, at))
        column++;
    return column;
}

void line_remember(struct line_history *history, const char *text)
{
    if (!*text || (history->count && !strcmp(history->items[history->count - 1], text)))
        return;
    char *copy = strdup(text);
    if (!copy)
        return; /* a missing history line does no harm */
    if (history->count == LINE_HISTORY) {
        free(history->items[0]);
        memmove(history->items, history->items + 1, (LINE_HISTORY - 1) * sizeof *history->items);
        history->count--;
    }
    history->items[history->count++] = copy;
}

void line_history_free(struct line_history *history)
{
    for (int i = 0; i < history->count; i++)
        free(history->items[i]);
    history->count = 0;
}
