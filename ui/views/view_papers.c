/* Papers: the claims of a paper beside our numbers, as `warpscape reproduce` judges them. Enter
 * makes the screen the experiment of a claim: its machine, its workload, its depth, and what
 * the claim compares it with pinned beside it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/embedded.h"
#include "config/experiment_file.h"
#include "ui/jobs/paper_job.h"
#include "ui/panes/pane.h"
#include "ui/panes/say.h"

struct papers_view {
    struct list list;
    char paper[4096];    /* "": none was asked for */
    struct machine made; /* by the last row that was opened; its settings may be dropped */
};

/* ---- what is asked ---- */

/* Enough to read what was run before. */
#define PAPERS_GLANCE 1.0

/* `patience` as in struct paper_answer. */
static bool papers_ask(struct explorer *explorer, const char *paper, double patience)
{
    struct papers_view *view = pane_state(explorer, CONTEXT_PAPERS);
    struct paper_answer *question = paper_question_new(paper, explorer->options.threads, patience);
    if (!question)
        return refuse(explorer, "there is no memory for it");
    if (strcmp(view->paper, paper) != 0) {
        snprintf(view->paper, sizeof view->paper, "%s", paper);
        view->list = (struct list){0};
        pane_ask(explorer, CONTEXT_PAPERS, NULL);
    }
    pane_ask(explorer, CONTEXT_PAPERS, question);
    return true;
}

/* The paper of ours that is `by` after this one. */
static const char *papers_beside(const char *paper, int by)
{
    size_t count = 0, at = 0;
    for (; embedded_experiments[count].name; count++)
        at = strcmp(embedded_experiments[count].name, paper) ? at : count;
    assert(count); /* some come with the program */
    return embedded_experiments[(at + count + (size_t)by) % count].name;
}

static enum status papers_open(struct explorer *explorer)
{
    struct papers_view *view = pane_state(explorer, CONTEXT_PAPERS);
    const char *first = embedded_experiments[0].name;
    return view->paper[0] || papers_ask(explorer, first, PAPERS_GLANCE) ? STATUS_OK : STATUS_MEMORY;
}

bool action_paper(struct explorer *explorer, const char *arguments)
{
    const struct papers_view *view = pane_state(explorer, CONTEXT_PAPERS);
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct experiment experiment;
    const bool next = !strcmp(arguments, "next"), leafs = next || !strcmp(arguments, "previous");
    if (leafs)
        arguments = papers_beside(view->paper, next ? 1 : -1);
    if (*arguments) {
        if (!finish(explorer, experiment_load(arguments, &experiment, &found), &found))
            return false;
        experiment_free(&experiment);
        if (!papers_ask(explorer, arguments, leafs ? PAPERS_GLANCE : 0))
            return false;
    }
    explorer->view = VIEW_WORKSPACE; /* an open view would be closed */
    return action_view(explorer, "papers");
}

/* ---- what is shown ---- */

/* The claims, judged or not; NULL: there is nothing yet. */
static const struct paper_answer *papers_answer(const struct explorer *explorer)
{
    const struct paper_answer *answer = pane_answer(explorer, CONTEXT_PAPERS);
    return answer && answer->rows && !pane_failure(explorer, CONTEXT_PAPERS) ? answer : NULL;
}

static const char *papers_verdict(const struct paper_row *row)
{
    return row->judged ? experiment_verdict_names[row->verdict] : "not run yet";
}

static int papers_count(const struct explorer *explorer)
{
    const struct paper_answer *answer = papers_answer(explorer);
    return answer ? (int)answer->count : 0;
}

/* NULL: there is none yet. */
static const struct paper_row *papers_selected(const struct explorer *explorer)
{
    const struct papers_view *view = pane_seen(explorer, CONTEXT_PAPERS);
    const struct paper_answer *answer = papers_answer(explorer);
    return answer && view->list.selected < (int)answer->count ? &answer->rows[view->list.selected]
                                                              : NULL;
}

static void papers_text(const struct explorer *explorer, int index, char text[ROW_TEXT])
{
    const struct paper_answer *answer = papers_answer(explorer);
    const struct paper_row *row = &answer->rows[index];
    snprintf(text, ROW_TEXT, "%s %.200s %.120s %.120s", papers_verdict(row), row->what, row->paper,
             row->ours);
}

