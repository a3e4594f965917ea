/* Runs programs of the SIMT processor for tests. */
#pragma once

#include "workload/simt/processor.h"

/* Assembles `text` and prepares it; fails the test if it is wrong. */
void simt_make(const char *text, const struct simt_setup *setup, struct simt_program *program);

/* Runs all blocks on one memory, which the caller frees. NULL: a block had a fault, whose message
 * is in `fault`. */
unsigned char *simt_run(const struct simt_program *program, char fault[160]);

/* The word at a symbol, `index` words further on. */
uint32_t simt_word(const struct simt_program *program, const unsigned char *memory,
                   const char *symbol, uint32_t index);
