/* How well typed words fit a name and its description: the order of what the palette and pickers
 * offer. A word fits where it stands in the name or the help, where a synonym of it does, or as
 * letters of the name in order; all words must fit. Cost: a few scans of the text for each word. */
#pragma once

enum { FUZZY_NONE = -1 };

/* Words that mean the same to people: the next after the first `*at` for `word`, or NULL. */
typedef const char *(*fuzzy_synonyms)(const char *word, unsigned *at);

/* The larger the better; FUZZY_NONE: some word does not fit. No word at all fits everything
 * equally, with 0. `synonyms` may be NULL. */
int fuzzy_score(const char *words, const char *name, const char *help, fuzzy_synonyms synonyms);
