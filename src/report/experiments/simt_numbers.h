/* Compares the numbers in the text of the paper on the caches of a SIMT processor (2019) with those
 * of our study: one row for each number or claim, with a verdict. */
#pragma once

#include "explore/papers/simt_study.h"
#include "report/experiments/paper_numbers.h"

/* Appends the rows. */
void simt_numbers(const struct simt_study *study, struct paper_numbers *numbers);

/* What the paper says of the caches' speed (its table of resources is lost). */
#define SIMT_PAPER_CLOCK    307e6    /* Hz */
#define SIMT_PAPER_ICACHE_S 2.923e-9 /* longest path of the instruction cache, seconds */
#define SIMT_PAPER_DCACHE_S 3.258e-9 /* of the data cache */
