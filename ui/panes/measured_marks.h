/* What a profile of a real GPU measured (explore/profiles/measured.h), as marks beside the live
 * values: the number in a column, a mark on the bar of a share, both coloured by how far they are
 * off; a number that is far off ends with "!". Which launches of the profile stand for those of the
 * workload is paired anew whenever the workload or the way changes; between, there are no marks. */
#pragma once

#include "base/diag.h"
#include "explore/profiles/pairing.h"
#include "schema/metrics.h"
#include "ui/terminal/canvas.h"

struct measured_marks {
    char name[256]; /* of the file; "": none, and nothing below holds */
    struct profile profile;
    enum pairing_way way;   /* what the user wants */
    enum pairing_way tried; /* the way of the last pairing, and its workload; "": none */
    char workload[256];
    bool paired; /* it succeeded: what was done, and what was measured */
    struct pairing pairing;
    struct metrics values;
};

/* Reads a profile in place of the one before, without pairing it; on failure that stays. */
enum status measured_marks_load(struct measured_marks *marks, const char *path,
                                struct diagnostics *diagnostics);
void measured_marks_free(struct measured_marks *marks); /* `way` stays */

/* Whether launches of this workload have to be paired. */
bool measured_marks_stale(const struct measured_marks *marks, const char *workload);

/* Pairs them. `capability` (61 is 6.1) is the GPU's, where the profile does not say it. `text` says
 * what was found; another kernel or GPU is warned of. Fails as measured_take does; then there are
 * no marks. */
enum { MARKS_TEXT = 200 };
enum status measured_marks_pair(struct measured_marks *marks, const char *workload,
                                const struct trace_launch *launches, uint32_t count,
                                unsigned capability, char text[MARKS_TEXT],
                                struct diagnostics *diagnostics);

/* "match 2/3": how they were paired, and how many of the profile's launches were taken; "match:
 * none" if it failed, "" without a profile. */
const char *measured_marks_pairing(const struct measured_marks *marks, char text[MARKS_TEXT]);

/* What was measured of a metric; NaN if there is no profile, or it says nothing of it. */
double measured_marks_value(const struct measured_marks *marks, const struct metric *metric);

/* Up to what distance (measured_distance) a value of ours matches, and from which one it is far
 * off.
 */
#define MARK_MATCH 0.05
#define MARK_FAR   0.25

void measured_marks_draw(const struct canvas *canvas, int row, int column, int width,
                         const struct metric *metric, double measured, double ours);
/* On a bar of `width` cells for shares; nothing if the measured value is none in [0, 1]. */
void measured_marks_bar(const struct canvas *canvas, int row, int column, int width,
                        double measured, double ours);
