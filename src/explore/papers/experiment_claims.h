/* The verdicts on the claims of an experiment, by one rule (experiment_rule, which reports print):
 *
 *   - a number of the paper agrees if ours is within the claim's tolerance of it; one that is
 *     written with a sign is a change, and ours never agrees if its sign is another;
 *   - a test of each subject agrees if it holds for all, and holds for most if for more than half;
 *   - a test of all together agrees if it holds;
 *   - what has no number of ours cannot be compared, nor, where some programs did not run, what is
 *     said of them too: means, and what holds for all;
 *   - what would agree is no agreement where ours was chosen to fit the paper: of a claim, or of a
 *     reading, that says so.
 *
 * Readings of what a paper leaves open are ranked by their distance from all of its numbers, where
 * all programs ran. */
#pragma once

#include "explore/papers/experiment_text.h"

enum experiment_verdict {
    EXPERIMENT_AGREES,
    EXPERIMENT_MOSTLY,
    EXPERIMENT_DIFFERS,
    EXPERIMENT_CHOSEN,
    EXPERIMENT_INCOMPARABLE,
    EXPERIMENT_VERDICTS
};
extern const char *const experiment_verdict_names[EXPERIMENT_VERDICTS];
extern const char experiment_rule[];

struct experiment_result {
    const struct experiment_claim *claim;
    size_t reading;
    char what[EXPERIMENT_TEXT];
    char ours[EXPERIMENT_TEXT];
    enum experiment_verdict verdict;
    double distance; /* from the paper's number, in tolerances; NaN: it has none, or we have none */
};

/* An experiment of a result: what one looks at to see why. */
struct experiment_example {
    size_t variant, rival; /* that the claim names first and second; NO_VARIANT: it does not */
    size_t subject;        /* the first for which its test fails, or else the first of all */
};

struct experiment_rank {
    size_t reading, numbers; /* numbers that were compared */
    double distance;         /* root of the mean square, in tolerances */
};

struct experiment_claims;

enum status experiment_claims_create(struct experiment_terms *terms,
                                     const struct experiment *experiment,
                                     struct experiment_claims **claims,
                                     struct diagnostics *diagnostics);
void experiment_claims_free(struct experiment_claims *claims); /* NULL is allowed */

/* Marks what the claims need. */
void experiment_claims_ask(struct experiment_claims *claims);
/* Judges all claims once the runs are made. */
enum status experiment_claims_judge(struct experiment_claims *claims,
                                    struct diagnostics *diagnostics);

/* In the order of the file; neighbours that go over the readings stand reading by reading. */
size_t experiment_results(const struct experiment_claims *claims,
                          const struct experiment_result **results);
/* "8 agree, 1 holds for most, ..." */
void experiment_counts_print(const struct experiment_claims *claims, char text[EXPERIMENT_TEXT]);
enum status experiment_example(struct experiment_claims *claims,
                               const struct experiment_result *result,
                               struct experiment_example *example, struct diagnostics *diagnostics);
/* The readings, the nearest first; 0 if no number of the paper goes over them, or if some programs
 * did not run. */
size_t experiment_ranks(const struct experiment_claims *claims,
                        const struct experiment_rank **ranks);

/* The subjects that are loads (`loads` is on) or programs, and for which a test holds (NULL: for
 * all), by chosen subject. */
enum status experiment_taken(struct experiment_terms *terms, struct expression *where,
                             const struct node *loads, size_t reading, bool *taken,
                             struct diagnostics *diagnostics);
