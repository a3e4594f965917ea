#include "ui/terminal/messages.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void messages_vadd(struct messages *messages, enum severity severity, const char *format,
                   va_list arguments)
{
    if (messages->count == MESSAGES_MAX) {
        memmove(messages->items, messages->items + 1, (MESSAGES_MAX - 1) * sizeof *messages->items);
        messages->count--;
    }
    if (array_reserve(&messages->items, &messages->capacity, messages->count + 1))
        return; /* losing a message is no reason to stop */
    struct message *message = &messages->items[messages->count++];
    message->severity = severity;
    vsnprintf(message->text, sizeof message->text, format, arguments);
    messages->total++;
    messages->shown = true;
}

void messages_add(struct messages *messages, enum severity severity, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    messages_vadd(messages, severity, format, arguments);
    va_end(arguments);
}

static void add_diagnostic(struct messages *messages, const struct diagnostic *diagnostic)
{
    if (diagnostic->file && diagnostic->line)
        messages_add(messages, diagnostic->severity, "%s:%u:%u: %s", diagnostic->file,
                     diagnostic->line, diagnostic->column, diagnostic->message);
    else if (diagnostic->file)
        messages_add(messages, diagnostic->severity, "%s: %s", diagnostic->file,
                     diagnostic->message);
    else
        messages_add(messages, diagnostic->severity, "%s", diagnostic->message);
}

void messages_add_diagnostics(struct messages *messages, const struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        add_diagnostic(messages, &diagnostics->items[i]);
}

const struct message *messages_newest(const struct messages *messages)
{
    return messages->shown && messages->count ? &messages->items[messages->count - 1] : NULL;
}

void messages_free(struct messages *messages)
{
    free(messages->items);
    *messages = (struct messages){0};
}
