/* The pseudo terminal that other tests use (support/terminal.h). */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "support/terminal.h"

static struct terminal *run_shell(const char *script)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    static const char *const environment[] = {"GREETING=grüße", "LC_ALL=C.UTF-8", NULL};
    struct terminal *terminal = terminal_start(5, 30, argv, environment);
    assert_non_null(terminal);
    return terminal;
}

static void output_and_exit_status(void **state)
{
    (void)state;
    struct terminal *terminal = run_shell("echo $GREETING $TERM; exit 3");
    int status = 0;
    assert_true(terminal_wait_exit(terminal, 10, &status));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
    assert_string_equal(terminal_text(terminal), "grüße xterm-256color\n\n\n\n\n");
    assert_true(terminal_written(terminal) > 0);
    terminal_free(terminal);
}

static void keys_reach_the_program(void **state)
{
    (void)state;
    const char *const argv[] = {"cat", NULL};
    struct terminal *terminal = terminal_start(5, 30, argv, NULL);
    assert_non_null(terminal);
    assert_true(terminal_type(terminal, "hello\n"));
    assert_true(terminal_wait_text(terminal, "hello\nhello", 10));
    assert_false(terminal_wait_text(terminal, "never", 0.05));
    assert_true(terminal_wait_quiet(terminal, 0.05, 10));
    assert_true(terminal_type(terminal, "\004"));
    assert_true(terminal_wait_exit(terminal, 10, NULL));
    terminal_free(terminal);
}

static void a_resize_arrives_with_its_signal(void **state)
{
    (void)state;
    struct terminal *terminal =
        run_shell("trap 'stty size' WINCH; stty size; while :; do sleep 0.02; done");
    assert_true(terminal_wait_text(terminal, "5 30", 10));
    terminal_resize(terminal, 12, 41);
    assert_true(terminal_wait_text(terminal, "12 41", 10));
    terminal_free(terminal);
}

static void colours_and_modes_are_seen(void **state)
{
    (void)state;
    struct terminal *terminal =
        run_shell("printf '\\033[?1049h\\033[?25l\\033[?1000h\\033[2;3H"
                  "\\033[1;38;5;214mA\\033[0;7mB\\033[0m\\a'; read x;"
                  "printf '\\033[?1049l\\033[?25h\\033[?1000ldone'; read x");
    assert_true(terminal_wait_text(terminal, "AB", 10));
    assert_true(terminal_wait_quiet(terminal, 0.05, 10));
    struct terminal_cell cell = terminal_cell(terminal, 1, 2);
    assert_int_equal(cell.glyph, 'A');
    assert_int_equal(cell.foreground, 214);
    assert_int_equal(cell.background, TERMINAL_DEFAULT);
    assert_true(cell.bold && !cell.reverse);
    cell = terminal_cell(terminal, 1, 3);
    assert_true(cell.glyph == 'B' && cell.reverse && !cell.bold);
    assert_int_equal(terminal_cell(terminal, 4, 29).glyph, ' ');
    struct terminal_modes modes = terminal_modes(terminal);
    assert_true(modes.alternate_screen && modes.mouse && !modes.cursor_visible);
    assert_int_equal(modes.bells, 1);
    assert_int_equal(modes.cursor_row, 1);
    assert_int_equal(modes.cursor_column, 4);
    terminal_type(terminal, "\n");
    assert_true(terminal_wait_text(terminal, "done", 10));
    assert_true(terminal_wait_gone(terminal, "AB", 10));
    modes = terminal_modes(terminal);
    assert_true(!modes.alternate_screen && !modes.mouse && modes.cursor_visible);
    terminal_free(terminal);
}

static void signals_and_missing_programs(void **state)
{
    (void)state;
    struct terminal *terminal = run_shell("echo up; sleep 100");
    int status = 0;
    assert_true(terminal_wait_text(terminal, "up", 10));
    assert_false(terminal_wait_exit(terminal, 0.05, &status));
    terminal_signal(terminal, SIGTERM);
    assert_true(terminal_wait_exit(terminal, 10, &status));
    assert_true(WIFSIGNALED(status));
    terminal_free(terminal);

    const char *const missing[] = {"no-such-program-here", NULL};
    terminal = terminal_start(5, 30, missing, NULL);
    assert_non_null(terminal);
    assert_true(terminal_wait_exit(terminal, 10, &status));
    assert_int_equal(WEXITSTATUS(status), 127);
    terminal_free(terminal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_exit_status),
        cmocka_unit_test(keys_reach_the_program),
        cmocka_unit_test(a_resize_arrives_with_its_signal),
        cmocka_unit_test(colours_and_modes_are_seen),
        cmocka_unit_test(signals_and_missing_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
