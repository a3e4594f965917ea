#include "ui/terminal/keymap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "ui/terminal/user_files.h"

struct default_binding {
    enum context context;
    const char *key;
    enum command command;
    const char *arguments;
};

/* Footer and help show the first key of a command in a context, so the order matters. */
static const struct default_binding defaults[] = {
    {CONTEXT_HELP, "Space", COMMAND_PAGE_DOWN, "full"},
    {CONTEXT_REPORT, "Space", COMMAND_PAGE_DOWN, "full"},
    {CONTEXT_GLOBAL, "?", COMMAND_HELP, ""},
    {CONTEXT_GLOBAL, "F1", COMMAND_HELP, ""},
    {CONTEXT_GLOBAL, ":", COMMAND_COMMAND, ""},
    {CONTEXT_GLOBAL, "F4", COMMAND_COMMAND, ""},
    {CONTEXT_GLOBAL, "q", COMMAND_QUIT, ""},
    {CONTEXT_GLOBAL, "F10", COMMAND_QUIT, ""},
    {CONTEXT_GLOBAL, "Escape", COMMAND_CANCEL, ""},
    {CONTEXT_GLOBAL, "C-c", COMMAND_CANCEL, ""},
    {CONTEXT_GLOBAL, "C-z", COMMAND_SUSPEND, ""},
    {CONTEXT_GLOBAL, "C-l", COMMAND_REDRAW, ""},
    {CONTEXT_GLOBAL, "Tab", COMMAND_FOCUS_NEXT, ""},
    {CONTEXT_GLOBAL, "BackTab", COMMAND_FOCUS_PREVIOUS, ""},
    {CONTEXT_GLOBAL, "1", COMMAND_FOCUS, "machine"},
    {CONTEXT_GLOBAL, "2", COMMAND_FOCUS, "live"},
    {CONTEXT_GLOBAL, "3", COMMAND_FOCUS, "chart"},
    {CONTEXT_GLOBAL, "4", COMMAND_FOCUS, "sweep"},
    {CONTEXT_GLOBAL, "5", COMMAND_VIEW, "explore"},
    {CONTEXT_GLOBAL, "6", COMMAND_VIEW, "trace"},
    {CONTEXT_GLOBAL, "7", COMMAND_VIEW, "log"},
    {CONTEXT_GLOBAL, "8", COMMAND_VIEW, "walks"},
    {CONTEXT_GLOBAL, "9", COMMAND_REPORT, ""},
    {CONTEXT_GLOBAL, "0", COMMAND_VIEW, "sets"},
    {CONTEXT_GLOBAL, "W", COMMAND_VIEW, "step"},
    {CONTEXT_GLOBAL, "L", COMMAND_VIEW, "lanes"},
    {CONTEXT_GLOBAL, "A", COMMAND_VIEW, "area"},
    {CONTEXT_GLOBAL, "X", COMMAND_EXPLAIN, ""},
    {CONTEXT_GLOBAL, "C", COMMAND_VIEW, "memory"},
    {CONTEXT_GLOBAL, "R", COMMAND_VIEW, "papers"},
    {CONTEXT_GLOBAL, "T", COMMAND_VIEW, "tile"},
    {CONTEXT_GLOBAL, "Q", COMMAND_VIEW, "queue"},
    {CONTEXT_GLOBAL, "v", COMMAND_VIEW, "text"},
    {CONTEXT_GLOBAL, "E", COMMAND_EDIT, ""},
    {CONTEXT_GLOBAL, "O", COMMAND_START, ""},
    {CONTEXT_GLOBAL, "C-p", COMMAND_PALETTE, ""},
    {CONTEXT_GLOBAL, "z", COMMAND_ZOOM, ""},
    {CONTEXT_GLOBAL, "F11", COMMAND_ZOOM, ""},
    {CONTEXT_GLOBAL, "k", COMMAND_UP, ""},
    {CONTEXT_GLOBAL, "Up", COMMAND_UP, ""},
    {CONTEXT_GLOBAL, "j", COMMAND_DOWN, ""},
    {CONTEXT_GLOBAL, "Down", COMMAND_DOWN, ""},
    {CONTEXT_GLOBAL, "h", COMMAND_LEFT, ""},
    {CONTEXT_GLOBAL, "Left", COMMAND_LEFT, ""},
    {CONTEXT_GLOBAL, "l", COMMAND_RIGHT, ""},
    {CONTEXT_GLOBAL, "Right", COMMAND_RIGHT, ""},
    {CONTEXT_GLOBAL, "C-u", COMMAND_PAGE_UP, ""},
    {CONTEXT_GLOBAL, "PageUp", COMMAND_PAGE_UP, ""},
    {CONTEXT_GLOBAL, "C-d", COMMAND_PAGE_DOWN, ""},
    {CONTEXT_GLOBAL, "PageDown", COMMAND_PAGE_DOWN, ""},
    {CONTEXT_GLOBAL, "C-f", COMMAND_PAGE_DOWN, "full"},
    {CONTEXT_GLOBAL, "C-b", COMMAND_PAGE_UP, "full"},
    {CONTEXT_GLOBAL, "g", COMMAND_TOP, ""},
    {CONTEXT_GLOBAL, "Home", COMMAND_TOP, ""},
    {CONTEXT_GLOBAL, "G", COMMAND_BOTTOM, ""},
    {CONTEXT_GLOBAL, "End", COMMAND_BOTTOM, ""},
    {CONTEXT_GLOBAL, "/", COMMAND_FIND, ""},
    {CONTEXT_GLOBAL, "F7", COMMAND_FIND, ""},
    {CONTEXT_GLOBAL, "n", COMMAND_FIND_NEXT, ""},
    {CONTEXT_GLOBAL, "N", COMMAND_FIND_PREVIOUS, ""},
    {CONTEXT_GLOBAL, "u", COMMAND_UNDO, ""},
    {CONTEXT_GLOBAL, "F8", COMMAND_UNDO, ""},
    {CONTEXT_GLOBAL, "C-r", COMMAND_REDO, ""},
    {CONTEXT_GLOBAL, "y", COMMAND_ACCEPT, ""},
    {CONTEXT_GLOBAL, "Y", COMMAND_COPY, ""},
    {CONTEXT_GLOBAL, "p", COMMAND_PIN, ""},
    {CONTEXT_GLOBAL, "F6", COMMAND_PIN, ""},
    {CONTEXT_GLOBAL, "P", COMMAND_VIEW, "pins"},
    {CONTEXT_GLOBAL, "H", COMMAND_SEARCH, ""},
    {CONTEXT_GLOBAL, "S", COMMAND_SWEEP, ""},
    {CONTEXT_GLOBAL, "F9", COMMAND_SWEEP, ""},
    {CONTEXT_GLOBAL, "s", COMMAND_SAVE, ""},
    {CONTEXT_GLOBAL, "F2", COMMAND_SAVE, ""},
    {CONTEXT_GLOBAL, "e", COMMAND_EXPORT, ""},
    {CONTEXT_GLOBAL, "w", COMMAND_WORKLOAD, ""},
    {CONTEXT_GLOBAL, "F3", COMMAND_WORKLOAD, ""},
    {CONTEXT_GLOBAL, "M", COMMAND_OPEN, ""},
    {CONTEXT_GLOBAL, "d", COMMAND_DEPTH, ""},
    {CONTEXT_GLOBAL, "c", COMMAND_CHART, ""},
    {CONTEXT_GLOBAL, "F5", COMMAND_CHART, ""},
    {CONTEXT_GLOBAL, "m", COMMAND_METRIC, ""},
    {CONTEXT_GLOBAL, "t", COMMAND_ALL_METRICS, ""},
    {CONTEXT_MACHINE, "l", COMMAND_STEP_UP, ""},
    {CONTEXT_MACHINE, "Right", COMMAND_STEP_UP, ""},
    {CONTEXT_MACHINE, "+", COMMAND_STEP_UP, ""},
    {CONTEXT_MACHINE, "=", COMMAND_STEP_UP, ""},
    {CONTEXT_MACHINE, "h", COMMAND_STEP_DOWN, ""},
    {CONTEXT_MACHINE, "Left", COMMAND_STEP_DOWN, ""},
    {CONTEXT_MACHINE, "-", COMMAND_STEP_DOWN, ""},
    {CONTEXT_MACHINE, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_MACHINE, "Space", COMMAND_FOLD, ""},
    {CONTEXT_MACHINE, "Z", COMMAND_FOLD_ALL, ""},
    {CONTEXT_MACHINE, "a", COMMAND_AXIS, ""},
    {CONTEXT_MACHINE, "r", COMMAND_RESET, ""},
    {CONTEXT_LIVE, "Enter", COMMAND_METRIC, "."},
    {CONTEXT_LIVE, "X", COMMAND_EXPLAIN, "."},
    {CONTEXT_SWEEP, "Enter", COMMAND_VIEW, "explore"},
    {CONTEXT_CHART, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_WALKS, "l", COMMAND_DOWN, ""},
    {CONTEXT_WALKS, "Right", COMMAND_DOWN, ""},
    {CONTEXT_WALKS, "Space", COMMAND_DOWN, ""},
    {CONTEXT_WALKS, "h", COMMAND_UP, ""},
    {CONTEXT_WALKS, "Left", COMMAND_UP, ""},
    {CONTEXT_WALKS, "o", COMMAND_GOTO, ""},
    {CONTEXT_STEP, "Space", COMMAND_RIGHT, ""},
    {CONTEXT_STEP, "Enter", COMMAND_NEXT, ""},
    {CONTEXT_STEP, "b", COMMAND_PREVIOUS, ""},
    {CONTEXT_STEP, "]", COMMAND_NEXT, "."},
    {CONTEXT_STEP, "[", COMMAND_PREVIOUS, "."},
    {CONTEXT_STEP, "i", COMMAND_NEXT, "issue warp"},
    {CONTEXT_STEP, "I", COMMAND_PREVIOUS, "issue warp"},
    {CONTEXT_STEP, "m", COMMAND_NEXT, "miss"},
    {CONTEXT_STEP, "M", COMMAND_PREVIOUS, "miss"},
    {CONTEXT_STEP, "o", COMMAND_GOTO, ""},
    {CONTEXT_STEP, "Home", COMMAND_GOTO, "0"},
    {CONTEXT_STEP, "End", COMMAND_GOTO, "end"},
    {CONTEXT_STEP, ">", COMMAND_SM, "next"},
    {CONTEXT_STEP, "<", COMMAND_SM, "previous"},
    {CONTEXT_STEP, "t", COMMAND_LOOK, ""},
    {CONTEXT_STEP, "D", COMMAND_DIFF, ""},
    {CONTEXT_STEP, "x", COMMAND_DIFF, "other"},
    {CONTEXT_SETS, "l", COMMAND_DOWN, ""},
    {CONTEXT_SETS, "Right", COMMAND_DOWN, ""},
    {CONTEXT_SETS, "Space", COMMAND_DOWN, ""},
    {CONTEXT_SETS, "h", COMMAND_UP, ""},
    {CONTEXT_SETS, "Left", COMMAND_UP, ""},
    {CONTEXT_SETS, "m", COMMAND_NEXT, "miss"},
    {CONTEXT_SETS, "M", COMMAND_PREVIOUS, "miss"},
    {CONTEXT_SETS, "v", COMMAND_NEXT, "eviction"},
    {CONTEXT_SETS, "V", COMMAND_PREVIOUS, "eviction"},
    {CONTEXT_SETS, "o", COMMAND_GOTO, ""},
    {CONTEXT_SETS, "Enter", COMMAND_WATCH, ""},
    {CONTEXT_SETS, "]", COMMAND_WATCH, "next"},
    {CONTEXT_SETS, "[", COMMAND_WATCH, "previous"},
    {CONTEXT_TILE, "l", COMMAND_LOOK, "next"},
    {CONTEXT_TILE, "Right", COMMAND_LOOK, "next"},
    {CONTEXT_TILE, "Space", COMMAND_LOOK, "next"},
    {CONTEXT_TILE, "h", COMMAND_LOOK, "previous"},
    {CONTEXT_TILE, "Left", COMMAND_LOOK, "previous"},
    {CONTEXT_TILE, "Enter", COMMAND_LOOK, ""},
    {CONTEXT_QUEUE, "l", COMMAND_DOWN, ""},
    {CONTEXT_QUEUE, "Right", COMMAND_DOWN, ""},
    {CONTEXT_QUEUE, "Space", COMMAND_DOWN, ""},
    {CONTEXT_QUEUE, "h", COMMAND_UP, ""},
    {CONTEXT_QUEUE, "Left", COMMAND_UP, ""},
    {CONTEXT_QUEUE, "m", COMMAND_NEXT, "miss"},
    {CONTEXT_QUEUE, "M", COMMAND_PREVIOUS, "miss"},
    {CONTEXT_QUEUE, "v", COMMAND_NEXT, "return"},
    {CONTEXT_QUEUE, "V", COMMAND_PREVIOUS, "return"},
    {CONTEXT_QUEUE, "o", COMMAND_GOTO, ""},
    {CONTEXT_QUEUE, "Enter", COMMAND_BANK, ""},
    {CONTEXT_QUEUE, "]", COMMAND_BANK, "next"},
    {CONTEXT_QUEUE, "[", COMMAND_BANK, "previous"},
    {CONTEXT_EXPLAIN, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_EXPLAIN, "a", COMMAND_AXIS, ""},
    {CONTEXT_WANT, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_MEMORY, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_MEMORY, "l", COMMAND_DOWN, ""},
    {CONTEXT_MEMORY, "Right", COMMAND_DOWN, ""},
    {CONTEXT_MEMORY, "h", COMMAND_UP, ""},
    {CONTEXT_MEMORY, "Left", COMMAND_UP, ""},
    {CONTEXT_PINS, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_SETTINGS, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_START, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_PAPERS, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_PAPERS, "]", COMMAND_PAPER, "next"},
    {CONTEXT_PAPERS, "[", COMMAND_PAPER, "previous"},
    {CONTEXT_TEXT, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_EXPLORE, "Enter", COMMAND_CHANGE, ""},
    {CONTEXT_EXPLORE, "o", COMMAND_SORT, ""},
    {CONTEXT_EXPLORE, "f", COMMAND_FILTER, ""},
    {CONTEXT_EXPLORE, "F", COMMAND_FRONT, ""},
    {CONTEXT_EXPLORE, "Space", COMMAND_COMPARE, ""},
    {CONTEXT_EXPLORE, "x", COMMAND_ACROSS, ""},
    {CONTEXT_EXPLORE, "r", COMMAND_RELOAD, ""},
    {CONTEXT_HELP, "b", COMMAND_PAGE_UP, "full"},
    {CONTEXT_REPORT, "r", COMMAND_RELOAD, ""},
    {CONTEXT_REPORT, "s", COMMAND_SAVE_REPORT, ""},
    {CONTEXT_REPORT, "e", COMMAND_SAVE_REPORT, ""},
};

