/* The file of settings (ui/terminal/screen_settings.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/message_text.h"
#include "support/temporary.h"
#include "ui/terminal/screen_settings.h"

static void what_is_written_is_read(void **state)
{
    (void)state;
    for (size_t theme = 0; theme < THEME_COUNT; theme++) {
        struct screen_settings settings = {{0}}, read = {{0}};
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        char *text;
        settings.values[SETTING_THEME] = theme;
        settings.values[SETTING_GLYPHS] = theme % 4;
        assert_int_equal(settings_text(&settings, "", &text), STATUS_OK);
        assert_int_equal(settings_read(&read, text, "settings", &diagnostics), STATUS_OK);
        assert_memory_equal(&read, &settings, sizeof read);
        free(text);
    }
}

/* Comments and what stands around a setting are the user's. */
static void what_else_the_file_has_stays(void **state)
{
    (void)state;
    struct screen_settings settings = {{[SETTING_THEME] = THEME_LIGHT}};
    char *text;
    assert_int_equal(settings_text(&settings, "# mine\n  theme dark\n\n# end\ntheme mono", &text),
                     STATUS_OK);
    assert_string_equal(text, "# mine\ntheme   light\n\n# end\nglyphs  auto\n");
    free(text);
}

static void errors_name_their_lines_and_change_nothing(void **state)
{
    (void)state;
    struct screen_settings settings = {{0}};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(settings_read(&settings, "theme light\nthem dark\nglyphs brail\ntheme\n",
                                   "settings", &diagnostics),
                     STATUS_INVALID);
    assert_int_equal(settings.values[SETTING_THEME], THEME_DARK);
    char *text = messages_take(&diagnostics);
    assert_non_null(strstr(text, "settings:2:1: no setting 'them'; did you mean 'theme'?"));
    assert_non_null(strstr(text, "settings:3:1: no glyphs 'brail'; did you mean 'braille'?"));
    assert_non_null(strstr(text, "settings:4:1: expected a setting and its value"));
    free(text);
}

/* A file that cannot be read is the user's to mend: it is not replaced. */
static void a_wrong_file_is_not_replaced(void **state)
{
    (void)state;
    struct screen_settings settings = {{[SETTING_THEME] = THEME_LIGHT}};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    char *text, path[600];
    setenv("XDG_CONFIG_HOME", temporary_folder, 1);
    assert_int_equal(settings_load(&settings, &diagnostics), STATUS_OK);
    assert_int_equal(settings_save(&settings, &text, &diagnostics), STATUS_OK);
    assert_string_equal(text, "theme   light\nglyphs  auto\n");
    free(text);
    snprintf(path, sizeof path, "%s/warpscape/settings", getenv("XDG_CONFIG_HOME"));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("theme nothing\n", file);
    fclose(file);
    assert_int_equal(settings_save(&settings, &text, &diagnostics), STATUS_INVALID);
    assert_null(text);
    assert_int_equal(settings_load(&settings, &diagnostics), STATUS_INVALID);
    diagnostics_free(&diagnostics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_else_the_file_has_stays),
        cmocka_unit_test(errors_name_their_lines_and_change_nothing),
        cmocka_unit_test(a_wrong_file_is_not_replaced),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
