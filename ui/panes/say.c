#include "ui/panes/say.h"

#include <assert.h>
#include <string.h>

#include "base/output_file.h"
#include "ui/jobs/report_job.h"
#include "ui/panes/pane.h"

void say(struct explorer *explorer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    messages_vadd(&explorer->messages, SEVERITY_NOTE, format, arguments);
    va_end(arguments);
}

bool refuse(struct explorer *explorer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    messages_vadd(&explorer->messages, SEVERITY_ERROR, format, arguments);
    va_end(arguments);
    return false;
}

/* The screen has room for one of several problems: the first error, and how many there are. */
static void say_first(struct explorer *explorer, size_t count)
{
    const struct messages *messages = &explorer->messages;
    const size_t begin = messages->count - (count < messages->count ? count : messages->count);
    size_t first = begin;
    for (size_t i = begin; i < messages->count; i++)
        if (messages->items[i].severity > messages->items[first].severity)
            first = i;
    const struct message shown = messages->items[first];
    messages_add(&explorer->messages, shown.severity, "1 of %zu (:view log lists them): %s", count,
                 shown.text);
}

bool finish(struct explorer *explorer, enum status status, struct diagnostics *diagnostics)
{
    messages_add_diagnostics(&explorer->messages, diagnostics);
    if (diagnostics->count > 1 && !explorer->options.plain)
        say_first(explorer, diagnostics->count);
    if (status && !diagnostics->count)
        refuse(explorer, "%s", status_text(status));
    diagnostics_free(diagnostics);
    return status == STATUS_OK;
}

bool finish_edit(struct explorer *explorer, enum status status, const char *text)
{
    if (status && status != STATUS_NOT_FOUND) /* there is no such step: no error */
        return refuse(explorer, "%s", text);
    if (text[0])
        say(explorer, "%s", text);
    return true;
}

void remember(struct explorer *explorer, enum recent_kind kind, const char *path)
{
    if (path && explorer_is_attended(explorer))
        recent_add(kind, path);
}

static bool finish_file(struct explorer *explorer, const char *path, const char *more,
                        enum status status, struct diagnostics *diagnostics)
{
    if (status != STATUS_CONFLICT)
        return finish(explorer, status, diagnostics);
    diagnostics_free(diagnostics);
    return refuse(explorer, "%s is there already: choose another name%s", path, more);
}

bool finish_new(struct explorer *explorer, const char *path, enum status status,
                struct diagnostics *diagnostics)
{
    return finish_file(explorer, path, "", status, diagnostics);
}

bool write_file(struct explorer *explorer, const char *path, const char *text, enum writing writing)
{
    assert(text);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const unsigned options =
        (writing == WRITE_OVER ? OUTPUT_REPLACE : OUTPUT_NEW) | OUTPUT_FILES_ONLY;
    const enum status status = output_file_write(path, text, strlen(text), options, &diagnostics);
    if (!finish_file(explorer, path,
                     writing == WRITE_EXPORT ? ", or overwrite it with :export!" : "", status,
                     &diagnostics))
        return false;
    say(explorer, "wrote %s (%zu bytes)", path, strlen(text));
    return true;
}

bool write_later(struct explorer *explorer, struct report_result *question)
{
    if (!question)
        return refuse(explorer, "%s", status_text(STATUS_MEMORY));
    if (explorer->writing) {
        report_job.free(question);
        return refuse(explorer, "another file is still being made");
    }
    explorer->writing = true;
    pane_ask(explorer, CONTEXT_REPORT, question);
    return true;
}

void write_made(struct explorer *explorer, struct report_result *made)
{
    explorer->writing = false;
    explorer->write_failed = true;
    if (made->answer.status) {
        refuse(explorer, "%s%s", made->best ? "" : "no report: ", made->answer.message);
    } else if (write_file(explorer, made->path, made->text,
                          made->over   ? WRITE_OVER
                          : made->best ? WRITE_EXPORT
                                       : WRITE_NEW)) {
        finish(explorer, STATUS_OK, &made->notes);
        explorer->write_failed = false;
    }
}
