/* Machines in YAML: loading, finding by name, writing (schema/parameters.h gives the keys). */
#pragma once

#include "config/document.h"
#include "schema/parameters.h"

/* Reads every key into *machine (missing keys take their fallback) and checks types, ranges and
 * machine_check; all problems are reported. */
enum status machine_from_document(const struct document *document, struct machine *machine,
                                  struct diagnostics *diagnostics);

/* `name` is a path, or the name of a machine in the embedded set ("gtx480"), as is or relative to
 * `base_folder` (of the study that names it; may be NULL). *document may be NULL if not wanted. */
enum status machine_load(const char *name, const char *base_folder, struct machine *machine,
                         struct document **document, struct diagnostics *diagnostics);

/* Warns of the file's settings that say nothing about its machine, as the TLB's where tlb.enabled
 * is no; those of the usual value go without saying. */
enum status machine_warn_idle(const struct document *document, const struct machine *machine,
                              struct diagnostics *diagnostics);

/* "path=value" as after --set. */
enum status machine_set_text(struct machine *machine, const char *assignment,
                             struct diagnostics *diagnostics);

/* A whole machine as YAML: all relevant parameters, grouped, each with its help as a comment.
 * *text is malloc'ed. `title` becomes the first comment. */
enum status machine_to_yaml(const struct machine *machine, const char *title, char **text);
