/* The line at the bottom: ':' commands, values, searches, filters; the picker; "quit?". */
#pragma once

#include "ui/recent.h"
#include "ui/state.h"

/* Opens a line whose text is run behind `command` ("" = the text is a command itself). */
void prompt_line(struct explorer *explorer, const char *label, const char *command,
                 const char *text, struct line_history *history);
/* Asks about unsaved edits, and whether they are dropped by `command` ("quit!", "open! a100"). */
void prompt_unsaved(struct explorer *explorer, const char *command);
void prompt_close(struct explorer *explorer);
void prompt_key(struct explorer *explorer, uint32_t key);
/* Text that came in one piece; false where no line is open that could take it. */
bool prompt_paste(struct explorer *explorer, const char *text);

/* A picker: fill it with items, then it is shown. The chosen name is run behind `command`. */
enum status picker_add(struct prompt *prompt, const char *name, const char *help);
/* Files of a kind that were opened lately and are still there. */
enum status picker_add_recent(struct prompt *prompt, enum recent_kind kind);
void picker_open(struct explorer *explorer, const char *label, const char *command,
                 const char *selected);

void prompt_draw(const struct explorer *explorer, const struct canvas *line);
void picker_draw(const struct explorer *explorer, const struct canvas *body);

/* Completes the word before the cursor; `candidates` gets what is still possible. `before` is what
 * will be put in front of the line: a command with its first arguments, "" for a ':' line. */
void complete_line(const struct explorer *explorer, const char *before, struct line_editor *line,
                   char candidates[256]);
