#include "support/message_text.h"

#include <stdlib.h>

char *messages_take(struct diagnostics *diagnostics)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    diagnostics_print(diagnostics, out);
    fclose(out);
    diagnostics_free(diagnostics);
    return text;
}
