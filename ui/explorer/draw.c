/* Draws the whole screen: header, panes in their frames, message and footer. The contents of a pane
 * are drawn by its pane_ops (pane.h). */
#include <stdio.h>
#include <string.h>

#include "base/counts.h"
#include "base/utf8.h"
#include "ui/panes/pane.h"
#include "ui/panes/prompt.h"
#include "ui/terminal/curses_screen.h"

enum { WORD = 32 };

struct screen_canvas {
    struct cells *cells;
    struct spot *cursor;
};

static struct canvas canvas_of(const struct explorer *explorer, const struct screen_canvas *screen,
                               struct rect rect)
{
    return (struct canvas){screen->cells, rect, explorer->glyphs, screen->cursor};
}

static void screen_draw_header(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct session *session = explorer->session;
    int width = canvas->rect.columns;
    bool dirty = session_dirty(session);
    char pinned[96] = "";
    if (session->pin_count)
        snprintf(pinned, sizeof pinned, "pinned: %s", session->pins[0].name);
    int column = canvas_text(canvas, 0, 1, width, STYLE_BOLD(ROLE_ACCENT), "warpscape");
    column = canvas_text(canvas, 0, column + 2, width / 3, STYLE_BOLD(ROLE_TEXT), session->name);
    if (dirty)
        column = canvas_text(canvas, 0, column, 1, STYLE_BOLD(ROLE_ACCENT),
                             canvas_glyph(canvas, GLYPH_CHANGED));
    int room = width - column - (int)strlen(pinned) - 5;
    if (room > 16) {
        int end = column + room;
        char launches[COUNT_TEXT], assumed[WORD] = "";
        const enum assumed_dependences assumption = session->study.assumed;
        counted_print(explorer->snapshot.launches, "launch", launches);
        if (assumption != ASSUMED_NOTHING && depth_can(session->study.depth, DEPTH_TIMED))
            snprintf(assumed, sizeof assumed, "assume %s", assumed_table[assumption].name);
        column = canvas_text(canvas, 0, column + 3, room - 3, STYLE(ROLE_TEXT),
                             path_tail(explorer->workload, room - 3));
        if (assumed[0] && column + 2 + (int)strlen(assumed) <= end)
            column = canvas_text(canvas, 0, column + 2, end - column - 2, STYLE(ROLE_DIM), assumed);
        if (explorer->snapshot.launches && column + 2 + (int)strlen(launches) <= end)
            column =
                canvas_text(canvas, 0, column + 2, end - column - 2, STYLE(ROLE_DIM), launches);
    }
    if (width - column > (int)strlen(pinned) + 2)
        canvas_right(canvas, 0, width - (int)strlen(pinned) - 1, (int)strlen(pinned),
                     STYLE(ROLE_DIM), pinned);
}

/* Draws "━━ 1 Machine ━━━━━━━━━ 2 axes ━━". The heavy line marks the focus, for screens without
 * colour. */
static void draw_title(const struct explorer *explorer, const struct canvas *canvas,
                       const struct pane_ops *ops, int number, bool focused)
{
    int width = canvas->rect.columns;
    char title[64], status[ROW_TEXT] = "";
    struct style style = focused ? STYLE_BOLD(ROLE_ACCENT) : STYLE(ROLE_AXIS);
    canvas_fill(canvas, 0, 0, width, style, focused ? GLYPH_RULE_FOCUSED : GLYPH_RULE);
    snprintf(title, sizeof title, number ? " %2$d %1$s " : " %s ", ops->title, number);
    int column = canvas_text(canvas, 0, 1, width - 1, style, title);
    if (ops->status)
        ops->status(explorer, status);
    int room = width - column - 2;
    if (!status[0] || room < 6)
        return;
    /* The number comes last, after two blanks: keep it in a narrow title. */
    const char *shown = status, *rest;
    while ((int)utf8_columns(shown) + 2 > room && (rest = strstr(shown, "  ")))
        shown = rest + 2;
    int columns = (int)utf8_columns(shown) + 2;
    if (columns > room)
        columns = room;
    canvas_printf(canvas, 0, width - columns - 1, columns, focused ? style : STYLE(ROLE_TEXT),
                  " %s ", shown);
}

