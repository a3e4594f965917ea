#include "ui/session/session.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "config/machine_file.h"
#include "config/study_file.h"

enum { EDITS_MAX = 2000 };

/* The first error as one line, for the message line. */
static void session_first_error(const struct diagnostics *diagnostics, const char *otherwise,
                                char text[SESSION_TEXT])
{
    const char *message = otherwise;
    for (size_t i = 0; i < diagnostics->count; i++)
        if (diagnostics->items[i].severity == SEVERITY_ERROR) {
            message = diagnostics->items[i].message;
            break;
        }
    snprintf(text, SESSION_TEXT, "%s", message);
}

static char *session_copy_text(const struct document *document)
{
    size_t size;
    const char *text = document_text(document, &size);
    return strndup(text, size);
}

enum status session_remember_saved(struct session *session)
{
    char *text = session_copy_text(session->document);
    if (!text)
        return STATUS_MEMORY;
    free(session->saved_text);
    session->saved_text = text;
    session->file = session->machine;
    return STATUS_OK;
}

static enum status set_path(struct session *session, const char *path)
{
    char *copy = strdup(path), *last = strdup(path), *name = NULL;
    if (copy && last)
        name = strdup(basename(last));
    free(last);
    if (!name) {
        free(copy);
        return STATUS_MEMORY;
    }
    free(session->name);
    free(session->path);
    session->name = name;
    session->path = copy;
    return STATUS_OK;
}

/* Of a document, which it takes over with the machine that was read from it. `name` is that of a
 * machine without a file. */
static enum status session_of(struct document *document, const struct machine *machine,
                              const char *name, struct session **result)
{
    struct session *session = calloc(1, sizeof *session);
    if (!session) {
        document_free(document);
        return STATUS_MEMORY;
    }
    session->document = document;
    session->machine = *machine;
    search_defaults(&session->study.search);
    exploration_read(document, machine, &session->exploration, NULL);
    const char *file = document_path(document);
    enum status status = set_path(session, file ? file : name);
    if (!status)
        status = session_remember_saved(session);
    if (!status && !file) {
        free(session->path);
        session->path = NULL;
    }
    if (status)
        session_free(session);
    else
        *result = session;
    return status;
}

enum status session_create(const char *name, struct session **session,
                           struct diagnostics *diagnostics)
{
    struct document *document = NULL;
    struct machine machine;
    enum status status = machine_load(name, NULL, &machine, &document, diagnostics);
    return status ? status : session_of(document, &machine, name, session);
}

enum status session_create_text(const char *text, const char *name, struct session **session,
                                struct diagnostics *diagnostics)
{
    struct document *document = NULL;
    struct machine machine;
    enum status status = document_parse(text, strlen(text), name, &document, diagnostics);
    if (!status)
        status = machine_from_document(document, &machine, diagnostics);
    if (!status)
        return session_of(document, &machine, name, session);
    document_free(document);
    return status;
}

static void edit_free(struct edit *edit)
{
    free(edit->before);
    free(edit->after);
    axis_list_free(&edit->axes_before);
    axis_list_free(&edit->axes_after);
}

static void drop_edits(struct session *session, size_t from)
{
    for (size_t i = from; i < session->edit_count; i++)
        edit_free(&session->edits[i]);
    session->edit_count = from;
}

void session_forget_edits(struct session *session)
{
    drop_edits(session, 0);
    session->edit_position = 0;
    session->proposal_count = 0;
}

void session_free(struct session *session)
{
    if (!session)
        return;
    struct axis_list axes = {session->axes, session->axis_count};
    drop_edits(session, 0);
    axis_list_free(&axes);
    study_free(&session->study);
    free(session->edits);
    free(session->saved_text);
    free(session->name);
    free(session->path);
    document_free(session->document);
    free(session);
}

bool session_dirty(const struct session *session)
{
    size_t size;
    const char *text = document_text(session->document, &size);
    return size != strlen(session->saved_text) || memcmp(text, session->saved_text, size) != 0;
}

bool session_changed(const struct session *session, const struct parameter *parameter)
{
    return !parameter_equal(parameter, parameter_get(parameter, &session->machine),
                            parameter_get(parameter, &session->file));
}

/* Drops the edits that could be redone and adds one; NULL: no memory. */
static struct edit *add_edit(struct session *session, const char *what)
{
    if (array_reserve(&session->edits, &session->edit_capacity, session->edit_position + 1))
        return NULL;
    drop_edits(session, session->edit_position);
    if (session->edit_count == EDITS_MAX) {
        edit_free(&session->edits[0]);
        memmove(session->edits, session->edits + 1, (EDITS_MAX - 1) * sizeof *session->edits);
        session->edit_count--;
    }
    struct edit *edit = &session->edits[session->edit_count++];
    *edit = (struct edit){0};
    snprintf(edit->what, sizeof edit->what, "%s", what);
    session->edit_position = session->edit_count;
    return edit;
}

