/* Compares the numbers in the text of Jia et al. (2023, see docs/VALIDATION.md) with those of our
 * study: one row for each number or claim, with a verdict, and the experiment that tells why it
 * differs. */
#pragma once

#include "explore/papers/bypass_study.h"
#include "report/experiments/paper_numbers.h"

/* Appends the rows. */
void bypass_numbers(const struct bypass_study *study, struct paper_numbers *numbers);
