#include "ui/panes/prompt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "config/parameter_keys.h"
#include "ui/panes/pane.h"
#include "ui/terminal/fuzzy.h"

static void clear_items(struct prompt *prompt)
{
    for (size_t i = 0; i < prompt->item_count; i++) {
        free(prompt->items[i].name);
        free(prompt->items[i].help);
        free(prompt->items[i].command);
    }
    prompt->item_count = 0;
}

void prompt_close(struct explorer *explorer)
{
    struct prompt *prompt = &explorer->prompt;
    clear_items(prompt);
    free(prompt->items);
    free(prompt->order);
    *prompt = (struct prompt){0};
}

static void open_prompt(struct explorer *explorer, enum prompt_kind kind, const char *label,
                        const char *command)
{
    struct prompt *prompt = &explorer->prompt;
    prompt->kind = kind;
    prompt->candidates[0] = '\0';
    snprintf(prompt->label, sizeof prompt->label, "%s", label);
    snprintf(prompt->command, sizeof prompt->command, "%s", command);
    prompt->list = (struct list){0};
}

void prompt_line(struct explorer *explorer, const char *label, const char *command,
                 const char *text, struct line_history *history)
{
    prompt_close(explorer);
    open_prompt(explorer, PROMPT_LINE, label, command);
    line_start(&explorer->prompt.line, text, history);
}

void prompt_unsaved(struct explorer *explorer, const char *command)
{
    prompt_close(explorer);
    open_prompt(explorer, PROMPT_UNSAVED, "", "");
    line_start(&explorer->prompt.line, command, NULL);
}

enum status picker_add_command(struct prompt *prompt, const char *name, const char *help,
                               const char *command, uint32_t key)
{
    if (array_reserve(&prompt->items, &prompt->item_capacity, prompt->item_count + 1))
        return STATUS_MEMORY;
    struct picker_item *item = &prompt->items[prompt->item_count];
    *item = (struct picker_item){
        .name = strdup(name), .help = strdup(help), .command = command ? strdup(command) : NULL};
    if (key)
        key_print(key, item->key);
    prompt->item_count++; /* what is there of it is freed with it */
    return item->name && item->help && (!command || item->command) ? STATUS_OK : STATUS_MEMORY;
}

enum status picker_add(struct prompt *prompt, const char *name, const char *help)
{
    return picker_add_command(prompt, name, help, NULL, 0);
}

enum status picker_add_recent(struct prompt *prompt, enum recent_kind kind)
{
    struct recent_files files;
    enum status status = STATUS_OK;
    recent_read(&files);
    for (size_t i = 0; !status && i < files.count; i++)
        if (files.items[i].kind == kind && !access(files.items[i].path, R_OK))
            status = picker_add(prompt, files.items[i].path, "opened lately");
    return status;
}

/* Items that fit alike stay in the order in which they were added. */
static int compare_scores(const void *a, const void *b, void *items)
{
    const size_t first = *(const size_t *)a, second = *(const size_t *)b;
    const struct picker_item *all = items;
    if (all[first].score != all[second].score)
        return all[first].score > all[second].score ? -1 : 1;
    return (first > second) - (first < second);
}

/* Finds the items that fit what was typed. */
static void picker_rank(struct prompt *prompt)
{
    size_t *order = prompt->order;
    prompt->order_count = 0;
    if (!order)
        return;
    for (size_t i = 0; i < prompt->item_count; i++) {
        struct picker_item *item = &prompt->items[i];
        item->score = fuzzy_score(prompt->line.text, item->name, item->help, parameter_synonym);
        if (item->score != FUZZY_NONE)
            order[prompt->order_count++] = i;
    }
    qsort_r(order, prompt->order_count, sizeof *order, compare_scores, prompt->items);
}

static int picker_count(const struct prompt *prompt)
{
    return (int)prompt->order_count;
}

/* The `index`-th item that fits, or NULL. */
static const struct picker_item *picker_match(const struct prompt *prompt, int index)
{
    return index >= 0 && index < picker_count(prompt) ? &prompt->items[prompt->order[index]] : NULL;
}

/* Short of memory, there is nothing to choose, and text can still be typed. */
static void start_picker(struct explorer *explorer, const char *label, const char *command,
                         const char *words)
{
    struct prompt *prompt = &explorer->prompt;
    open_prompt(explorer, PROMPT_PICKER, label, command);
    line_start(&prompt->line, words, NULL);
    prompt->order = malloc((prompt->item_count + 1) * sizeof *prompt->order);
    picker_rank(prompt);
}

void picker_open(struct explorer *explorer, const char *label, const char *command,
                 const char *selected)
{
    struct prompt *prompt = &explorer->prompt;
    start_picker(explorer, label, command, "");
    for (int i = 0; i < picker_count(prompt); i++)
        if (!strcmp(picker_match(prompt, i)->name, selected))
            prompt->list.selected = i;
}

