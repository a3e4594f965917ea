/* Studies in YAML (docs/FORMATS.md): the machine and changes to it, the depth, workloads, axes,
 * budgets (`equal`), conditions, objectives, more result columns, the search and the seed.
 *
 * A range without step and factor takes the parameter's own steps. Conditions stay text, with the
 * number of their line; explore/ checks them. Reading reports every problem of the file, up to
 * FILE_ERRORS_MAX, not only the first. */
#pragma once

#include "config/document.h"
#include "schema/study.h"

enum { AXIS_VALUES_MAX = 65536 };

/* Loads a study by path or by name ("quick"), as document_open finds it. After an error *study owns
 * nothing, and every problem of the file and of its machine's file has been reported. */
enum status study_load(const char *name, struct study *study, struct diagnostics *diagnostics);
enum status study_from_document(const struct document *document, const char *base_folder,
                                struct study *study, struct diagnostics *diagnostics);

/* Whether the keys are those of a study rather than those of a machine. */
bool document_is_study(const struct document *document);

/* Writes the study as YAML that study_load reads back. *text is malloc'ed. */
enum status study_to_yaml(const struct study *study, char **text);
