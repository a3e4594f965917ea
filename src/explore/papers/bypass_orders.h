/* The orders of warps in which tb_priority lets them issue, for the cases of section 3.1 of Jia et
 * al. (2023; bypass_study.h): 12 warps in three blocks of four, one of which has priority. */
#pragma once

#include <stdint.h>

enum { ORDER_WARPS = 12, ORDER_BLOCK = 4 };

struct bypass_order_case {
    uint32_t block;             /* that has priority */
    uint32_t next;              /* the warp after the last that issued */
    uint8_t order[ORDER_WARPS]; /* by the paper's rules */
};

enum { BYPASS_ORDER_CASES = 8 };
extern const struct bypass_order_case bypass_order_cases[BYPASS_ORDER_CASES];

/* The order in which our scheduler takes 12 warps that can all issue. */
void bypass_order_of(const struct bypass_order_case *wanted, uint8_t order[ORDER_WARPS]);
