/* What tools print of the cards in a computer: deviceQuery, nvidia-smi (its table, -L, -q, -q -x
 * and
 * --query-gpu as CSV), clinfo and nvaccelinfo. The content tells which of them it was; text around
 * it, as in a question of a forum, does not matter.
 *
 * Invariant: any bytes are either read or refused with a reason. Costs one pass over the lines. */
#pragma once

#include "base/diag.h"
#include "config/card.h"

struct card_list {
    struct card *items; /* in the order of the text */
    size_t count, capacity;
};

/* `name` is what messages call the text. STATUS_INVALID if no card of NVIDIA is in it. The caller
 * frees *list. */
enum status card_text_read(const char *text, size_t size, const char *name, struct card_list *list,
                           struct diagnostics *diagnostics);
void card_list_free(struct card_list *list);