void picker_open_typed(struct explorer *explorer, const char *label, const char *words)
{
    start_picker(explorer, label, "", words);
}

void prompt_keys(struct explorer *explorer, enum context context)
{
    const struct keymap *keymap = &explorer->keymap;
    prompt_close(explorer);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < keymap->count; i++) {
            const struct binding *binding = &keymap->items[i];
            char key[KEY_TEXT], what[BINDING_ARGUMENTS + 32];
            if (binding->context != (round ? CONTEXT_GLOBAL : context) ||
                binding->command == COMMAND_COUNT || !keymap_is_first(keymap, binding) ||
                keymap_lookup(keymap, context, binding->key) != binding)
                continue;
            snprintf(what, sizeof what, "%s%s%s", command_table[binding->command].name,
                     binding->arguments[0] ? " " : "", binding->arguments);
            if (picker_add(&explorer->prompt, key_print(binding->key, key), what))
                return;
        }
    open_prompt(explorer, PROMPT_KEYS, context_names[context], "");
}

static bool knows_command(const char *text)
{
    char name[64];
    text += strspn(text, ": ");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " "), text);
    return !*text || command_find(name) < COMMAND_COUNT;
}

static void accept_line(struct explorer *explorer, const char *text)
{
    char command[sizeof explorer->prompt.command + LINE_MAX_BYTES + 2];
    const char *before = explorer->prompt.command;
    if (!*before && !knows_command(text)) /* words to look for */
        before = "palette";
    snprintf(command, sizeof command, "%s%s%s", before, *before ? " " : "", text);
    if (explorer->prompt.kind == PROMPT_LINE && explorer->prompt.line.history)
        line_remember(explorer->prompt.line.history, text);
    prompt_close(explorer);
    explorer_execute(explorer, command);
}

/* A command of an item that wants an argument opens the line for it. */
static void accept_item(struct explorer *explorer, const char *text)
{
    char command[LINE_MAX_BYTES];
    snprintf(command, sizeof command, "%s", text);
    prompt_close(explorer);
    if (command[strlen(command) - 1] == ' ')
        prompt_line(explorer, ":", "", command, &explorer->commands);
    else
        explorer_execute(explorer, command);
}

static void line_prompt_key(struct explorer *explorer, uint32_t key)
{
    struct prompt *prompt = &explorer->prompt;
    switch (line_key(&prompt->line, key)) {
    case LINE_ACCEPTED: {
        char text[LINE_MAX_BYTES], empty[sizeof prompt->empty];
        memcpy(text, prompt->line.text, sizeof text);
        memcpy(empty, prompt->empty, sizeof empty);
        if (*text) {
            accept_line(explorer, text);
        } else {
            prompt_close(explorer);
            if (*empty)
                explorer_execute(explorer, empty);
        }
        break;
    }
    case LINE_CANCELLED:
        prompt_close(explorer);
        break;
    case LINE_COMPLETE:
        complete_line(explorer, prompt->command, &prompt->line, prompt->candidates);
        break;
    case LINE_EDITED:
        prompt->candidates[0] = '\0';
        break;
    case LINE_IGNORED:
        break;
    }
}

static void picker_key(struct explorer *explorer, uint32_t key)
{
    struct prompt *prompt = &explorer->prompt;
    enum { CONTROL = 'a' - 1, PAGE = 10 };
    int count = picker_count(prompt);
    switch (key) {
    case KEY_ARROW_UP:
    case 'p' - CONTROL:
        list_move(&prompt->list, count, -1);
        return;
    case KEY_TAB: /* text that is not an item may be a path */
        if (!count) {
            complete_line(explorer, prompt->command, &prompt->line, prompt->candidates);
            return;
        }
        list_move(&prompt->list, count, 1);
        return;
    case KEY_ARROW_DOWN:
    case 'n' - CONTROL:
        list_move(&prompt->list, count, 1);
        return;
    case KEY_PAGE_UP:
        list_move(&prompt->list, count, -PAGE);
        return;
    case KEY_PAGE_DOWN:
        list_move(&prompt->list, count, PAGE);
        return;
    case KEY_RETURN: {
        const struct picker_item *item = picker_match(prompt, prompt->list.selected);
        char name[LINE_MAX_BYTES];
        if (item && item->command) {
            accept_item(explorer, item->command);
            return;
        }
        snprintf(name, sizeof name, "%s", item ? item->name : prompt->line.text);
        if (*name)
            accept_line(explorer, name);
        return;
    }
    default:
        prompt->candidates[0] = '\0';
        switch (line_key(&prompt->line, key)) {
        case LINE_CANCELLED:
            prompt_close(explorer);
            break;
        case LINE_EDITED: /* the best one is first now */
            prompt->list = (struct list){0};
            picker_rank(prompt);
            break;
        default:
            break;
        }
    }
}

