/* The charts of cells.h as inline SVG: the same struct chart, with axes and ticks from axis.h. A
 * report draws each chart once for either form (page.h). */
#pragma once

#include "report/drawing/cells.h"

struct svg_style {
    int width, height;       /* in CSS pixels */
    const char *description; /* alternative text, for readers who do not see the picture */
    bool filled;             /* fill the area between line and x axis */
    size_t x_ticks, y_ticks; /* at most; 0: as many as fit */
};

/* Writes one <svg> element. The points of a ROLE_FRONT series are rings joined by a line. The
 * caller checks `out` for errors. */
void svg_draw(const struct chart *chart, const struct svg_style *style, FILE *out);
