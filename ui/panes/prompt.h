/* The prompt at the bottom of the screen: ':' commands, values, searches, filters, pickers, and the
 * question about unsaved edits. A prompt builds a command line and runs it through
 * explorer_execute; it has no other effect. */
#pragma once

#include "ui/panes/list.h"
#include "ui/session/recent.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/contexts.h"
#include "ui/terminal/keymap.h"
#include "ui/terminal/line_editor.h"

struct explorer;

enum prompt_kind { PROMPT_NONE, PROMPT_LINE, PROMPT_PICKER, PROMPT_UNSAVED, PROMPT_KEYS };

struct picker_item {
    char *name, *help;
    char *command;      /* what choosing it runs; NULL: that of the prompt with the name */
    char key[KEY_TEXT]; /* that does the same; "": none */
    int score;          /* how well it fits what was typed (fuzzy.h) */
};

struct prompt {
    enum prompt_kind kind;
    char label[80];
    char command[80]; /* the text becomes its argument; "": the text is the command */
    char empty[32];   /* command for an empty line; "": none */
    struct line_editor line;
    struct list list; /* picker: position in the items that fit */
    struct picker_item *items;
    size_t item_count, item_capacity;
    size_t *order; /* of a picker: the items that fit, the best first */
    size_t order_count;
    char candidates[256]; /* the candidates of Tab */
};

/* Opens a line; its text becomes the argument of `command` ("": the text is itself a command). */
void prompt_line(struct explorer *explorer, const char *label, const char *command,
                 const char *text, struct line_history *history);
/* Asks whether to drop unsaved edits; if yes, runs `command` ("quit!", "open! a100"). */
void prompt_unsaved(struct explorer *explorer, const char *command);
void prompt_close(struct explorer *explorer);
void prompt_key(struct explorer *explorer, uint32_t key);
/* Takes pasted text; false if no line is open. */
bool prompt_paste(struct explorer *explorer, const char *text);

/* A list to choose from: add items, then open it. The chosen name becomes the argument of
 * `command`. */
enum status picker_add(struct prompt *prompt, const char *name, const char *help);
/* One whose command is not that of the picker; `key` does the same, 0: none. */
enum status picker_add_command(struct prompt *prompt, const char *name, const char *help,
                               const char *command, uint32_t key);
/* Files of a kind that were opened lately and are still there. */
enum status picker_add_recent(struct prompt *prompt, enum recent_kind kind);
void picker_open(struct explorer *explorer, const char *label, const char *command,
                 const char *selected);
/* The same with words typed already. */
void picker_open_typed(struct explorer *explorer, const char *label, const char *words);
/* Shows the keys that mean something in a context until the next key, which is then handled. */
void prompt_keys(struct explorer *explorer, enum context context);

void prompt_draw(const struct explorer *explorer, const struct canvas *line);
void picker_draw(const struct explorer *explorer, const struct canvas *body);

/* Completes the word before the cursor and lists the remaining possibilities in `candidates`.
 * `before` is the start of the command that the line continues, "" for a ':' line. */
void complete_line(const struct explorer *explorer, const char *before, struct line_editor *line,
                   char candidates[256]);
