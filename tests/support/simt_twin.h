/* The SIMT processor against its slow twin (support/slow_simt.h) on a random program: with and
 * without vectors, in turn and ahead of it, on new memory and on memory that another block left. */
#pragma once

#include <stdint.h>

/* Fails the test if they differ. Returns how many blocks ended without a fault. */
unsigned simt_twin_check(uint64_t seed);
