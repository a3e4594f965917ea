/* Key names, the built-in bindings, and a user's file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/panes/pane.h"
#include "ui/terminal/keymap.h"

static void names_read_back(void **state)
{
    (void)state;
    static const char *const names[] = {"j",   "C-d", "Tab", "Enter",  "Space", "Escape", "F1",
                                        "F12", "Up",  "?",   "PageUp", "ö",     "#",      "Home"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[KEY_TEXT];
        uint32_t key = key_parse(names[i]);
        assert_int_not_equal(key, 0);
        assert_string_equal(key_print(key, text), names[i]);
    }
    static const char *const wrong[] = {"", "jk", "F13", "F0", "C-", "C-dd", "tab", "\001", "F1x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(key_parse(wrong[i]), 0);
}

static void built_in_keys_do_not_collide(void **state)
{
    (void)state;
    struct keymap keymap;
    assert_int_equal(keymap_init(&keymap), STATUS_OK);
    for (size_t i = 0; i < keymap.count; i++)
        for (size_t k = 0; k < i; k++)
            if (keymap.items[i].context == keymap.items[k].context &&
                keymap.items[i].key == keymap.items[k].key)
                fail_msg("%s and %s share a key in %s", command_table[keymap.items[i].command].name,
                         command_table[keymap.items[k].command].name,
                         context_names[keymap.items[i].context]);
    keymap_free(&keymap);
}

static bool is_function_key(uint32_t key)
{
    return key > KEY_FUNCTION && key < KEY_NAMED_END;
}

static void every_function_key_has_a_letter(void **state)
{
    (void)state;
    struct keymap keymap;
    assert_int_equal(keymap_init(&keymap), STATUS_OK);
    for (size_t i = 0; i < keymap.count; i++) {
        const struct binding *binding = &keymap.items[i];
        if (!is_function_key(binding->key))
            continue;
        bool twin = false;
        for (size_t k = 0; k < keymap.count; k++)
            twin |= keymap.items[k].command == binding->command &&
                    keymap.items[k].key < KEY_NAMED &&
                    !strcmp(keymap.items[k].arguments, binding->arguments);
        assert_true(twin);
    }
    keymap_free(&keymap);
}

static void footer_has_keys(const struct keymap *keymap, enum context context,
                            const struct hint *hints)
{
    for (; hints->command != COMMAND_QUIT; hints++)
        if (!keymap_key(keymap, context, hints->command))
            fail_msg("the footer of %s names %s, which has no key", context_names[context],
                     command_table[hints->command].name);
}

/* Every word of a footer has its key, and so has all that only this view can do. */
static void views_have_their_keys(void **state)
{
    (void)state;
    struct keymap keymap;
    assert_int_equal(keymap_init(&keymap), STATUS_OK);
    for (enum context context = CONTEXT_GLOBAL + 1; context < CONTEXT_COUNT; context++) {
        const struct pane_ops *ops = pane_ops(context);
        const struct {
            enum command command;
            bool can;
        } needs[] = {{COMMAND_CHANGE, ops->enter},  {COMMAND_RELOAD, ops->reload},
                     {COMMAND_LOOK, ops->look},     {COMMAND_NEXT, ops->jump},
                     {COMMAND_PREVIOUS, ops->jump}, {COMMAND_GOTO, ops->go}};
        footer_has_keys(&keymap, context, ops->hints);
        footer_has_keys(&keymap, context, ops->opens);
        for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
            if (needs[i].can && !keymap_key(&keymap, context, needs[i].command))
                fail_msg("%s has no key for %s", context_names[context],
                         command_table[needs[i].command].name);
    }
    keymap_free(&keymap);
}

/* No key of a view says that it does the same as another, which does something else. */
static void keys_of_views_say_what_they_do(void **state)
{
    (void)state;
    struct keymap keymap;
    assert_int_equal(keymap_init(&keymap), STATUS_OK);
    for (size_t i = 0; i < keymap.count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct binding *above = &keymap.items[k], *binding = &keymap.items[i];
            const bool opens =
                binding->command == COMMAND_VIEW || binding->command == COMMAND_FOCUS;
            if (above->context == binding->context && above->command == binding->command &&
                strcmp(above->arguments, binding->arguments) != 0 && !opens &&
                binding->context != CONTEXT_GLOBAL && !keymap_use(binding))
                fail_msg("%s %s of %s is not explained", command_table[binding->command].name,
                         binding->arguments, context_names[binding->context]);
        }
    keymap_free(&keymap);
}

