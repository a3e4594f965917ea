#include "support/paper_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

const struct paper_number *paper_row(const struct paper_numbers *numbers, const char *what)
{
    for (size_t i = 0; i < numbers->count; i++)
        if (!strncmp(numbers->items[i].what, what, strlen(what)))
            return &numbers->items[i];
    fail_msg("no number %s", what);
    return NULL;
}
