/* The Chart pane: a curve over a parameter, and other charts of the machine or the sweep. */
#pragma once

#include "explore/live/engine.h"
#include "schema/charts.h"
#include "ui/panes/list.h"
#include "ui/session/session.h"
#include "ui/terminal/canvas.h"

struct explorer;

struct chart_pane {
    enum chart_kind kind;
    const struct metric *metric;       /* of the curve */
    const struct metric *chosen;       /* chosen by the user; NULL: follows the parameter */
    const struct parameter *parameter; /* of the curve */
    uint64_t request;                  /* number of the newest requested curve; 0: request again */
    struct machine machine;            /* the machine that it was requested for */
    struct engine_curve shown;         /* the newest with values; older while one is computed */
    uint64_t detail_request;           /* the same for distances, instructions and time */
    struct machine detail_machine;
    struct engine_detail detail; /* the newest with values */
    struct list list;            /* selects the point under the cursor */
    bool moved;                  /* the user moved the cursor; else it is on the machine */
};

void chart_pane_receive(struct explorer *explorer);
/* Chooses the metric of the curve. It stays for other parameters if they affect it. NULL: use the
 * metric that shows best what the parameter changes. */
void chart_pane_choose(struct explorer *explorer, const struct metric *metric);
/* Draws one kind of chart, or the reason why it is empty. */
void chart_pane_draw(const struct explorer *explorer, enum chart_kind kind,
                     const struct canvas *canvas, bool focused);
/* The kind of chart in the panel next to the chosen one. */
enum chart_kind chart_pane_second(const struct explorer *explorer);
bool chart_pane_shows(const struct explorer *explorer, enum chart_kind kind);
/* The assignments of the point of the curve under the cursor; returns how many, 0 if there is none.
 */
size_t chart_pane_value(const struct explorer *explorer, struct assignment assignments[2]);
