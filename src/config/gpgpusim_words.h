/* The words of a gpgpusim.config, as the simulator's own parser takes them: '#' starts a comment
 * anywhere, even in quotes; a word that begins with a quote goes on to the next word that ends with
 * one, over lines too; everything else is separated by blanks. Unlike there, a known option is a
 * word where it is joined to what stands before it: files without a newline at their end get
 * joined. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct gpgpusim_words {
    char *text; /* with blanks in place of comments, so that places are those of the file */
    size_t size, at;
};

struct gpgpusim_word {
    size_t start, end; /* without quotes */
    bool quoted;
};

/* Takes a copy of the text. gpgpusim_words_free frees it, also after a failure. */
enum status gpgpusim_words_init(struct gpgpusim_words *words, const char *text, size_t size);
void gpgpusim_words_free(struct gpgpusim_words *words);

/* The next word; false at the end. */
bool gpgpusim_words_next(struct gpgpusim_words *words, struct gpgpusim_word *word);

/* Whether a word is the name of an option: a number such as -1 is a value. */
bool gpgpusim_words_option(const struct gpgpusim_words *words, const struct gpgpusim_word *word);
