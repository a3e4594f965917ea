#include "schema/counters.h"

#include <string.h>

const struct counter_row counter_table[] = {
#define COUNTER_ROW(tool, name, unit, traits, expression, definition)                              \
    {PROFILE_##tool, name, UNIT_##unit, COUNTER_##traits, expression, definition},
    COUNTER_LIST(COUNTER_ROW)
#undef COUNTER_ROW
};
const size_t counter_count = sizeof counter_table / sizeof *counter_table;

static const struct counter_change {
    unsigned trait, from, to;
    const char *why;
} changes[] = {
#define COUNTER_CHANGE_ROW(constant, bit, from, to, why) {COUNTER_##constant, from, to, why},
    COUNTER_CHANGE_LIST(COUNTER_CHANGE_ROW)
#undef COUNTER_CHANGE_ROW
};

const char *counter_near(const struct counter_row *row, unsigned capability)
{
    if (row->traits & COUNTER_NEAR)
        return row->definition;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (row->traits & changes[i].trait && capability >= changes[i].from &&
            capability <= changes[i].to)
            return changes[i].why;
    return NULL;
}

/* Whether a pattern of `length` bytes with at most one '*' matches all of `name`. */
static bool matches(const char *pattern, size_t length, const char *name)
{
    const char *star = memchr(pattern, '*', length);
    const size_t size = strlen(name);
    if (!star)
        return size == length && !memcmp(pattern, name, length);
    const size_t front = (size_t)(star - pattern), back = length - front - 1;
    return size >= front + back && !memcmp(pattern, name, front) &&
           !memcmp(star + 1, name + size - back, back);
}

bool counter_names(const struct counter_row *row, enum profile_tool tool, const char *name,
                   bool percent, size_t *part)
{
    if (row->tool != tool || (row->unit == UNIT_PERCENT) != percent)
        return false;
    const char *at = row->name;
    for (*part = 0; at; (*part)++) {
        const char *plus = strstr(at, " + ");
        if (matches(at, plus ? (size_t)(plus - at) : strlen(at), name))
            return true;
        at = plus ? plus + strlen(" + ") : NULL;
    }
    return false;
}

size_t counter_parts(const struct counter_row *row)
{
    size_t parts = 1;
    for (const char *at = row->name; (at = strstr(at, " + ")); at++)
        parts++;
    return parts;
}
