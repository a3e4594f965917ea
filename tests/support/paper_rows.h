/* Finds rows in the comparison with a paper (report/experiments/paper_numbers.h) by name. */
#pragma once

#include "report/experiments/paper_numbers.h"

/* The first row whose name starts with `what`; fails the test if there is none. */
const struct paper_number *paper_row(const struct paper_numbers *numbers, const char *what);
