/* Recency lists of few places, for stack.h: searched and moved as a whole. A place holds a line
 * number + 1; 0 is a hole, and what lies behind the last line. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { STACK_LIST_STEP = 8, STACK_LIST_MAX = 32 }; /* places: a multiple of the step, at most */

/* Makes `tag` the first of `places`, or with `drop` makes a hole of it; returns the place that it
 * was at, `places`: none. The lines before it move up to the first hole, which moves there.
 * `list` is aligned to 64 bytes. */
typedef unsigned stack_list_use(uint64_t *list, unsigned places, uint64_t tag, bool drop);

stack_list_use stack_list_plain;
/* stack_list_plain, or the same with AVX-512 where the processor has it. */
stack_list_use *stack_list_best(void);

/* The place of `tag`, `places`: none. Here a list may be of any multiple of the step, and be
 * aligned to nothing. */
typedef unsigned stack_list_find(const uint64_t *list, unsigned places, uint64_t tag);

stack_list_find stack_list_find_plain;
stack_list_find *stack_list_find_best(void);
