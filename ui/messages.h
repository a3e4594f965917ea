/* What the program has said: the newest stands above the footer until the next key, all in Log. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

enum { MESSAGE_TEXT = 480, MESSAGES_MAX = 500 };

struct message {
    enum severity severity;
    char text[MESSAGE_TEXT];
};

struct messages {
    struct message *items; /* oldest first */
    size_t count, capacity;
    size_t total; /* ever added */
    bool shown;   /* the newest stands on the message line */
};

void messages_add(struct messages *messages, enum severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void messages_vadd(struct messages *messages, enum severity severity, const char *format,
                   va_list arguments) __attribute__((format(printf, 3, 0)));
/* All of them, a message each; the first error is the newest one. */
void messages_add_diagnostics(struct messages *messages, const struct diagnostics *diagnostics);
const struct message *messages_newest(const struct messages *messages); /* shown, or NULL */
void messages_free(struct messages *messages);
