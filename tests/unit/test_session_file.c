/* Files of sessions: what is written comes back, and what is wrong is refused as a whole, with its
 * place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "support/message_text.h"
#include "support/temporary.h"
#include "ui/explorer/session_file.h"
#include "ui/terminal/user_files.h"

static struct session *opened(const char *machine)
{
    struct session *session;
    assert_int_equal(session_create(machine, &session, NULL), STATUS_OK);
    session_pin_file(session);
    return session;
}

static void set(struct session *session, const char *assignments)
{
    char text[SESSION_TEXT];
    if (session_set_text(session, assignments, text))
        fail_msg("%s", text);
}

static void mark(struct session *session, const char *path, const char *values)
{
    char text[SESSION_TEXT];
    assert_int_equal(session_mark(session, parameter_find(path), values, text), STATUS_OK);
}

/* Everything that a session can have. */
static struct session_state full_state(const char *store)
{
    char text[SESSION_TEXT], gone[SESSION_NAME];
    struct session *session = opened("gtx480");
    set(session, "l1d.size=32KiB l1d.index=linear");
    session_pin(session, "what: # \"odd\"", gone);
    set(session, "l1d.size=48KiB l1d.ways=6");
    session_pin(session, "large", gone);
    set(session, "l1d.ways=8 tlb.entries=64");
    mark(session, "l1d.ways", "2 4 8");
    mark(session, "l1d.replacement", "lru fifo");
    assert_int_equal(session_equal(session, "l1d.area 0.1mm2 l1d.size", text), STATUS_OK);
    assert_int_equal(session_objectives(session, "l1d.miss_rate -l1d.accesses", text), STATUS_OK);
    assert_int_equal(session_search(session, "nsga2 population=64", text), STATUS_OK);
    assert_int_equal(session_workloads(session, "GEMM:ni=64 ATAX:nx=64", text), STATUS_OK);
    struct session_state state = {.session = session,
                                  .workload = "GEMM:ni=64",
                                  .metric = metric_find("l2.miss_rate"),
                                  .chart = CHART_FRONT,
                                  .points = {.where = "l1d.ways <= 8 and l1d.area < 0.1",
                                             .sort = "-l1d.area",
                                             .front = true,
                                             .across = AGGREGATE_GEOMEAN},
                                  .view = VIEW_AREA};
    session->study.depth = DEPTH_TIMING;
    snprintf(state.points.store, sizeof state.points.store, "%s", store);
    return state;
}

static char *written(const struct session_state *state)
{
    char *text;
    assert_int_equal(session_file_write(state, &text), STATUS_OK);
    return text;
}

