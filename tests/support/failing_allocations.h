/* Allocations of our own sources that fail. Programs that use it wrap the functions of malloc's
 * family (tests/CMakeLists.txt). */
#pragma once

#include <stdint.h>

#include "base/diag.h"

/* Counts from zero again; from now on allocation `k` fails, counted from 1. 0: none does. */
void allocation_fails(uint64_t k);
/* How many there were, of all threads, before allocation_fails was called last. */
uint64_t allocations_made(void);

/* The first message of a failed call that blames anything but the memory; NULL: none does. Texts
 * that were lost for want of memory have no message. */
const char *allocation_blame(const struct diagnostics *diagnostics);
