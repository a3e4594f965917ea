/* What the subcommands share: parsing their options, choosing glyphs, showing progress. */
#pragma once

#include <argp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "report/cells.h"
#include "report/table.h"

/* argp_parse in order of the arguments, under the name "warpscape NAME"; wrong usage ends the
 * program with exit status 2. `name` is argv[0]. */
void options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Option values; a wrong one is a usage error that says what was expected. */
enum table_format options_format(struct argp_state *state, const char *text);
int options_threads(struct argp_state *state, const char *text);
double options_share(struct argp_state *state, const char *option, const char *text);
/* One of `choices`, ended by NULL; `option` is its long name. */
const char *options_choice(struct argp_state *state, const char *option, const char *text,
                           const char *const *choices);

/* "8h", "90m", "1h30m", "45s", "2d"; a bare number is seconds. At least one second. */
double options_duration(struct argp_state *state, const char *option, const char *text);

/* Braille where the locale prints UTF-8, else ASCII. */
enum glyphs options_glyphs(void);

/* Becomes true at SIGINT, SIGTERM or SIGUSR1 (a batch system's warning), from the first call on. */
const atomic_bool *interrupt_flag(void);

/* "name  42 %" on stderr where that is a terminal; `argument` is the name. One line, rewritten;
 * progress_end removes it. */
void progress_show(void *argument, double share);
void progress_end(void);