static void test_round_trip(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    struct session_state before =
        full_state(temporary_file(temporary_folder, "store", "any", 0, path));
    struct session_state after;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    char *text = written(&before);
    enum status status = session_file_read(text, strlen(text), "session", &after, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(diagnostics.count, 0);
    const struct session *a = before.session, *b = after.session;
    assert_true(machine_same(&a->machine, &b->machine, ~0u));
    assert_int_equal(a->pin_count, b->pin_count);
    for (size_t i = 0; i < a->pin_count; i++) {
        assert_true(machine_same(&a->pins[i].machine, &b->pins[i].machine, ~0u));
        assert_string_equal(a->pins[i].name, b->pins[i].name);
    }
    assert_int_equal(b->axis_count, 2);
    assert_int_equal(b->axes[0].count, 3);
    assert_int_equal(b->study.budget_count, 1);
    assert_int_equal(b->study.objective_count, 2);
    assert_int_equal(b->study.objectives[1].direction, HIGHER_IS_BETTER);
    assert_int_equal(b->study.workload_count, 2);
    assert_string_equal(b->study.workloads[1], "ATAX:nx=64");
    assert_int_equal(b->study.depth, DEPTH_TIMING);
    /* The rest is equal if it is written alike. */
    char *again = written(&after);
    assert_string_equal(text, again);
    free(again);
    free(text);
    session_free(before.session);
    session_free(after.session);
}

/* Undo takes back edits of the session before, one by one, and nothing else. */
static void test_undo_goes_on(void **state)
{
    (void)state;
    char text[SESSION_TEXT], gone[SESSION_NAME];
    struct session_state before = {.session = opened("gtx480"), .view = VIEW_WORKSPACE}, after;
    set(before.session, "l1d.size=32KiB");
    set(before.session, "l1d.size=48KiB l1d.ways=6");
    session_pin(before.session, "large", gone);
    set(before.session, "tlb.entries=128");
    mark(before.session, "l1d.ways", "2 3");
    set(before.session, "tlb.entries=32");
    set(before.session, "tlb.entries=16");
    assert_int_equal(session_undo(before.session, text), STATUS_OK);
    char *file = written(&before);
    assert_int_equal(session_file_read(file, strlen(file), "session", &after, NULL), STATUS_OK);
    struct session *a = before.session, *b = after.session;
    assert_true(machine_same(&a->pins[0].machine, &b->pins[0].machine, ~0u));
    assert_int_equal(session_redo(b, text), STATUS_OK); /* what was undone can be made again */
    assert_int_equal(b->machine.tlb.entries, 16);
    assert_int_equal(session_redo(b, text), STATUS_NOT_FOUND);
    assert_int_equal(session_undo(b, text), STATUS_OK);
    for (int steps = 0; session_last_edit(b); steps++) {
        assert_true(machine_same(&a->machine, &b->machine, ~0u));
        while (a->edit_position && !a->edits[a->edit_position - 1].before)
            assert_int_equal(session_undo(a, text), STATUS_OK); /* of the axes */
        assert_non_null(b->edits[b->edit_position - 1].before); /* its axes stay */
        assert_int_equal(b->axis_count, 1);
        assert_int_equal(session_undo(a, text), STATUS_OK);
        assert_int_equal(session_undo(b, text), STATUS_OK);
        assert_true(steps < 4);
    }
    assert_null(session_last_edit(a));
    assert_true(machine_same(&b->machine, &b->file, ~0u));
    assert_false(session_dirty(b));
    free(file);
    session_free(a);
    session_free(b);
}

static void refused(const char *text, const char *expected)
{
    struct session_state state;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_not_equal(session_file_read(text, strlen(text), "s", &state, &diagnostics),
                         STATUS_OK);
    assert_null(state.session);
    char *found = messages_take(&diagnostics);
    if (!strstr(found, expected))
        fail_msg("expected '%s' in:\n%s", expected, found);
    free(found);
}

#define HEAD "session: 1\nmachine: gtx480\n"

static void test_no_commands(void **state)
{
    (void)state;
    refused("open gtx480\nresume\n", "s:1:1: expected 'session: 1'; sessions of commands");
    refused("resume: yes\n", "expected 'session: 1'");
    refused(HEAD "undone: x\n", "undone: expected a mapping of changes");
    refused(HEAD "resume: yes\n", "s:3:1: unknown key 'resume'");
    refused(HEAD "keys: q\n", "s:3:1: unknown key 'keys'");
    refused(HEAD "save: /tmp/x\n", "s:3:1: unknown key 'save'");
    refused(HEAD "points: {store: x, export: y}\n", "unknown key 'export'");
    refused("session: 2\nmachine: gtx480\n", "s:1:10: this version reads sessions of version 1");
}

static void test_wrong_values(void **state)
{
    (void)state;
    refused("session: 1\n", "machine: expected the name");
    refused("session: 1\nmachine: nowhere.yaml\n", "nowhere.yaml");
    refused(HEAD "set: {l1d.sise: 32KiB}\n", "s:3:7: ");
    refused(HEAD "set: {l1d.size: 32}\n", "s:3:");
    refused(HEAD "depth: timming\n", "s:3:8: depth: expected");
    refused(HEAD "chart: cruve\n", "did you mean 'curve'?");
    refused(HEAD "view: aria\n", "did you mean 'area'?");
    refused(HEAD "metric: l1d.miss_rat\n", "did you mean 'l1d.miss_rate'?");
    refused(HEAD "axes: {l1d.ways: [3]}\n", "s:3:");
    refused(HEAD "axes: {l1d.ways: {a: b}}\n", "expected a list of words");
    refused(HEAD "equal: [nothing]\n", "s:3:9: equal: expected a metric");
    refused(HEAD "workloads: [[a]]\n", "workloads: expected a list of names");
    refused(HEAD "points: 3\n", "points: expected store");
    refused(HEAD "pin: [a]\n", "pin: expected one value");
    /* All at once. */
    refused(HEAD "depth: x\nchart: y\nview: z\n", "s:5:7: view: 'z'");
}

/* A changed byte anywhere is read or refused. */
static void test_damage(void **state)
{
    (void)state;
    char path[TEMPORARY_PATH];
    struct session_state full =
        full_state(temporary_file(temporary_folder, "store", "any", 0, path));
    char *text = written(&full);
    const size_t size = strlen(text);
    for (uint64_t i = 0; i < 150; i++) {
        struct session_state read;
        char *copy = strdup(text);
        copy[random_below(random_at(1, i), size)] = (char)random_below(random_at(2, i), 256);
        if (!session_file_read(copy, size, "s", &read, NULL))
            session_free(read.session);
        else
            assert_null(read.session);
        free(copy);
    }
    free(text);
    session_free(full.session);
}

/* Neither a pipe nor a device in its place is waited for. */
static void test_what_is_no_file(void **state)
{
    (void)state;
    char folder[TEMPORARY_PATH], path[TEMPORARY_PATH + 32], *text;
    size_t size;
    assert_int_equal(setenv("XDG_STATE_HOME", temporary_folder, 1), 0);
    assert_int_equal(state_file_read("session", &text, &size, NULL), STATUS_NOT_FOUND);
    temporary_path(temporary_folder, "warpscape", folder);
    snprintf(path, sizeof path, "%s/session", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(state_file_read("session", &text, &size, NULL), STATUS_INVALID);
    unlink(path);
    assert_int_equal(symlink("/dev/zero", path), 0);
    assert_int_equal(state_file_read("session", &text, &size, NULL), STATUS_INVALID);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_undo_goes_on),
        cmocka_unit_test(test_no_commands), cmocka_unit_test(test_wrong_values),
        cmocka_unit_test(test_damage),      cmocka_unit_test(test_what_is_no_file),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
