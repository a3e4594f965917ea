/* The expressions of an experiment and the texts that hold some ("{100 * l2_hits@cpwc:1} %").
 *
 * They are those of conditions (explore/space/conditions.h) with names of their own:
 * METRIC@VARIANT, PARAMETER@VARIANT and VALUE@VARIANT, where a role stands for the variant of the
 * reading at hand; a value of the variant at hand without '@'; `subject` and the fields of
 * subjects.
 *
 * Use: read the expressions, ask for what they need, make the runs, work out the values, evaluate.
 * Not for several threads at once. */
#pragma once

#include <stdio.h>

#include "explore/papers/experiment_runs.h"
#include "explore/space/conditions.h"

struct experiment_terms;

/* Reads the values of the experiment. The runs must outlive the terms. */
enum status experiment_terms_create(const struct experiment_runs *runs,
                                    struct experiment_terms **terms,
                                    struct diagnostics *diagnostics);
void experiment_terms_free(struct experiment_terms *terms); /* NULL is allowed */

/* How many subjects were chosen. */
size_t experiment_subjects(const struct experiment_terms *terms);

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

/* ---- texts ---- */

enum { EXPERIMENT_TEXT = 320, EXPERIMENT_WORDS = 4 };

/* Words of the caller's: numbers and texts that a text may name, {holds}. */
struct experiment_word {
    const char *name, *text; /* text NULL: a number */
    double number;
};

struct experiment_text;
/* Reads a text; NULL and an empty text give one without pieces. words[].name must be known then
 * (ended by NULL; may be NULL). */
enum status experiment_text_create(struct experiment_terms *terms, const struct node *node,
                                   enum expression_scope scope, const struct experiment_word *words,
                                   struct experiment_text **text, struct diagnostics *diagnostics);
void experiment_text_free(struct experiment_text *text); /* NULL is allowed */

/* What a text becomes. If it is one number and nothing else, `number` is that, else NaN; `numeric`
 * says which. `missing`: a number of it is. */
struct experiment_said {
    char text[EXPERIMENT_TEXT];
    double number;
    bool numeric, missing;
};
/* Whether it is one number and nothing else, and how such a text says another number. */
bool experiment_text_is_number(const struct experiment_text *text);
void experiment_text_number(const struct experiment_text *text, double number,
                            char said[EXPERIMENT_TEXT]);
/* At one spot, or of all rows together in SCOPE_ROWS: the subjects of `taken` (by chosen subject;
 * NULL: all). */
enum status experiment_text_say(struct experiment_terms *terms, const struct experiment_text *text,
                                const struct experiment_spot *spot, const bool *taken,
                                const struct experiment_word *words, struct experiment_said *said,
                                struct diagnostics *diagnostics);

/* ---- asking and evaluating ---- */

/* Marks what an expression needs, at a spot whose subject does not matter. */
void experiment_ask(struct experiment_terms *terms, const struct expression *expression,
                    const struct experiment_spot *spot);
void experiment_ask_text(struct experiment_terms *terms, const struct experiment_text *text,
                         const struct experiment_spot *spot);
/* What was asked, for experiment_runs_make. */
const bool *experiment_asked(const struct experiment_terms *terms);

/* Once the runs are made. */
enum status experiment_values(struct experiment_terms *terms, struct diagnostics *diagnostics);

/* The number of an expression of SCOPE_POINT at a spot; NaN: missing. */
enum status experiment_number(struct experiment_terms *terms, struct expression *expression,
                              const struct experiment_spot *spot, double *number,
                              struct diagnostics *diagnostics);
/* The number of an expression of SCOPE_ROWS over the taken subjects (by chosen subject; NULL:
 * all). */
enum status experiment_over(struct experiment_terms *terms, struct expression *expression,
                            size_t reading, const bool *taken, double *number,
                            struct diagnostics *diagnostics);
