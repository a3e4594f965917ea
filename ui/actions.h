/* What each command does: action_<function>(explorer, arguments). False: refused, and a message
 * says why. */
#pragma once

#include "ui/recent.h"
#include "ui/state.h"

#define ACTION_DECLARATION(constant, function, name, expects, hint, help)                          \
    bool action_##function(struct explorer *explorer, const char *arguments);
COMMAND_LIST(ACTION_DECLARATION)
#undef ACTION_DECLARATION

/* For the sources of actions. */
void say(struct explorer *explorer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An error message; returns false. */
bool refuse(struct explorer *explorer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Shows the diagnostics and frees them; true where `status` is STATUS_OK. */
bool finish(struct explorer *explorer, enum status status, struct diagnostics *diagnostics);
/* The text of an edit of the session: said, or refused. */
bool finish_edit(struct explorer *explorer, enum status status, const char *text);
/* A file that was opened is offered first from now on; `path` may be NULL, or no file. */
void remember(struct explorer *explorer, enum recent_kind kind, const char *path);
bool ends_with(const char *text, const char *end);
/* Never overwrites: a file that is there may be somebody's simulator set-up. */
bool write_new(struct explorer *explorer, const char *path, const char *text);
void workload_choose(struct explorer *explorer, const char *workload);
