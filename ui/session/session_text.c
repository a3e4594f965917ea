/* The machine as text (session.h): text that an editor left, and a file that another program wrote.
 */
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
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

/* Whether the other program changed the parameter of an edit, too, and to something else. */
static bool clashes(const struct session *session, const struct machine *theirs,
                    const struct assignment *edit)
{
    const struct value value = parameter_get(edit->parameter, theirs);
    return !parameter_equal(edit->parameter, value,
                            parameter_get(edit->parameter, &session->file)) &&
           !parameter_equal(edit->parameter, value, edit->value);
}

/* Both values of each parameter that clashes, at its line of our text. */
static size_t add_clashes(const struct session *session, const struct machine *theirs,
                          const struct assignment *edits, size_t count,
                          struct diagnostics *clashing)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        char there[VALUE_TEXT], here[VALUE_TEXT];
        const struct parameter *parameter = edits[i].parameter;
        if (!clashes(session, theirs, &edits[i]))
            continue;
        found++;
        const struct node *node = document_find(session->document, parameter->path);
        const struct place place = {.line = node ? node_place(session->document, node).line : 1};
        diagnostics_add(clashing, SEVERITY_NOTE, &place, "%s: the file has %s, you have %s",
                        parameter->path,
                        parameter_print(parameter, parameter_get(parameter, theirs), there),
                        parameter_print(parameter, edits[i].value, here));
    }
    return found;
}

/* Leaves out the edits that clash; returns how many stay. */
static size_t drop_clashing(const struct session *session, const struct machine *theirs,
                            struct assignment *edits, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!clashes(session, theirs, &edits[i]))
            edits[kept++] = edits[i];
    return kept;
}

/* Why the edits do not go with the file, "" if they do. */
static void why_not(const struct session *session, const struct machine *theirs,
                    const struct assignment *edits, size_t count, enum merge merge,
                    char text[SESSION_TEXT], struct diagnostics *clashing)
{
    struct machine merged = *theirs;
    struct violation found[VIOLATION_MAX];
    char number[COUNT_TEXT];
    const size_t both =
        merge == MERGE_ASK ? add_clashes(session, theirs, edits, count, clashing) : 0;
    for (size_t i = 0; i < count; i++)
        parameter_set(edits[i].parameter, &merged, edits[i].value);
    text[0] = '\0';
    if (both)
        snprintf(text, SESSION_TEXT,
                 "%.60s was changed outside, %s (v): `merge mine` or `merge theirs`", session->name,
                 counted_print(both, "conflict", number));
    else if (machine_check(&merged, found))
        snprintf(text, SESSION_TEXT,
                 "%.60s was changed by another program, and your edits do not go with it: "
                 "%.200s; `merge theirs` drops them",
                 session->name, found[0].message);
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

enum status session_follow_file(struct session *session, enum merge merge, char text[SESSION_TEXT],
                                struct diagnostics *diagnostics)
{
    struct document *document = NULL;
    struct machine theirs;
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
    size_t count = own_edits(session, edits);
    if (merge == MERGE_THEIRS)
        count = drop_clashing(session, &theirs, edits, count);
    why_not(session, &theirs, edits, count, merge, text, diagnostics);
    if (text[0] && merge != MERGE_THEIRS) {
        document_free(document);
        return STATUS_CONFLICT;
    }
    if (text[0]) /* not even the others go with it */
        count = 0;
    status = take_document(session, document, &theirs);
    char edited[SESSION_TEXT] = "";
    if (!status && count)
        status = session_set(session, edits, count, edited);
    snprintf(text, SESSION_TEXT, "%.60s was written by another program and is read again%s",
             session->name, count ? ", your edits with it" : "");
    return status;
}