static void unsaved_key(struct explorer *explorer, uint32_t key)
{
    char command[LINE_MAX_BYTES];
    const bool yes = key == 'y' || key == 'Y', save = key == 's' || key == 'S';
    if (!yes && !save && key != 'n' && key != 'N' && key != KEY_ESCAPE)
        return; /* it is no answer: the question stays */
    memcpy(command, explorer->prompt.line.text, sizeof command);
    prompt_close(explorer);
    bool goes = yes;
    if (save) /* saving may ask for a name first */
        goes = explorer_execute(explorer, "save") && explorer->prompt.kind == PROMPT_NONE;
    if (goes)
        explorer_execute(explorer, command);
}

void prompt_key(struct explorer *explorer, uint32_t key)
{
    switch (explorer->prompt.kind) {
    case PROMPT_LINE:
        line_prompt_key(explorer, key);
        break;
    case PROMPT_PICKER:
        picker_key(explorer, key);
        break;
    case PROMPT_UNSAVED:
        unsaved_key(explorer, key);
        break;
    case PROMPT_KEYS:
        prompt_close(explorer);
        if (key != KEY_ESCAPE)
            explorer_key(explorer, key);
        break;
    case PROMPT_NONE:
        break;
    }
}

bool prompt_paste(struct explorer *explorer, const char *text)
{
    struct prompt *prompt = &explorer->prompt;
    if (prompt->kind != PROMPT_LINE && prompt->kind != PROMPT_PICKER)
        return false;
    line_paste(&prompt->line, text);
    prompt->candidates[0] = '\0';
    if (prompt->kind == PROMPT_PICKER) {
        prompt->list = (struct list){0};
        picker_rank(prompt);
    }
    return true;
}

/* ---- drawing ---- */

/* The answers are seen whatever the width; names give way. */
static void unsaved_draw(const struct explorer *explorer, const struct canvas *line)
{
    static const char answers[] = "  y yes  s save  n no ";
    const char *command = explorer->prompt.line.text, *rest = strchr(command, ' ');
    const int end = line->rect.columns - (int)(sizeof answers - 1);
    const int room = end - 1 - (int)(sizeof " has unsaved edits. Open  and drop them?" - 1);
    const char *name = path_tail(explorer->session->name, room / 2);
    const char *opened = rest ? path_tail(rest + 1, room - (int)utf8_columns(name)) : "";
    int column = canvas_printf(line, 0, 1, end - 1, STYLE_BOLD(ROLE_ACCENT),
                               "%s has unsaved edits. %s%s and drop them?", name,
                               rest ? "Open " : "Quit", opened);
    column =
        canvas_text(line, 0, column, line->rect.columns - column, STYLE_BOLD(ROLE_ACCENT), answers);
    canvas_cursor(line, 0, column);
}

void prompt_draw(const struct explorer *explorer, const struct canvas *line)
{
    const struct prompt *prompt = &explorer->prompt;
    int width = line->rect.columns;
    if (prompt->kind == PROMPT_UNSAVED) {
        unsaved_draw(explorer, line);
        return;
    }
    if (prompt->kind == PROMPT_KEYS) {
        canvas_printf(line, 0, 1, width - 1, STYLE(ROLE_DIM),
                      "this key means nothing in %s; these do, any key goes on", prompt->label);
        return;
    }
    int column = canvas_printf(line, 0, 0, width, STYLE_BOLD(ROLE_ACCENT), "%s%s", prompt->label,
                               prompt->kind == PROMPT_PICKER ? ": " : "");
    int cursor = line_cursor_column(&prompt->line), room = width - column - 1;
    int first = cursor > room ? cursor - room : 0;
    const char *text = prompt->line.text;
    for (int i = 0; i < first; i++)
        utf8_next(&text);
    struct style style = STYLE(ROLE_TEXT);
    style.reverse = prompt->line.selected;
    int end = canvas_text(line, 0, column, width - column, style, text);
    if (prompt->candidates[0])
        canvas_text(line, 0, end + 3, width - end - 3, STYLE(ROLE_DIM), prompt->candidates);
    canvas_cursor(line, 0, column + cursor - first);
}

enum { PATH_COLUMNS = 36, HELP_ROWS = 2, HELP_FROM = 10 };

