/* The contents of a page-walk cache as text, for tests that follow an example step by step. */
#pragma once

#include "model/translation/pwc.h"

/* Fails the test unless pwc_print prints exactly `expected`. */
void expect_contents(const struct pwc *pwc, const char *expected);
