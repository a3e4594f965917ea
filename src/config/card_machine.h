/* The machine of a graphics card. What is known of the card (config/card.h) replaces the values of
 * a measured machine that is like it: the same card if there is one, else the same chip, else the
 * architecture. Everything else is inherited, and the YAML says of each value which it is.
 *
 * Invariant: the machine is legal (machine_check), for any width of bus and size of L2. */
#pragma once

#include "config/card_table.h"
#include "config/provenance.h"
#include "schema/machine.h"

struct card_machine {
    struct machine machine;
    struct number_origins about;
    const char **marks;  /* of each parameter: what its value comes from; strings live as `card` */
    char inherited[104]; /* "as rtx3080" */
};

/* The machine of a card, of which at least the compute capability and the number of SMs must be
 * known; `row` is its row of the table, or NULL. `like` names the machine to inherit from; NULL:
 * the one that is nearest. What is inherited though it matters is said in notes. */
enum status card_machine_make(const struct card_table *table, const struct card *card,
                              const struct card_row *row, const char *like,
                              struct card_machine *made, struct diagnostics *diagnostics);
/* Whether it is legal: ranges and rules. For changes after it was made. */
enum status card_machine_check(const struct card_machine *made, struct diagnostics *diagnostics);
void card_machine_free(struct card_machine *made);

/* A card with everything that the table adds, and its row: NULL if it has none, which is an error
 * only where it leaves too little. */
enum status card_machine_complete(const struct card_table *table, struct card *card,
                                  const struct card_row **row, struct diagnostics *diagnostics);

/* The file, malloc'ed. */
enum status card_machine_to_yaml(const struct card_machine *made, const struct card *card,
                                 const struct card_row *row, char **text);

/* The same for the name of a card, or a file of what a tool printed of one; `called` becomes the
 * name of the card. */
enum status card_machine_open(const char *name, char **text, char called[CARD_NAME],
                              struct diagnostics *diagnostics);
