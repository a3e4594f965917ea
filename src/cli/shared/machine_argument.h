/* The machine that a command works on: a file or a built-in name, changed by --set options. All
 * commands load machines through this function, so --set means the same everywhere. */
#pragma once

#include "base/diag.h"
#include "cli/shared/options.h"
#include "config/exploration.h"
#include "schema/metrics.h"

/* Loads the machine and applies the "PATH=VALUE" settings. The rules between parameters are checked
 * after all settings, so their order does not matter. Warns about settings without effect at this
 * depth, and at once of a machine whose runs take long (machine_argument_warn_slow). */
enum status machine_argument_load(const char *name, const struct options_list *settings,
                                  enum depth depth, struct machine *machine,
                                  struct diagnostics *diagnostics);

/* machine_argument_load for a command that takes what the explorer would where its line says
 * nothing: a *depth that is DEPTH_COUNT becomes that of the machine's file, and *explored holds the
 * workload. Of a machine that cannot be loaded, both are those of a GPU. */
enum status machine_argument_open(const char *name, const struct options_list *settings,
                                  unsigned *depth, struct exploration *explored,
                                  struct machine *machine, struct diagnostics *diagnostics);

/* Says on standard error, before anything runs, that clocks make the runs of a machine long; false
 * if they do not. */
bool machine_argument_warn_slow(const struct machine *machine, enum depth depth);

/* "gtx480 l1d.size=48KiB": the machine in one line, malloc'ed. NULL: no memory. */
char *machine_argument_text(const char *name, const struct options_list *settings);

/* "warpscape run gtx480 -s l1d.size=48KiB -w GEMM --depth timing", as words of a shell; likewise.
 */
char *machine_argument_command(const char *name, const struct options_list *settings,
                               const char *workload, enum depth depth);
