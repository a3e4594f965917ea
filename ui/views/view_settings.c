/* Settings: what the user has chosen about the screen, and the text of the file that keeps it
 * (ui/terminal/screen_settings.h). Every choice takes effect and is written at once. */
#include <stdlib.h>
#include <string.h>

#include "ui/panes/pane.h"
#include "ui/panes/say.h"
#include "ui/terminal/user_files.h"

struct settings_view {
    struct list list;
    char path[256];
    char *text; /* of the file; NULL: there is none yet */
};

static void settings_view_settle(struct explorer *explorer)
{
    struct settings_view *view = pane_state(explorer, CONTEXT_SETTINGS);
    size_t length;
    if (explorer->view != VIEW_SETTINGS || view->path[0])
        return;
    if (!config_file("settings", false, view->path, sizeof view->path))
        snprintf(view->path, sizeof view->path, "no file");
    free(view->text); /* of a choice that a command made */
    if (config_file_read("settings", &view->text, &length, NULL))
        view->text = NULL;
}

void explorer_apply_settings(struct explorer *explorer)
{
    const struct screen_settings *settings = &explorer->settings;
    theme_choose((enum theme)settings->values[SETTING_THEME]);
    (void)glyphs_parse(glyph_names[settings->values[SETTING_GLYPHS]], &explorer->glyphs);
}

bool action_settings(struct explorer *explorer, const char *arguments)
{
    struct settings_view *view = pane_state(explorer, CONTEXT_SETTINGS);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    char name[64], value[64], *text = NULL;
    explorer->view = *arguments ? explorer->view : VIEW_SETTINGS;
    if (!*arguments)
        return true;
    if (sscanf(arguments, "%63s %63s", name, value) != 2)
        return refuse(explorer, "expected a setting and its value");
    enum status status = settings_set(&explorer->settings, name, value, &diagnostics);
    if (!status) {
        explorer_apply_settings(explorer);
        explorer->redraw = true;
        status = settings_save(&explorer->settings, &text, &diagnostics);
    }
    if (!finish(explorer, status, &diagnostics)) {
        free(text);
        return false;
    }
    free(view->text);
    view->text = text;
    say(explorer, "%s is %s from now on", name, value);
    return true;
}

/* The setting under the cursor, one value on or back. */
static void settings_across(struct explorer *explorer, int by)
{
    const struct settings_view *view = pane_seen(explorer, CONTEXT_SETTINGS);
    const size_t setting = (size_t)view->list.selected;
    const char *const *names = setting_table[setting].values;
    char command[128];
    size_t count = 0;
    do
        count++;
    while (names[count]);
    const size_t now = explorer->settings.values[setting];
    snprintf(command, sizeof command, "%s %s", setting_table[setting].name,
             names[(now + count + (size_t)(ptrdiff_t)by) % count]);
    action_settings(explorer, command);
}

static bool settings_enter(struct explorer *explorer)
{
    settings_across(explorer, 1);
    return true;
}

static void settings_view_free(void *state)
{
    struct settings_view *view = state;
    free(view->text);
}

static struct list *settings_list(struct explorer *explorer)
{
    struct settings_view *view = pane_state(explorer, CONTEXT_SETTINGS);
    return &view->list;
}

static int settings_count(const struct explorer *explorer)
{
    (void)explorer;
    return SETTING_COUNT;
}

static void settings_row(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    const size_t value = explorer->settings.values[row];
    snprintf(text, ROW_TEXT, "%-10s %-14s %s", setting_table[row].name,
             setting_table[row].values[value],
             row == SETTING_THEME ? theme_helps[value] : setting_table[row].help);
}

static void settings_draw(const struct explorer *explorer, const struct canvas *canvas,
                          bool focused)
{
    const struct settings_view *view = pane_seen(explorer, CONTEXT_SETTINGS);
    const int width = canvas->rect.columns - 1;
    int row = 0;
    (void)focused;
    for (; row < SETTING_COUNT; row++) {
        char text[ROW_TEXT];
        settings_row(explorer, row, text);
        canvas_text(canvas, row, 1, width, STYLE(ROLE_TEXT), text);
        if (row == view->list.selected) {
            canvas_reverse(canvas, row);
            canvas_cursor(canvas, row, 1);
        }
    }
    row++;
    char path[ROW_TEXT];
    canvas_text(canvas, row++, 1, width, STYLE_BOLD(ROLE_ACCENT), path_print(view->path, path));
    if (!view->text)
        canvas_text(canvas, row, 1, width, STYLE(ROLE_DIM),
                    "there is no such file yet: the first choice writes it");
    for (const char *line = view->text; line && *line; row++) {
        const size_t length = strcspn(line, "\n");
        canvas_printf(canvas, row, 1, width, STYLE(ROLE_DIM), "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

const struct pane_ops settings_pane_ops = {
    .title = "Settings",
    .aside = true,
    .state_size = sizeof(struct settings_view),
    .free = settings_view_free,
    .across = settings_across,
    .enter = settings_enter,
    .list = settings_list,
    .count = settings_count,
    .text = settings_row,
    .settle = settings_view_settle,
    .draw = settings_draw,
    .hints = {{COMMAND_RIGHT, "next value"},
              {COMMAND_LEFT, "value before"},
              {COMMAND_CANCEL, NULL}},
};
