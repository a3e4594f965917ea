/* A graphics card as its data sheet and its own tools describe it: a name and a few facts, each
 * with a word for where it comes from. 0 stands for a fact that nobody has said.
 *
 * Facts are merged in the order of trust: what a tool printed on the card, then the table of data
 * sheets, then what the compute capability fixes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* X(id, what it is in a message) */
#define CARD_FACT_LIST(X)                                                                          \
    X(CAPABILITY, "the compute capability") /* 86 is 8.6 */                                        \
    X(SMS, "the number of SMs")                                                                    \
    X(CLOCK, "the clock of the SMs")             /* Hz */                                          \
    X(MAX_CLOCK, "the highest clock of the SMs") /* Hz; one that no data sheet promises */         \
    X(BUS, "the width of the memory bus")        /* bits */                                        \
    X(MEMORY_CLOCK, "the clock of the memory")   /* Hz, of two transfers a cycle */                \
    X(BANDWIDTH, "the bandwidth of the memory")  /* bytes per second */                            \
    X(L2, "the size of the L2")                  /* bytes */                                       \
    X(MEMORY, "the size of the memory")          /* bytes */                                       \
    X(THREADS, "the threads of an SM")                                                             \
    X(BLOCKS, "the thread blocks of an SM")                                                        \
    X(REGISTERS, "the registers of an SM")                                                         \
    X(SHARED, "the shared memory of an SM")         /* bytes */                                    \
    X(UNIFIED, "the L1 and shared memory of an SM") /* bytes, together */

enum card_fact {
#define CARD_FACT_ENUM(id, ...) CARD_##id,
    CARD_FACT_LIST(CARD_FACT_ENUM) CARD_FACTS
#undef CARD_FACT_ENUM
};

enum { CARD_NAME = 96 };

struct card {
    char name[CARD_NAME];
    uint64_t facts[CARD_FACTS];
    const char *from[CARD_FACTS]; /* who said it; static */
};

/* "the number of SMs" */
const char *card_fact_name(enum card_fact fact);

/* Says a fact that nobody has said yet. */
void card_say(struct card *card, enum card_fact fact, uint64_t value, const char *from);

/* card_say of all that `more` knows. */
void card_merge(struct card *card, const struct card *more);

/* The bandwidth follows from bus and memory clock where it was not said itself. */
void card_complete(struct card *card);
