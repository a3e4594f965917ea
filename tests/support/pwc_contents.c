#include "support/pwc_contents.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

void expect_contents(const struct pwc *pwc, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    pwc_print(pwc, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}
