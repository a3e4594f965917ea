/* Lines that a text has and another has not, against a search of all subsequences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "ui/session/changed_lines.h"

/* One character a line: "." for the same, "x" for a changed one. */
static void assert_marks(const char *before, const char *now, const char *marks)
{
    bool *changed = changed_lines(before, now);
    assert_non_null(changed);
    for (size_t i = 0; marks[i]; i++)
        if (changed[i] != (marks[i] == 'x'))
            fail_msg("line %zu of:\n%s", i + 1, now);
    free(changed);
}

static void edits_are_marked(void **state)
{
    (void)state;
    assert_marks("a\nb\nc\n", "a\nb\nc\n", "...");
    assert_marks("a\nb\nc\n", "a\nB\nc\n", ".x.");
    assert_marks("a\nb\nc\n", "a\nc\n", "..");
    assert_marks("a\nc\n", "a\nb\nc\nd\n", ".x.x");
    assert_marks("", "a\nb", "xx");
    assert_marks("a\n", "", "");
    assert_marks("a\nb\nc\nd\n", "a\nX\nc\nY\nd\n", ".x.x.");
}

/* The length of the longest common subsequence of two texts of lines of one letter. */
static size_t longest(const char *a, const char *b)
{
    if (!*a || !*b)
        return 0;
    if (a[0] == b[0])
        return 1 + longest(a + 2, b + 2);
    const size_t first = longest(a + 2, b), second = longest(a, b + 2);
    return first > second ? first : second;
}

static void roll(char text[20], uint64_t seed)
{
    const size_t lines = random_below(random_at(seed, 0), 9);
    for (size_t i = 0; i < lines; i++) {
        text[2 * i] = (char)('a' + random_below(random_at(seed, i + 1), 3));
        text[2 * i + 1] = '\n';
    }
    text[2 * lines] = '\0';
}

static void as_few_as_can_be_are_marked(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 500; seed++) {
        char before[20], now[20];
        roll(before, 2 * seed);
        roll(now, 2 * seed + 1);
        bool *changed = changed_lines(before, now);
        size_t kept = 0;
        for (size_t i = 0; i < strlen(now) / 2; i++)
            kept += !changed[i];
        assert_int_equal(kept, longest(before, now));
        free(changed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_marked),
        cmocka_unit_test(as_few_as_can_be_are_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
