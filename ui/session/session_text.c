/* The machine as text (session.h): text that an editor left, and a file that another program wrote.
 */
#include <stdlib.h>
#include <string.h>

#include "config/machine_file.h"
#include "ui/session/session.h"

enum status session_replace_text(struct session *session, const char *text,
                                 struct diagnostics *diagnostics)
{
    struct machine machine;
    size_t size;
    char *before = strdup(document_text(session->document, &size));
    if (!before)
        return STATUS_MEMORY;
    enum status status = document_restore(session->document, text, strlen(text), diagnostics);
    if (!status)
        status = machine_from_document(session->document, &machine, diagnostics);
    if (!status)
        status = session_remember_text(session, "edited text", before, &machine);
    if (status) {
        (void)document_restore(session->document, before, strlen(before), NULL);
        free(before);
        return status;
    }
    session->machine = machine;
    exploration_read(session->document, &machine, &session->exploration, NULL);
    session->revision++;
    return STATUS_OK;
}

/* The unsaved edits: parameters whose value is not that of the file as it was. */
static size_t own_edits(const struct session *session, struct assignment *edits)
{
    size_t count = 0;
    for (size_t i = 0; i < parameter_count && count < ASSIGNMENTS_MAX; i++)
        if (session_changed(session, &parameters[i]))
            edits[count++] = (struct assignment){&parameters[i],
                                                 parameter_get(&parameters[i], &session->machine)};
    return count;
}

/* The first edit of a parameter that the other program changed, too, to something else. */
static const struct assignment *conflict(const struct session *session,
                                         const struct machine *theirs,
                                         const struct assignment *edits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct parameter *parameter = edits[i].parameter;
        const struct value value = parameter_get(parameter, theirs);
        if (!parameter_equal(parameter, value, parameter_get(parameter, &session->file)) &&
            !parameter_equal(parameter, value, edits[i].value))
            return &edits[i];
    }
    return NULL;
}

static void print_conflict(const struct session *session, const struct machine *theirs,
                           const struct assignment *edit, char text[SESSION_TEXT])
{
    char there[VALUE_TEXT], here[VALUE_TEXT];
    const struct parameter *parameter = edit->parameter;
    snprintf(text, SESSION_TEXT,
             "%.60s was changed by another program: %s is %.60s there and %.60s here; machine! "
             "%.120s takes theirs, save under another name keeps yours",
             session->name, parameter->path,
             parameter_print(parameter, parameter_get(parameter, theirs), there),
             parameter_print(parameter, edit->value, here), session->path);
}

/* What is undone would bring back the file as it was before the other program wrote it: edits of
 * before are forgotten. */
static enum status take_document(struct session *session, struct document *document,
                                 const struct machine *machine)
{
    document_free(session->document);
    session->document = document;
    session->machine = *machine;
    session_forget_edits(session);
    exploration_read(document, machine, &session->exploration, NULL);
    session->revision++;
    return session_remember_saved(session);
}

enum status session_follow_file(struct session *session, char text[SESSION_TEXT],
                                struct diagnostics *diagnostics)
{
    struct document *document = NULL;
    struct machine theirs, merged;
    struct violation found[VIOLATION_MAX];
    struct assignment edits[ASSIGNMENTS_MAX];
    size_t size;
    text[0] = '\0';
    enum status status = machine_load(session->path, NULL, &theirs, &document, diagnostics);
    if (status)
        return status;
    if (!strcmp(document_text(document, &size), session->saved_text)) {
        document_free(document);
        return STATUS_NOT_FOUND;
    }
    const size_t count = own_edits(session, edits);
    const struct assignment *both = conflict(session, &theirs, edits, count);
    merged = theirs;
    for (size_t i = 0; i < count; i++)
        parameter_set(edits[i].parameter, &merged, edits[i].value);
    if (both || machine_check(&merged, found)) {
        if (both)
            print_conflict(session, &theirs, both, text);
        else
            snprintf(text, SESSION_TEXT,
                     "%.60s was changed by another program, and your edits do not go with it: %s",
                     session->name, found[0].message);
        document_free(document);
        return STATUS_CONFLICT;
    }
    status = take_document(session, document, &theirs);
    char edited[SESSION_TEXT] = "";
    if (!status && count)
        status = session_set(session, edits, count, edited);
    snprintf(text, SESSION_TEXT, "%.60s was written by another program and is read again%s",
             session->name, count ? ", your edits with it" : "");
    return status;
}
