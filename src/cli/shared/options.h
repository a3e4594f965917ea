/* What the subcommands share: parsing their options, choosing glyphs, showing progress. */
#pragma once

#include <argp.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "explore/store/store.h"
#include "report/cells.h"
#include "report/table.h"

/* argp_parse in order of the arguments, under the name "warpscape NAME"; wrong usage ends the
 * program with exit status 2. `name` is argv[0]. */
void options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* What a command takes without a dash, once: "one store is enough; 'b.db' is a second one". */
void options_take(struct argp_state *state, const char **slot, const char *text, const char *what);
/* The same where the command cannot do without it; the last case of a parser: any other key is
 * ARGP_ERR_UNKNOWN. */
error_t options_take_store(int key, const char *text, struct argp_state *state, const char **slot);
error_t options_take_study(int key, const char *text, struct argp_state *state, const char **slot);

/* Arguments that may be repeated: --set, --workload, stores. The texts are the caller's. */
struct options_list {
    const char **items;
    size_t count, capacity;
};
error_t options_append(struct options_list *list, const char *text); /* ENOMEM or 0 */
void options_list_free(struct options_list *list);
/* options_take_store for a command that takes any number of them. */
error_t options_append_store(int key, const char *text, struct argp_state *state,
                             struct options_list *list);

/* Option values; a wrong one is a usage error that says what was expected. */
enum table_format options_format(struct argp_state *state, const char *text);
enum aggregate options_aggregate(struct argp_state *state, const char *option, const char *text);
int options_threads(struct argp_state *state, const char *text);
double options_share(struct argp_state *state, const char *option, const char *text);
/* One of `choices`, ended by NULL; `option` is its long name. */
const char *options_choice(struct argp_state *state, const char *option, const char *text,
                           const char *const *choices);

/* "8h", "90m", "1h30m", "45s", "2d"; a bare number is seconds. At least one second. */
double options_duration(struct argp_state *state, const char *option, const char *text);

/* Braille where the locale prints UTF-8, else ASCII. */
enum glyphs options_glyphs(void);

/* Becomes true at SIGINT, SIGTERM, SIGHUP or SIGUSR1 (a batch system's warning), from the first
 * call on. */
const atomic_bool *interrupt_flag(void);

/* "name  42 %" on stderr where that is a terminal; `argument` is the name. One line, rewritten;
 * progress_end removes it. */
void progress_show(void *argument, double share);
void progress_end(void);
