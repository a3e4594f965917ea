/* What a background job remembers of its steps: texts and arrays, one after another, named by
 * their place, since the memory moves while it grows. */
#pragma once

#include <stddef.h>

#include "base/status.h"

struct kept_bytes { /* zero-initialized: empty */
    unsigned char *bytes;
    size_t used, room;
};

/* Copies bytes to a place that is aligned for numbers. STATUS_MEMORY. */
enum status kept_bytes_add(struct kept_bytes *kept, const void *bytes, size_t count, size_t *place);
enum status kept_bytes_add_text(struct kept_bytes *kept, const char *text, size_t *place);
void kept_bytes_free(struct kept_bytes *kept);

static inline const void *kept_bytes_at(const struct kept_bytes *kept, size_t place)
{
    return kept->bytes + place;
}
