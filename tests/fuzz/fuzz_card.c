/* Any bytes as what a tool prints of cards: an error, or cards that have names. Built by
 * `./dev fuzz`. */
#include <stdint.h>
#include <stdlib.h>

#include "config/card_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct card_list list;
    if (!card_text_read((const char *)data, size, "fuzz", &list, NULL)) {
        for (size_t i = 0; i < list.count; i++)
            if (!*list.items[i].name)
                abort();
    }
    card_list_free(&list);
    return 0;
}
