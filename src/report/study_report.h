/* The report of a sweep: one file that needs nothing else, for a browser or as Markdown. */
#pragma once

#include "explore/store/store.h"
#include "report/page.h"

/* Front, best points, comparison with the study's machine, sensitivities, distributions,
 * provenance. `name` is what the store is called in it. */
enum status study_report_print(struct store *store, const char *name, enum page_format format,
                               const atomic_bool *cancel, FILE *out,
                               struct diagnostics *diagnostics);
