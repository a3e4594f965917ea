/* The values of one axis of a study: one value, a list, a range (from, to, and step or factor) or
 * "all", from YAML and back. Values are expanded here, at most AXIS_VALUES_MAX of them. */
#pragma once

#include <stdio.h>

#include "config/document.h"
#include "schema/study.h"

/* Fills axis->values and axis->count from `node`. axis->parameter must be set. Errors are reported
 * but do not fail: the only failure is STATUS_MEMORY. */
enum status study_axis_read(const struct document *document, const struct node *node,
                            struct axis *axis, struct diagnostics *diagnostics);

/* Writes the values as text that study_axis_read reads back. */
void study_axis_write(const struct axis *axis, FILE *out);