static void draw_pane(const struct explorer *explorer, const struct screen_canvas *screen,
                      struct rect rect, const struct pane_ops *ops, int number, bool focused)
{
    if (!rect.rows)
        return;
    struct canvas frame = canvas_of(explorer, screen, rect);
    draw_title(explorer, &frame, ops, number, focused);
    struct canvas body = canvas_part(&frame, 1, 0, rect.rows - 1, rect.columns);
    if (!focused)
        body.cursor = NULL;
    ops->draw(explorer, &body, focused);
}

static void draw_switcher(const struct explorer *explorer, const struct canvas *canvas)
{
    int column = 1;
    for (int pane = 0; pane < PANE_COUNT; pane++) {
        struct style style =
            pane == (int)explorer->focus ? STYLE_BOLD(ROLE_ACCENT) : STYLE(ROLE_DIM);
        style.reverse = pane == (int)explorer->focus;
        column = canvas_printf(canvas, 0, column, 12, style, "%d %s", pane + 1,
                               pane_ops(pane_context((enum pane)pane))->title);
        column += 2;
    }
}

/* ---- footer ---- */

static int draw_hint(const struct explorer *explorer, const struct canvas *canvas, int column,
                     int end, enum command command, const char *word)
{
    enum context context = explorer_context(explorer);
    uint32_t key = keymap_key(&explorer->keymap, context, command);
    char name[KEY_TEXT];
    const char *hint = word ? word : command_table[command].hint;
    if (!key || !hint[0])
        return column;
    key_print(key, name);
    /* Show both directions of a step as one hint. */
    char pair[2 * KEY_TEXT + 1];
    snprintf(pair, sizeof pair, "%s", name);
    if (command == COMMAND_STEP_UP) {
        uint32_t down = keymap_key(&explorer->keymap, context, COMMAND_STEP_DOWN);
        char down_name[KEY_TEXT];
        if (down)
            snprintf(pair, sizeof pair, "%s %s", key_print(down, down_name), name);
    }
    int width = (int)utf8_columns(pair) + 1 + (int)utf8_columns(hint);
    if (column + width > end)
        return column;
    column = canvas_text(canvas, 0, column, end - column, STYLE_BOLD(ROLE_ACCENT), pair);
    column = canvas_text(canvas, 0, column + 1, end - column - 1, STYLE(ROLE_TEXT), hint);
    return column + 2;
}

static void draw_hints(const struct explorer *explorer, const struct canvas *canvas)
{
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    int width = canvas->rect.columns, column = 1;
    /* Help and quit always fit at the end. */
    enum { TAIL = 16 };
    const bool empty = ops->opens[0].command != COMMAND_QUIT && !ops->count(explorer);
    for (const struct hint *hint = empty ? ops->opens : ops->hints; hint->command != COMMAND_QUIT;
         hint++)
        if (!ops->lacks || !ops->lacks(explorer, hint->command))
            column =
                draw_hint(explorer, canvas, column, width - TAIL - 1, hint->command, hint->word);
    column = width - TAIL > column ? width - TAIL : column;
    column = draw_hint(explorer, canvas, column, width, COMMAND_HELP, NULL);
    draw_hint(explorer, canvas, column, width, COMMAND_QUIT, NULL);
}

/* ---- message ---- */

enum { MESSAGE_ROWS = 4 };

/* A long text takes rows above its own, so that no text is cut off. Returns how many it has. */
static int draw_message_text(const struct explorer *explorer, const struct screen_canvas *screen,
                             struct rect rect, struct style style, const char *text)
{
    size_t starts[MESSAGE_ROWS + 1] = {0};
    int rows = 0;
    while (text[starts[rows]] && rows < MESSAGE_ROWS) {
        const char *line = text + starts[rows];
        size_t length = text_wrap(line, rect.columns - 2);
        starts[rows + 1] = starts[rows] + length + strspn(line + length, " ");
        rows++;
    }
    rect.row -= rows - 1;
    rect.rows = rows;
    struct canvas canvas = canvas_of(explorer, screen, rect);
    for (int row = 0; row < rows; row++) {
        canvas_printf(&canvas, row, 0, rect.columns, style, "%*s", rect.columns, "");
        canvas_printf(&canvas, row, 1, rect.columns - 1, style, "%.*s",
                      (int)(starts[row + 1] - starts[row]), text + starts[row]);
    }
    return rows;
}

