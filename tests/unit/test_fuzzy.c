/* Words typed into the palette and pickers against names, their help and synonyms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/terminal/fuzzy.h"

static const char *synonyms(const char *word, unsigned *at)
{
    return !strcmp(word, "cache") && !(*at)++ ? "l1d" : NULL;
}

static int score(const char *words, const char *name, const char *help)
{
    return fuzzy_score(words, name, help, synonyms);
}

static void all_words_must_fit(void **state)
{
    (void)state;
    assert_true(score("size l1d", "l1d.size", "bytes of the L1D") > 0);
    assert_true(score("bytes size", "l1d.size", "bytes of the L1D") > 0);
    assert_int_equal(score("size ways", "l1d.size", "bytes of the L1D"), FUZZY_NONE);
    assert_int_equal(score("", "l1d.size", ""), 0);
    assert_int_equal(score("   ", "l1d.size", ""), 0);
}

/* Each line fits better than the one after it. */
static void nearer_fits_are_worth_more(void **state)
{
    (void)state;
    static const struct {
        const char *name, *help;
    } order[] = {
        {"size", ""},           /* the name */
        {"l1d.size", ""},       /* a part of it */
        {"sizes-of-it", ""},    /* its beginning */
        {"l1d.sizes", ""},      /* the beginning of a part */
        {"l1d.resize", ""},     /* within it */
        {"ways", "size of"},    /* a word of the help */
        {"ways", "resized of"}, /* within the help */
        {"s-i-z-e", ""},        /* the letters */
    };
    for (size_t i = 1; i < sizeof order / sizeof *order; i++)
        if (score("size", order[i - 1].name, order[i - 1].help) <=
            score("size", order[i].name, order[i].help))
            fail_msg("'%s' before '%s'", order[i - 1].name, order[i].name);
    assert_int_equal(score("size", "zise", ""), FUZZY_NONE);
    assert_int_equal(score("size", "xs-i-z-e", ""), FUZZY_NONE);
    assert_int_equal(score("size", "si", "z"), FUZZY_NONE);
}

static void synonyms_and_case_fit(void **state)
{
    (void)state;
    assert_true(score("cache size", "l1d.size", "") > score("cache size", "l2.size", "cache"));
    assert_int_equal(fuzzy_score("cache size", "l1d.size", "", NULL), FUZZY_NONE);
    assert_int_equal(score("GEMM", "gemm", ""), score("gemm", "GEMM", ""));
    assert_true(score("short", "short", "") > score("short", "short-one", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_words_must_fit),
        cmocka_unit_test(nearer_fits_are_worth_more),
        cmocka_unit_test(synonyms_and_case_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
