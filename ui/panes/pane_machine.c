/* The Machine pane: the parameter table as a tree, grouped by the parts of the paths. It lists only
 * parameters that are relevant to the current machine. */
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "ui/panes/pane.h"

enum { DEPTH_MAX = 8, MARKS = 4 };

/* The group of the prefix of a path, created if it is new; -1 for a path without a prefix. */
static enum status machine_find_group(struct machine_pane *pane, const char *path, int *group)
{
    int parent = -1, depth = 0;
    for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.')) {
        size_t length = (size_t)(dot - path);
        int found = 0;
        while (found < pane->group_count && (strlen(pane->groups[found].prefix) != length ||
                                             strncmp(pane->groups[found].prefix, path, length)))
            found++;
        if (found == pane->group_count) {
            if (array_reserve(&pane->groups, &pane->group_capacity, (size_t)found + 1))
                return STATUS_MEMORY;
            struct machine_group *made = &pane->groups[pane->group_count++];
            *made = (struct machine_group){"", parent, depth, true};
            snprintf(made->prefix, sizeof made->prefix, "%.*s", (int)length, path);
        }
        parent = found;
        depth++;
    }
    *group = parent;
    return STATUS_OK;
}

void machine_pane_free(struct machine_pane *pane)
{
    free(pane->rows);
    free(pane->groups);
}

static enum status machine_add_row(struct machine_pane *pane, const struct parameter *parameter,
                                   int group, int depth)
{
    if (array_reserve(&pane->rows, &pane->capacity, (size_t)pane->count + 1))
        return STATUS_MEMORY;
    pane->rows[pane->count++] = (struct machine_row){parameter, group, depth};
    return STATUS_OK;
}

/* Adds the missing headings above a parameter. *hidden: one of them is folded. */
static enum status add_heads(struct machine_pane *pane, int group, bool *shown, bool *hidden)
{
    int chain[DEPTH_MAX], length = 0;
    for (int at = group; at >= 0 && length < DEPTH_MAX; at = pane->groups[at].parent)
        chain[length++] = at;
    *hidden = false;
    while (length-- > 0 && !*hidden) {
        int at = chain[length];
        if (!shown[at] && machine_add_row(pane, NULL, at, pane->groups[at].depth))
            return STATUS_MEMORY;
        shown[at] = true;
        *hidden = pane->groups[at].folded;
    }
    return STATUS_OK;
}

static enum status build_rows(struct explorer *explorer)
{
    struct machine_pane *pane = &explorer->machine;
    bool *shown = calloc((size_t)pane->group_count + 1, sizeof *shown);
    enum status status = shown ? STATUS_OK : STATUS_MEMORY;
    pane->count = 0;
    for (size_t i = 0; !status && i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        int group;
        bool hidden;
        if (!parameter_relevant(parameter, &explorer->session->machine))
            continue;
        status = machine_find_group(pane, parameter->path, &group);
        if (!status)
            status = add_heads(pane, group, shown, &hidden);
        if (!status && !hidden)
            status = machine_add_row(pane, parameter, group,
                                     group < 0 ? 0 : pane->groups[group].depth + 1);
    }
    free(shown);
    return status;
}

static int machine_find_row(const struct machine_pane *pane, struct machine_row wanted)
{
    for (int i = 0; i < pane->count; i++)
        if (pane->rows[i].parameter == wanted.parameter && pane->rows[i].group == wanted.group)
            return i;
    return -1;
}

static enum status machine_make_rows(struct explorer *explorer)
{
    struct machine_pane *pane = &explorer->machine;
    struct machine_row before = {NULL, -1, 0};
    if (pane->list.selected < pane->count)
        before = pane->rows[pane->list.selected];
    enum status status = build_rows(explorer);
    /* Keep the selection on its row, or move it to the heading that hides it. */
    int row = machine_find_row(pane, before);
    for (int group = before.group; row < 0 && group >= 0; group = pane->groups[group].parent)
        row = machine_find_row(pane, (struct machine_row){NULL, group, 0});
    if (row >= 0)
        pane->list.selected = row;
    return status;
}

enum status machine_pane_init(struct explorer *explorer)
{
    struct machine_pane *pane = &explorer->machine;
    const unsigned simulated = stages_on_stream();
    bool roomy = explorer->rows >= 40;
    for (size_t i = 0; i < parameter_count; i++) {
        int group;
        if (machine_find_group(pane, parameters[i].path, &group))
            return STATUS_MEMORY;
        /* On a large screen unfold the simulated structures at the start. */
        if (roomy && group >= 0 && !pane->groups[group].depth && (parameters[i].stages & simulated))
            pane->groups[group].folded = false;
    }
    if (machine_make_rows(explorer))
        return STATUS_MEMORY;
    machine_pane_select(explorer, parameter_find("l1d.size"));
    return STATUS_OK;
}

