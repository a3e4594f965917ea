/* The explorer in a real terminal: sizes, signals, colours, and what it leaves behind. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/rng.h"
#include "support/temporary.h"
#include "support/terminal.h"
#include "ui/panes/pane.h"

enum { PATIENCE = 20 };

static const char *program(void)
{
    const char *path = getenv("WARPSCAPE");
    if (!path)
        skip(); /* run by hand without the program: nothing to look at */
    return path;
}

static struct terminal *start(int rows, int columns, const char *const *more)
{
    const char *const argv[] = {program(), "explore", "gtx480", "-w", "2DCONV:n=128", NULL};
    const char *environment[8] = {NULL};
    int count = 0;
    while (more && more[count]) { /* the first of two with one name counts */
        environment[count] = more[count];
        count++;
    }
    environment[count++] = "HOME=/dev/null"; /* nobody can make a folder there, not even root */
    environment[count] = "XDG_CONFIG_HOME=";
    struct terminal *terminal = terminal_start(rows, columns, argv, environment);
    assert_non_null(terminal);
    return terminal;
}

static struct terminal *start_exact(const char *const *more)
{
    struct terminal *terminal = start(24, 80, more);
    assert_true(terminal_wait_text(terminal, "exact", PATIENCE));
    return terminal;
}

static void expect_quit(struct terminal *terminal)
{
    int status = -1;
    assert_true(terminal_wait_exit(terminal, PATIENCE, &status));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    struct terminal_modes modes = terminal_modes(terminal);
    assert_false(modes.alternate_screen);
    assert_true(modes.cursor_visible);
    assert_false(modes.mouse);
    terminal_free(terminal);
}