static void contexts_go_before_global(void **state)
{
    (void)state;
    struct keymap keymap;
    assert_int_equal(keymap_init(&keymap), STATUS_OK);
    assert_int_equal(keymap_lookup(&keymap, CONTEXT_MACHINE, 'l')->command, COMMAND_STEP_UP);
    assert_int_equal(keymap_lookup(&keymap, CONTEXT_EXPLORE, 'l')->command, COMMAND_RIGHT);
    assert_int_equal(keymap_lookup(&keymap, CONTEXT_MACHINE, '?')->command, COMMAND_HELP);
    assert_null(keymap_lookup(&keymap, CONTEXT_LIVE, 0x1f600));
    assert_int_equal(keymap_key(&keymap, CONTEXT_MACHINE, COMMAND_STEP_UP), 'l');
    assert_int_equal(keymap_key(&keymap, CONTEXT_LIVE, COMMAND_STEP_UP), 0);
    assert_int_equal(keymap_key(&keymap, CONTEXT_HELP, COMMAND_PAGE_DOWN), ' ');
    keymap_free(&keymap);
}

static void a_file_overrides(void **state)
{
    (void)state;
    struct keymap keymap;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(keymap_init(&keymap), STATUS_OK);
    assert_int_equal(keymap_read(&keymap,
                                 "# mine\n\n"
                                 "machine x set l1d.ways 8  \r\n"
                                 "global  C-w  zoom\n"
                                 "machine l none\n"
                                 "machine # undo",
                                 "keys", &diagnostics),
                     STATUS_OK);
    const struct binding *binding = keymap_lookup(&keymap, CONTEXT_MACHINE, 'x');
    assert_int_equal(binding->command, COMMAND_SET);
    assert_string_equal(binding->arguments, "l1d.ways 8");
    assert_int_equal(keymap_lookup(&keymap, CONTEXT_LIVE, 23)->command, COMMAND_ZOOM);
    assert_int_equal(keymap_lookup(&keymap, CONTEXT_MACHINE, 'l')->command, COMMAND_COUNT);
    assert_int_equal(keymap_lookup(&keymap, CONTEXT_MACHINE, '#')->command, COMMAND_UNDO);
    /* The footer shows what is in force. */
    assert_int_equal(keymap_key(&keymap, CONTEXT_MACHINE, COMMAND_STEP_UP), KEY_ARROW_RIGHT);
    diagnostics_free(&diagnostics);
    keymap_free(&keymap);
}

static void errors_name_both(void **state)
{
    (void)state;
    struct keymap keymap;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(keymap_init(&keymap), STATUS_OK);
    assert_int_equal(keymap_read(&keymap,
                                 "machine x undo\n"
                                 "machine x redo\n"
                                 "machin y undo\n"
                                 "global jj undo\n"
                                 "global b unod\n"
                                 "global",
                                 "keys", &diagnostics),
                     STATUS_INVALID);
    assert_int_equal(diagnostics.count, 5);
    assert_string_equal(diagnostics.items[0].message,
                        "machine x is bound to 'undo' in line 1 already, and to 'redo' here");
    assert_int_equal(diagnostics.items[0].line, 2);
    assert_non_null(strstr(diagnostics.items[1].message, "did you mean 'machine'?"));
    assert_non_null(strstr(diagnostics.items[2].message, "'jj' is no key"));
    assert_non_null(strstr(diagnostics.items[3].message, "did you mean 'undo'?"));
    assert_int_equal(diagnostics.items[4].line, 6);
    diagnostics_free(&diagnostics);
    keymap_free(&keymap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_read_back),
        cmocka_unit_test(built_in_keys_do_not_collide),
        cmocka_unit_test(every_function_key_has_a_letter),
        cmocka_unit_test(views_have_their_keys),
        cmocka_unit_test(keys_of_views_say_what_they_do),
        cmocka_unit_test(contexts_go_before_global),
        cmocka_unit_test(a_file_overrides),
        cmocka_unit_test(errors_name_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
