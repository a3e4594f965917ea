/* Rows of a paper's numbers by their names. */
#pragma once

#include "report/paper_numbers.h"

/* The first row whose name begins so; fails the test where there is none. */
const struct paper_number *paper_row(const struct paper_numbers *numbers, const char *what);
