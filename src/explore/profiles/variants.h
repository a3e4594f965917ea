/* Variants of a built-in program: the same computation as another compiler or programmer has it.
 * They are what its parameters with few values, and its unrolling, make of it. */
#pragma once

#include <stddef.h>

#include "base/status.h"

/* The texts after -w of all variants that differ from `workload` in one such parameter, each with
 * what it says last. None where the workload is no built-in program. Free with variants_free. */
enum status variants_list(const char *workload, char ***variants, size_t *count);
void variants_free(char **variants, size_t count);
