/* A machine as commands take it: a file or a name, and what --set changes. */
#pragma once

#include "base/diag.h"
#include "cli/shared/options.h"
#include "schema/machine.h"

/* Loads the machine and applies "PATH=VALUE" settings; the rules that tie parameters together hold
 * after all of them. */
enum status machine_argument_load(const char *name, const struct options_list *settings,
                                  struct machine *machine, struct diagnostics *diagnostics);

/* "gtx480 l1d.size=48KiB": what was evaluated, in one line, to be freed. NULL: no memory. */
char *machine_argument_text(const char *name, const struct options_list *settings);
