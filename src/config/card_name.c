#include "config/card_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

static const char *const ignored[] = {"nvidia", "geforce",    "tesla",  "corporation", "graphics",
                                      "card",   "gpu",        "with",   "design",      "edition",
                                      "inc",    "generation", "series", "device",      NULL};
static const char *const details[] = {"sxm", "pcie", "nvl",         "hbm",    "dgxs", "fhhl",
                                      "ls",  "hgx",  "workstation", "server", "oem",  NULL};

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (!strcmp(word, *words))
            return true;
    return false;
}

/* The next run of letters or of digits; false at the end. */
static bool next_word(const char **text, char word[CARD_WORD])
{
    const unsigned char *at = (const unsigned char *)*text;
    size_t length = 0;
    while (*at && !isalnum(*at))
        at++;
    const bool digits = isdigit(*at);
    for (; *at && isalnum(*at) && !isdigit(*at) == !digits; at++)
        if (length + 1 < CARD_WORD)
            word[length++] = (char)tolower(*at);
    word[length] = '\0';
    *text = (const char *)at;
    return length;
}

static void append(char words[CARD_WORDS][CARD_WORD], unsigned *count, const char *word)
{
    if (*count < CARD_WORDS)
        snprintf(words[(*count)++], CARD_WORD, "%.*s", CARD_WORD - 1, word);
}

/* The word after *text, which stays where it is. */
static bool is_next(const char *text, const char *wanted)
{
    char word[CARD_WORD];
    return next_word(&text, word) && !strcmp(word, wanted);
}

/* A generation of a socket or of memory is no part of the name: "sxm2", "hbm2e". */
static void skip_generation(const char **text, const char *word)
{
    char next[CARD_WORD];
    const char *after = *text;
    if (strcmp(word, "sxm") && strcmp(word, "hbm"))
        return;
    if (!isdigit((unsigned char)*after) || !next_word(&after, next))
        return;
    *text = after;
    if (*after == 'e' || *after == 'E')
        *text = after + 1;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void take_word(struct card_name *name, const char **text, const char *word)
{
    char joined[CARD_WORD + 2];
    if (!strcmp(word, "rtx")) {
        name->rtx = true;
    } else if (!strcmp(word, "gtx")) {
        name->gtx = true;
    } else if (!strcmp(word, "quadro")) {
        name->quadro = true;
    } else if (!strcmp(word, "max") && is_next(*text, "q")) {
        char q[CARD_WORD];
        next_word(text, q);
        name->max_q = true;
    } else if (isdigit((unsigned char)*word) && is_next(*text, "gb")) {
        char gb[CARD_WORD];
        next_word(text, gb);
        snprintf(joined, sizeof joined, "%.20sgb", word);
        append(name->details, &name->detail_count, joined);
    } else if (is_one_of(word, details)) {
        append(name->details, &name->detail_count, word);
        skip_generation(text, word);
    } else if (!strcmp(word, "mobile") || !strcmp(word, "notebook")) {
        append(name->core, &name->core_count, "laptop");
    } else if (!is_one_of(word, ignored)) {
        append(name->core, &name->core_count, word);
    }
}

void card_name_read(const char *text, struct card_name *name)
{
    char word[CARD_WORD];
    *name = (struct card_name){0};
    /* What follows "MIG" is a share of the card. */
    while (next_word(&text, word) && strcmp(word, "mig"))
        take_word(name, &text, word);
    qsort(name->core, name->core_count, CARD_WORD, by_text);
}

/* ---- comparing ---- */

static bool has_detail(const struct card_name *name, const char *detail)
{
    for (unsigned i = 0; i < name->detail_count; i++)
        if (!strcmp(name->details[i], detail))
            return true;
    return false;
}

bool card_name_same(const struct card_name *a, const struct card_name *b)
{
    if (!a->core_count || a->core_count != b->core_count)
        return false;
    for (unsigned i = 0; i < a->core_count; i++)
        if (strcmp(a->core[i], b->core[i]))
            return false;
    if ((a->rtx && b->gtx) || (a->gtx && b->rtx))
        return false;
    /* A Quadro 4000 of 2010 is no Quadro RTX 4000. */
    const bool bare = a->core_count == 1 && isdigit((unsigned char)a->core[0][0]);
    return !bare || !(a->quadro || b->quadro) || a->rtx == b->rtx;
}

/* "12gb" of a board, where its memory was measured instead of named. Some of it is always reserved.
 */
static bool is_memory(const char *detail, uint64_t memory)
{
    char *end;
    const double gigabytes = strtod(detail, &end);
    const double measured = (double)memory / (1 << 30);
    return !strcmp(end, "gb") && measured > 0.85 * gigabytes && measured < 1.05 * gigabytes;
}

int card_name_fit(const struct card_name *asked, const struct card_name *board, uint64_t memory)
{
    int fit = 0;
    bool open = false; /* a detail that was not asked for; more of them say no more */
    for (unsigned i = 0; i < board->detail_count; i++) {
        const char *detail = board->details[i];
        if (has_detail(asked, detail) || is_memory(detail, memory))
            fit += 2;
        else
            open = true;
    }
    return fit - open;
}

unsigned card_name_shared(const struct card_name *a, const struct card_name *b)
{
    unsigned shared = 0;
    for (unsigned i = 0, j = 0; i < a->core_count && j < b->core_count;) {
        const int order = strcmp(a->core[i], b->core[j]);
        const char *word = a->core[i];
        if (!order) /* numbers tell more than words such as "ti", and letters nothing */
            shared += isdigit((unsigned char)*word) ? 3 : strlen(word) > 1;
        i += order <= 0;
        j += order >= 0;
    }
    return shared;
}