bool machine_pane_select(struct explorer *explorer, const struct parameter *parameter)
{
    struct machine_pane *pane = &explorer->machine;
    int group;
    if (!parameter || machine_find_group(pane, parameter->path, &group))
        return false;
    for (int at = group; at >= 0; at = pane->groups[at].parent)
        pane->groups[at].folded = false;
    if (build_rows(explorer))
        return false;
    int row = machine_find_row(pane, (struct machine_row){parameter, group, 0});
    if (row >= 0)
        pane->list.selected = row;
    return row >= 0;
}

bool machine_pane_lists(const struct explorer *explorer, const struct parameter *parameter)
{
    const struct machine_pane *pane = &explorer->machine;
    for (int i = 0; i < pane->count; i++)
        if (pane->rows[i].parameter == parameter)
            return true;
    return false;
}

void machine_pane_fold(struct explorer *explorer, bool all)
{
    struct machine_pane *pane = &explorer->machine;
    if (all) {
        bool any_open = false;
        for (int i = 0; i < pane->group_count; i++)
            any_open |= !pane->groups[i].folded;
        for (int i = 0; i < pane->group_count; i++)
            pane->groups[i].folded = any_open;
        return;
    }
    if (pane->list.selected >= pane->count)
        return;
    const struct machine_row row = pane->rows[pane->list.selected];
    if (row.group < 0)
        return;
    pane->groups[row.group].folded = !pane->groups[row.group].folded;
}

const struct parameter *explorer_parameter(const struct explorer *explorer)
{
    const struct machine_pane *pane = &explorer->machine;
    return pane->list.selected < pane->count ? pane->rows[pane->list.selected].parameter : NULL;
}

/* ---- drawing ---- */

static bool differs_from_pin(const struct explorer *explorer, const struct parameter *parameter)
{
    const struct session *session = explorer->session;
    return session->pin_count &&
           !parameter_equal(parameter, parameter_get(parameter, &session->machine),
                            parameter_get(parameter, &session->pins[0].machine));
}

/* Draws the marks at the right end: changed since the file, differs from the pin, axis, no effect.
 */
static void machine_draw_marks(const struct explorer *explorer, const struct canvas *canvas,
                               int row, const struct parameter *parameter)
{
    int column = canvas->rect.columns - MARKS + 1;
    if (session_changed(explorer->session, parameter))
        canvas_text(canvas, row, column, 1, STYLE(ROLE_ACCENT),
                    canvas_glyph(canvas, GLYPH_CHANGED));
    if (differs_from_pin(explorer, parameter))
        canvas_text(canvas, row, column + 1, 1, STYLE(ROLE_SERIES_2),
                    canvas_glyph(canvas, GLYPH_DIFFERS));
    if (session_axis(explorer->session, parameter))
        canvas_text(canvas, row, column + 2, 1, STYLE_BOLD(ROLE_FRONT),
                    canvas_glyph(canvas, GLYPH_AXIS));
    else if (!parameter_answers(parameter, explorer->session->study.depth))
        canvas_text(canvas, row, column + 2, 1, STYLE(ROLE_DIM), canvas_glyph(canvas, GLYPH_INERT));
}

static void draw_parameter(const struct explorer *explorer, const struct canvas *canvas, int row,
                           const struct machine_row *item, bool selected)
{
    const struct parameter *parameter = item->parameter;
    const char *dot = strrchr(parameter->path, '.');
    char value[VALUE_TEXT];
    parameter_print(parameter, parameter_get(parameter, &explorer->session->machine), value);
    struct style style =
        STYLE(parameter_answers(parameter, explorer->session->study.depth) ? ROLE_TEXT : ROLE_DIM);
    int end = canvas->rect.columns - MARKS;
    int name = canvas_text(canvas, row, 1 + 2 * item->depth, end - 2 - 2 * item->depth, style,
                           dot ? dot + 1 : parameter->path);
    int room = end - name - 1, width = (int)utf8_columns(value);
    if (session_changed(explorer->session, parameter))
        style = STYLE_BOLD(ROLE_ACCENT);
    canvas_right(canvas, row, name + 1, room, style, value);
    if (selected && width + 2 <= room && parameter->stepping != STEP_NONE) {
        canvas_text(canvas, row, end - width - 1, 1, STYLE(ROLE_DIM),
                    canvas_glyph(canvas, GLYPH_LOWER));
        canvas_text(canvas, row, end, 1, STYLE(ROLE_DIM), canvas_glyph(canvas, GLYPH_HIGHER));
    }
    machine_draw_marks(explorer, canvas, row, parameter);
}

