/* Two charts of the Chart pane: reuse distances, and the instructions with the most misses. */
#pragma once

#include "ui/pane.h"

static inline bool detail_wanted(const struct explorer *explorer)
{
    return explorer->chart.kind == CHART_DISTANCES || explorer->chart.kind == CHART_INSTRUCTIONS;
}

void detail_receive(struct explorer *explorer);
/* Asks for what the pane shows where it does not have it. */
void detail_settle(struct explorer *explorer);

/* Why there is nothing to draw; NULL: there is something. */
const char *detail_missing(const struct explorer *explorer);
void detail_draw(const struct explorer *explorer, const struct canvas *canvas, bool focused);

int detail_count(const struct explorer *explorer); /* instructions */
void detail_status(const struct explorer *explorer, char text[ROW_TEXT]);
void detail_describe(const struct explorer *explorer, char text[ROW_TEXT]);