enum status session_remember_text(struct session *session, const char *what, char *before,
                                  const struct machine *made)
{
    char *after = session_copy_text(session->document);
    struct edit *edit = after ? add_edit(session, what) : NULL;
    if (!edit) {
        free(after);
        return STATUS_MEMORY;
    }
    edit->before = before;
    edit->after = after;
    edit->made = *made;
    return STATUS_OK;
}

void session_keep_axes(struct session *session, const char *what, struct axis_list *before)
{
    struct axis_list after = {0};
    struct edit *edit = session_copy_axes(session, &after) ? NULL : add_edit(session, what);
    if (!edit) { /* the axes are set, only undo is lost */
        axis_list_free(&after);
        axis_list_free(before);
        return;
    }
    edit->axes_before = *before;
    edit->axes_after = after;
}

const char *session_last_edit(const struct session *session)
{
    for (size_t i = session->edit_position; i > 0; i--)
        if (session->edits[i - 1].before)
            return session->edits[i - 1].what;
    return NULL;
}

static enum status restore_axes(struct session *session, const struct axis_list *list)
{
    const struct session kept = {.axes = list->items, .axis_count = list->count};
    struct axis_list copy, old = {session->axes, session->axis_count};
    enum status status = session_copy_axes(&kept, &copy);
    if (status)
        return status;
    axis_list_free(&old);
    session->axes = copy.items;
    session->axis_count = session->axis_capacity = copy.count;
    session->axes_revision++;
    return STATUS_OK;
}

/* Restores `text` as the document, and the machine from it. */
static enum status restore(struct session *session, const char *text, char why[SESSION_TEXT])
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = document_restore(session->document, text, strlen(text), &diagnostics);
    if (!status)
        status = machine_from_document(session->document, &session->machine, &diagnostics);
    if (status)
        session_first_error(&diagnostics, status_text(status), why);
    diagnostics_free(&diagnostics);
    session->revision++;
    return status;
}

enum status session_commit(struct session *session, const struct assignment *assignments,
                           size_t count, const struct machine *machine, char text[SESSION_TEXT])
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    char printed[VALUE_TEXT], what[SESSION_NAME] = "";
    char *before = session_copy_text(session->document);
    enum status status = before ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; !status && i < count; i++) {
        const struct parameter *parameter = assignments[i].parameter;
        parameter_print(parameter, assignments[i].value, printed);
        if (i == 0)
            snprintf(what, sizeof what, "%s %.36s", parameter->path, printed);
        if (!parameter_equal(parameter, assignments[i].value,
                             parameter_get(parameter, &session->machine)))
            status = document_set(session->document, parameter->path, printed, &diagnostics);
    }
    if (!status)
        status = session_remember_text(session, what, before, machine);
    if (!status) {
        session->machine = *machine;
        session->revision++;
    } else {
        session_first_error(&diagnostics, status_text(status), text);
        char ignored[SESSION_TEXT];
        if (before)
            (void)restore(session, before, ignored);
        free(before);
    }
    diagnostics_free(&diagnostics);
    return status;
}

enum status session_undo(struct session *session, char text[SESSION_TEXT])
{
    if (!session->edit_position) {
        snprintf(text, SESSION_TEXT, "nothing to undo");
        return STATUS_NOT_FOUND;
    }
    const struct edit *edit = &session->edits[session->edit_position - 1];
    enum status status = edit->before ? restore(session, edit->before, text)
                                      : restore_axes(session, &edit->axes_before);
    if (status)
        return status;
    session->proposal_count = 0;
    session->edit_position--;
    snprintf(text, SESSION_TEXT, "taken back: %s", edit->what);
    return STATUS_OK;
}

enum status session_redo(struct session *session, char text[SESSION_TEXT])
{
    if (session->edit_position == session->edit_count) {
        snprintf(text, SESSION_TEXT, "nothing to make again");
        return STATUS_NOT_FOUND;
    }
    const struct edit *edit = &session->edits[session->edit_position];
    enum status status = edit->after ? restore(session, edit->after, text)
                                     : restore_axes(session, &edit->axes_after);
    if (status)
        return status;
    session->proposal_count = 0;
    session->edit_position++;
    snprintf(text, SESSION_TEXT, "made again: %s", edit->what);
    return STATUS_OK;
}

enum status session_save(struct session *session, const char *path, struct diagnostics *diagnostics)
{
    if (!path && !session->path)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s is built in: save it under a file name", session->name);
    enum status status = document_save(session->document, path ? path : session->path, diagnostics);
    if (!status && path)
        status = set_path(session, path);
    if (!status)
        status = session_remember_saved(session);
    return status;
}

enum status session_to_yaml(const struct session *session, const char *title, char **text)
{
    char *exploration = NULL;
    enum status status = STATUS_OK;
    *text = NULL;
    if (session->exploration.said)
        status = exploration_to_yaml(&session->exploration, &exploration);
    if (!status)
        status = machine_to_yaml_marked(&session->machine, title, exploration, NULL, text);
    free(exploration);
    return status;
}
