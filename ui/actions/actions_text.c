/* Actions on the machine as text (actions.h): an editor on it, and its file where another program
 * wrote it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output_file.h"
#include "ui/actions/actions.h"
#include "ui/panes/pane.h"
#include "ui/terminal/curses_screen.h"
#include "ui/views/view_text.h"

enum { PATH_BYTES = 4096 };

/* A folder of its own, for a file whose name tells an editor what is in it. */
static bool make_temporary(char folder[PATH_BYTES], char path[PATH_BYTES])
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, PATH_BYTES, "%.4000s/warpscape-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return false;
    snprintf(path, PATH_BYTES, "%.4080s/machine.yaml", folder);
    return true;
}

/* Takes over what the editor left; with errors the text stays, to be edited again. */
static bool take_text(struct explorer *explorer, const char *text)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = session_replace_text(explorer->session, text, &diagnostics);
    if (!status) {
        diagnostics_free(&diagnostics);
        text_view_keep(explorer, NULL, NULL);
        say(explorer, "the edited text is the machine now; u takes it back");
        return true;
    }
    const size_t errors = diagnostics.errors;
    text_view_keep(explorer, text, &diagnostics);
    if (explorer->view != VIEW_TEXT)
        action_view(explorer, "text");
    return refuse(explorer,
                  "the text has errors (%zu) and is not taken over: E edits it again, u "
                  "drops it",
                  errors);
}

static bool edit_file(struct explorer *explorer, const char *path, const char *before)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    char line[16], *text = NULL;
    size_t size;
    snprintf(line, sizeof line, "+%u", text_view_line(explorer));
    enum status status =
        output_file_write(path, before, strlen(before), OUTPUT_NEW | OUTPUT_VOLATILE, &diagnostics);
    if (!status && screen_lend("exec ${VISUAL:-${EDITOR:-vi}} \"$@\"", line, path))
        status = diagnostics_error(&diagnostics, STATUS_IO,
                                   "the editor failed; $EDITOR says which one is used");
    if (!status)
        status = file_read(path, &text, &size, &diagnostics);
    bool done = finish(explorer, status, &diagnostics) && text;
    if (done && strcmp(text, before))
        done = take_text(explorer, text);
    free(text);
    return done;
}

bool action_edit(struct explorer *explorer, const char *arguments)
{
    char folder[PATH_BYTES], path[PATH_BYTES];
    size_t size;
    const char *draft = text_view_draft(explorer);
    const char *text = draft ? draft : document_text(explorer->session->document, &size);
    if (*arguments && !action_select(explorer, arguments))
        return false;
    char *before = strdup(text);
    if (!before || !make_temporary(folder, path)) {
        free(before);
        return refuse(explorer, "no temporary folder can be made");
    }
    const bool done = edit_file(explorer, path, before);
    unlink(path);
    rmdir(folder);
    free(before);
    return done;
}

/* STATUS_NOT_FOUND: the file is as it was read. Both sides of a conflict are shown with the text.
 */
static enum status follow_file(struct explorer *explorer, enum merge merge)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    char text[SESSION_TEXT] = "";
    enum status status = session_follow_file(explorer->session, merge, text, &diagnostics);
    if (status == STATUS_NOT_FOUND) {
        diagnostics_free(&diagnostics);
        return status;
    }
    text_view_keep(explorer, NULL, status == STATUS_CONFLICT ? &diagnostics : NULL);
    if (text[0])
        finish_edit(explorer, status, text);
    if (!text[0] || diagnostics.count)
        finish(explorer, status, &diagnostics);
    diagnostics_free(&diagnostics);
    explorer->changed = true;
    explorer_settle(explorer);
    return status;
}

void take_written_file(struct explorer *explorer)
{
    (void)follow_file(explorer, MERGE_ASK); /* not found: we wrote it */
}

bool action_merge(struct explorer *explorer, const char *arguments)
{
    const enum merge merge = !strcmp(arguments, "mine")     ? MERGE_MINE
                             : !strcmp(arguments, "theirs") ? MERGE_THEIRS
                                                            : MERGE_ASK;
    if (merge == MERGE_ASK)
        return refuse(explorer, "merge: expected mine or theirs");
    if (!explorer->session->path)
        return refuse(explorer, "%s comes with the program: there is no file of it",
                      explorer->session->name);
    const enum status status = follow_file(explorer, merge);
    if (status == STATUS_NOT_FOUND)
        return refuse(explorer, "no other program changed %s", explorer->session->name);
    return status == STATUS_OK;
}