static void starts_and_quits(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    assert_true(terminal_modes(terminal).alternate_screen);
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

static void a_key_changes_the_numbers(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    terminal_type(terminal, "l");
    assert_true(terminal_wait_text(terminal, "32KiB", PATIENCE));
    assert_true(terminal_wait_text(terminal, "28.5%    -0.1", PATIENCE));
    terminal_type(terminal, "u");
    assert_true(terminal_wait_text(terminal, "taken back: l1d.size 32KiB", PATIENCE));
    assert_true(terminal_wait_text(terminal, "28.7%       =", PATIENCE));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

/* While nobody asks for anything the machine is explained; a key opens the view, another sets a
 * lever and an edit is explained anew. */
static void what_limits_is_worked_out_ahead(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    assert_true(terminal_wait_text(terminal, "limit: 49.6% stores", PATIENCE));
    terminal_type(terminal, "X");
    assert_true(terminal_wait_text(terminal, "each alone", PATIENCE));
    terminal_type(terminal, "h");
    assert_true(terminal_wait_text(terminal, "waits, and what they cost", PATIENCE));
    terminal_type(terminal, "lll");
    assert_true(terminal_wait_text(terminal, "what can be built", PATIENCE));
    assert_true(terminal_wait_text(terminal, "-s l2.", PATIENCE)); /* of the first lever */
    terminal_type(terminal, "\r");
    assert_true(terminal_wait_text(terminal, "is set, u takes it back", PATIENCE));
    terminal_type(terminal, "qu");
    assert_true(terminal_wait_text(terminal, "taken back: ", PATIENCE));
    assert_true(terminal_wait_text(terminal, "limit: 49.6% stores", PATIENCE));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

/* The first and the tenth, which terminals send in different ways. */
static void function_keys_are_keys(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    assert_false(terminal_wait_text(terminal, "Keys in machine", 0));
    terminal_type(terminal, "\033OP"); /* F1 */
    assert_true(terminal_wait_text(terminal, "Keys in machine", PATIENCE));
    terminal_free(terminal);
    terminal = start_exact(NULL);
    terminal_type(terminal, "\033[21~"); /* F10 */
    expect_quit(terminal);
}

static void a_typed_value_replaces_the_old_one(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    terminal_type(terminal, "\r");
    assert_true(terminal_wait_text(terminal, "64MiB: 16KiB", PATIENCE));
    terminal_type(terminal, "32KiB");
    assert_true(terminal_wait_text(terminal, "64MiB: 32KiB", PATIENCE));
    terminal_type(terminal, "\r");
    assert_true(terminal_wait_text(terminal, "28.5%    -0.1", PATIENCE));
    terminal_type(terminal, "qy");
    expect_quit(terminal);
}

static void a_wrong_workload_leaves_the_old_one(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    terminal_type(terminal, ":workload nope\r");
    assert_true(terminal_wait_text(terminal, "'nope' is no workload", PATIENCE));
    assert_true(terminal_wait_text(terminal, "28.7%       =", PATIENCE));
    assert_true(terminal_wait_text(terminal, "2DCONV:n=128", PATIENCE));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

/* "file" would be the machine that is open now. */
static void the_pin_is_called_by_its_machine(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    assert_true(terminal_wait_text(terminal, "pinned: file", PATIENCE));
    terminal_type(terminal, ":open rtx3070\r");
    assert_true(terminal_wait_text(terminal, "pinned: gtx480", PATIENCE));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

/* Without a name of what to explore, the families are there with their numbers. */
static void the_first_screen_offers_what_there_is(void **state)
{
    (void)state;
    const char *const argv[] = {program(), "explore", NULL};
    const char *const environment[] = {"HOME=/dev/null", "XDG_CONFIG_HOME=", NULL};
    struct terminal *terminal = terminal_start(24, 80, argv, environment);
    assert_non_null(terminal);
    assert_true(terminal_wait_text(terminal, "Families", PATIENCE));
    assert_true(terminal_wait_text(terminal, "tile.frame_cycles 334k", PATIENCE));
    terminal_type(terminal, "/tile\r\r");
    assert_true(terminal_wait_text(terminal, "tile.queue.kind has the rivals", PATIENCE));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

static void words_find_what_they_mean(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    terminal_type(terminal, "\x10"
                            "cache siz");
    assert_true(terminal_wait_text(terminal, "l1d.size   ", PATIENCE));
    terminal_type(terminal, "\x03:tlb entr\r");
    assert_true(terminal_wait_text(terminal, "palette: tlb entr", PATIENCE));
    terminal_type(terminal, "\r");
    assert_true(terminal_wait_text(terminal, "tlb.entries: entries per TLB", PATIENCE));
    terminal_type(terminal, ":zzzz\r");
    assert_true(terminal_wait_text(terminal, "no command, name or file fits 'zzzz'", PATIENCE));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

/* The key after the list is handled as if the list were not there. */
static void a_key_without_meaning_shows_those_with_one(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    terminal_type(terminal, "i");
    assert_true(terminal_wait_text(terminal, "this key means nothing in machine", PATIENCE));
    terminal_type(terminal, "l");
    assert_true(terminal_wait_text(terminal, "28.5%    -0.1", PATIENCE));
    assert_true(terminal_wait_gone(terminal, "means nothing", PATIENCE));
    terminal_type(terminal, "qy");
    expect_quit(terminal);
}

/* The title of an open view in its rule. */
static bool shows_view(struct terminal *terminal, enum view view)
{
    char title[64];
    snprintf(title, sizeof title, "\u2501 %s \u2501", pane_ops(view_context(view))->title);
    return terminal_wait_text(terminal, title, PATIENCE);
}

static void help_goes_back_to_where_it_was_opened(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    for (int view = VIEW_WORKSPACE + 1; view < VIEW_HELP; view++) {
        char command[64];
        snprintf(command, sizeof command, ":view %s\r", view_names[view]);
        terminal_type(terminal, command);
        assert_true(shows_view(terminal, (enum view)view));
        terminal_type(terminal, "?");
        assert_true(shows_view(terminal, VIEW_HELP));
        terminal_type(terminal, ":help l1d.size\r"); /* another page is no other place */
        assert_true(terminal_wait_text(terminal, "Parameter l1d.size", PATIENCE));
        terminal_type(terminal, view % 2 ? "q" : "?");
        if (!shows_view(terminal, (enum view)view))
            fail_msg("help over %s left:\n%s", view_names[view], terminal_text(terminal));
    }
    terminal_type(terminal, ":view area\r7");
    assert_true(shows_view(terminal, VIEW_LOG));
    terminal_type(terminal, "qq");
    assert_true(terminal_wait_text(terminal, "4 Sweep", PATIENCE));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* An editor that sets the size to what is in the file beside it; the machine is a file in `folder`,
 * too. */
static struct terminal *start_with_editor(const char *folder)
{
    char editor[TEMPORARY_PATH + 32], mine[TEMPORARY_PATH + 32], variable[TEMPORARY_PATH + 64];
    snprintf(editor, sizeof editor, "%s/editor", folder);
    snprintf(mine, sizeof mine, "%s/mine.yaml", folder);
    snprintf(variable, sizeof variable, "EDITOR=sh %s", editor);
    put_file(editor, "sed -i \"s/size: 16KiB/size: $(cat ${0%/*}/size)/\" \"$2\"\n");
    put_file(mine, "l1d:\n  size: 16KiB # mine\n");
    const char *const argv[] = {program(), "explore", mine, "-w", "2DCONV:n=128", NULL};
    const char *const environment[] = {"HOME=/dev/null", "XDG_CONFIG_HOME=", "VISUAL=", variable,
                                       NULL};
    struct terminal *terminal = terminal_start(24, 80, argv, environment);
    assert_non_null(terminal);
    assert_true(terminal_wait_text(terminal, "exact", PATIENCE));
    return terminal;
}

static void an_editor_changes_the_machine(void **state)
{
    (void)state;
    char folder[TEMPORARY_PATH], size[TEMPORARY_PATH + 32];
    temporary_create(folder);
    snprintf(size, sizeof size, "%s/size", folder);
    put_file(size, "32KiB");
    struct terminal *terminal = start_with_editor(folder);
    terminal_type(terminal, "E");
    assert_true(terminal_wait_text(terminal, "the edited text is the machine now", PATIENCE));
    assert_true(terminal_wait_text(terminal, "28.5%    -0.1", PATIENCE));
    terminal_type(terminal, "v");
    assert_true(terminal_wait_text(terminal, "1 changed line", PATIENCE));
    assert_true(terminal_wait_text(terminal, "size: 32KiB # mine", PATIENCE));
    terminal_type(terminal, "u");
    assert_true(terminal_wait_text(terminal, "size: 16KiB # mine", PATIENCE));
    put_file(size, "fat");
    terminal_type(terminal, "E");
    assert_true(terminal_wait_text(terminal, "1 error, not taken over", PATIENCE));
    assert_true(terminal_wait_text(terminal, "got 'fat'", PATIENCE));
    terminal_type(terminal, "u");
    assert_true(terminal_wait_text(terminal, "as saved", PATIENCE));
    terminal_type(terminal, ":q!\r");
    expect_quit(terminal);
    temporary_remove(folder);
}

/* A comment of more lines than the screen has. */
#define LINES "#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n"
#define PAGES LINES LINES LINES LINES

static void a_file_written_by_others_is_read_again(void **state)
{
    (void)state;
    char folder[TEMPORARY_PATH], mine[TEMPORARY_PATH + 32];
    temporary_create(folder);
    snprintf(mine, sizeof mine, "%s/mine.yaml", folder);
    struct terminal *terminal = start_with_editor(folder);
    put_file(mine, "l1d:\n  size: 32KiB # theirs\n");
    assert_true(terminal_wait_text(terminal, "written by another program", PATIENCE));
    assert_true(terminal_wait_text(terminal, "28.5%    -0.1", PATIENCE));
    terminal_type(terminal, ":set l1d.latency 40\r"); /* an edit that goes with theirs */
    assert_true(terminal_wait_text(terminal, "mine.yaml\xe2\x97\x8f", PATIENCE));
    put_file(mine, PAGES "l1d:\n  size: 16KiB # again\n");
    assert_true(terminal_wait_text(terminal, "your edits with it", PATIENCE));
    terminal_type(terminal, ":set l1d.size 64KiB l1d.ways 8\r");
    assert_true(terminal_wait_text(terminal,
                                   "\xe2\x80\xb9"
                                   "64KiB",
                                   PATIENCE));
    put_file(mine, PAGES "l1d:\n  size: 32KiB # and again\n");
    assert_true(terminal_wait_text(terminal, "was changed outside, 1 conflict (v)", PATIENCE));
    terminal_type(terminal, "v"); /* both sides at the line of the parameter */
    assert_true(
        terminal_wait_text(terminal, "l1d.size: the file has 32KiB, you have 64KiB", PATIENCE));
    assert_true(terminal_wait_text(terminal, "1 conflict, `merge mine`", PATIENCE));
    terminal_type(terminal, "g");
    assert_true(terminal_wait_gone(terminal, "you have 64KiB", PATIENCE));
    put_file(mine, PAGES "l1d:\n  size: 32KiB\n  latency: 99\n"); /* the line is found again */
    assert_true(terminal_wait_text(terminal, "the file has 99, you have 40", PATIENCE));
    put_file(mine, PAGES "l1d:\n  size: 32KiB # and again\n");
    assert_true(terminal_wait_gone(terminal, "the file has 99, you have 40", PATIENCE));
    terminal_type(terminal, ":save\r");
    assert_true(terminal_wait_text(terminal, "was changed outside: first", PATIENCE));
    terminal_type(terminal, ":merge mine\r");
    assert_true(terminal_wait_text(terminal, "size: 64KiB # and again", PATIENCE));
    terminal_type(terminal, "u"); /* theirs alone */
    assert_true(terminal_wait_text(terminal, "size: 32KiB # and again", PATIENCE));
    assert_true(terminal_wait_text(terminal, "as saved", PATIENCE));
    terminal_type(terminal, ":merge theirs\r");
    assert_true(terminal_wait_text(terminal, "no other program changed", PATIENCE));
    terminal_type(terminal, ":q!\r");
    expect_quit(terminal);
    temporary_remove(folder);
}

static void unsaved_edits_are_asked_for(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    terminal_type(terminal, "lq");
    assert_true(terminal_wait_text(terminal, "gtx480 has unsaved edits", PATIENCE));
    terminal_type(terminal, "n");
    assert_true(terminal_wait_gone(terminal, "unsaved edits", PATIENCE));
    terminal_type(terminal, "qy");
    expect_quit(terminal);
}

static void another_machine_asks_first(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    terminal_type(terminal, "l:open a100\r");
    assert_true(terminal_wait_text(terminal, "unsaved edits. Open a100 and drop them?", PATIENCE));
    terminal_type(terminal, "n");
    assert_true(terminal_wait_gone(terminal, "drop them", PATIENCE));
    /* However long the path is, the answers are seen; what is none leaves the question. */
    terminal_type(terminal,
                  ":machine /where/nobody/keeps/any/of/the/files/that/are/opened/many.yaml\r");
    assert_true(
        terminal_wait_text(terminal, "many.yaml and drop them?  y yes  s save  n no", PATIENCE));
    terminal_type(terminal, ":g\r l");
    assert_true(terminal_wait_text(terminal, "drop them?  y yes  s save  n no", PATIENCE));
    terminal_type(terminal, "n");
    assert_true(terminal_wait_gone(terminal, "drop them", PATIENCE));
    assert_true(terminal_wait_text(terminal, "gtx480", PATIENCE));
    terminal_type(terminal, ":open a100\ry");
    assert_true(terminal_wait_text(terminal, "opened a100", PATIENCE));
    terminal_type(terminal, ":q\r");
    expect_quit(terminal);
}

/* A pin named after a machine that comes with the program is that machine. */
static void a_shipped_name_is_pinned_for_its_machine_alone(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    terminal_type(terminal, ":pin a100\r");
    assert_true(terminal_wait_text(terminal, "which is not a100", PATIENCE));
    terminal_type(terminal, ":pin gtx480\r");
    assert_true(terminal_wait_text(terminal, "pinned: changes", PATIENCE));
    terminal_type(terminal, ":q\r");
    expect_quit(terminal);
}

static void problems_of_a_file_are_counted(void **state)
{
    (void)state;
    char folder[TEMPORARY_PATH], path[TEMPORARY_PATH + 32], line[TEMPORARY_PATH + 64];
    temporary_create(folder);
    snprintf(path, sizeof path, "%s/bad.yaml", folder);
    put_file(path, "l1d:\n  ways: 0\nl2:\n  nothing: 3\ntlb:\n  entries: many\n");
    struct terminal *terminal = start_exact(NULL);
    snprintf(line, sizeof line, ":machine %s\r", path);
    terminal_type(terminal, line);
    assert_true(terminal_wait_text(terminal, "1 of 3 (:view log lists them)", PATIENCE));
    assert_true(terminal_wait_text(terminal, "l1d.ways: expected", PATIENCE));
    terminal_type(terminal, ":view log\r");
    assert_true(terminal_wait_text(terminal, "tlb.entries: expected", PATIENCE));
    terminal_type(terminal, ":q!\r");
    expect_quit(terminal);
    temporary_remove(folder);
}

/* The name that is offered goes when another is typed. */
static void an_offered_name_is_replaced(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    terminal_type(terminal, "s");
    assert_true(terminal_wait_text(terminal, "save as: gtx480.yaml", PATIENCE));
    terminal_type(terminal, "x");
    assert_true(terminal_wait_gone(terminal, "gtx480.yaml", PATIENCE));
    assert_true(terminal_wait_text(terminal, "save as: x", PATIENCE));
    terminal_type(terminal, "\x03:q\r");
    expect_quit(terminal);
}

static struct terminal *start_with_state(const char *folder)
{
    char home[TEMPORARY_PATH + 32];
    snprintf(home, sizeof home, "XDG_STATE_HOME=%s", folder);
    const char *const environment[] = {home, NULL};
    return start_exact(environment);
}

static void a_session_comes_back(void **state)
{
    (void)state;
    char folder[TEMPORARY_PATH];
    temporary_create(folder);
    struct terminal *terminal = start_with_state(folder);
    terminal_type(terminal, "lp:axis tlb.entries 16 64\rl:metric l2.miss_rate\r");
    assert_true(terminal_wait_text(terminal, "1 axis", PATIENCE));
    assert_true(terminal_wait_text(terminal, "64KiB", PATIENCE));
    terminal_type(terminal, ":q!\r");
    expect_quit(terminal);
    terminal = start_with_state(folder);
    terminal_type(terminal, ":resume\r");
    assert_true(terminal_wait_text(terminal, "the last session is back", PATIENCE));
    assert_true(terminal_wait_text(terminal, "pinned: l1d.size 32KiB", PATIENCE));
    assert_true(terminal_wait_text(terminal, "64KiB", PATIENCE));
    assert_true(terminal_wait_text(terminal, "1 axis", PATIENCE));
    assert_true(terminal_wait_text(terminal, "l2.miss_rate  64KiB", PATIENCE));
    terminal_type(terminal, ":q!\r");
    expect_quit(terminal);
    temporary_remove(folder);
}

/* Nobody can save anything then. */
static void a_killed_session_comes_back(void **state)
{
    (void)state;
    char folder[TEMPORARY_PATH];
    int status;
    temporary_create(folder);
    struct terminal *terminal = start_with_state(folder);
    terminal_type(terminal, "lp:axis tlb.entries 16 64\rl");
    assert_true(terminal_wait_text(terminal, "64KiB", PATIENCE));
    assert_true(terminal_wait_quiet(terminal, 3, PATIENCE));
    terminal_signal(terminal, SIGKILL);
    assert_true(terminal_wait_exit(terminal, PATIENCE, &status));
    terminal_free(terminal);
    terminal = start_with_state(folder);
    terminal_type(terminal, ":resume\r");
    assert_true(terminal_wait_text(terminal, "the last session is back", PATIENCE));
    assert_true(terminal_wait_text(terminal, "pinned: l1d.size 32KiB", PATIENCE));
    assert_true(terminal_wait_text(terminal, "64KiB", PATIENCE));
    assert_true(terminal_wait_text(terminal, "1 axis", PATIENCE));
    terminal_type(terminal, ":q!\r");
    expect_quit(terminal);
    temporary_remove(folder);
}

static void a_table_comes_back_as_it_was(void **state)
{
    (void)state;
    char folder[TEMPORARY_PATH];
    temporary_create(folder);
    struct terminal *terminal = start_with_state(folder);
    terminal_type(terminal, ":workloads ATAX:n=64\r:axis l1d.ways 1 2 4\r");
    terminal_type(terminal, ":equal l1d.area 0.1mm2 l1d.size\r:set l1d.index linear\r");
    assert_true(terminal_wait_text(terminal, "equal l1d.area at_most", PATIENCE));
    terminal_type(terminal, "S");
    assert_true(terminal_wait_text(terminal, "the sweep is done", PATIENCE));
    terminal_type(terminal, "5:across geomean\r:sort l1d.size\r");
    assert_true(terminal_wait_text(terminal, "geomean over workloads", PATIENCE));
    terminal_type(terminal, ":q!\r");
    expect_quit(terminal);
    terminal = start_with_state(folder);
    terminal_type(terminal, ":resume\r");
    assert_true(terminal_wait_text(terminal, "the last session is back", PATIENCE));
    assert_true(
        terminal_wait_text(terminal, "geomean over workloads", PATIENCE)); /* the view, too */
    assert_true(terminal_wait_text(terminal, "l1d.size↑", PATIENCE));
    terminal_type(terminal, ":view workspace\r");
    assert_true(terminal_wait_text(terminal, "equal l1d.area at_most", PATIENCE));
    terminal_type(terminal, "9");
    assert_true(terminal_wait_text(terminal, "Best points and the baseline", PATIENCE));
    terminal_type(terminal, ":store\r"); /* without a name: those of the last times */
    assert_true(terminal_wait_text(terminal, "opened lately", PATIENCE));
    terminal_type(terminal, "\x03:q!\r");
    expect_quit(terminal);
    temporary_remove(folder);
}

/* The chart of importance asks for another reading. One that fails is said, and not tried again
 * without end. */
static void a_store_that_vanished_is_read_once(void **state)
{
    (void)state;
    char folder[TEMPORARY_PATH], command[TEMPORARY_PATH + 64];
    temporary_create(folder);
    struct terminal *terminal = start_with_state(folder);
    terminal_type(terminal, ":axis l1d.ways 1 2 4\r:set l1d.index linear\r");
    assert_true(terminal_wait_text(terminal, "1 axis", PATIENCE));
    terminal_type(terminal, "S");
    assert_true(terminal_wait_text(terminal, "the sweep is done", PATIENCE));
    terminal_type(terminal, "5");
    assert_true(terminal_wait_text(terminal, "3 points", PATIENCE));
    snprintf(command, sizeof command, "rm -r '%s/warpscape/sweeps'", folder);
    assert_int_equal(system(command), 0);
    terminal_type(terminal, ":view workspace\r:focus chart\r:zoom\r");
    terminal_type(terminal, ":chart importance\r"); /* last: another key would clear what is said */
    assert_true(terminal_wait_text(terminal, "the points could not be read again", PATIENCE));
    assert_true(terminal_wait_quiet(terminal, 1, PATIENCE));
    terminal_type(terminal, ":q!\r");
    expect_quit(terminal);
    temporary_remove(folder);
}

/* Half of a study, as a run leaves it that was stopped: a part of it, merged, is in no run's hands.
 */
static void make_unfinished_store(const char *folder)
{
    char path[TEMPORARY_PATH + 16], command[4 * TEMPORARY_PATH + 256];
    snprintf(path, sizeof path, "%s/half.yaml", folder);
    put_file(path, "machine: gtx480\nworkloads: ['2DCONV:n=128']\n"
                   "axes: {l1d.ways: [1, 2, 4, 8], l1d.index: [linear]}\n"
                   "objectives: [l1d.miss_rate]\n");
    snprintf(command, sizeof command,
             "{ %s sweep %s --no-cache --shard 1/2 -o %s/part.db && "
             "%s merge %s/half.db %s/part.db; } >%s/output 2>&1",
             program(), path, folder, program(), folder, folder, folder);
    assert_int_equal(system(command), 0);
}

static void a_stopped_store_goes_on(void **state)
{
    (void)state;
    char folder[TEMPORARY_PATH], open[TEMPORARY_PATH + 32];
    temporary_create(folder);
    make_unfinished_store(folder);
    struct terminal *terminal = start_with_state(folder);
    snprintf(open, sizeof open, ":open %s/half.db\r", folder);
    terminal_type(terminal, open);
    assert_true(terminal_wait_text(terminal, "stopped at 2 of 4 points, S goes on", PATIENCE));
    assert_true(terminal_wait_text(terminal, "S go on", PATIENCE));
    terminal_type(terminal, "S");
    assert_true(terminal_wait_text(terminal, "the sweep is done: 4 points", PATIENCE));
    assert_true(terminal_wait_text(terminal, " 4 points ", PATIENCE));
    assert_true(terminal_wait_gone(terminal, "goes on", PATIENCE));
    assert_true(terminal_wait_gone(terminal, "S go on", PATIENCE));
    terminal_type(terminal, ":q!\r");
    expect_quit(terminal);
    temporary_remove(folder);
}

/* A study's name starts it, unless that would lose edits. */
static void a_named_study_is_swept(void **state)
{
    (void)state;
    char folder[TEMPORARY_PATH], sweep[TEMPORARY_PATH + 32];
    temporary_create(folder);
    make_unfinished_store(folder);
    struct terminal *terminal = start_with_state(folder);
    terminal_type(terminal, ":sweep strat\r");
    assert_true(terminal_wait_text(terminal, "did you mean 'start'?", PATIENCE));
    terminal_type(terminal, "l:sweep quick\r");
    assert_true(terminal_wait_text(terminal, "gtx480 has unsaved edits", PATIENCE));
    snprintf(sweep, sizeof sweep, "u:sweep %s/half.yaml\r", folder);
    terminal_type(terminal, sweep);
    assert_true(terminal_wait_text(terminal, "the sweep is done: 4 points", PATIENCE));
    terminal_type(terminal, ":q!\r");
    expect_quit(terminal);
    temporary_remove(folder);
}

static void any_size_is_survived(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    for (uint64_t i = 0; i < 60; i++) {
        int rows = 1 + (int)random_below(random_at(1, i), 100);
        int columns = 1 + (int)random_below(random_at(2, i), 250);
        terminal_resize(terminal, rows, columns);
        terminal_type(terminal, i % 3 == 0 ? "\t" : i % 3 == 1 ? "z" : "j");
    }
    terminal_resize(terminal, 5, 30);
    assert_true(terminal_wait_text(terminal, "40x10 needed, q quits", PATIENCE));
    terminal_resize(terminal, 40, 120);
    if (!terminal_wait_text(terminal, "? help  q quit", PATIENCE))
        fail_msg("after growing:\n%s", terminal_text(terminal));
    terminal_resize(terminal, 5, 30);
    assert_true(terminal_wait_text(terminal, "40x10 needed, q quits", PATIENCE));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

static void the_whole_screen_is_used_after_growing(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    terminal_resize(terminal, 10, 40);
    assert_true(terminal_wait_text(terminal, "1 Machine  2 Live  3 Chart  4 Sweep", PATIENCE));
    terminal_resize(terminal, 60, 200);
    assert_true(terminal_wait_text(terminal, "pinned: file", PATIENCE));
    assert_true(terminal_wait_quiet(terminal, 0.3, PATIENCE));
    int used = 0;
    for (int row = 0; row < 60; row++)
        used += terminal_cell(terminal, row, 45).glyph != ' ' ||
                terminal_cell(terminal, row, 46).glyph != ' ';
    assert_true(used > 40); /* the line between the panes goes all the way down */
    assert_int_equal(terminal_cell(terminal, 59, 197).glyph, 't');
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

static void nothing_moves_when_nothing_changes(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    assert_true(terminal_wait_text(terminal, "limit: 49.6% stores", PATIENCE));
    assert_true(terminal_wait_quiet(terminal, 1.0, PATIENCE));
    unsigned long long before = terminal_written(terminal);
    terminal_wait_text(terminal, "never", 0.7);
    assert_true(terminal_written(terminal) == before);
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

static void a_signal_gives_the_terminal_back(void **state)
{
    (void)state;
    /* The rest: tests/unit/test_signals.c. The real-time ones are no constants. */
    const int signals[] = {SIGINT,  SIGTERM, SIGHUP,    SIGSEGV,  SIGABRT, SIGPIPE,
                           SIGPOLL, SIGUSR1, SIGSTKFLT, SIGRTMIN, SIGRTMAX};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct terminal *terminal = start_exact(NULL);
        int status = 0;
        terminal_signal(terminal, signals[i]);
        assert_true(terminal_wait_exit(terminal, PATIENCE, &status));
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i]);
        assert_false(terminal_modes(terminal).alternate_screen);
        assert_true(terminal_modes(terminal).cursor_visible);
        assert_false(terminal_modes(terminal).mouse);
        terminal_free(terminal);
    }
}

/* A megabyte in the marks of a terminal that knows about pasting, which is no keys, and much text
 * that is. */
static void pasting_takes_no_time(void **state)
{
    (void)state;
    enum { MEGABYTE = 1 << 20 };
    static char text[MEGABYTE + 16];
    struct terminal *terminal = start_exact(NULL);
    terminal_type(terminal, "\033[200~q\rq\r\033[201~");
    assert_true(terminal_wait_text(terminal, "what is pasted goes into a line", PATIENCE));
    terminal_type(terminal, ":");
    snprintf(text, sizeof text, "\033[200~%0*d\033[201~", MEGABYTE, 7);
    assert_true(terminal_type(terminal, text));
    assert_true(terminal_wait_text(terminal, "0000000000", PATIENCE));
    terminal_type(terminal, "\025\033[200~set\nl1d.ways\t8\033[201~"); /* ^U empties the line */
    assert_true(terminal_wait_text(terminal, ":set l1d.ways 8", PATIENCE));
    memset(text, 'z', MEGABYTE / 16);
    text[MEGABYTE / 16] = '\0';
    assert_true(terminal_type(terminal, text));
    assert_true(terminal_wait_text(terminal, "zzzzzzzzzz", PATIENCE));
    terminal_type(terminal, "\007"); /* ^G leaves it */
    assert_true(terminal_wait_gone(terminal, "zzzzzzzzzz", PATIENCE));
    terminal_type(terminal, ":quit!\r");
    expect_quit(terminal);
}

static void stops_and_goes_on(void **state)
{
    (void)state;
    char command[4096];
    snprintf(command, sizeof command,
             "set -m; '%s' explore gtx480 -w 2DCONV:n=128; echo stopped here; read line; fg; "
             "echo over",
             program());
    const char *const argv[] = {"bash", "-c", command, NULL};
    struct terminal *terminal = terminal_start(24, 80, argv, NULL);
    assert_non_null(terminal);
    assert_true(terminal_wait_text(terminal, "exact", PATIENCE));
    terminal_type(terminal, "\032");
    assert_true(terminal_wait_text(terminal, "stopped here", PATIENCE));
    assert_false(terminal_modes(terminal).alternate_screen);
    terminal_type(terminal, "\n");
    assert_true(terminal_wait_text(terminal, "1 Machine", PATIENCE));
    assert_true(terminal_modes(terminal).alternate_screen);
    terminal_type(terminal, "j");
    assert_true(terminal_wait_text(terminal, "l1d.ways: ", PATIENCE));
    terminal_type(terminal, "q");
    assert_true(terminal_wait_text(terminal, "over", PATIENCE));
    terminal_free(terminal);
}

static bool has_color(const struct terminal *terminal)
{
    for (int row = 0; row < 24; row++)
        for (int column = 0; column < 80; column++) {
            struct terminal_cell cell = terminal_cell(terminal, row, column);
            if (cell.foreground != TERMINAL_DEFAULT || cell.background != TERMINAL_DEFAULT)
                return true;
        }
    return false;
}

static void colours_can_be_refused(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    assert_true(has_color(terminal));
    terminal_type(terminal, "q");
    expect_quit(terminal);
    terminal = start_exact((const char *const[]){"NO_COLOR=1", NULL});
    assert_false(has_color(terminal));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

static void the_c_locale_gets_ascii(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact((const char *const[]){"LC_ALL=C", NULL});
    for (int row = 0; row < 24; row++)
        for (int column = 0; column < 80; column++)
            assert_true(terminal_cell(terminal, row, column).glyph < 0x7f);
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

static void unknown_terminals_are_refused_with_words(void **state)
{
    (void)state;
    static const char *const names[] = {"TERM=", "TERM=dumb", "TERM=no-such-terminal"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct terminal *terminal = start(24, 80, (const char *const[]){names[i], NULL});
        int status = 0;
        assert_true(terminal_wait_exit(terminal, PATIENCE, &status));
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
        assert_true(terminal_wait_text(terminal, "the terminal '", 1));
        terminal_free(terminal);
    }
}

static void the_mouse_focuses_and_selects(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    assert_true(terminal_wait_text(terminal, "━ 1 Machine ━", PATIENCE));
    terminal_type(terminal, "\033[<0;50;11M\033[<0;50;11m");
    assert_true(terminal_wait_text(terminal, "━ 2 Live ━", PATIENCE));
    assert_true(terminal_wait_text(terminal, "shares of the misses", PATIENCE));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

/* The cursor of the curve goes where the mouse is pressed and follows it, also beyond the pane. */
static void the_mouse_drags_the_cursor_of_a_curve(void **state)
{
    (void)state;
    struct terminal *terminal = start_exact(NULL);
    assert_true(terminal_wait_text(terminal, "l1d.miss_rate  16KiB: ", PATIENCE));
    terminal_type(terminal, "\033[<0;44;15M");
    assert_true(terminal_wait_text(terminal, "━ 3 Chart ━", PATIENCE));
    assert_true(terminal_wait_text(terminal, "over l1d.size, 4KiB: ", PATIENCE));
    terminal_type(terminal, "\033[<32;79;3M");
    assert_true(terminal_wait_text(terminal, "over l1d.size, 16MiB: ", PATIENCE));
    assert_true(terminal_wait_text(terminal, "━ 3 Chart ━", PATIENCE));
    terminal_type(terminal, "\033[<0;79;3m");
    terminal_type(terminal, "\033[<64;60;15M");
    assert_true(terminal_wait_text(terminal, "over l1d.size, 2MiB: ", PATIENCE));
    terminal_type(terminal, "q");
    expect_quit(terminal);
}

static void wrong_keys_files_are_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/warpscape-keys-XXXXXX", path[64], variable[64], command[96];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "mkdir -p %s/warpscape", folder);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/warpscape/keys", folder);
    FILE *file = fopen(path, "w");
    fputs("machine x undo\nmachine x redo\n", file);
    fclose(file);
    snprintf(variable, sizeof variable, "XDG_CONFIG_HOME=%s", folder);
    struct terminal *terminal = start(24, 160, (const char *const[]){variable, NULL});
    int status = 0;
    assert_true(terminal_wait_exit(terminal, PATIENCE, &status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_non_null(strstr(terminal_text(terminal), "'undo' in line 1 already"));
    terminal_free(terminal);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_and_quits),
        cmocka_unit_test(a_key_changes_the_numbers),
        cmocka_unit_test(what_limits_is_worked_out_ahead),
        cmocka_unit_test(function_keys_are_keys),
        cmocka_unit_test(a_typed_value_replaces_the_old_one),
        cmocka_unit_test(a_wrong_workload_leaves_the_old_one),
        cmocka_unit_test(the_pin_is_called_by_its_machine),
        cmocka_unit_test(the_first_screen_offers_what_there_is),
        cmocka_unit_test(words_find_what_they_mean),
        cmocka_unit_test(a_key_without_meaning_shows_those_with_one),
        cmocka_unit_test(help_goes_back_to_where_it_was_opened),
        cmocka_unit_test(an_editor_changes_the_machine),
        cmocka_unit_test(a_file_written_by_others_is_read_again),
        cmocka_unit_test(unsaved_edits_are_asked_for),
        cmocka_unit_test(another_machine_asks_first),
        cmocka_unit_test(a_shipped_name_is_pinned_for_its_machine_alone),
        cmocka_unit_test(problems_of_a_file_are_counted),
        cmocka_unit_test(an_offered_name_is_replaced),
        cmocka_unit_test(a_session_comes_back),
        cmocka_unit_test(a_killed_session_comes_back),
        cmocka_unit_test(a_table_comes_back_as_it_was),
        cmocka_unit_test(a_store_that_vanished_is_read_once),
        cmocka_unit_test(a_stopped_store_goes_on),
        cmocka_unit_test(a_named_study_is_swept),
        cmocka_unit_test(any_size_is_survived),
        cmocka_unit_test(the_whole_screen_is_used_after_growing),
        cmocka_unit_test(nothing_moves_when_nothing_changes),
        cmocka_unit_test(a_signal_gives_the_terminal_back),
        cmocka_unit_test(pasting_takes_no_time),
        cmocka_unit_test(stops_and_goes_on),
        cmocka_unit_test(colours_can_be_refused),
        cmocka_unit_test(the_c_locale_gets_ascii),
        cmocka_unit_test(unknown_terminals_are_refused_with_words),
        cmocka_unit_test(the_mouse_focuses_and_selects),
        cmocka_unit_test(the_mouse_drags_the_cursor_of_a_curve),
        cmocka_unit_test(wrong_keys_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
