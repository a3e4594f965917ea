/* The order of the palette over the names of the tables: four letters of a command's name, and it
 * is one of the first three. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "config/parameter_keys.h"
#include "schema/metrics.h"
#include "ui/terminal/commands.h"
#include "ui/terminal/contexts.h"
#include "ui/terminal/fuzzy.h"

enum { LETTERS = 4, SHOWN = 3 };

static int score(const char *words, const char *name, const char *help)
{
    return fuzzy_score(words, name, help, parameter_synonym);
}

/* How many names stand before a command; commands come first among equals. */
static int rank(const char *words, size_t command)
{
    const int own = score(words, command_table[command].name, command_table[command].help);
    int before = 0;
    if (own == FUZZY_NONE)
        return SHOWN;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const int other = score(words, command_table[i].name, command_table[i].help);
        before += other > own || (other == own && i < command);
    }
    for (size_t i = 0; i < parameter_count; i++)
        before += score(words, parameters[i].path, parameters[i].help) > own;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        before += score(words, metric_table[i].path, metric_table[i].help) > own;
    for (int i = CONTEXT_GLOBAL + 1; i < CONTEXT_COUNT; i++)
        before += score(words, context_names[i], context_helps[i]) > own;
    return before;
}

static void four_letters_find_every_command(void **state)
{
    (void)state;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const char *name = command_table[i].name;
        const size_t length = strlen(name);
        int best = SHOWN;
        for (size_t from = 0; from == 0 || from + LETTERS <= length; from++) {
            char letters[LETTERS + 1];
            snprintf(letters, sizeof letters, "%s", name + from);
            const int found = rank(letters, i);
            best = found < best ? found : best;
        }
        if (best >= SHOWN)
            fail_msg("%s is not among the first %d", name, SHOWN);
    }
}

static void words_find_parameters(void **state)
{
    (void)state;
    static const char *const found[][2] = {{"cache size", "l1d.size"},
                                           {"tlb entries", "tlb.entries"}};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        const struct parameter *best = NULL;
        int most = FUZZY_NONE;
        for (size_t k = 0; k < parameter_count; k++) {
            const int worth = score(found[i][0], parameters[k].path, parameters[k].help);
            if (worth > most) {
                most = worth;
                best = &parameters[k];
            }
        }
        assert_non_null(best);
        assert_string_equal(best->path, found[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_letters_find_every_command),
        cmocka_unit_test(words_find_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
