/* What a page-walk cache holds, as text. */
#pragma once

#include "model/translation/pwc.h"

/* Fails the test where pwc_print says anything else. */
void expect_contents(const struct pwc *pwc, const char *expected);
