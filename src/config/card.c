#include "config/card.h"

const char *card_fact_name(enum card_fact fact)
{
    static const char *const names[] = {
#define CARD_FACT_NAME(id, name) name,
        CARD_FACT_LIST(CARD_FACT_NAME)
#undef CARD_FACT_NAME
    };
    return names[fact];
}

void card_say(struct card *card, enum card_fact fact, uint64_t value, const char *from)
{
    if (card->facts[fact] || !value)
        return;
    card->facts[fact] = value;
    card->from[fact] = from;
}

void card_merge(struct card *card, const struct card *more)
{
    for (int i = 0; i < CARD_FACTS; i++)
        card_say(card, i, more->facts[i], more->from[i]);
}

void card_complete(struct card *card)
{
    /* Boards without memory of their own report clocks such as 13 MHz. */
    enum { PLAUSIBLE = 100000000 };
    const uint64_t clock = card->facts[CARD_MEMORY_CLOCK];
    if (clock >= PLAUSIBLE)
        card_say(card, CARD_BANDWIDTH, 2 * clock * card->facts[CARD_BUS] / 8,
                 card->from[CARD_MEMORY_CLOCK]);
}
