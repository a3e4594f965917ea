#include "ui/panes/measured_marks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/counts.h"
#include "explore/profiles/measured.h"

enum status measured_marks_load(struct measured_marks *marks, const char *path,
                                struct diagnostics *diagnostics)
{
    struct profile profile;
    enum status status = profile_read(path, &profile, diagnostics);
    if (status)
        return status;
    measured_marks_free(marks);
    marks->profile = profile;
    snprintf(marks->name, sizeof marks->name, "%s", path);
    return STATUS_OK;
}

void measured_marks_free(struct measured_marks *marks)
{
    if (*marks->name)
        profile_free(&marks->profile);
    *marks = (struct measured_marks){.way = marks->way};
}

bool measured_marks_stale(const struct measured_marks *marks, const char *workload)
{
    return *marks->name && (marks->tried != marks->way || strcmp(marks->workload, workload) != 0);
}

/* Numbers of another GPU, or of another kernel, are compared all the same, but never in silence.
 * The GPU is said once for a profile. Where launches have sizes, the pairing has named the one that
 * the profile lacks. */
static void warn_of_others(const struct measured_marks *marks, const struct measured *measured,
                           const struct measured_choice *choice, bool first,
                           struct diagnostics *diagnostics)
{
    enum { CAPABILITY_MAX = 99 }; /* machines of later GPUs have the number of one before */
    const struct pairing *pairing = &measured->pairing;
    const bool by_kernel = marks->way == PAIRING_BEST || marks->way == PAIRING_MATCH;
    const char *ours = choice->launch_count ? choice->launches[0].name : NULL;
    if (by_kernel && !pairing->by_name && ours && measured->kernel_count && !diagnostics->count)
        diagnostics_add(diagnostics, SEVERITY_WARNING, NULL,
                        "the profile is of %.80s%s, the workload runs %.80s: the numbers are of "
                        "different kernels",
                        measured->kernels[0], measured->kernel_count > 1 ? " and others" : "",
                        ours);
    if (first && measured->capability != choice->capability &&
        measured->capability <= CAPABILITY_MAX)
        diagnostics_add(diagnostics, SEVERITY_WARNING, NULL,
                        "the profile was measured on %.80s, the machine has compute capability "
                        "%u.%u: the numbers are of different GPUs",
                        marks->profile.device, choice->capability / 10, choice->capability % 10);
}

enum status measured_marks_pair(struct measured_marks *marks, const char *workload,
                                const struct trace_launch *launches, uint32_t count,
                                unsigned capability, char text[MARKS_TEXT],
                                struct diagnostics *diagnostics)
{
    const struct measured_choice choice = {.pairing = marks->way,
                                           .capability = capability,
                                           .launches = launches,
                                           .launch_count = count};
    struct measured measured;
    const bool first = !*marks->workload;
    snprintf(marks->workload, sizeof marks->workload, "%s", workload);
    marks->tried = marks->way;
    enum status status = measured_take(&marks->profile, &choice, &measured, diagnostics);
    marks->paired = !status;
    if (status)
        return status;
    const size_t values = measured_metrics(&measured, &marks->values);
    char metrics[COUNT_TEXT], counters[COUNT_TEXT], theirs[COUNT_TEXT], ours[COUNT_TEXT];
    marks->pairing = measured.pairing;
    snprintf(text, MARKS_TEXT, "%.30s measured, by %.30s; %s: %.30s of the profile for %.30s",
             counted_print(values, "metric", metrics),
             counted_print(measured.count + measured.other_count, "counter", counters),
             pairing_names[measured.pairing.way],
             counted_print(measured.pairing.taken, "launch", theirs),
             counted_print(count, "launch", ours));
    warn_of_others(marks, &measured, &choice, first, diagnostics);
    measured_free(&measured);
    return STATUS_OK;
}

const char *measured_marks_pairing(const struct measured_marks *marks, char text[MARKS_TEXT])
{
    const struct pairing *pairing = &marks->pairing;
    text[0] = '\0';
    if (!*marks->name || !*marks->workload)
        return text;
    if (marks->paired)
        snprintf(text, MARKS_TEXT, "%s %" PRIu64 "/%" PRIu64, pairing_names[pairing->way],
                 pairing->taken, pairing->taken + pairing->left);
    else
        snprintf(text, MARKS_TEXT, "%s: none", pairing_names[marks->tried]);
    return text;
}

double measured_marks_value(const struct measured_marks *marks, const struct metric *metric)
{
    return marks->paired ? metric_get(metric, &marks->values) : NAN;
}

/* How a mark looks: as a match, as near, or as far off, which is also written. */
static enum role mark_role(double distance)
{
    return distance <= MARK_MATCH ? ROLE_GOOD : distance > MARK_FAR ? ROLE_BAD : ROLE_TEXT;
}

void measured_marks_draw(const struct canvas *canvas, int row, int column, int width,
                         const struct metric *metric, double measured, double ours)
{
    char number[QUANTITY_TEXT], text[QUANTITY_TEXT + 8];
    const double distance = measured_distance(metric->unit, measured, ours);
    snprintf(text, sizeof text, "%s%s%s", canvas_glyph(canvas, GLYPH_MARKED),
             quantity_print_short(measured, metric->unit, 3, number),
             distance > MARK_FAR ? "!" : "");
    canvas_text(canvas, row, column, width, STYLE(mark_role(distance)), text);
}

void measured_marks_bar(const struct canvas *canvas, int row, int column, int width,
                        double measured, double ours)
{
    if (measured >= 0 && measured <= 1)
        canvas_text(canvas, row, column + (int)(measured * (width - 1) + 0.5), 1,
                    STYLE(mark_role(measured_distance(UNIT_PERCENT, measured, ours))),
                    canvas_glyph(canvas, GLYPH_MARKED));
}
