/* What a profile of a real GPU measured (explore/profiles/measured.h), as marks beside the live
 * values: the number in a column, a mark on the bar of a share. */
#pragma once

#include "base/diag.h"
#include "schema/metrics.h"
#include "ui/canvas.h"

struct measured_marks {
    char name[256]; /* of the file; "": none */
    struct metrics values;
};

/* Reads the profile, all launches together; on failure the marks stay what they were. `text` says
 * what was found. */
enum { MARKS_TEXT = 120 };
enum status measured_marks_load(struct measured_marks *marks, const char *path,
                                char text[MARKS_TEXT], struct diagnostics *diagnostics);

/* What was measured of a metric; NaN if there is no profile, or it says nothing of it. */
double measured_marks_value(const struct measured_marks *marks, const struct metric *metric);

void measured_marks_draw(const struct canvas *canvas, int row, int column, int width,
                         const struct metric *metric, double value);
/* On a bar of `width` cells for shares; nothing if the value is none in [0, 1]. */
void measured_marks_bar(const struct canvas *canvas, int row, int column, int width, double value);
