#include "ui/jobs/kept_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum status kept_bytes_add(struct kept_bytes *kept, const void *bytes, size_t count, size_t *place)
{
    const size_t rounded = (count + 7) & ~(size_t)7;
    if (array_reserve(&kept->bytes, &kept->room, kept->used + rounded))
        return STATUS_MEMORY;
    *place = kept->used;
    if (count)
        memcpy(kept->bytes + kept->used, bytes, count);
    kept->used += rounded;
    return STATUS_OK;
}

enum status kept_bytes_add_text(struct kept_bytes *kept, const char *text, size_t *place)
{
    return kept_bytes_add(kept, text, strlen(text) + 1, place);
}

void kept_bytes_free(struct kept_bytes *kept)
{
    free(kept->bytes);
    *kept = (struct kept_bytes){0};
}
