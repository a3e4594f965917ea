/* Parts whose arrays are copied with them (base/arrays.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arrays.h"

enum { NUMBERS = 5, WORDS = 3, MORE = 2 };

struct part {
    uint32_t *numbers;
    struct arrays arrays;
    uint64_t *words; /* pointers may stand on either side */
    uint8_t *none;   /* has no elements */
    uint16_t *more;  /* grows */
};

static void test_copy(void **state)
{
    (void)state;
    struct part *part = calloc(1, sizeof *part), *copy = malloc(sizeof *copy);
    arrays_add(&part->arrays, &part->numbers, NUMBERS, sizeof *part->numbers);
    arrays_add(&part->arrays, &part->words, WORDS, sizeof *part->words);
    assert_false(part->arrays.failed);
    for (unsigned i = 0; i < NUMBERS; i++)
        assert_int_equal(part->numbers[i], 0);
    part->numbers[NUMBERS - 1] = 7;
    part->words[0] = 8;
    part->more = calloc(MORE, sizeof *part->more);
    part->more[1] = 9;
    memcpy(copy, part, sizeof *copy);
    assert_true(arrays_copy(&copy->arrays));
    assert_int_equal(arrays_bytes(&copy->arrays),
                     NUMBERS * sizeof *copy->numbers + WORDS * sizeof *copy->words);
    assert_true(array_copy(&copy->more, MORE * sizeof *copy->more));
    assert_ptr_not_equal(copy->numbers, part->numbers);
    assert_ptr_not_equal(copy->words, part->words);
    assert_ptr_not_equal(copy->more, part->more);
    part->numbers[NUMBERS - 1] = part->more[1] = 1;
    part->words[0] = 1;
    arrays_free(&part->arrays);
    free(part->more);
    assert_null(part->numbers);
    assert_null(part->words);
    assert_int_equal(copy->numbers[NUMBERS - 1], 7);
    assert_int_equal(copy->words[0], 8);
    assert_int_equal(copy->more[1], 9);
    arrays_free(&copy->arrays);
    free(copy->more);
    free(part);
    free(copy);
}

/* What has no memory is copied as none; an array of no elements is one that can be freed. */
static void test_none(void **state)
{
    (void)state;
    struct part part = {0};
    assert_true(array_copy(&part.more, 0));
    assert_null(part.more);
    assert_true(arrays_copy(&part.arrays));
    arrays_free(&part.arrays);
    arrays_add(&part.arrays, &part.none, 0, sizeof *part.none);
    assert_non_null(part.none);
    arrays_free(&part.arrays);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copy), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