/* "Enter: raster-shadow at depth timing on linked lists (paper), beside without chains" */
static void papers_describe(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct paper_row *row = papers_selected(explorer);
    text[0] = '\0';
    if (row && !row->judged && !pane_waits(explorer, CONTEXT_PAPERS))
        snprintf(text, ROW_TEXT, "Enter: run the experiments of this paper");
    else if (row && row->judged)
        snprintf(text, ROW_TEXT, "Enter: %.120s at depth %s on %s%s%s", row->workload,
                 depth_name(row->depth), row->name, row->rival_name[0] ? ", pinned: " : "",
                 row->rival_name);
}

/* Rows above the list: the paper, its counts, the selected claim in full, and the headings. */
static int papers_heads(const struct explorer *explorer)
{
    enum { PAPERS_SMALL = 16 };
    return explorer->rows < PAPERS_SMALL ? 1 : 7;
}

enum { PAPERS_VERDICT = 19, PAPERS_PAPER = 14, PAPERS_OURS = 18, PAPERS_WIDE = 70 };

static void papers_draw_cells(const struct canvas *canvas, int at, struct style style,
                              const char *verdict, const struct paper_row *row)
{
    const int width = canvas->rect.columns;
    const bool wide = width >= PAPERS_WIDE;
    const int ours = width - (wide ? PAPERS_OURS : 0), paper = ours - (wide ? PAPERS_PAPER : 0);
    canvas_text(canvas, at, 1, PAPERS_VERDICT - 1, style, verdict);
    style.role = style.role == ROLE_DIM ? ROLE_DIM : ROLE_TEXT;
    canvas_text(canvas, at, PAPERS_VERDICT + 1, paper - PAPERS_VERDICT - 2, style, row->what);
    if (!wide)
        return;
    canvas_text(canvas, at, paper, PAPERS_PAPER - 1, style, row->paper);
    canvas_text(canvas, at, ours, PAPERS_OURS, style, row->ours);
}

static void papers_draw_heads(const struct canvas *canvas, const struct paper_answer *answer,
                              bool waits, const struct paper_row *row, int heads)
{
    const int width = canvas->rect.columns;
    char claims[COUNT_TEXT];
    canvas_printf(canvas, 0, 1, width - 2, STYLE_BOLD(ROLE_TEXT), "%s: %s",
                  counted_print(answer->count, "claim", claims),
                  waits ? "their experiments run" : answer->counts);
    if (heads == 1)
        return;
    canvas_words(canvas, 1, 1, width - 2, STYLE(ROLE_DIM), answer->title);
    if (row) {
        canvas_words(canvas, 2, 1, width - 2, STYLE(ROLE_ACCENT), row->what);
        canvas_printf(canvas, 3, 1, width - 2, STYLE(ROLE_TEXT), "paper  %s", row->paper);
        canvas_printf(canvas, 4, 1, width - 2, STYLE(ROLE_TEXT), "ours   %s", row->ours);
        if (row->remark[0])
            canvas_printf(canvas, 5, 1, width - 2, STYLE(ROLE_DIM), "remark %s", row->remark);
    }
    static const struct paper_row headings = {.what = "claim", .paper = "paper", .ours = "ours"};
    papers_draw_cells(canvas, heads - 1, STYLE(ROLE_DIM), "verdict", &headings);
}

