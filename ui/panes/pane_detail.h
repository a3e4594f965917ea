/* Three charts of the Chart pane: the histogram of reuse distances, the instructions with the most
 * misses (at depth timing: stalls), and the cycle stack over time. They need an evaluation that
 * collects more than metrics, so it is requested only while one of them is shown. */
#pragma once

#include "ui/panes/pane.h"

static inline bool detail_wanted(const struct explorer *explorer)
{
    return explorer->chart.kind == CHART_DISTANCES || explorer->chart.kind == CHART_INSTRUCTIONS ||
           explorer->chart.kind == CHART_TIME;
}

void detail_receive(struct explorer *explorer);
/* Requests what the pane shows and does not have yet. */
void detail_settle(struct explorer *explorer);

/* Why there is nothing to draw, or NULL. */
const char *detail_missing(const struct explorer *explorer);
void detail_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused);

int detail_count(const struct explorer *explorer); /* instructions listed, or intervals */
void detail_status(const struct explorer *explorer, char text[ROW_TEXT]);
void detail_describe(const struct explorer *explorer, char text[ROW_TEXT]);
