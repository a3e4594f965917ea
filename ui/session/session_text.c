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

/* What the file has of each parameter that clashes. */
static size_t their_values(const struct session *session, const struct machine *theirs,
                           const struct assignment *edits, size_t count, struct assignment *values)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (clashes(session, theirs, &edits[i]))
            values[found++] =
                (struct assignment){edits[i].parameter, parameter_get(edits[i].parameter, theirs)};
    return found;
}

/* Both values of each parameter that clashes, at its line of our text. */
static void add_clashes(const struct session *session, const struct assignment *values,
                        size_t count, struct diagnostics *clashing)
{
    for (size_t i = 0; i < count; i++) {
        char there[VALUE_TEXT], here[VALUE_TEXT];
        const struct parameter *parameter = values[i].parameter;
        const struct node *node = document_find(session->document, parameter->path);
        const struct place place = {.line = node ? node_place(session->document, node).line : 1};
        diagnostics_add(
            clashing, SEVERITY_NOTE, &place, "%s: the file has %s, you have %s", parameter->path,
            parameter_print(parameter, values[i].value, there),
            parameter_print(parameter, parameter_get(parameter, &session->machine), here));
    }
}

/* The first rule that the file breaks with the edits on top of it; NULL: none. */
static const char *broken_rule(const struct machine *theirs, const struct assignment *edits,
                               size_t count, struct violation found[VIOLATION_MAX])
{
    struct machine merged = *theirs;
    for (size_t i = 0; i < count; i++)
        parameter_set(edits[i].parameter, &merged, edits[i].value);
    return machine_check(&merged, found) ? found[0].message : NULL;
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

/* The edits on top of what is theirs, and then their values where both changed one: undo brings
 * back first mine, then the file alone. */
static enum status edit_again(struct session *session, const struct assignment *edits, size_t count,
                              const struct assignment *values, size_t value_count,
                              char text[SESSION_TEXT])
{
    enum status status = count ? session_set(session, edits, count, text) : STATUS_OK;
    if (!status && value_count)
        status = session_set(session, values, value_count, text);
    return status;
}

/* The file on the disk is no machine: mine may take its place, and nothing else can. */
static enum status follow_broken(struct session *session, enum merge merge, char text[SESSION_TEXT],
                                 struct diagnostics *diagnostics)
{
    if (merge != MERGE_MINE) {
        snprintf(text, SESSION_TEXT,
                 "%.60s was changed outside and has errors: `merge mine`, or mend it there",
                 session->name);
        return STATUS_CONFLICT;
    }
    snprintf(text, SESSION_TEXT, "yours takes the place of %.60s with the next save",
             session->name);
    return document_see_disk(session->document, diagnostics);
}

enum status session_follow_file(struct session *session, enum merge merge, char text[SESSION_TEXT],
                                struct diagnostics *diagnostics)
{
    struct document *document = NULL;
    struct diagnostics said = DIAGNOSTICS_INIT;
    struct machine theirs;
    struct violation found[VIOLATION_MAX];
    struct assignment edits[ASSIGNMENTS_MAX], values[ASSIGNMENTS_MAX];
    char number[COUNT_TEXT], edited[SESSION_TEXT];
    size_t size;
    text[0] = '\0';
    enum status status = machine_load(session->path, NULL, &theirs, &document, &said);
    const bool unread = status == STATUS_MEMORY || status == STATUS_IO;
    if (status && !unread && merge == MERGE_MINE) /* what is wrong with it is of no matter */
        diagnostics_free(&said);
    diagnostics_move(diagnostics, &said);
    if (status)
        return unread ? status : follow_broken(session, merge, text, diagnostics);
    if (!strcmp(document_text(document, &size), session->saved_text)) {
        document_free(document);
        return STATUS_NOT_FOUND;
    }
    const size_t count = own_edits(session, edits);
    const size_t clashing = their_values(session, &theirs, edits, count, values);
    const char *rule = broken_rule(&theirs, edits, count, found);
    if (merge == MERGE_ASK && clashing) {
        add_clashes(session, values, clashing, diagnostics);
        snprintf(text, SESSION_TEXT,
                 "%.60s was changed outside, %s (v): `merge mine` or `merge theirs`", session->name,
                 counted_print(clashing, "conflict", number));
    } else if (rule && merge != MERGE_THEIRS)
        snprintf(text, SESSION_TEXT,
                 "%.60s was changed outside, and your edits do not go with it: %.200s; `merge "
                 "theirs` drops them",
                 session->name, rule);
    if (text[0]) {
        document_free(document);
        return STATUS_CONFLICT;
    }
    status = take_document(session, document, &theirs);
    if (!status && !rule)
        status =
            edit_again(session, edits, count, values, merge == MERGE_THEIRS ? clashing : 0, edited);
    snprintf(text, SESSION_TEXT, "%.60s was written by another program and is read again%s",
             session->name,
             rule                                ? ", without your edits"
             : merge == MERGE_THEIRS && clashing ? ", with theirs; u brings back yours"
             : count                             ? ", your edits with it"
                                                 : "");
    return status;
}
