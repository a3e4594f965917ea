/* The commands of the explorer: one function action_<function>(explorer, arguments) for each row of
 * COMMAND_LIST (commands.h). A key, the ':' line, a script and a picker all end here, so a script
 * can do whatever a user can. The functions are in actions.c, actions_edit.c and actions_files.c. A
 * function that refuses returns false after a message that says why. */
#pragma once

#include "ui/recent.h"
#include "ui/state.h"

#define ACTION_DECLARATION(constant, function, ...)                                                \
    bool action_##function(struct explorer *explorer, const char *arguments);
COMMAND_LIST(ACTION_DECLARATION)
#undef ACTION_DECLARATION

/* Helpers for the sources of the actions. say adds a note to the messages. */
void say(struct explorer *explorer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds an error message; returns false. */
bool refuse(struct explorer *explorer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Shows the diagnostics and frees them. Returns true if `status` is STATUS_OK. */
bool finish(struct explorer *explorer, enum status status, struct diagnostics *diagnostics);

/* Pairs the launches of the profile, if there is one, with those of the workload, if it is open and
 * that is not done yet. */
bool pair_launches(struct explorer *explorer);
/* Shows the text of an edit of the session, as a note or as an error. Returns true if it succeeded.
 */
bool finish_edit(struct explorer *explorer, enum status status, const char *text);
/* A file that was opened is offered first from now on; `path` may be NULL, or no file. */
void remember(struct explorer *explorer, enum recent_kind kind, const char *path);
bool ends_with(const char *text, const char *end);
/* Never overwrites: a file that is there may be somebody's simulator set-up. */
bool write_new(struct explorer *explorer, const char *path, const char *text);
/* Makes this the workload on the screen. Whether it can be opened is known only later. */
void workload_choose(struct explorer *explorer, const char *workload);
