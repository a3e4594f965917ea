#include "ui/terminal/fuzzy.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What a word is worth by where it fits: best first. */
enum {
    WORTH_NAME = 100,     /* it is the name */
    WORTH_PART = 88,      /* it is a part of the name, between dots or dashes */
    WORTH_START = 80,     /* the name begins with it */
    WORTH_SYNONYM = 72,   /* a synonym is a part of the name */
    WORTH_HEAD = 70,      /* a part of the name begins with it */
    WORTH_INSIDE = 60,    /* it stands within the name */
    WORTH_HELP_HEAD = 40, /* a word of the help begins with it */
    WORTH_HELP = 30,      /* it stands within the help */
    WORTH_LETTERS = 20    /* its letters stand in the name in order, the first at its beginning */
};

static bool is_part_start(const char *text, const char *at)
{
    return at == text || !isalnum((unsigned char)at[-1]);
}

/* The worth of the best place of `word` in `text`; 0: none. */
static int worth_in(const char *text, const char *word, int part, int head, int inside)
{
    const size_t length = strlen(word);
    int best = 0;
    for (const char *at = text; (at = strcasestr(at, word)) != NULL; at++) {
        const bool starts = is_part_start(text, at), ends = !isalnum((unsigned char)at[length]);
        const int worth = starts && ends ? part : starts ? head : inside;
        best = worth > best ? worth : best;
    }
    return best;
}

static bool has_letters(const char *name, const char *word)
{
    if (tolower((unsigned char)*name) != tolower((unsigned char)*word))
        return false;
    for (; *word && *name; name++)
        word += tolower((unsigned char)*name) == tolower((unsigned char)*word);
    return !*word;
}

static int worth_of_word(const char *word, const char *name, const char *help,
                         fuzzy_synonyms synonyms)
{
    if (!strcasecmp(name, word))
        return WORTH_NAME;
    int worth = worth_in(name, word, WORTH_PART, WORTH_HEAD, WORTH_INSIDE);
    if (worth < WORTH_START && !strncasecmp(name, word, strlen(word)))
        worth = WORTH_START;
    unsigned at = 0;
    for (const char *other; worth < WORTH_SYNONYM && synonyms && (other = synonyms(word, &at));)
        if (worth_in(name, other, WORTH_SYNONYM, 0, 0))
            worth = WORTH_SYNONYM;
    if (!worth)
        worth = worth_in(help, word, WORTH_HELP_HEAD, WORTH_HELP_HEAD, WORTH_HELP);
    if (!worth && has_letters(name, word))
        worth = WORTH_LETTERS;
    return worth;
}

int fuzzy_score(const char *words, const char *name, const char *help, fuzzy_synonyms synonyms)
{
    enum { SCALE = 64, WORD = 80 };
    int score = 0, count = 0;
    for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
        char word[WORD];
        const size_t length = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)(length < WORD ? length : WORD - 1), words);
        const int worth = worth_of_word(word, name, help, synonyms);
        if (!worth)
            return FUZZY_NONE;
        score += worth;
        count++;
        words += length;
    }
    const int longer = (int)strlen(name); /* of two names that fit alike the shorter is meant */
    return count ? score * SCALE / count - (longer < SCALE ? longer : SCALE - 1) : 0;
}