/* What a key does whose command does many things: these arguments in this context. */
static const struct {
    enum context context;
    enum command command;
    const char *arguments, *help;
} uses[] = {
    {CONTEXT_STEP, COMMAND_RIGHT, "", "one cycle on"},
    {CONTEXT_STEP, COMMAND_NEXT, "", "to an event that you choose"},
    {CONTEXT_STEP, COMMAND_PREVIOUS, "", "back to an event that you choose"},
    {CONTEXT_STEP, COMMAND_NEXT, ".", "to the same event once more"},
    {CONTEXT_STEP, COMMAND_PREVIOUS, ".", "back to the same event"},
    {CONTEXT_STEP, COMMAND_NEXT, "issue warp", "to the next instruction of the selected warp"},
    {CONTEXT_STEP, COMMAND_PREVIOUS, "issue warp", "to its instruction before"},
    {CONTEXT_STEP, COMMAND_NEXT, "miss", "to the next miss"},
    {CONTEXT_STEP, COMMAND_PREVIOUS, "miss", "to the miss before"},
    {CONTEXT_STEP, COMMAND_GOTO, "0", "to the first cycle"},
    {CONTEXT_STEP, COMMAND_GOTO, "end", "after the last cycle"},
    {CONTEXT_STEP, COMMAND_SM, "next", "the next SM"},
    {CONTEXT_STEP, COMMAND_SM, "previous", "the SM before"},
    {CONTEXT_STEP, COMMAND_LOOK, "", "what stands below: events, queues, blocks, banks or a set"},
    {CONTEXT_STEP, COMMAND_DIFF, "", "where this run and that of the pinned machine part"},
    {CONTEXT_STEP, COMMAND_DIFF, "other",
     "the other of these two runs, in front of the same cycle"},
    {CONTEXT_SETS, COMMAND_NEXT, "miss", "to the next miss"},
    {CONTEXT_SETS, COMMAND_PREVIOUS, "miss", "to the miss before"},
    {CONTEXT_SETS, COMMAND_NEXT, "eviction", "to the next eviction"},
    {CONTEXT_SETS, COMMAND_PREVIOUS, "eviction", "to the eviction before"},
    {CONTEXT_SETS, COMMAND_WATCH, "", "choose a cache and a set"},
    {CONTEXT_SETS, COMMAND_WATCH, "next", "the next set"},
    {CONTEXT_SETS, COMMAND_WATCH, "previous", "the set before"},
    {CONTEXT_TILE, COMMAND_LOOK, "", "choose a map"},
    {CONTEXT_TILE, COMMAND_LOOK, "next", "the next map"},
    {CONTEXT_TILE, COMMAND_LOOK, "previous", "the map before"},
    {CONTEXT_QUEUE, COMMAND_NEXT, "miss", "to the next miss"},
    {CONTEXT_QUEUE, COMMAND_PREVIOUS, "miss", "to the miss before"},
    {CONTEXT_QUEUE, COMMAND_NEXT, "return", "to the next return of data"},
    {CONTEXT_QUEUE, COMMAND_PREVIOUS, "return", "to the return before"},
    {CONTEXT_QUEUE, COMMAND_BANK, "next", "the next bank"},
    {CONTEXT_QUEUE, COMMAND_BANK, "previous", "the bank before"},
    {CONTEXT_PAPERS, COMMAND_PAPER, "next", "the next paper"},
    {CONTEXT_PAPERS, COMMAND_PAPER, "previous", "the paper before"},
    {CONTEXT_LIVE, COMMAND_METRIC, ".", "the selected metric in the chart"},
    {CONTEXT_LIVE, COMMAND_EXPLAIN, ".", "what the selected metric is due to"},
};

