#include "support/failing_allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static atomic_uint_least64_t counted;
static uint64_t failing, made;

void allocation_fails(uint64_t k)
{
    made = atomic_exchange(&counted, 0);
    failing = k;
}

uint64_t allocations_made(void)
{
    return made;
}

static bool allocation_is_refused(void)
{
    if (atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed) + 1 != failing)
        return false;
    errno = ENOMEM;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);

void *__wrap_malloc(size_t size)
{
    return allocation_is_refused() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_is_refused() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size)
{
    return allocation_is_refused() ? NULL : __real_realloc(old, size);
}
char *__wrap_strdup(const char *text)
{
    return allocation_is_refused() ? NULL : __real_strdup(text);
}
char *__wrap_strndup(const char *text, size_t size)
{
    return allocation_is_refused() ? NULL : __real_strndup(text, size);
}

const char *allocation_blame(const struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *one = &diagnostics->items[i];
        if (one->severity == SEVERITY_ERROR && one->message && !strstr(one->message, "memory"))
            return one->message;
    }
    return NULL;
}
