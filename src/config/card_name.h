/* Names of graphics cards, which drivers, shops and people write in many ways, as sets of words
 * that can be compared: "NVIDIA GeForce RTX 4060 Ti", "rtx4060ti" and "4060 Ti" are one name.
 *
 * A word is a run of letters or of digits. Words of the maker say nothing and are left out. What is
 * left is a series ("rtx"), the core of the name ("4060", "ti"), which two names of one card share,
 * and details ("16gb", "pcie"), which choose among boards of one core. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CARD_WORDS = 16, CARD_WORD = 24 };

struct card_name {
    char core[CARD_WORDS][CARD_WORD]; /* sorted */
    char details[CARD_WORDS][CARD_WORD];
    unsigned core_count, detail_count;
    bool rtx, gtx, quadro;
    bool max_q; /* a slower design for thin laptops; no part of the core */
};

void card_name_read(const char *text, struct card_name *name);

/* Whether both may be names of boards with one core. */
bool card_name_same(const struct card_name *a, const struct card_name *b);

/* How well a board's details fit what was asked for; `memory` bytes are 0 if unknown. */
int card_name_fit(const struct card_name *asked, const struct card_name *board, uint64_t memory);

/* How much of their cores they share: 3 for each number, 1 for each other word of
 * more than a letter. */
unsigned card_name_shared(const struct card_name *a, const struct card_name *b);
