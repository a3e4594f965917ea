/* The charts of cells.h as inline SVG: the same series, the same axes and ticks (report/axis.h). */
#pragma once

#include "report/cells.h"

struct svg_style {
    int width, height;       /* in CSS pixels */
    const char *description; /* what the picture shows, for those who do not see it */
    bool filled;             /* lines are filled down to the x axis */
    size_t x_ticks, y_ticks; /* at most; 0: as many as have room */
};

/* Writes one <svg> element. Points of a ROLE_FRONT series are rings joined by a line. */
void svg_draw(const struct chart *chart, const struct svg_style *style, FILE *out);
