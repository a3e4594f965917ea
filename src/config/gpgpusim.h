/* gpgpusim.config: import and export of the options that describe a memory hierarchy. One table
 * (gpgpusim_options.h) serves both directions.
 *
 * Invariant: what GPGPU-Sim is known to refuse or to assert on is refused here too, in both
 * directions. */
#pragma once

#include "base/diag.h"
#include "schema/parameters.h"

/* Reads the options of `text` into *machine; fields without an option keep their fallback.
 * Everything that GPGPU-Sim would refuse is an error. Options that Warpscape does not model get one
 * note that lists them. At most 128 KiB. The cache strings of GPGPU-Sim 3 (without type and index)
 * are understood too. */
enum status gpgpusim_read(const char *text, const char *name, struct machine *machine,
                          struct diagnostics *diagnostics);

/* Writes the machine as gpgpusim.config text, malloc'ed. Reports everything that GPGPU-Sim cannot
 * express or would assert on (plru, a Fermi hash of 128 sets, ...) and returns STATUS_UNSUPPORTED.
 * One note lists the changed parameters that the file cannot hold. */
enum status gpgpusim_write(const struct machine *machine, char **text,
                           struct diagnostics *diagnostics);

/* Whether the gpgpusim.config of a machine can hold the parameter. It cannot for the TLBs, the area
 * model and others. */
bool gpgpusim_holds(const struct parameter *parameter, const struct machine *machine);

/* Whether `text` looks like a gpgpusim.config rather than YAML: its first word is an option. */
bool gpgpusim_recognize(const char *text);
