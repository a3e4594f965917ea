/* Recency lists of few places for stack.h, searched and moved as a whole in time linear in the
 * places, with AVX-512 eight at a time. A place holds a line number + 1; 0 is a hole, or a place
 * after the last line. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    STACK_LIST_STEP = 8,
    STACK_LIST_MAX = 32
}; /* the number of places is a multiple of the step, up to the maximum */

/* Moves `tag` to the front of `places` places, or with `drop` turns it into a hole. Returns the
 * place it was at, or `places` if it was missing. The lines before it move back, at most up to the
 * first hole, and the hole moves to the old place of `tag`. `list` is aligned to 64 bytes. */
typedef unsigned stack_list_use(uint64_t *list, unsigned places, uint64_t tag, bool drop);

stack_list_use stack_list_plain;
/* The AVX-512 version if the processor has it, else stack_list_plain. */
stack_list_use *stack_list_best(void);

/* Returns the place of `tag`, or `places` if it is missing. Here the number of places may be any
 * multiple of the step, and the list need not be aligned. */
typedef unsigned stack_list_find(const uint64_t *list, unsigned places, uint64_t tag);

stack_list_find stack_list_find_plain;
stack_list_find *stack_list_find_best(void);
