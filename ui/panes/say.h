/* What a command did, or why it refused, in a message; and what a command wrote or opened. */
#pragma once

#include "ui/panes/state.h"
#include "ui/session/recent.h"

/* Adds a note to the messages. */
void say(struct explorer *explorer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds an error message; returns false. */
bool refuse(struct explorer *explorer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Shows the diagnostics and frees them. Returns true if `status` is STATUS_OK. */
bool finish(struct explorer *explorer, enum status status, struct diagnostics *diagnostics);
/* The same for a file; STATUS_CONFLICT: it is there already. */
bool finish_new(struct explorer *explorer, const char *path, enum status status,
                struct diagnostics *diagnostics);
/* Shows the text of an edit of the session, as a note or as an error. Returns true if it succeeded.
 */
bool finish_edit(struct explorer *explorer, enum status status, const char *text);
/* A file that was opened is offered first from now on; `path` may be NULL, or no file. */
void remember(struct explorer *explorer, enum recent_kind kind, const char *path);
/* A file that is there may be somebody's simulator set-up: only what says so overwrites it. */
enum writing { WRITE_NEW, WRITE_EXPORT /* new; export! overwrites */, WRITE_OVER };
bool write_file(struct explorer *explorer, const char *path, const char *text,
                enum writing writing);
/* The same with a text that the job of the Report view makes, of one file at a time. Takes over the
 * question; NULL: no memory. The explorer is not left before the file is there. */
struct report_result;
bool write_later(struct explorer *explorer, struct report_result *question);
void write_made(struct explorer *explorer, struct report_result *made);
