/* Zeroed memory for tests, which fail without it. */
#pragma once

#include <stddef.h>

/* Of `count` things, perhaps none; never NULL. */
void *zeroed(size_t count, size_t size);