const char *keymap_use(const struct binding *binding)
{
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (uses[i].context == binding->context && uses[i].command == binding->command &&
            !strcmp(uses[i].arguments, binding->arguments))
            return uses[i].help;
    return NULL;
}

static enum status add_binding(struct keymap *keymap, enum context context, uint32_t key,
                               enum command command, const char *arguments, unsigned line)
{
    enum status status = array_reserve(&keymap->items, &keymap->capacity, keymap->count + 1);
    if (status)
        return status;
    struct binding *binding = &keymap->items[keymap->count++];
    *binding = (struct binding){context, key, command, "", line};
    snprintf(binding->arguments, sizeof binding->arguments, "%s", arguments);
    return STATUS_OK;
}

enum status keymap_init(struct keymap *keymap)
{
    *keymap = (struct keymap){0};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        const struct default_binding *binding = &defaults[i];
        uint32_t key = key_parse(binding->key);
        assert(key);
        if (add_binding(keymap, binding->context, key, binding->command, binding->arguments, 0)) {
            keymap_free(keymap);
            return STATUS_MEMORY;
        }
    }
    return STATUS_OK;
}

void keymap_free(struct keymap *keymap)
{
    free(keymap->items);
    *keymap = (struct keymap){0};
}

static struct binding *find_exact(const struct keymap *keymap, enum context context, uint32_t key)
{
    for (size_t i = 0; i < keymap->count; i++)
        if (keymap->items[i].context == context && keymap->items[i].key == key)
            return &keymap->items[i];
    return NULL;
}

