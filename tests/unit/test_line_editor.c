/* The line editor: editing keys, history, UTF-8, and no way out of its buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "ui/terminal/keymap.h"
#include "ui/terminal/line_editor.h"

static void type(struct line_editor *editor, const char *keys)
{
    for (; *keys; keys++)
        line_key(editor, (unsigned char)*keys);
}

enum { CONTROL = 'a' - 1 };

static void keys_edit(void **state)
{
    (void)state;
    struct line_editor editor;
    line_start(&editor, "set ", NULL);
    type(&editor, "l1d.size 8KiB");
    assert_string_equal(editor.text, "set l1d.size 8KiB");
    line_key(&editor, 'w' - CONTROL);
    assert_string_equal(editor.text, "set l1d.size ");
    line_key(&editor, 'a' - CONTROL);
    line_key(&editor, KEY_DELETE);
    assert_string_equal(editor.text, "et l1d.size ");
    line_key(&editor, KEY_ARROW_RIGHT);
    line_key(&editor, 'k' - CONTROL);
    assert_string_equal(editor.text, "e");
    line_key(&editor, 0xfc); /* u umlaut */
    line_key(&editor, 0x4e2d);
    assert_string_equal(editor.text, "e\xc3\xbc\xe4\xb8\xad");
    assert_int_equal(line_cursor_column(&editor), 3);
    line_key(&editor, KEY_ARROW_LEFT);
    line_key(&editor, KEY_ERASE);
    assert_string_equal(editor.text, "e\xe4\xb8\xad");
    assert_int_equal(line_key(&editor, KEY_RETURN), LINE_ACCEPTED);
    assert_int_equal(line_key(&editor, KEY_ESCAPE), LINE_CANCELLED);
    assert_int_equal(line_key(&editor, KEY_TAB), LINE_COMPLETE);
    line_key(&editor, 'u' - CONTROL);
    assert_string_equal(editor.text, "\xe4\xb8\xad");
    line_key(&editor, KEY_LAST);
    line_key(&editor, KEY_ERASE);
    assert_int_equal(line_key(&editor, KEY_ERASE), LINE_CANCELLED);
}

/* Back to the start of a word, and of the blanks after it, wherever the cursor is. */
static void a_word_is_erased(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned left; /* how far from the end the cursor is */
        const char *rest;
    } rows[] = {{"", 0, ""},        {" ", 0, ""},        {"  ", 0, ""},
                {"a", 0, ""},       {" a", 0, " "},      {"a ", 0, ""},
                {"a b  ", 0, "a "}, {"ab cd", 0, "ab "}, {"ab cd", 1, "ab d"},
                {"ab cd", 2, "cd"}, {"ab cd", 3, " cd"}, {"ab cd", 5, "ab cd"},
                {" b", 1, "b"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct line_editor editor;
        line_start(&editor, rows[i].text, NULL);
        for (unsigned k = 0; k < rows[i].left; k++)
            line_key(&editor, KEY_ARROW_LEFT);
        line_key(&editor, 'w' - CONTROL);
        assert_string_equal(editor.text, rows[i].rest);
        type(&editor, "x");
        assert_int_equal(strlen(editor.text), strlen(rows[i].rest) + 1);
        assert_int_equal(editor.text[strlen(rows[i].rest) - rows[i].left], 'x');
    }
}

/* What is offered goes with the first letter, and stays where a key edits it. */
static void an_offer_is_replaced(void **state)
{
    (void)state;
    struct line_editor editor;
    line_start(&editor, "16KiB", NULL);
    line_select(&editor);
    assert_int_equal(line_key(&editor, '8'), LINE_EDITED);
    type(&editor, "KiB");
    assert_string_equal(editor.text, "8KiB");
    line_start(&editor, "16KiB", NULL);
    line_select(&editor);
    line_key(&editor, KEY_ERASE);
    type(&editor, "b");
    assert_string_equal(editor.text, "16Kib");
    line_start(&editor, "16KiB", NULL);
    line_select(&editor);
    line_key(&editor, KEY_FIRST);
    type(&editor, "1");
    assert_string_equal(editor.text, "116KiB");
}

static void history_comes_back(void **state)
{
    (void)state;
    struct line_history history = {0};
    struct line_editor editor;
    line_remember(&history, "one");
    line_remember(&history, "two");
    line_remember(&history, "two");
    assert_int_equal(history.count, 2);
    line_start(&editor, "", &history);
    type(&editor, "new");
    line_key(&editor, KEY_ARROW_UP);
    assert_string_equal(editor.text, "two");
    line_key(&editor, KEY_ARROW_UP);
    line_key(&editor, KEY_ARROW_UP);
    assert_string_equal(editor.text, "one");
    line_key(&editor, KEY_ARROW_DOWN);
    line_key(&editor, KEY_ARROW_DOWN);
    assert_string_equal(editor.text, "new");
    char text[16];
    for (int i = 0; i < 3 * LINE_HISTORY; i++) {
        snprintf(text, sizeof text, "%d", i);
        line_remember(&history, text);
    }
    assert_int_equal(history.count, LINE_HISTORY);
    assert_string_equal(history.items[LINE_HISTORY - 1], "191");
    line_history_free(&history);
}

/* Whatever is pressed, the text is whole UTF-8 and the cursor stands on a character. */
static void any_keys_are_safe(void **state)
{
    (void)state;
    static const uint32_t special[] = {
        KEY_ERASE,    KEY_DELETE,     KEY_ARROW_LEFT, KEY_ARROW_RIGHT, KEY_FIRST,    KEY_LAST,
        KEY_ARROW_UP, KEY_ARROW_DOWN, 'w' - CONTROL,  'u' - CONTROL,   'k' - CONTROL};
    static const uint32_t letters[] = {'a', ' ', 0xfc, 0x20ac, 0x1f600};
    struct line_history history = {0};
    struct line_editor editor;
    line_remember(&history, "an older \xe2\x82\xac line");
    line_start(&editor, "", &history);
    for (uint64_t i = 0; i < 200000; i++) {
        uint64_t bits = random_at(7, i);
        uint32_t key = bits % 8 ? letters[random_below(random_at(8, i), 5)]
                                : special[random_below(random_at(9, i), 11)];
        line_key(&editor, key);
        size_t length = strlen(editor.text);
        assert_true(length < LINE_MAX_BYTES);
        assert_true(editor.cursor >= 0 && (size_t)editor.cursor <= length);
        assert_true((editor.text[editor.cursor] & 0xc0) != 0x80);
    }
    line_history_free(&history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_edit),
        cmocka_unit_test(a_word_is_erased),
        cmocka_unit_test(an_offer_is_replaced),
        cmocka_unit_test(history_comes_back),
        cmocka_unit_test(any_keys_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
