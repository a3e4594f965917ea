/* Sentences: what the experiments of an explanation say, in plain words.
 *
 * Each comes from a rule over measured numbers, has its number in it, and says which arguments of
 * `warpscape run` repeat the experiment. Invariant: no sentence without an experiment, and none
 * about a number within the noise but that it is. Pure. */
#pragma once

#include "explore/explain/ladder.h"
#include "explore/explain/levers.h"

enum { SENTENCES_MOST = 12, SENTENCE_TEXT = 400, SENTENCE_REPEAT = LEVER_CHANGE_TEXT };

struct sentence {
    char text[SENTENCE_TEXT];
    char repeat[SENTENCE_REPEAT]; /* "--ideal translation", "-s page.size=64KiB" */
};

struct sentences {
    struct sentence items[SENTENCES_MOST];
    size_t count;
};

/* Ladder and levers may be incomplete, or empty: what was not run is not spoken of. */
void sentences_make(const struct question *question, const struct noise *noise,
                    const struct ladder *ladder, const struct levers *levers,
                    struct sentences *sentences);