static void papers_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    static const enum role roles[EXPERIMENT_VERDICTS] = {[EXPERIMENT_AGREES] = ROLE_GOOD,
                                                         [EXPERIMENT_MOSTLY] = ROLE_ACCENT,
                                                         [EXPERIMENT_DIFFERS] = ROLE_BAD,
                                                         [EXPERIMENT_CHOSEN] = ROLE_DIM,
                                                         [EXPERIMENT_INCOMPARABLE] = ROLE_DIM};
    const struct papers_view *view = pane_seen(explorer, CONTEXT_PAPERS);
    const struct paper_answer *answer = papers_answer(explorer);
    const int heads = papers_heads(explorer);
    (void)focused;
    if (!answer) {
        pane_draw_waiting(explorer, CONTEXT_PAPERS, canvas,
                          "repeating the experiments of the paper ...");
        return;
    }
    papers_draw_heads(canvas, answer, pane_waits(explorer, CONTEXT_PAPERS),
                      papers_selected(explorer), heads);
    for (int at = heads; at < canvas->rect.rows; at++) {
        const int index = view->list.top + at - heads;
        if (index >= (int)answer->count)
            break;
        const struct paper_row *row = &answer->rows[index];
        papers_draw_cells(canvas, at, STYLE(row->judged ? roles[row->verdict] : ROLE_DIM),
                          papers_verdict(row), row);
        if (index == view->list.selected) {
            canvas_cursor(canvas, at, 1);
            canvas_reverse(canvas, at);
        }
    }
}

static void papers_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct papers_view *view = pane_seen(explorer, CONTEXT_PAPERS);
    const struct paper_answer *answer = pane_answer(explorer, CONTEXT_PAPERS);
    char share[24] = "";
    if (pane_waits(explorer, CONTEXT_PAPERS) && answer)
        snprintf(share, sizeof share, ", %.0f%% run", 100 * answer->share);
    const char *slash = strrchr(view->paper, '/');
    snprintf(text, ROW_TEXT, "%.100s%s", slash ? slash + 1 : view->paper, share);
}

/* ---- opening an experiment ---- */

/* Makes the machine of the session the two of the row, the rival first, which is pinned; `gone` is
 * the pin that had to go for it. */
static bool papers_set_machines(struct explorer *explorer, const struct paper_row *row,
                                char gone[SESSION_NAME])
{
    struct session *session = explorer->session;
    char text[SESSION_TEXT];
    if (row->rival_name[0]) {
        const enum status status = session_become(session, &row->rival, text);
        if (status)
            return finish_edit(explorer, status, text);
        session_pin(session, row->rival_name, gone);
    }
    const enum status status = session_become(session, &row->machine, text);
    return !status || finish_edit(explorer, status, text);
}

static bool papers_enter(struct explorer *explorer)
{
    struct papers_view *view = pane_state(explorer, CONTEXT_PAPERS);
    const struct paper_answer *answer = papers_answer(explorer);
    const struct paper_row *row = papers_selected(explorer);
    char line[ROW_TEXT], gone[SESSION_NAME] = "";
    const bool judged = row && row->judged;
    if (!judged && !pane_waits(explorer, CONTEXT_PAPERS))
        return papers_ask(explorer, view->paper, 0);
    if (!judged)
        return refuse(explorer, "its experiments still run");
    if (!row->workload[0])
        return refuse(explorer, "nothing of ours runs for this claim");
    if (session_dirty(explorer->session) &&
        !machine_same(&explorer->session->machine, &view->made, ~0u))
        return refuse(explorer, "%s has unsaved edits: save or undo them first",
                      explorer->session->name);
    snprintf(line, sizeof line, "machine! %s", answer->machine);
    if (!explorer_execute(explorer, line) || !papers_set_machines(explorer, row, gone))
        return false;
    view->made = explorer->session->machine;
    snprintf(line, sizeof line, "depth %s", depth_name(row->depth));
    if (!explorer_execute(explorer, line))
        return false;
    snprintf(line, sizeof line, "workload %s", row->workload);
    if (!explorer_execute(explorer, line))
        return false;
    explorer->view = VIEW_WORKSPACE;
    say(explorer, "%s: paper %s, ours %s%s%s", row->what, row->paper, row->ours,
        gone[0] ? "; no longer pinned: " : "", gone);
    return true;
}

const struct pane_ops papers_pane_ops = {
    .title = "Papers",
    .state_size = sizeof(struct papers_view),
    .job = &paper_job,
    .open = papers_open,
    .heads_now = papers_heads,
    .count = papers_count,
    .text = papers_text,
    .describe = papers_describe,
    .status = papers_status,
    .enter = papers_enter,
    .draw = papers_draw,
    .hints = {{COMMAND_CHANGE, "open"},
              {COMMAND_PAPER, "next"},
              {COMMAND_FIND, NULL},
              {COMMAND_CANCEL, NULL}},
};
