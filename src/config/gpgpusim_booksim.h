/* BookSim's configuration of a network, the file that -inter_config_file names: "key = value;" with
 * comments after "//". Of its some 100 keys those count that the simulator's own files set. */
#pragma once

#include "base/diag.h"
#include "schema/parameters.h"

/* Sets what a network of one stage of switches (network.kind fly) has: flits, their buffers and
 * those in front. Warns of every key whose value such a network cannot have. */
enum status gpgpusim_read_booksim(const char *text, const char *name, struct machine *machine,
                                  struct diagnostics *diagnostics);
