/* The messages of the program. The newest is shown above the footer until the next key; the log
 * view shows them all. Keeps the last MESSAGES_MAX; a message that cannot be stored is lost,
 * because a message is no reason to stop. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

enum { MESSAGE_TEXT = 600, MESSAGES_MAX = 500 };

struct message {
    enum severity severity;
    char text[MESSAGE_TEXT];
};

struct messages {
    struct message *items; /* oldest first */
    size_t count, capacity;
    size_t total; /* number of messages ever added */
    bool shown;   /* the newest is on the message line */
};

void messages_add(struct messages *messages, enum severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void messages_vadd(struct messages *messages, enum severity severity, const char *format,
                   va_list arguments) __attribute__((format(printf, 3, 0)));
/* Adds all diagnostics, one message each, in their order, so that the last of them is the newest
 * message. */
void messages_add_diagnostics(struct messages *messages, const struct diagnostics *diagnostics);
const struct message *messages_newest(const struct messages *messages); /* shown, or NULL */
void messages_free(struct messages *messages);
