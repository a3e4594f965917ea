/* Studies in YAML (docs/FORMATS.md): the machine and changes to it, the depth, workloads, axes,
 * budgets (`equal`), conditions, objectives, further result columns, the search, the seed.
 *
 * A range without step and factor takes the parameter's own steps. Conditions are kept as text with
 * their line; explore/ checks them. */
#pragma once

#include "config/document.h"
#include "schema/study.h"

enum { AXIS_VALUES_MAX = 65536 };

/* `name` is a file, or a study wherever document_open finds it ("quick"). On an error
 * *study owns nothing; every problem of the file, and of the machine's, is reported. */
enum status study_load(const char *name, struct study *study, struct diagnostics *diagnostics);
enum status study_from_document(const struct document *document, const char *base_folder,
                                struct study *study, struct diagnostics *diagnostics);

/* True where the keys are a study's rather than a machine's. */
bool document_is_study(const struct document *document);

/* The study as YAML that study_load reads back; *text is malloc'ed. */
enum status study_to_yaml(const struct study *study, char **text);