static void draw_items(const struct prompt *prompt, const struct canvas *canvas, int first)
{
    int width = canvas->rect.columns, name_width = 8;
    for (int row = 0; row < canvas->rect.rows; row++) {
        const struct picker_item *item = picker_match(prompt, first + row);
        const char *name = item ? item->name : "";
        int columns = (int)utf8_columns(name);
        if (name[0] == '/' && columns > PATH_COLUMNS) /* its end says which it is */
            columns = PATH_COLUMNS;
        if (columns > name_width)
            name_width = columns;
    }
    if (name_width > width / 2)
        name_width = width / 2;
    for (int row = 0; row < canvas->rect.rows; row++) {
        const struct picker_item *item = picker_match(prompt, first + row);
        canvas_printf(canvas, row, 0, width, STYLE(ROLE_TEXT), "%*s", width, "");
        if (!item)
            continue;
        canvas_text(canvas, row, 2, name_width, STYLE(ROLE_TEXT),
                    item->name[0] == '/' ? path_tail(item->name, name_width) : item->name);
        const int key = (int)utf8_columns(item->key);
        canvas_words(canvas, row, name_width + 4, width - name_width - 6 - key, STYLE(ROLE_DIM),
                     item->help);
        canvas_right(canvas, row, width - key - 1, key, STYLE_BOLD(ROLE_ACCENT), item->key);
        if (first + row == prompt->list.selected)
            canvas_reverse(canvas, row);
    }
}

/* All of what the list has room for the beginning of. */
static void draw_whole_help(const struct prompt *prompt, const struct canvas *canvas)
{
    const struct picker_item *item = picker_match(prompt, prompt->list.selected);
    const char *text = item ? item->help : "";
    for (int row = 0; row < canvas->rect.rows; row++) {
        const size_t length = text_wrap(text, canvas->rect.columns - 4);
        canvas_printf(canvas, row, 0, canvas->rect.columns, STYLE(ROLE_TEXT), "%*s",
                      canvas->rect.columns, "");
        canvas_printf(canvas, row, 2, canvas->rect.columns - 2, STYLE(ROLE_TEXT), "%.*s",
                      (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

/* A box at the foot of the body with a title, and the canvas below that. */
static struct canvas draw_box(const struct canvas *body, int rows, struct canvas *items)
{
    struct canvas box =
        canvas_part(body, body->rect.rows - rows - 1, 0, rows + 1, body->rect.columns);
    canvas_fill(&box, 0, 0, box.rect.columns, STYLE(ROLE_ACCENT), GLYPH_RULE_FOCUSED);
    *items = canvas_part(&box, 1, 0, rows, box.rect.columns);
    return box;
}

enum { KEY_COLUMNS = 26 };

/* Keys in columns, as many as there is room for. */
static void draw_keys(const struct prompt *prompt, const struct canvas *body)
{
    const int columns = body->rect.columns < KEY_COLUMNS ? 1 : body->rect.columns / KEY_COLUMNS;
    const int count = (int)prompt->item_count, most = body->rect.rows - 1;
    const int needed = (count + columns - 1) / columns, rows = needed < most ? needed : most;
    struct canvas items;
    struct canvas box = draw_box(body, rows, &items);
    canvas_printf(&box, 0, 2, box.rect.columns - 4, STYLE_BOLD(ROLE_ACCENT),
                  " keys in %s and everywhere ", prompt->label);
    for (int row = 0; row < rows; row++)
        canvas_printf(&items, row, 0, items.rect.columns, STYLE(ROLE_TEXT), "%*s",
                      items.rect.columns, "");
    for (int i = 0; i < count && i < rows * columns; i++) {
        const int column = i / rows * KEY_COLUMNS;
        canvas_right(&items, i % rows, column, 8, STYLE_BOLD(ROLE_ACCENT), prompt->items[i].name);
        canvas_text(&items, i % rows, column + 9, KEY_COLUMNS - 10, STYLE(ROLE_TEXT),
                    prompt->items[i].help);
    }
}

void picker_draw(const struct explorer *explorer, const struct canvas *body)
{
    const struct prompt *prompt = &explorer->prompt;
    if (prompt->kind == PROMPT_KEYS) {
        draw_keys(prompt, body);
        return;
    }
    int count = picker_count(prompt), help = body->rect.rows > HELP_FROM ? HELP_ROWS : 0;
    int rows = body->rect.rows - 1 - help, shown = count < rows ? count : rows;
    if (shown < 1)
        shown = 1;
    int first = prompt->list.selected >= shown ? prompt->list.selected - shown + 1 : 0;
    struct canvas items;
    struct canvas box = draw_box(body, shown + help, &items);
    const struct canvas whole = canvas_part(&items, shown, 0, help, items.rect.columns);
    items.rect.rows = shown;
    canvas_printf(&box, 0, 2, box.rect.columns - 4, STYLE_BOLD(ROLE_ACCENT),
                  " %s (%d)  type to narrow, Enter takes, Escape leaves ", prompt->label, count);
    draw_items(prompt, &items, first);
    draw_whole_help(prompt, &whole);
}
