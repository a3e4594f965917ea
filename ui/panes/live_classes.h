/* The classes of misses in the Live pane: a line of words and a bar below a miss rate, each as
 * shares of its misses; in the wide layout a panel that lists them (live_pane_draw_classes,
 * ui/panes/pane.h). */
#pragma once

#include "ui/panes/pane.h"

/* The class metrics l1d.miss.* of "l1d.miss_rate"; false if this metric, or the depth, has none. */
bool live_classes_find(enum depth depth, const struct metric *rate,
                       const struct metric *classes[MISS_CLASSES]);

/* Draws the words, or the bar, of a row with classes. */
void live_classes_draw(const struct explorer *explorer, const struct canvas *canvas, int row,
                       const struct live_row *item);
void live_classes_describe(const struct explorer *explorer, const struct live_row *item,
                           char text[ROW_TEXT]);

/* Whether this metric is still to come: miss classes arrive after all others. */
bool live_pane_pending(const struct explorer *explorer, const struct metric *metric);
