/* The texts of an experiment that hold expressions: "{100 * l2_hits@cpwc:1} %" (docs/FORMATS.md,
 * "Experiments"). Reading reports what is wrong; saying costs an evaluation for each expression. */
#pragma once

#include "explore/papers/experiment_terms.h"

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
/* At one spot, or of all rows together in SCOPE_ROWS: the subjects of `taken` (by chosen subject).
 */
enum status experiment_text_say(struct experiment_terms *terms, const struct experiment_text *text,
                                const struct experiment_spot *spot, const bool *taken,
                                const struct experiment_word *words, struct experiment_said *said,
                                struct diagnostics *diagnostics);

/* As experiment_named, of all expressions of a text. */
size_t experiment_text_named(const struct experiment_terms *terms,
                             const struct experiment_text *text, const struct experiment_spot *spot,
                             size_t *variants, size_t count, size_t most);
/* Marks what a text needs. */
void experiment_ask_text(struct experiment_terms *terms, const struct experiment_text *text,
                         const struct experiment_spot *spot);
