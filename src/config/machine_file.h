/* Machines in YAML: loading, finding by name, and writing. The parameter table
 * (schema/parameters.h) defines the keys. */
#pragma once

#include "config/document.h"
#include "schema/parameters.h"

/* Reads every key into *machine; missing keys take their fallback. Checks types, ranges and the
 * rules of machine_check, and reports all problems. */
enum status machine_from_document(const struct document *document, struct machine *machine,
                                  struct diagnostics *diagnostics);

/* Loads a machine by the name of an embedded one ("gtx480"), by a path relative to `base_folder`
 * (the folder of the study that names it; may be NULL), or as data_file_find finds it. The file is
 * YAML or, by its content, a gpgpusim.config (config/gpgpusim.h); the document of such a machine is
 * its YAML and has no path. Pass NULL for `document` if it is not wanted; otherwise the caller
 * frees *document. */
enum status machine_load(const char *name, const char *base_folder, struct machine *machine,
                         struct document **document, struct diagnostics *diagnostics);

/* Warns of settings in the file that have no effect on its machine, such as those of the TLB if
 * tlb.enabled is no. Settings that equal the fallback are not mentioned. `diagnostics` must not be
 * NULL. */
enum status machine_warn_idle(const struct document *document, const struct machine *machine,
                              struct diagnostics *diagnostics);

/* Applies "path=value", as given after --set. */
enum status machine_set_text(struct machine *machine, const char *assignment,
                             struct diagnostics *diagnostics);

/* Writes a whole machine as YAML: all relevant parameters, grouped, each with its help as a
 * comment. *text is malloc'ed. `title` becomes the first comment. */
enum status machine_to_yaml(const struct machine *machine, const char *title, char **text);

/* machine_to_yaml whose comments say more: each begins with the mark of its parameter (marks[i] of
 * parameters[i]; NULL: none), and `about` is YAML that stands before the parameters. */
enum status machine_to_yaml_marked(const struct machine *machine, const char *title,
                                   const char *about, const char *const *marks, char **text);
