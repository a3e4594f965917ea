/* The report of a sweep: one self-contained file, HTML or Markdown, for people who did not run the
 * sweep. study_summary.h computes the numbers, study_charts.h draws the charts. */
#pragma once

#include "explore/store/store.h"
#include "report/drawing/page.h"

/* Writes front, best points, comparison with the machine of the study, sensitivities, distributions
 * and provenance. `name` is what the report calls the store. May evaluate the machine of the study;
 * *cancel stops that. STATUS_MEMORY, STATUS_IO, STATUS_CANCELLED, and the errors of the store. */
enum status study_report_print(struct store *store, const char *name, enum page_format format,
                               const atomic_bool *cancel, FILE *out,
                               struct diagnostics *diagnostics);
