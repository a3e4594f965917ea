/* gpgpusim.config and trace.config: import and export of machines. The table of options
 * (gpgpusim_options.h) serves both directions.
 *
 * Invariant: a machine that was read does what the simulator does, as far as parameters can say it,
 * and whatever differs is said: what changes results and has no parameter is an error, or with
 * `nearest` a warning above all others; files that leave out the whole machine are refused; what is
 * approximated is a warning; the simulator's defaults that stand for absent options are a note.
 * What was written reads back to the same machine but for the parameters that a note names. */
#pragma once

#include "base/diag.h"
#include "schema/parameters.h"

struct gpgpusim_text {
    const char *text, *name; /* `name` is what messages call the file */
    bool is_file;            /* `name` is its path, and the file that its -inter_config_file names
                              * is looked for in the same folder and read too */
};

/* Reads the options of files, each of at most 128 KiB, as the simulator does: those of a later file
 * replace those of the ones before. The names and the cache strings of GPGPU-Sim 3 are understood
 * too. */
enum status gpgpusim_read_texts(const struct gpgpusim_text *texts, size_t count, bool nearest,
                                struct machine *machine, struct diagnostics *diagnostics);

/* The same of one file, without `nearest`. */
enum status gpgpusim_read(const char *text, const char *name, struct machine *machine,
                          struct diagnostics *diagnostics);

/* The same of a file whose text was read already, together with the trace.config beside it unless
 * the file itself has such options. */
enum status gpgpusim_read_beside(const char *text, const char *path, bool nearest,
                                 struct machine *machine, struct diagnostics *diagnostics);

/* Writes the machine as gpgpusim.config text, malloc'ed. Reports everything that GPGPU-Sim cannot
 * express or would assert on (plru, a Fermi hash of 128 sets, ...) and returns STATUS_UNSUPPORTED.
 * One note lists the parameters that have another value when the text is read back. */
enum status gpgpusim_write(const struct machine *machine, char **text,
                           struct diagnostics *diagnostics);

/* Whether `text` looks like a gpgpusim.config rather than YAML: its first word is an option. */
bool gpgpusim_recognize(const char *text);

/* Whether it holds nothing, or comments alone, and so looks like either. */
bool gpgpusim_is_blank(const char *text);
