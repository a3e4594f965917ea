#include "support/expect_factor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

void expect_factor(double got, double want, double factor, size_t row)
{
    if (got < want / factor || got > want * factor) {
        print_error("row %zu: got %g, expected %g\n", row, got, want);
        fail();
    }
}
