#include "config/gpgpusim_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "config/gpgpusim_options.h"

static const char blanks[] = " \t\r\n\v\f";

/* Whether a known option starts at a dash after other text: the newline in between is missing,
 * where files were joined. */
static bool is_joined(const char *text, const char *at)
{
    return *at == '-' && isalpha((unsigned char)at[1]) && at > text && !strchr(blanks, at[-1]) &&
           at[-1] != '#' && at[-1] != '"' && gpgpusim_option_find(at, strcspn(at, blanks));
}

/* The length of a word or comment that starts here: to one of `end`, or to an option that is joined
 * to it. At least 1, as the word itself may be such an option. */
static size_t length_until(const char *text, const char *at, const char *end)
{
    size_t length = 1;
    while (at[length] && !strchr(end, at[length]) && !is_joined(text, at + length))
        length++;
    return length;
}

static void blank_comments(char *text)
{
    for (char *at = strchr(text, '#'); at; at = strchr(at, '#')) {
        const size_t length = length_until(text, at, "\n");
        memset(at, ' ', length);
        at += length;
    }
}

enum status gpgpusim_words_init(struct gpgpusim_words *words, const char *text, size_t size)
{
    *words = (struct gpgpusim_words){.text = malloc(size + 1), .size = size};
    if (!words->text)
        return STATUS_MEMORY;
    memcpy(words->text, text, size);
    words->text[size] = '\0';
    static const char mark[] = "\xef\xbb\xbf"; /* UTF-8's byte order mark */
    if (!strncmp(words->text, mark, sizeof mark - 1))
        memset(words->text, ' ', sizeof mark - 1);
    blank_comments(words->text);
    return STATUS_OK;
}

void gpgpusim_words_free(struct gpgpusim_words *words)
{
    free(words->text);
    *words = (struct gpgpusim_words){0};
}

/* The end of a value in quotes that starts at `start`: a quote in front of a blank or of the end.
 */
static size_t closing_quote(const struct gpgpusim_words *words, size_t start)
{
    size_t at = start;
    for (const char *quote; (quote = strchr(words->text + at, '"')) != NULL; at++) {
        at = (size_t)(quote - words->text);
        if (!quote[1] || strchr(blanks, quote[1]))
            return at;
    }
    return words->size;
}

bool gpgpusim_words_next(struct gpgpusim_words *words, struct gpgpusim_word *word)
{
    const char *text = words->text;
    words->at += strspn(text + words->at, blanks);
    if (!text[words->at])
        return false;
    word->quoted = text[words->at] == '"';
    word->start = words->at + word->quoted;
    word->end = word->quoted ? closing_quote(words, word->start)
                             : word->start + length_until(text, text + word->start, blanks);
    words->at = word->end + (word->quoted && text[word->end]);
    return true;
}

bool gpgpusim_words_option(const struct gpgpusim_words *words, const struct gpgpusim_word *word)
{
    return !word->quoted && word->end - word->start > 1 && words->text[word->start] == '-' &&
           isalpha((unsigned char)words->text[word->start + 1]);
}
