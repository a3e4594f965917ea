/* Fails unless `got` is within a factor of what a row of a table says. */
#pragma once

#include <stddef.h>

void expect_factor(double got, double want, double factor, size_t row);
