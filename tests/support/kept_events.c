#include "support/kept_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

void kept_events_put(void *context, const struct timing_event *events, size_t count)
{
    struct kept_events *kept = context;
    assert_int_equal(array_reserve(&kept->items, &kept->capacity, kept->count + count), STATUS_OK);
    memcpy(kept->items + kept->count, events, count * sizeof *events);
    kept->count += count;
}
