/* Studies in YAML (docs/FORMATS.md, "studies"). */
#pragma once

#include "config/document.h"
#include "schema/study.h"

enum status study_load(const char *path, struct study *study, struct diagnostics *diagnostics);
enum status study_from_document(const struct document *document, const char *base_folder,
                                struct study *study, struct diagnostics *diagnostics);
/* The study as YAML that study_load reads back; *text is malloc'ed. */
enum status study_to_yaml(const struct study *study, char **text);
