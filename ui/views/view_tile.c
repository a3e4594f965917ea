/* The Tile view: a scene on the tile cache of the machine, as `warpscape tile` prints it - the
 * frame, maps of its surfaces, the load of the banks. Left and right choose the map, up and down
 * the surface. */
#include <string.h>

#include "base/diag.h"
#include "ui/jobs/tile_job.h"
#include "ui/panes/pane.h"
#include "ui/panes/say.h"

/* Beside the newest drawing. */
struct tile_screen {
    struct list list;   /* of surfaces */
    enum tile_view map; /* what is looked at */
    struct tile_question asked;
    struct machine machine; /* that it was asked for */
};

static const struct tile_drawing *tile_usable(const struct explorer *explorer)
{
    const struct tile_drawing *drawing = pane_answer(explorer, CONTEXT_TILE);
    return drawing && !drawing->answer.status ? drawing : NULL;
}

/* Whether this is the workload on the screen, on its machine. */
static bool is_current(const struct explorer *explorer, const char *workload,
                       const struct machine *machine)
{
    return !strcmp(workload, explorer->workload) &&
           machine_same(machine, &explorer->session->machine, ~0u);
}

/* The newest drawing, if it is of the scene on the screen. */
static const struct tile_drawing *tile_current(const struct explorer *explorer)
{
    const struct tile_drawing *drawing = tile_usable(explorer);
    return drawing && is_current(explorer, drawing->question.workload, &drawing->machine) ? drawing
                                                                                          : NULL;
}

static bool same_question(const struct tile_question *a, const struct tile_question *b)
{
    return a->map == b->map && a->surface == b->surface && a->rows == b->rows &&
           a->columns == b->columns && a->glyphs == b->glyphs;
}

static void tile_settle(struct explorer *explorer)
{
    struct tile_screen *view = pane_state(explorer, CONTEXT_TILE);
    const struct rect *rect = &explorer->layout.view;
    if (explorer->view != VIEW_TILE)
        return;
    const bool same = is_current(explorer, view->asked.workload, &view->machine);
    const struct tile_drawing *old = tile_current(explorer);
    struct tile_question question = {.map = view->map,
                                     .surface =
                                         old ? (uint32_t)view->list.selected : TILE_SURFACE_DEFAULT,
                                     .rows = rect->rows - 1,
                                     .columns = rect->columns - 2,
                                     .glyphs = explorer->glyphs};
    if (same && same_question(&question, &view->asked))
        return;
    snprintf(question.workload, sizeof question.workload, "%s", explorer->workload);
    view->asked = question;
    view->machine = explorer->session->machine;
    pane_ask(explorer, CONTEXT_TILE, tile_drawing_new(&question, &view->machine, old));
}

/* The surface that was drawn where none was chosen is chosen from then on. */
static bool tile_takes(struct explorer *explorer, void *answer)
{
    struct tile_screen *view = pane_state(explorer, CONTEXT_TILE);
    const struct tile_drawing *drawing = answer;
    if (!drawing->answer.status && drawing->question.surface == TILE_SURFACE_DEFAULT) {
        view->list.selected = (int)drawing->surface;
        view->asked.surface = drawing->surface;
    }
    return true;
}

bool action_look(struct explorer *explorer, const char *arguments)
{
    struct tile_screen *view = pane_state(explorer, CONTEXT_TILE);
    const struct pane_ops *ops = pane_ops(explorer_context(explorer));
    char hint[SUGGESTION_TEXT];
    if (ops->look)
        return ops->look(explorer, arguments);
    explorer->view = VIEW_TILE;
    if (!*arguments || !strcmp(arguments, "next") || !strcmp(arguments, "previous")) {
        const int by = *arguments == 'p' ? TILE_VIEWS - 1 : 1;
        view->map = (enum tile_view)(((int)view->map + by) % TILE_VIEWS);
        return true;
    }
    for (int i = 0; i < TILE_VIEWS; i++)
        if (!strcmp(tile_view_names[i], arguments)) {
            view->map = (enum tile_view)i;
            return true;
        }
    return refuse(explorer, "unknown map '%.60s'%s", arguments,
                  suggestion(nearest_name(arguments, tile_view_names, TILE_VIEWS), hint));
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Until a newer drawing is there the old one stays: another map comes in a moment. */
static void tile_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused)
{
    (void)focused;
    const struct tile_drawing *drawing = tile_current(explorer);
    if (!drawing) {
        pane_draw_waiting(explorer, CONTEXT_TILE, canvas, "drawing ...");
        return;
    }
    canvas_copy(canvas, 0, 1, &drawing->cells);
    canvas_cursor(canvas, 0, 1);
}

static int tile_count(const struct explorer *explorer)
{
    const struct tile_drawing *drawing = tile_usable(explorer);
    return drawing ? (int)drawing->surfaces : 0;
}

static void tile_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    snprintf(text, ROW_TEXT, "%s", tile_drawing_surface(tile_usable(explorer), (uint32_t)row));
}

static void tile_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    const struct tile_screen *view = pane_seen(explorer, CONTEXT_TILE);
    snprintf(text, ROW_TEXT, "%.240s  %s", explorer->workload, tile_view_names[view->map]);
}

const struct pane_ops tile_pane_ops = {
    .title = "Tile",
    .state_size = sizeof(struct tile_screen),
    .job = &tile_job,
    .takes = tile_takes,
    .heads = TILE_VIEW_HEADS - 1,
    .count = tile_count,
    .text = tile_text,
    .status = tile_status,
    .settle = tile_settle,
    .draw = tile_draw,
    .hints = {{COMMAND_LOOK, NULL},
              {COMMAND_DOWN, "surface"},
              {COMMAND_WORKLOAD, NULL},
              {COMMAND_CANCEL, NULL}},
    .opens = {{COMMAND_OPEN, NULL}, {COMMAND_WORKLOAD, NULL}, {COMMAND_CANCEL, NULL}},
};