/* The newest message above where the tour is; else what is selected. */
static void draw_message(const struct explorer *explorer, const struct screen_canvas *screen)
{
    const struct message *message = messages_newest(&explorer->messages);
    struct rect rect = explorer->layout.message;
    char text[TOUR_TEXT], description[ROW_TEXT] = "";
    const bool touring = tour_text(explorer, text) != NULL;
    if (touring)
        rect.row -= draw_message_text(explorer, screen, rect, STYLE_BOLD(ROLE_ACCENT), text);
    if (message) {
        draw_message_text(explorer, screen, rect,
                          message->severity == SEVERITY_ERROR ? STYLE_BOLD(ROLE_BAD)
                                                              : STYLE(ROLE_TEXT),
                          message->text);
    } else if (!touring) {
        const struct pane_ops *ops = pane_ops(explorer_context(explorer));
        struct canvas canvas = canvas_of(explorer, screen, rect);
        if (ops->describe)
            ops->describe(explorer, description);
        canvas_text(&canvas, 0, 1, rect.columns - 2, STYLE(ROLE_DIM), description);
    }
}

/* ---- all ---- */

static void draw_too_small(const struct explorer *explorer, const struct screen_canvas *screen)
{
    struct canvas canvas = canvas_of(explorer, screen, explorer->layout.message);
    canvas_printf(&canvas, 0, 0, canvas.rect.columns, STYLE(ROLE_TEXT), "%dx%d needed, q quits",
                  LAYOUT_COLUMNS_MIN, LAYOUT_ROWS_MIN);
}

static void draw_panes(const struct explorer *explorer, const struct screen_canvas *screen)
{
    const struct layout *layout = &explorer->layout;
    for (int pane = 0; pane < PANE_COUNT; pane++)
        draw_pane(explorer, screen, layout->panes[pane], pane_ops(pane_context((enum pane)pane)),
                  pane + 1, pane == (int)explorer->focus);
    for (int i = 0; i < 2; i++)
        draw_pane(explorer, screen, layout->panels[i], panel_ops(explorer, i), 0, false);
    for (int i = 0; i < 3; i++) {
        struct canvas rule = canvas_of(explorer, screen, layout->rules[i]);
        for (int row = 0; row < rule.rect.rows; row++)
            canvas_fill(&rule, row, 0, 1, STYLE(ROLE_AXIS), GLYPH_VERTICAL);
    }
    if (layout->switcher.rows) {
        struct canvas switcher = canvas_of(explorer, screen, layout->switcher);
        draw_switcher(explorer, &switcher);
    }
}

static void draw_parts(const struct explorer *explorer, const struct screen_canvas *screen)
{
    const struct layout *layout = &explorer->layout;
    if (layout->too_small) {
        draw_too_small(explorer, screen);
        return;
    }
    struct canvas header = canvas_of(explorer, screen, layout->header);
    screen_draw_header(explorer, &header);
    if (layout->view.rows)
        draw_pane(explorer, screen, layout->view, pane_ops(explorer_context(explorer)), 0, true);
    else
        draw_panes(explorer, screen);
    struct canvas hints = canvas_of(explorer, screen, layout->hints);
    draw_hints(explorer, &hints);
    struct rect whole = {layout->header.row + 1, 0, layout->message.row - 1,
                         layout->message.columns};
    struct canvas body = canvas_of(explorer, screen, whole);
    if (explorer->prompt.kind == PROMPT_PICKER || explorer->prompt.kind == PROMPT_KEYS)
        picker_draw(explorer, &body);
    if (explorer->prompt.kind != PROMPT_NONE) {
        struct canvas line = canvas_of(explorer, screen, layout->message);
        prompt_draw(explorer, &line);
    } else {
        draw_message(explorer, screen);
    }
}

enum status explorer_cells(const struct explorer *explorer, struct cells *cells,
                           struct spot *cursor)
{
    const struct screen_canvas screen = {cells, cursor};
    int rows, columns;
    screen_size(&rows, &columns);
    *cursor = (struct spot){-1, 0};
    enum status status = cells_init(cells, rows, columns);
    if (!status)
        draw_parts(explorer, &screen);
    return status;
}

enum status explorer_draw(const struct explorer *explorer)
{
    struct cells cells;
    struct spot cursor;
    enum status status = explorer_cells(explorer, &cells, &cursor);
    if (status)
        return status;
    screen_draw(&cells, cursor);
    cells_free(&cells);
    return STATUS_OK;
}
