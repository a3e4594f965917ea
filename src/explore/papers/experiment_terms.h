/* The expressions of an experiment. They are those of conditions (explore/space/conditions.h) with
 * names of their own: METRIC@VARIANT, PARAMETER@VARIANT, VALUE@VARIANT and load.COUNT@VARIANT,
 * where a role stands for the variant of the reading at hand; a value and a count of the variant at
 * hand without '@'; `subject`, `load` and the fields of subjects.
 *
 * Use: read the expressions, ask for what they need, make the runs, work out the values, evaluate.
 * Not for several threads at once. */
#pragma once

#include <stdio.h>

#include "explore/papers/experiment_runs.h"
#include "explore/space/conditions.h"

struct experiment_terms;

enum { EXPERIMENT_NUMBERS_MAX = 1 << 24 };

/* Reads the values of the experiment. The runs must outlive the terms. STATUS_INVALID: a value is
 * wrong, or subjects x variants x values are more than EXPERIMENT_NUMBERS_MAX. */
enum status experiment_terms_create(const struct experiment_runs *runs,
                                    struct experiment_terms **terms,
                                    struct diagnostics *diagnostics);
void experiment_terms_free(struct experiment_terms *terms); /* NULL is allowed */

const struct experiment_runs *experiment_terms_runs(const struct experiment_terms *terms);

/* What an expression is evaluated on. */
struct experiment_spot {
    size_t subject; /* among the chosen ones */
    size_t variant; /* NO_VARIANT: none is at hand */
    size_t reading;
};
#define NO_VARIANT SIZE_MAX

/* With SCOPE_POINT there is a variant at hand, with SCOPE_ROWS there is none. */
enum status experiment_expression(struct experiment_terms *terms, const struct node *node,
                                  const char *text, enum expression_scope scope,
                                  struct expression **expression, struct diagnostics *diagnostics);

/* The variant of a role under a reading. */
size_t experiment_role_variant(const struct experiment *experiment, size_t reading, size_t role);
/* The variant called `name`, or the role under a reading; NO_VARIANT: none. */
size_t experiment_variant_find(const struct experiment *experiment, const char *name,
                               size_t reading);

/* ---- asking and evaluating ---- */

/* The reading of a variant, for values that name a role: its own, or the first. */
size_t experiment_reading_of(const struct experiment *experiment, size_t variant);

/* Marks what an expression needs, at a spot whose subject does not matter. */
void experiment_ask(struct experiment_terms *terms, const struct expression *expression,
                    const struct experiment_spot *spot);
/* Adds the variants that an expression names at a spot to the `count` ones of `variants`, each once
 * and in its order; returns how many there are then, at most `most`. */
size_t experiment_named(const struct experiment_terms *terms, const struct expression *expression,
                        const struct experiment_spot *spot, size_t *variants, size_t count,
                        size_t most);
/* What was asked, for experiment_runs_make. */
struct experiment_demand *experiment_asked(struct experiment_terms *terms);

/* Whether what an expression of SCOPE_ROWS says is the same of all subjects: it has no aggregate.
 */
bool experiment_of_any(const struct expression *expression);
/* Whether all of the experiment's loads (or else programs) for which a test holds (NULL: all) were
 * chosen. Of what did not run only names and fields are known: no other test can tell. */
enum status experiment_covers(struct experiment_terms *terms, struct expression *where, bool loads,
                              bool *covers, struct diagnostics *diagnostics);

/* Once the runs are made. */
enum status experiment_values(struct experiment_terms *terms, struct diagnostics *diagnostics);

/* What an expression of SCOPE_POINT is at a spot. */
enum status experiment_at(struct experiment_terms *terms, struct expression *expression,
                          const struct experiment_spot *spot, struct expression_answer *answer,
                          struct diagnostics *diagnostics);
/* What an expression of SCOPE_ROWS is over the taken subjects (by chosen subject). */
enum status experiment_over(struct experiment_terms *terms, struct expression *expression,
                            size_t reading, const bool *taken, struct expression_answer *answer,
                            struct diagnostics *diagnostics);
