/* The table of data sheets (configs/cards.yaml, compiled in): cards, the chips on them, and what a
 * compute capability fixes.
 *
 * Invariant: a table that opened names only chips, capabilities and sources that it has. Opening
 * parses the file, some milliseconds. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "config/card.h"

struct document;

/* Where facts of the table come from; a tool is named by its own name. */
#define CARD_SHEET "data sheet"
#define CARD_GUIDE "programming guide"

struct capability_row {
    unsigned number; /* 86 is 8.6 */
    const char *architecture;
    const char *like; /* the machine to inherit from if none of this capability is known; or NULL */
    double clock;     /* gpu.clock over the clock that tools print: a half on Fermi */
    const char *options; /* shared-memory carve-outs, where such a machine has others; or NULL */
    struct card card;    /* what it fixes */
};

struct chip_row {
    const char *name, *process;
    const struct capability_row *capability;
};

struct card_row {
    const char *name, *memory, *source; /* memory may be NULL: "GDDR6X" */
    uint64_t base_clock;                /* Hz; 0: not known */
    const struct chip_row *chip;
    struct card card; /* with what the capability fixes */
};

struct card_table {
    struct document *document;
    struct capability_row *capabilities;
    struct chip_row *chips;
    struct card_row *rows;
    size_t capability_count, chip_count, count;
};

/* Reports every problem of the file. The caller frees a table that opened. */
enum status card_table_open(struct card_table *table, struct diagnostics *diagnostics);
/* card_table_open of another text, for tests. */
enum status card_table_read(const char *text, size_t size, struct card_table *table,
                            struct diagnostics *diagnostics);
void card_table_free(struct card_table *table);

const struct capability_row *card_table_capability(const struct card_table *table, unsigned number);

/* The card that a name means, however it is written: "NVIDIA GeForce RTX 4060 Ti", "rtx4060ti",
 * "Tesla V100-SXM2-16GB". Where boards share a name, `memory` bytes (0: unknown) choose. Sets *near
 * if the card is only a sibling of the one named: a Max-Q design without a row of its own. NULL if
 * there is none. */
const struct card_row *card_table_find(const struct card_table *table, const char *name,
                                       uint64_t memory, bool *near);

/* Reports that there is no such card and suggests the nearest names. Returns STATUS_NOT_FOUND. */
enum status card_table_missing(const struct card_table *table, const char *name,
                               struct diagnostics *diagnostics);
