#include "ui/measured_marks.h"

#include <math.h>
#include <stdio.h>

#include "base/counts.h"
#include "explore/profiles/measured.h"

enum status measured_marks_load(struct measured_marks *marks, const char *path,
                                char text[MARKS_TEXT], struct diagnostics *diagnostics)
{
    struct profile profile;
    struct measured measured;
    enum status status = profile_read(path, &profile, diagnostics);
    if (status)
        return status;
    status = measured_take(&profile, &(struct measured_choice){0}, &measured, diagnostics);
    if (!status) {
        const size_t count = measured_metrics(&measured, &marks->values);
        snprintf(marks->name, sizeof marks->name, "%s", path);
        char metrics[COUNT_TEXT], counters[COUNT_TEXT], launches[COUNT_TEXT];
        snprintf(text, MARKS_TEXT, "%.30s measured, by %.30s of %.30s",
                 counted_print(count, "metric", metrics),
                 counted_print(measured.count + measured.other_count, "counter", counters),
                 counted_print(measured.pairing.taken, "launch", launches));
        measured_free(&measured);
    }
    profile_free(&profile);
    return status;
}

double measured_marks_value(const struct measured_marks *marks, const struct metric *metric)
{
    return *marks->name ? metric_get(metric, &marks->values) : NAN;
}

void measured_marks_draw(const struct canvas *canvas, int row, int column, int width,
                         const struct metric *metric, double value)
{
    char number[QUANTITY_TEXT], text[QUANTITY_TEXT + 8];
    snprintf(text, sizeof text, "%s%s", canvas_glyph(canvas, GLYPH_MARKED),
             quantity_print_short(value, metric->unit, 3, number));
    canvas_text(canvas, row, column, width, STYLE(ROLE_ACCENT), text);
}

void measured_marks_bar(const struct canvas *canvas, int row, int column, int width, double value)
{
    if (value >= 0 && value <= 1)
        canvas_text(canvas, row, column + (int)(value * (width - 1) + 0.5), 1, STYLE(ROLE_ACCENT),
                    canvas_glyph(canvas, GLYPH_MARKED));
}
