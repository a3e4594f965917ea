/* The values of one axis of a study, from YAML and back. */
#pragma once

#include <stdio.h>

#include "config/document.h"
#include "schema/study.h"

/* Fills axis->values and axis->count from `node`: one value, a list, a range or "all".
 * axis->parameter is set already. What is wrong is a diagnostic; STATUS_MEMORY otherwise. */
enum status study_axis_read(const struct document *document, const struct node *node,
                            struct axis *axis, struct diagnostics *diagnostics);

/* The values as text that study_axis_read reads back. */
void study_axis_write(const struct axis *axis, FILE *out);