/* A folded group shows the marks of the rows inside. */
static void draw_group(const struct explorer *explorer, const struct canvas *canvas, int row,
                       const struct machine_row *item)
{
    const struct machine_group *group = &explorer->machine.groups[item->group];
    const char *dot = strrchr(group->prefix, '.');
    int column = 1 + 2 * item->depth;
    canvas_text(canvas, row, column, 2, STYLE(ROLE_ACCENT),
                canvas_glyph(canvas, group->folded ? GLYPH_CLOSED : GLYPH_OPEN));
    canvas_text(canvas, row, column + 2, canvas->rect.columns, STYLE_BOLD(ROLE_TEXT),
                dot ? dot + 1 : group->prefix);
    size_t length = strlen(group->prefix), changed = 0;
    for (size_t i = 0; group->folded && i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        if (strncmp(parameter->path, group->prefix, length) || parameter->path[length] != '.' ||
            !parameter_relevant(parameter, &explorer->session->machine))
            continue;
        changed += session_changed(explorer->session, parameter);
        if (session_axis(explorer->session, parameter))
            canvas_text(canvas, row, canvas->rect.columns - 1, 1, STYLE_BOLD(ROLE_FRONT),
                        canvas_glyph(canvas, GLYPH_AXIS));
    }
    if (changed) {
        char text[32];
        snprintf(text, sizeof text, "%zu changed", changed);
        canvas_right(canvas, row, canvas->rect.columns - MARKS - 12, 12, STYLE(ROLE_ACCENT), text);
    }
}

static void machine_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    const struct machine_pane *pane = &explorer->machine;
    for (int row = 0; row < canvas->rect.rows; row++) {
        int index = pane->list.top + row;
        if (index >= pane->count)
            break;
        const struct machine_row *item = &pane->rows[index];
        bool selected = index == pane->list.selected;
        if (item->parameter)
            draw_parameter(explorer, canvas, row, item, selected);
        else
            draw_group(explorer, canvas, row, item);
        if (selected && focused) {
            canvas_reverse(canvas, row);
            canvas_cursor(canvas, row, 1 + 2 * item->depth);
        } else if (selected) {
            canvas_text(canvas, row, 0, 1, STYLE(ROLE_ACCENT), canvas_glyph(canvas, GLYPH_HIGHER));
        }
    }
}

static struct list *machine_list(struct explorer *explorer)
{
    return &explorer->machine.list;
}

static int machine_count(const struct explorer *explorer)
{
    return explorer->machine.count;
}

static void machine_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const struct machine_row *item = &explorer->machine.rows[row];
    snprintf(text, ROW_TEXT, "%s",
             item->parameter ? item->parameter->path
                             : explorer->machine.groups[item->group].prefix);
}

static void machine_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct session *session = explorer->session;
    const struct parameter *parameter = explorer_parameter(explorer);
    char value[VALUE_TEXT], axis[SESSION_TEXT];
    text[0] = '\0';
    if (!parameter)
        return;
    struct value now = parameter_get(parameter, &session->machine);
    int used = 0;
    if (parameter->type == PARAMETER_ENUM)
        used = snprintf(text, ROW_TEXT, "%s %s: %s", parameter->path,
                        parameter->choices[now.uint].name, parameter->choices[now.uint].help);
    else
        used = snprintf(text, ROW_TEXT, "%s: %s", parameter->path, parameter->help);
    if (!parameter_answers(parameter, explorer->session->study.depth))
        used += snprintf(text + used, (size_t)(ROW_TEXT - used), " (no effect at this depth%s)",
                         parameter->stages & STAGE_AREA ? " but on the area" : "");
    if (session_axis(session, parameter))
        used += snprintf(text + used, (size_t)(ROW_TEXT - used), "; axis %.100s",
                         axis_print(session_axis(session, parameter), axis));
    if (session_changed(session, parameter))
        snprintf(text + used, (size_t)(ROW_TEXT - used), "; file: %s",
                 parameter_print(parameter, parameter_get(parameter, &session->file), value));
}

/* The path of the group that the first visible row is in, if its heading has scrolled away. */
static const char *hidden_heading(const struct machine_pane *pane)
{
    const struct machine_row *top =
        pane->list.top < pane->count ? &pane->rows[pane->list.top] : NULL;
    const int group = !top ? -1 : top->parameter ? top->group : pane->groups[top->group].parent;
    return group >= 0 ? pane->groups[group].prefix : "";
}

static void machine_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const char *heading = hidden_heading(&explorer->machine);
    size_t count = explorer->session->axis_count;
    char axes[COUNT_TEXT] = "";
    if (count)
        counted_print(count, "axis", axes);
    snprintf(text, ROW_TEXT, "%s%s%s", heading, *heading && count ? "  " : "", axes);
}

/* If memory is short, rows are missing until the next change. */
static void machine_settle(struct explorer *explorer)
{
    (void)machine_make_rows(explorer);
}

const struct pane_ops machine_pane_ops = {
    .title = "Machine",
    .list = machine_list,
    .count = machine_count,
    .text = machine_text,
    .describe = machine_describe,
    .status = machine_status,
    .settle = machine_settle,
    .draw = machine_draw,
    .hints = {{COMMAND_STEP_UP, NULL},
              {COMMAND_CHANGE, NULL},
              {COMMAND_AXIS, NULL},
              {COMMAND_UNDO, NULL},
              {COMMAND_PIN, NULL},
              {COMMAND_SWEEP, NULL},
              {COMMAND_WORKLOAD, NULL},
              {COMMAND_FOCUS_NEXT, NULL}},
};
