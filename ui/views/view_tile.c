/* The Tile view: a scene on the tile cache of the machine, as `warpscape tile` prints it - the
 * frame, maps of its surfaces, the load of the banks. Left and right choose the map, up and down
 * the surface. */
#include <string.h>

#include "base/diag.h"
#include "ui/panes/pane.h"
#include "ui/panes/say.h"

static const struct tile_drawing *usable(const struct explorer *explorer)
{
    const struct tile_drawing *drawing = explorer->tile.drawing;
    return drawing && !drawing->status ? drawing : NULL;
}

/* Whether this is the workload on the screen, on its machine. */
static bool is_current(const struct explorer *explorer, const char *workload,
                       const struct machine *machine)
{
    return !strcmp(workload, explorer->workload) &&
           machine_same(machine, &explorer->session->machine, ~0u);
}

/* The newest drawing, if it is of the scene on the screen. */
static const struct tile_drawing *current(const struct explorer *explorer)
{
    const struct tile_drawing *drawing = usable(explorer);
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
    struct tile_pane *pane = &explorer->tile;
    const struct rect *rect = &explorer->layout.view;
    if (explorer->view != VIEW_TILE)
        return;
    const bool same = is_current(explorer, pane->asked.workload, &pane->machine);
    const struct tile_drawing *old = current(explorer);
    struct tile_question question = {.map = pane->map,
                                     .surface =
                                         old ? (uint32_t)pane->list.selected : TILE_SURFACE_DEFAULT,
                                     .rows = rect->rows - 1,
                                     .columns = rect->columns - 2,
                                     .glyphs = explorer->glyphs};
    if (same && same_question(&question, &pane->asked))
        return;
    snprintf(question.workload, sizeof question.workload, "%s", explorer->workload);
    pane->asked = question;
    pane->machine = explorer->session->machine;
    pane->waiting = !tile_job_start(explorer->drawer, &question, &pane->machine, old);
}

void tile_pane_receive(struct explorer *explorer, struct tile_drawing *drawing)
{
    struct tile_pane *pane = &explorer->tile;
    const bool newest = same_question(&drawing->question, &pane->asked) &&
                        !strcmp(drawing->question.workload, pane->asked.workload) &&
                        machine_same(&drawing->machine, &pane->machine, ~0u);
    tile_drawing_free(pane->drawing);
    pane->drawing = drawing;
    pane->waiting = !newest;
    if (drawing->status || drawing->question.surface != TILE_SURFACE_DEFAULT)
        return;
    pane->list.selected = (int)drawing->surface;
    if (newest)
        pane->asked.surface = drawing->surface;
}

void tile_pane_free(struct tile_pane *pane)
{
    tile_drawing_free(pane->drawing);
}

bool action_look(struct explorer *explorer, const char *arguments)
{
    struct tile_pane *pane = &explorer->tile;
    char hint[SUGGESTION_TEXT];
    explorer->view = VIEW_TILE;
    if (!*arguments || !strcmp(arguments, "next") || !strcmp(arguments, "previous")) {
        const int by = *arguments == 'p' ? TILE_VIEWS - 1 : 1;
        pane->map = (enum tile_view)(((int)pane->map + by) % TILE_VIEWS);
        return true;
    }
    for (int i = 0; i < TILE_VIEWS; i++)
        if (!strcmp(tile_view_names[i], arguments)) {
            pane->map = (enum tile_view)i;
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
    const struct tile_pane *pane = &explorer->tile;
    const struct tile_drawing *drawing = current(explorer);
    if (drawing) {
        canvas_copy(canvas, 0, 1, &drawing->cells);
        canvas_cursor(canvas, 0, 1);
        return;
    }
    const bool failed = !pane->waiting && pane->drawing && pane->drawing->status;
    canvas_paragraph(canvas, 1, STYLE(failed ? ROLE_BAD : ROLE_DIM),
                     failed ? pane->drawing->message : "drawing ...");
}

static struct list *tile_list(struct explorer *explorer)
{
    return &explorer->tile.list;
}

static int tile_count(const struct explorer *explorer)
{
    const struct tile_drawing *drawing = usable(explorer);
    return drawing ? (int)drawing->surfaces : 0;
}

static void tile_text(const struct explorer *explorer, int row, char text[ROW_TEXT])
{
    snprintf(text, ROW_TEXT, "%s", tile_drawing_surface(explorer->tile.drawing, (uint32_t)row));
}

static void tile_status(const struct explorer *explorer, char text[ROW_TEXT])
{
    snprintf(text, ROW_TEXT, "%.240s  %s", explorer->workload, tile_view_names[explorer->tile.map]);
}

static bool tile_waits(const struct explorer *explorer)
{
    return explorer->tile.waiting;
}

const struct pane_ops tile_pane_ops = {
    .title = "Tile",
    .heads = TILE_VIEW_HEADS - 1,
    .list = tile_list,
    .count = tile_count,
    .text = tile_text,
    .status = tile_status,
    .settle = tile_settle,
    .waits = tile_waits,
    .draw = tile_draw,
    .hints = {{COMMAND_LOOK, NULL},
              {COMMAND_DOWN, "surface"},
              {COMMAND_WORKLOAD, NULL},
              {COMMAND_CANCEL, NULL}},
};
