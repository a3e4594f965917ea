/* How far a metric is from that of another machine, as the panes show it: "-20.7" points of a
 * share, else "+3.1%", and a mark that says which of the two is better, whatever the sign. Of
 * memory accesses saved (METRIC_COMPARED) it is how many percent fewer they are. */
#pragma once

#include "schema/metrics.h"
#include "ui/terminal/canvas.h"

struct delta {
    char text[24]; /* "": there is nothing to compare; "=": they are equal */
    int better;    /* 1; -1: worse; 0: neither */
};

/* Of two values; `metric` is none of METRIC_COMPARED. */
struct delta delta_between(const struct metric *metric, double value, double with);
struct delta delta_of(const struct metric *metric, const struct metrics *now,
                      const struct metrics *base);
void delta_draw(const struct canvas *canvas, int row, int column, int width,
                const struct delta *delta);