const struct binding *keymap_lookup(const struct keymap *keymap, enum context context, uint32_t key)
{
    const struct binding *binding = find_exact(keymap, context, key);
    return binding ? binding : find_exact(keymap, CONTEXT_GLOBAL, key);
}

uint32_t keymap_key(const struct keymap *keymap, enum context context, enum command command)
{
    for (size_t i = 0; i < keymap->count; i++) {
        const struct binding *binding = &keymap->items[i];
        if (binding->command == command &&
            (binding->context == context || binding->context == CONTEXT_GLOBAL) &&
            keymap_lookup(keymap, context, binding->key) == binding)
            return binding->key;
    }
    return 0;
}

bool keymap_is_first(const struct keymap *keymap, const struct binding *binding)
{
    const struct binding *other = keymap->items;
    while (other != binding &&
           (other->context != binding->context || other->command != binding->command ||
            strcmp(other->arguments, binding->arguments) != 0))
        other++;
    return other == binding;
}

/* One line of the file of a user, split into words; what follows the third word are its arguments.
 */
struct key_line {
    char *context, *key, *command, *arguments;
};

static struct key_line split_line(char *line)
{
    static const char blank[] = " \t\r";
    struct key_line split = {0};
    char **words[] = {&split.context, &split.key, &split.command};
    char *rest = line;
    for (size_t i = 0; i < 3; i++) {
        rest += strspn(rest, blank);
        if (!*rest || (*rest == '#' && i == 0))
            return split;
        *words[i] = rest;
        rest += strcspn(rest, blank);
        if (*rest)
            *rest++ = '\0';
    }
    rest += strspn(rest, blank);
    size_t length = strlen(rest);
    while (length && strchr(blank, rest[length - 1]))
        rest[--length] = '\0';
    split.arguments = rest;
    return split;
}

