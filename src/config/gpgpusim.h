/* gpgpusim.config: import and export of the options that describe a memory hierarchy. */
#pragma once

#include "base/diag.h"
#include "schema/parameters.h"

/* Reads the options of `text` into *machine (options it does not have keep their fallback). What
 * GPGPU-Sim itself would refuse is an error with a sentence; options that Warpscape does not model
 * are one note that lists them. At most 128 KiB. The cache strings of GPGPU-Sim 3 (no type, no
 * index) are read too.
 */
enum status gpgpusim_read(const char *text, const char *name, struct machine *machine,
                          struct diagnostics *diagnostics);

/* The machine as gpgpusim.config text, malloc'ed. Refuses, with a sentence each, what GPGPU-Sim
 * cannot express or would assert on (plru, a Fermi hash of 128 sets, ...); one note names what the
 * file has no words for. */
enum status gpgpusim_write(const struct machine *machine, char **text,
                           struct diagnostics *diagnostics);

/* Whether gpgpusim.config can hold the parameter at all (not the TLBs, the area model, ...). */
bool gpgpusim_holds(const struct parameter *parameter);

/* Whether `text` looks like a gpgpusim.config rather than YAML: its first word is an option. */
bool gpgpusim_recognize(const char *text);
