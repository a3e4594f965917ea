/* The Log view: the messages so far. */
#include "ui/panes/pane.h"
#include "ui/views/text_lines.h"

static enum status log_make(struct explorer *explorer)
{
    static const char *const words[] = {
        [SEVERITY_NOTE] = "note", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};
    struct text_lines *lines = pane_state(explorer, CONTEXT_LOG);
    const struct messages *messages = &explorer->messages;
    text_lines_clear(lines);
    lines->columns = explorer->columns - 2;
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < messages->count; i++) {
        char head[16];
        snprintf(head, sizeof head, "%-8s ", words[messages->items[i].severity]);
        status = text_lines_wrap(lines, head, messages->items[i].text);
    }
    return status;
}

static enum status log_open(struct explorer *explorer)
{
    struct text_lines *lines = pane_state(explorer, CONTEXT_LOG);
    enum status status = log_make(explorer);
    lines->list.selected = lines->count - 1;
    return status;
}

static int log_count(const struct explorer *explorer)
{
    const struct text_lines *lines = pane_seen(explorer, CONTEXT_LOG);
    return lines->count;
}

static void log_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct text_lines *lines = pane_seen(explorer, CONTEXT_LOG);
    snprintf(text, ROW_TEXT, "%s", lines->items[row]);
}

static void log_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct text_lines *lines = pane_seen(explorer, CONTEXT_LOG);
    if (!lines->count)
        canvas_text(canvas, 0, 1, canvas->rect.columns - 1, STYLE(ROLE_DIM), "nothing said yet");
    text_lines_draw(lines, canvas, true);
}

/* The lines are wrapped again if the width has changed. */
static void log_settle(struct explorer *explorer)
{
    const struct text_lines *lines = pane_seen(explorer, CONTEXT_LOG);
    if (explorer->view == VIEW_LOG && lines->columns != explorer->columns - 2)
        (void)log_make(explorer); /* short of memory, lines are missing */
}

static void log_free(void *state)
{
    text_lines_free(state);
}

const struct pane_ops log_pane_ops = {
    .title = "Log",
    .aside = true,
    .state_size = sizeof(struct text_lines),
    .free = log_free,
    .open = log_open,
    .count = log_count,
    .text = log_text,
    .settle = log_settle,
    .draw = log_draw,
    .hints = {{COMMAND_FIND, NULL}, {COMMAND_CANCEL, NULL}},
};