static enum status bind(struct keymap *keymap, enum context context, uint32_t key,
                        enum command command, const char *arguments, const struct place *place,
                        struct diagnostics *diagnostics)
{
    char name[KEY_TEXT];
    struct binding *old = find_exact(keymap, context, key);
    if (old && old->line) {
        diagnostics_add(diagnostics, SEVERITY_ERROR, place,
                        "%s %s is bound to '%s' in line %u already, and to '%s' here",
                        context_names[context], key_print(key, name),
                        old->command < COMMAND_COUNT ? command_table[old->command].name : "none",
                        old->line, command < COMMAND_COUNT ? command_table[command].name : "none");
        return STATUS_OK;
    }
    if (!old)
        return add_binding(keymap, context, key, command, arguments, place->line);
    old->command = command;
    old->line = place->line;
    snprintf(old->arguments, sizeof old->arguments, "%s", arguments);
    return STATUS_OK;
}

static enum status keymap_read_line(struct keymap *keymap, char *line, const struct place *place,
                                    struct diagnostics *diagnostics)
{
    struct key_line split = split_line(line);
    if (!split.context)
        return STATUS_OK;
    if (!split.command) {
        diagnostics_add(diagnostics, SEVERITY_ERROR, place, "expected 'CONTEXT KEY COMMAND'");
        return STATUS_OK;
    }
    enum context context = context_find(split.context);
    uint32_t key = key_parse(split.key);
    bool none = !strcmp(split.command, "none");
    enum command command = none ? COMMAND_COUNT : command_find(split.command);
    if (context == CONTEXT_COUNT) {
        const char *nearest = nearest_name(split.context, context_names, CONTEXT_COUNT);
        char hint[SUGGESTION_TEXT];
        diagnostics_add(diagnostics, SEVERITY_ERROR, place, "unknown context '%.40s'%s",
                        split.context, suggestion(nearest, hint));
    }
    if (!key)
        diagnostics_add(diagnostics, SEVERITY_ERROR, place,
                        "'%.40s' is no key (j, C-d, Tab, F5, Space, PageUp, ...)", split.key);
    if (command == COMMAND_COUNT && !none) {
        const char *nearest = command_nearest(split.command);
        char hint[SUGGESTION_TEXT];
        diagnostics_add(diagnostics, SEVERITY_ERROR, place, "unknown command '%.40s'%s",
                        split.command, suggestion(nearest, hint));
    }
    if (strlen(split.arguments) >= BINDING_ARGUMENTS)
        diagnostics_add(diagnostics, SEVERITY_ERROR, place, "arguments of more than %d bytes",
                        BINDING_ARGUMENTS - 1);
    else if (context < CONTEXT_COUNT && key && (command < COMMAND_COUNT || none))
        return bind(keymap, context, key, command, split.arguments, place, diagnostics);
    return STATUS_OK;
}

enum status keymap_read(struct keymap *keymap, const char *text, const char *name,
                        struct diagnostics *diagnostics)
{
    size_t errors = diagnostics ? diagnostics->errors : 0;
    struct place place = {.file = name};
    enum status status = STATUS_OK;
    while (*text && !status) {
        size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        if (!line)
            return STATUS_MEMORY;
        place.line++;
        status = keymap_read_line(keymap, line, &place, diagnostics);
        free(line);
        text += length + (text[length] == '\n');
    }
    if (!status && diagnostics && diagnostics->errors > errors)
        status = STATUS_INVALID;
    return status;
}

enum status keymap_load(struct keymap *keymap, struct diagnostics *diagnostics)
{
    char path[4096], *text;
    size_t length;
    if (!config_file("keys", false, path, sizeof path))
        return STATUS_OK;
    enum status status = config_file_read("keys", &text, &length, diagnostics);
    if (!status)
        status = keymap_read(keymap, text, path, diagnostics);
    free(text);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}
