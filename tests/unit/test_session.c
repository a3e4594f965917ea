/* The session: edits and their refusals, undo to the byte, saving, axes and the study they make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/space/budget.h"
#include "explore/space/space.h"
#include "ui/session/session.h"

static const char machine_text[] = "# A machine of mine.\n"
                                   "l1d:\n"
                                   "  size: 16KiB   # small\n"
                                   "  ways: 4\n"
                                   "\n"
                                   "tlb: {entries: 64}  # one line\n";

static char path[] = "/tmp/warpscape-session-XXXXXX";

static int write_machine(void **state)
{
    (void)state;
    strcpy(path + sizeof path - 7, "XXXXXX");
    int descriptor = mkstemp(path);
    if (descriptor < 0 ||
        write(descriptor, machine_text, sizeof machine_text - 1) != sizeof machine_text - 1)
        return -1;
    return close(descriptor);
}

static int remove_machine(void **state)
{
    (void)state;
    return unlink(path);
}

static struct session *open_session(void)
{
    struct session *session;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = session_create(path, &session, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    diagnostics_free(&diagnostics);
    assert_int_equal(status, STATUS_OK);
    return session;
}

static const char *text_of(const struct session *session)
{
    return document_text(session->document, NULL);
}

static const char *value_of(const struct session *session, const char *name)
{
    static char text[VALUE_TEXT];
    const struct parameter *parameter = parameter_find(name);
    return parameter_print(parameter, parameter_get(parameter, &session->machine), text);
}

static void a_set_changes_only_its_bytes(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct session *session = open_session();
    assert_false(session_dirty(session));
    assert_int_equal(session_set_text(session, "l1d.size 32KiB", text), STATUS_OK);
    assert_string_equal(text, "");
    assert_string_equal(text_of(session), "# A machine of mine.\n"
                                          "l1d:\n"
                                          "  size: 32KiB   # small\n"
                                          "  ways: 4\n"
                                          "\n"
                                          "tlb: {entries: 64}  # one line\n");
    assert_true(session_dirty(session));
    assert_true(session_changed(session, parameter_find("l1d.size")));
    assert_false(session_changed(session, parameter_find("l1d.ways")));
    session_free(session);
}

static void a_refused_value_leaves_the_old_one(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct session *session = open_session();
    assert_int_equal(session_set_text(session, "l1d.size 48KiB", text), STATUS_INVALID);
    assert_non_null(strstr(text, "fermi hash needs 32 or 64 sets"));
    assert_string_equal(value_of(session, "l1d.size"), "16KiB");
    assert_false(session_dirty(session));
    /* The way out is proposed, and can be taken as one edit. */
    assert_non_null(strstr(text, "y: with l1d.ways 6"));
    assert_int_equal(session_accept(session, text), STATUS_OK);
    assert_string_equal(value_of(session, "l1d.size"), "48KiB");
    assert_string_equal(value_of(session, "l1d.ways"), "6");
    assert_int_equal(session_undo(session, text), STATUS_OK);
    assert_string_equal(text_of(session), machine_text);
    assert_int_equal(session_accept(session, text), STATUS_NOT_FOUND);
    session_free(session);
}

/* A step past what the rules allow proposes a way that keeps the other parameters of the structure,
 * if one is a few values further on. */
static void a_refused_step_proposes_to_keep_the_rest(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    const struct parameter *l4 = parameter_find("pwc.l4_entries");
    struct session *session = open_session();
    assert_int_equal(session_set_text(session, "pwc.organization cpwc", text), STATUS_OK);
    assert_int_equal(session_step(session, l4, 1, text), STATUS_OK);
    assert_string_equal(value_of(session, "pwc.l4_entries"), "4");
    assert_int_equal(session_step(session, l4, 1, text), STATUS_INVALID);
    assert_string_equal(text, "pwc.l4_entries 8 refused: l3_entries (4) must be at least "
                              "l4_entries (8); y: with pwc.l3_entries 8");
    assert_int_equal(session_accept(session, text), STATUS_OK);
    assert_string_equal(value_of(session, "pwc.organization"), "cpwc");
    assert_string_equal(value_of(session, "pwc.l4_entries"), "8");
    session_free(session);
}

static void wrong_words_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *assignment, *says;
    } cases[] = {
        {"l1d.szie 4KiB", "did you mean 'l1d.size'?"},
        {"l1d.line four", "expected a power of two from 16B to 512B, got 'four'"},
        {"l1d.replacement lrv", "did you mean 'lru'?"},
        {"l1d.size", "l1d.size: expected a size"},
        {"", "unknown parameter ''"},
        {"l1d.size=32KiB l1d.ways=3", "refused: l1d.size"},
    };
    struct session *session = open_session();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SESSION_TEXT];
        assert_int_equal(session_set_text(session, cases[i].assignment, text), STATUS_INVALID);
        if (!strstr(text, cases[i].says))
            fail_msg("'%s' says '%s'", cases[i].assignment, text);
    }
    assert_false(session_dirty(session));
    session_free(session);
}

static void several_values_are_one_edit(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct session *session = open_session();
    assert_int_equal(
        session_set_text(session, "l1d.size=48KiB l1d.ways 6  gpu.shared_memory = 16KiB", text),
        STATUS_OK);
    assert_string_equal(value_of(session, "l1d.size"), "48KiB");
    assert_string_equal(value_of(session, "gpu.shared_memory"), "16KiB");
    assert_int_equal(session->edit_count, 1);
    session_free(session);
}

/* As many assignments as the session has room for, and one more. */
static void a_line_may_be_long_but_not_endless(void **state)
{
    static const char one[] = "l1d.ways=2 ";
    char text[SESSION_TEXT], *line = calloc(ASSIGNMENTS_MAX + 2, sizeof one);
    (void)state;
    struct session *session = open_session();
    for (int i = 0; i < ASSIGNMENTS_MAX; i++)
        strcat(line, one);
    assert_int_equal(session_set_text(session, line, text), STATUS_OK);
    assert_string_equal(value_of(session, "l1d.ways"), "2");
    strcat(line, "l1d.ways=4");
    assert_int_equal(session_set_text(session, line, text), STATUS_INVALID);
    assert_string_equal(text, "more than 512 assignments");
    assert_string_equal(value_of(session, "l1d.ways"), "2");
    free(line);
    session_free(session);
}

static void a_former_name_sets_what_it_is_called_now(void **state)
{
    (void)state;
    struct session *session = open_session();
    char text[SESSION_TEXT];
    assert_int_equal(session_set_text(session, "l1d.bypass.policy sampled", text), STATUS_OK);
    assert_int_equal(session_set_text(session, "l1d.bypass.policy ccws", text), STATUS_OK);
    assert_int_equal(session->machine.l1d.bypass.policy, BYPASS_NEVER);
    assert_int_equal(session->machine.scheduler.throttle, THROTTLE_CCWS);
    assert_int_equal(session_set_text(session, "l1d.bypass.throttle no", text), STATUS_OK);
    assert_int_equal(session->machine.scheduler.throttle, THROTTLE_CCWS);
    assert_int_equal(session_set_text(session, "l1d.bypass.throttle yes", text), STATUS_OK);
    assert_int_equal(session_set_text(session, "l1d.bypass.throttle no", text), STATUS_OK);
    assert_int_equal(session->machine.scheduler.throttle, THROTTLE_NONE);
    session_free(session);
}

static void steps_go_to_the_next_legal_value(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct session *session = open_session();
    const struct parameter *ways = parameter_find("l1d.ways");
    assert_int_equal(session_set_text(session, "l1d.index linear", text), STATUS_OK);
    assert_int_equal(session_step(session, ways, 1, text), STATUS_OK);
    assert_string_equal(value_of(session, "l1d.ways"), "8"); /* 5, 6 and 7 do not divide */
    assert_int_equal(session_step(session, ways, -1, text), STATUS_OK);
    assert_string_equal(value_of(session, "l1d.ways"), "4");
    assert_int_equal(session_set_text(session, "l1d.index fermi", text), STATUS_OK);
    /* The hash leaves no other number of sets: the size follows, as one edit. */
    assert_int_equal(session_step(session, ways, 1, text), STATUS_OK);
    assert_non_null(strstr(text, "l1d.size follows: 20KiB, else 16KiB is not a multiple"));
    assert_string_equal(value_of(session, "l1d.ways"), "5");
    assert_string_equal(value_of(session, "l1d.size"), "20KiB");
    assert_int_equal(session_undo(session, text), STATUS_OK);
    assert_string_equal(value_of(session, "l1d.size"), "16KiB");
    assert_int_equal(session_set_text(session, "l1d.size 32KiB l1d.ways 8", text), STATUS_OK);
    for (int i = 9; i <= 16; i++)
        assert_int_equal(session_step(session, ways, 1, text), STATUS_OK);
    assert_string_equal(value_of(session, "l1d.ways"), "16");
    assert_string_equal(value_of(session, "l1d.size"), "64KiB");
    const struct parameter *sms = parameter_find("gpu.sms");
    assert_int_equal(session_set_text(session, "gpu.sms 1", text), STATUS_OK);
    assert_int_equal(session_step(session, sms, -1, text), STATUS_NOT_FOUND);
    assert_string_equal(text, "gpu.sms: 1 is the first value");
    session_free(session);
}

/* Marks of axes are edits as any other, between edits of the machine. */
static void axes_are_undone(void **state)
{
    (void)state;
    char text[SESSION_TEXT], printed[SESSION_TEXT];
    struct session *session = open_session();
    const struct parameter *entries = parameter_find("tlb.entries");
    assert_int_equal(session_mark(session, entries, "16 32", text), STATUS_OK);
    assert_int_equal(session_set_text(session, "gpu.sms 4", text), STATUS_OK);
    assert_int_equal(session_mark(session, entries, "16 32 64", text), STATUS_OK);
    assert_string_equal(session_last_edit(session), "gpu.sms 4");
    session_unmark(session, entries);
    assert_null(session_axis(session, entries));
    assert_int_equal(session_undo(session, text), STATUS_OK);
    assert_string_equal(text, "taken back: no axis tlb.entries");
    assert_string_equal(axis_print(session_axis(session, entries), printed), "16 32 64");
    assert_int_equal(session_undo(session, text), STATUS_OK);
    assert_string_equal(axis_print(session_axis(session, entries), printed), "16 32");
    assert_string_equal(value_of(session, "gpu.sms"), "4");
    assert_int_equal(session_undo(session, text), STATUS_OK);
    assert_int_equal(session_undo(session, text), STATUS_OK);
    assert_null(session_axis(session, entries));
    assert_string_equal(text_of(session), machine_text);
    for (int i = 0; i < 4; i++)
        assert_int_equal(session_redo(session, text), STATUS_OK);
    assert_null(session_axis(session, entries));
    assert_string_equal(value_of(session, "gpu.sms"), "4");
    session_free(session);
}

/* An axis of sizes that the hash allows no cache of so many ways: the ways follow. */
static void an_axis_is_followed(void **state)
{
    (void)state;
    char text[SESSION_TEXT], printed[SESSION_TEXT];
    struct study study;
    struct session *session = open_session();
    const struct parameter *size = parameter_find("l1d.size"), *ways = parameter_find("l1d.ways");
    assert_int_equal(session_mark(session, size, NULL, text), STATUS_OK);
    assert_string_equal(axis_print(session_axis(session, size), printed),
                        "4KiB 8KiB 16KiB 32KiB 64KiB 128KiB");
    assert_ptr_equal(session_follower(session, size), ways);
    assert_int_equal(session_study(session, "2DCONV", &study, text), STATUS_OK);
    assert_int_equal(study.axis_count, 2);
    assert_ptr_equal(study.axes[1].parameter, ways);
    assert_string_equal(study.where[0].text, "l1d.size = l1d.ways * 4096");
    assert_true(session_is_following(session, study.where[0].text));
    struct space space;
    struct census census;
    assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
    assert_int_equal(space_census(&space, &census, NULL), STATUS_OK);
    assert_int_equal(census.legal, 6);
    census_free(&census);
    study_free(&study);
    /* Both as axes are a grid, and sizes that are legal alone need nothing. */
    assert_int_equal(session_mark(session, ways, "2 4", text), STATUS_OK);
    assert_null(session_follower(session, size));
    session_unmark(session, ways);
    assert_int_equal(session_mark(session, size, "16KiB 32KiB", text), STATUS_OK);
    assert_null(session_follower(session, size));
    session_free(session);
}

/* Full ways are stepped to and from past all that the entries forbid. */
static void full_ways_follow_the_entries(void **state)
{
    (void)state;
    char text[SESSION_TEXT], printed[SESSION_TEXT];
    const struct parameter *ways = parameter_find("tlb.ways");
    struct session *session = open_session();
    assert_string_equal(value_of(session, "tlb.ways"), "full");
    assert_int_equal(session_set_text(session, "tlb.entries 48", text), STATUS_OK);
    assert_int_equal(session_step(session, ways, 1, text), STATUS_NOT_FOUND);
    assert_int_equal(session_set_text(session, "tlb.entries 32", text), STATUS_OK);
    assert_int_equal(session_step(session, ways, -1, text), STATUS_OK);
    assert_string_equal(value_of(session, "tlb.ways"), "32");
    assert_int_equal(session_step(session, ways, 1, text), STATUS_OK);
    assert_string_equal(value_of(session, "tlb.ways"), "full");
    assert_int_equal(session_mark(session, ways, NULL, text), STATUS_OK);
    assert_string_equal(axis_print(session_axis(session, ways), printed), "8 16 32 full");
    session_free(session);
}

static void couples_stay_equal(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct session *session = open_session();
    assert_int_equal(session_set_text(session, "tlb.ways 64", text), STATUS_OK);
    assert_int_equal(session_step(session, parameter_find("tlb.entries"), 1, text), STATUS_OK);
    assert_string_equal(value_of(session, "tlb.entries"), "65");
    assert_string_equal(value_of(session, "tlb.ways"), "65");
    assert_non_null(strstr(text, "fully associative"));
    assert_int_equal(session_undo(session, text), STATUS_OK);
    assert_int_equal(session_undo(session, text), STATUS_OK);
    assert_string_equal(text_of(session), machine_text);
    assert_int_equal(session_set_text(session, "l1d.line 64B", text), STATUS_OK);
    assert_string_equal(value_of(session, "l1d.sector"), "64B");
    session_free(session);
}

/* Random steps and values, then everything undone: the bytes of the beginning; everything made
 * again: the bytes of the end. */
static void undo_is_exact(void **state)
{
    (void)state;
    enum { ROUNDS = 12, EDITS = 80 };
    for (uint64_t round = 0; round < ROUNDS; round++) {
        char text[SESSION_TEXT];
        struct session *session = open_session();
        for (uint64_t i = 0; i < EDITS; i++) {
            size_t at = (size_t)random_below(random_at(round, 3 * i), parameter_count);
            uint64_t bits = random_at(round, 3 * i + 1);
            if (parameters[at].type != PARAMETER_SIZES)
                (void)session_step(session, &parameters[at], bits % 2 ? 1 : -1, text);
            if (bits % 16 == 0)
                (void)session_undo(session, text);
            struct violation found[VIOLATION_MAX];
            assert_int_equal(machine_check(&session->machine, found), 0);
        }
        char *end = strdup(text_of(session));
        size_t made = session->edit_position;
        assert_true(made > EDITS / 4);
        struct machine machine = session->machine;
        while (!session_undo(session, text))
            ;
        assert_string_equal(text_of(session), machine_text);
        assert_true(machine_same(&session->machine, &session->file, ~0u));
        assert_false(session_dirty(session));
        for (size_t i = 0; i < made; i++)
            assert_int_equal(session_redo(session, text), STATUS_OK);
        assert_string_equal(text_of(session), end);
        assert_true(machine_same(&session->machine, &machine, ~0u));
        free(end);
        session_free(session);
    }
}

static void a_new_edit_forgets_what_was_undone(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct session *session = open_session();
    (void)session_set_text(session, "gpu.sms 16", text);
    (void)session_set_text(session, "gpu.sms 17", text);
    (void)session_undo(session, text);
    (void)session_set_text(session, "gpu.sms 30", text);
    assert_int_equal(session_redo(session, text), STATUS_NOT_FOUND);
    (void)session_undo(session, text);
    assert_string_equal(value_of(session, "gpu.sms"), "16");
    session_free(session);
}

static void saving(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct session *session = open_session();
    (void)session_set_text(session, "l1d.size 32KiB", text);
    assert_int_equal(session_save(session, NULL, &diagnostics), STATUS_OK);
    assert_false(session_dirty(session));
    assert_false(session_changed(session, parameter_find("l1d.size")));
    /* Undo goes on after a save, and saving again works. */
    assert_int_equal(session_undo(session, text), STATUS_OK);
    assert_true(session_dirty(session));
    assert_int_equal(session_save(session, NULL, &diagnostics), STATUS_OK);
    /* Somebody else's change is not overwritten. */
    FILE *file = fopen(path, "a");
    fputs("# theirs\n", file);
    fclose(file);
    (void)session_set_text(session, "gpu.sms 16", text);
    assert_int_equal(session_save(session, NULL, &diagnostics), STATUS_CONFLICT);
    assert_true(session_dirty(session));
    diagnostics_free(&diagnostics);
    session_free(session);
}

static void overwrite(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A file that another program wrote: whose value stays where both changed one. */
static void merging(void **state)
{
    (void)state;
    static const struct {
        enum merge merge;
        enum status status;
        const char *size, *sms, *latency; /* afterwards */
    } cases[] = {{MERGE_ASK, STATUS_CONFLICT, "64KiB", "16", "18"},
                 {MERGE_MINE, STATUS_OK, "64KiB", "16", "40"},
                 {MERGE_THEIRS, STATUS_OK, "32KiB", "16", "40"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SESSION_TEXT];
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        struct session *session = open_session();
        (void)session_set_text(session, "l1d.latency 18", text);
        assert_int_equal(session_save(session, NULL, &diagnostics), STATUS_OK);
        assert_int_equal(
            session_set_text(session, "l1d.size 64KiB l1d.index linear gpu.sms 16", text),
            STATUS_OK);
        assert_int_equal(session_follow_file(session, cases[i].merge, text, &diagnostics),
                         STATUS_NOT_FOUND);
        overwrite("l1d: {size: 32KiB, ways: 4, index: linear, latency: 40}\n");
        assert_int_equal(session_follow_file(session, cases[i].merge, text, &diagnostics),
                         cases[i].status);
        assert_string_equal(value_of(session, "l1d.size"), cases[i].size);
        assert_string_equal(value_of(session, "gpu.sms"), cases[i].sms);
        assert_string_equal(value_of(session, "l1d.latency"), cases[i].latency);
        assert_int_equal(diagnostics.count, cases[i].status ? 1 : 0);
        assert_true(session_dirty(session));
        if (cases[i].merge == MERGE_THEIRS) { /* nothing is lost */
            assert_int_equal(session_undo(session, text), STATUS_OK);
            assert_string_equal(value_of(session, "l1d.size"), "64KiB");
        }
        diagnostics_free(&diagnostics);
        session_free(session);
        overwrite(machine_text);
    }
}

/* An edit that breaks a rule with what the file has now: mine is refused, theirs drops it. */
static void merging_what_does_not_go_together(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct session *session = open_session();
    assert_int_equal(session_set_text(session, "l1d.sector 64", text), STATUS_OK);
    overwrite("l1d: {line: 32, sector: 32, size: 16KiB, ways: 4, index: linear}\n");
    session->file.l1d.sector = 32; /* as if the file had said so before: no clash of two values */
    assert_int_equal(session_follow_file(session, MERGE_MINE, text, &diagnostics), STATUS_CONFLICT);
    assert_non_null(strstr(text, "do not go with it"));
    assert_string_equal(value_of(session, "l1d.line"), "128B");
    assert_int_equal(session_follow_file(session, MERGE_THEIRS, text, &diagnostics), STATUS_OK);
    assert_string_equal(value_of(session, "l1d.line"), "32B");
    assert_false(session_dirty(session));
    assert_int_equal(diagnostics.count, 0);
    session_free(session);
}

/* A file that cannot be read says why, also if mine is to take its place. */
static void merging_with_what_cannot_be_read(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct session *session = open_session();
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("/proc/self/mem", path), 0);
    for (enum merge merge = MERGE_ASK; merge <= MERGE_THEIRS; merge++) {
        assert_int_equal(session_follow_file(session, merge, text, &diagnostics), STATUS_IO);
        assert_int_equal(diagnostics.errors, 1);
        diagnostics_free(&diagnostics);
    }
    session_free(session);
    assert_int_equal(unlink(path), 0);
    overwrite(machine_text);
}

/* What another program left is no machine: mine may take its place. */
static void merging_with_what_is_broken(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct session *session = open_session();
    assert_int_equal(session_set_text(session, "gpu.sms 16", text), STATUS_OK);
    overwrite("l1d: {size: fat}\n");
    for (enum merge merge = MERGE_ASK; merge <= MERGE_THEIRS; merge++)
        if (merge != MERGE_MINE) {
            assert_int_equal(session_follow_file(session, merge, text, &diagnostics),
                             STATUS_CONFLICT);
            assert_true(diagnostics.errors > 0);
            diagnostics_free(&diagnostics);
        }
    assert_int_equal(session_save(session, NULL, &diagnostics), STATUS_CONFLICT);
    assert_int_equal(session_follow_file(session, MERGE_MINE, text, &diagnostics), STATUS_OK);
    assert_int_equal(diagnostics.count, 1); /* of the save */
    assert_string_equal(value_of(session, "gpu.sms"), "16");
    assert_int_equal(session_save(session, NULL, &diagnostics), STATUS_OK);
    assert_false(session_dirty(session));
    diagnostics_free(&diagnostics);
    session_free(session);
}

static void a_built_in_machine_needs_a_name(void **state)
{
    (void)state;
    struct session *session;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(session_create("gtx480", &session, &diagnostics), STATUS_OK);
    assert_null(session->path);
    assert_int_equal(session_save(session, NULL, &diagnostics), STATUS_INVALID);
    assert_int_equal(session_save(session, "/nowhere/at/all.yaml", &diagnostics), STATUS_NOT_FOUND);
    session_free(session);
    diagnostics_free(&diagnostics);
    assert_int_not_equal(session_create("gtx48", &session, &diagnostics), STATUS_OK);
    diagnostics_free(&diagnostics);
}

static void axes(void **state)
{
    (void)state;
    static const struct {
        const char *parameter, *values, *prints; /* prints NULL: refused */
    } cases[] = {
        {"l1d.size", NULL, "4KiB 8KiB 16KiB 32KiB 64KiB 128KiB"},
        {"l1d.ways", NULL, "1 2 3 4 6 8 16"},
        {"l1d.replacement", NULL, "29 values, lru to sieve"},
        {"l1d.replacement", "lru opt", "lru opt"},
        {"l1d.flush", NULL, "no yes"},
        {"l1d.size", "4KiB..64KiB", "4KiB 8KiB 16KiB 32KiB 64KiB"},
        {"l1d.ways", "1..16*2", "1 2 4 8 16"},
        {"l1d.ways", "2..10+4", "2 6 10"},
        {"l1d.ways", "1 3, 5", "1 3 5"},
        {"l1d.index", "all", "linear xor fermi ipoly prime scatter rotate"},
        {"l1d.ways", "1..200", "200 values, 1 to 200"},
        {"l1d.ways", "4", NULL},
        {"l1d.ways", "8..2", NULL},
        {"l1d.ways", "1 two", NULL},
        {"l1d.ways", "{", NULL},
        {"gpu.shared_options", NULL, NULL},
    };
    struct session *session = open_session();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SESSION_TEXT], printed[SESSION_TEXT];
        const struct parameter *parameter = parameter_find(cases[i].parameter);
        enum status status = session_mark(session, parameter, cases[i].values, text);
        if (cases[i].prints) {
            assert_int_equal(status, STATUS_OK);
            assert_string_equal(axis_print(session_axis(session, parameter), printed),
                                cases[i].prints);
        } else {
            assert_int_not_equal(status, STATUS_OK);
            assert_non_null(strstr(text, cases[i].parameter));
        }
    }
    assert_int_equal(session->axis_count, 5);
    session_unmark(session, parameter_find("l1d.ways"));
    assert_int_equal(session->axis_count, 4);
    assert_null(session_axis(session, parameter_find("l1d.ways")));
    assert_non_null(session_axis(session, parameter_find("l1d.index")));
    session_free(session);
}

static void the_study_of_the_axes(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct study study;
    struct session *session = open_session();
    assert_int_equal(session_study(session, "2DCONV", &study, text), STATUS_INVALID);
    assert_non_null(strstr(text, "no axis yet"));
    (void)session_mark(session, parameter_find("pwc.entries"), "8 16", text);
    (void)session_mark(session, parameter_find("l1d.size"), "16KiB 32KiB", text);
    assert_int_equal(session_study(session, "2DCONV", &study, text), STATUS_OK);
    assert_int_equal(study.axis_count, 2);
    assert_string_equal(study.workloads[0], "2DCONV");
    assert_int_equal(study.objective_count, 3);
    assert_string_equal(study.objectives[0].metric->path, "l1d.miss_rate");
    assert_string_equal(study.objectives[1].metric->path, "walk.accesses_per_walk");
    assert_string_equal(study.objectives[2].metric->path, "total.area");
    for (size_t i = 0; i < study.column_count; i++)
        for (size_t k = 0; k < study.objective_count; k++)
            assert_ptr_not_equal(study.columns[i], study.objectives[k].metric);
    study_free(&study);
    assert_int_equal(session_objectives(session, "l2.mis_rate", text), STATUS_NOT_FOUND);
    assert_int_equal(session_objectives(session, "-l2.miss_rate tlb.hit_rate", text), STATUS_OK);
    assert_int_equal(session_study(session, "2DCONV", &study, text), STATUS_OK);
    assert_int_equal(study.objective_count, 2);
    assert_int_equal(study.objectives[0].direction, HIGHER_IS_BETTER);
    assert_int_equal(study.objectives[1].direction, HIGHER_IS_BETTER);
    study_free(&study);
    session_free(session);
}

static void a_study_brings_machine_and_axes(void **state)
{
    (void)state;
    static const char text[] = "machine: gtx480\n"
                               "set: {gpu.sms: 30, tlb.entries: 32, tlb.ways: 32}\n"
                               "workloads: [2DCONV]\n"
                               "axes: {l1d.ways: [2, 4]}\n"
                               "objectives: [l1d.miss_rate]\n";
    char study_path[] = "/tmp/warpscape-study-XXXXXX", why[SESSION_TEXT];
    int descriptor = mkstemp(study_path);
    assert_true(write(descriptor, text, sizeof text - 1) == sizeof text - 1);
    close(descriptor);
    struct session *session;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(session_create_study(study_path, NULL, &session, &diagnostics), STATUS_OK);
    assert_string_equal(value_of(session, "gpu.sms"), "30");
    assert_string_equal(value_of(session, "tlb.ways"), "32");
    assert_int_equal(session->axis_count, 1);
    struct study study;
    assert_int_equal(session_study(session, "2DCONV", &study, why), STATUS_OK);
    assert_int_equal(study.objective_count, 1);
    study_free(&study);
    assert_int_equal(session_undo(session, why), STATUS_OK);
    assert_string_equal(value_of(session, "gpu.sms"), "15");
    session_free(session);
    assert_int_equal(session_create_study(study_path, path, &session, &diagnostics), STATUS_OK);
    assert_string_equal(value_of(session, "gpu.sms"), "15");
    assert_int_equal(session->axis_count, 1);
    session_free(session);
    diagnostics_free(&diagnostics);
    unlink(study_path);
}

/* A wrong name is refused at once; arguments with commas are one name. */
static void workloads_are_judged_at_once(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct session *session = open_session();
    assert_int_equal(session_workloads(session, "ATAX:n=64 GEMM:n=32,block_x=16", text), STATUS_OK);
    assert_int_equal(session->study.workload_count, 2);
    assert_string_equal(session->study.workloads[1], "GEMM:n=32,block_x=16");
    assert_int_equal(session_workloads(session, "ATAX GEM", text), STATUS_NOT_FOUND);
    assert_non_null(strstr(text, "did you mean 'GEMM'?"));
    assert_int_equal(session_workloads(session, "GEMM:m=4", text), STATUS_INVALID);
    assert_int_equal(session->study.workload_count, 2);
    assert_int_equal(session_workloads(session, "off", text), STATUS_OK);
    assert_int_equal(session->study.workload_count, 0);
    session_free(session);
}

static void the_search_is_the_study_s(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct session *session = open_session();
    struct study study;
    assert_int_equal(session_search(session, "nsga2  population=16 evaluations=64", text),
                     STATUS_OK);
    assert_non_null(strstr(text, "nsga2 population=16 evaluations=64"));
    assert_int_equal(session_search(session, "nsga2 populaton=8", text), STATUS_INVALID);
    assert_non_null(strstr(text, "did you mean 'population'?"));
    assert_int_equal(session_search(session, "nsga3", text), STATUS_INVALID);
    assert_int_equal(session_search(session, "  ", text), STATUS_INVALID);
    assert_int_equal(session_mark(session, parameter_find("l1d.ways"), "2 4 8", text), STATUS_OK);
    assert_int_equal(session_study(session, "2DCONV", &study, text), STATUS_OK);
    assert_int_equal(study.search.method, SEARCH_NSGA2);
    assert_int_equal(study.search.population, 16);
    study_free(&study);
    session_free(session);
}

/* Tests run in the source tree. A budget stays a question, so that it is solved for what is on the
 * screen when a sweep starts, and a saved study says `equal` as the file did. */
static void a_study_of_equal_cost_keeps_its_budget(void **state)
{
    (void)state;
    char why[SESSION_TEXT];
    struct session *session;
    struct study study;
    assert_int_equal(session_create_study("configs/studies/equal-bits.yaml", NULL, &session, NULL),
                     STATUS_OK);
    assert_int_equal(session->axis_count, 1);
    assert_int_equal(session_study(session, "2DCONV", &study, why), STATUS_OK);
    assert_int_equal(study.where_count, 0);
    assert_int_equal(study.budget_count, 1);
    assert_string_equal(budget_print(&study.budgets[0], why),
                        "pwc.bits at_most 5280bit solve pwc.entries");
    assert_int_equal(budgets_solve(&study, NULL), STATUS_OK);
    assert_string_equal(study.axes[1].parameter->path, "pwc.entries");
    assert_int_equal(study.axes[1].count, 4);
    assert_int_equal(study.where_count, 1);
    study_free(&study);
    session_free(session);
}

static void a_budget_is_said_in_the_words_of_a_study(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "l1d.area",
                                        "l1d.area 1mm2 l1d.size more",
                                        "l1d.aera 1mm2 l1d.size",
                                        "l1d.area much l1d.size",
                                        "l1d.area 1mm2 l1d.sized",
                                        "l1d.miss_rate 50% l1d.size",
                                        "l1d.area 1mm2 tlb.entries",
                                        "l1d.area 0.000001mm2 l1d.size",
                                        "l1d.area 1mm2 l1d.ways"};
    char text[SESSION_TEXT];
    struct session *session = open_session();
    struct study *study = &session->study;
    assert_int_equal(session_mark(session, parameter_find("l1d.ways"), "2 4 8", text), STATUS_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(session_equal(session, wrong[i], text), STATUS_INVALID);
        assert_int_not_equal(text[0], '\0');
        assert_int_equal(study->budget_count, 0);
    }
    assert_int_equal(session_equal(session, "off", text), STATUS_OK);
    assert_int_equal(session_equal(session, "l1d.area 0.1mm2 l1d.size", text), STATUS_OK);
    /* As it is printed; another budget of the same parameter replaces it. */
    assert_int_equal(session_equal(session, "l1d.area at_most 0.2mm2 solve l1d.size", text),
                     STATUS_OK);
    assert_int_equal(study->budget_count, 1);
    assert_string_equal(budget_print(&study->budgets[0], text),
                        "l1d.area at_most 0.2mm2 solve l1d.size");
    assert_int_equal(session_equal(session, "tlb.area off", text), STATUS_NOT_FOUND);
    assert_int_equal(session_equal(session, "l1d.area off", text), STATUS_OK);
    assert_int_equal(study->budget_count, 0);
    session_free(session);
}

/* Counts that come before the classes of misses replace an estimate, so that a machine never
 * differs from itself. */
static void a_pin_takes_what_is_surer(void **state)
{
    (void)state;
    struct metrics metrics[3];
    struct pin pin = {.values = PIN_EMPTY};
    for (int i = 0; i < 3; i++) {
        metrics_clear(&metrics[i]);
        metrics[i].l1d_misses = 100 + i;
    }
    pin_take(&pin, PIN_ESTIMATE, &metrics[0]);
    assert_int_equal(pin.metrics.l1d_misses, 100);
    pin_take(&pin, PIN_COUNTED, &metrics[1]);
    assert_int_equal(pin.metrics.l1d_misses, 101);
    pin_take(&pin, PIN_ESTIMATE, &metrics[0]);
    assert_int_equal(pin.metrics.l1d_misses, 101);
    pin_take(&pin, PIN_EXACT, &metrics[2]);
    assert_int_equal(pin.metrics.l1d_misses, 102);
    assert_int_equal(pin.values, PIN_EXACT);
}

/* A name that was given before stands for what was pinned under it. */
static void an_earlier_pin_comes_back(void **state)
{
    (void)state;
    char text[SESSION_TEXT], gone[SESSION_NAME];
    struct session *session = open_session(), *other;
    const struct pin *first = &session->pins[0];
    session_pin_file(session);
    assert_int_equal(session_set_text(session, "l1d.size 32KiB", text), STATUS_OK);
    session_pin(session, "large", gone);
    session->pins[0].values = PIN_EXACT;
    assert_int_equal(session_set_text(session, "l1d.size 64KiB l1d.ways 8", text), STATUS_OK);
    session_pin(session, "larger", gone);
    assert_int_equal(session->pin_count, 3);
    assert_int_equal(session_pin_again(session, "nothing"), STATUS_NOT_FOUND);
    assert_string_equal(first->name, "larger");
    assert_int_equal(session_pin_again(session, "large"), STATUS_OK);
    assert_string_equal(first->name, "large");
    assert_int_equal(first->machine.l1d.size, 32 << 10);
    assert_int_equal(first->values, PIN_EXACT);
    session_pins_forget_values(session);
    assert_int_equal(first->values, PIN_EMPTY);
    assert_int_equal(session_pin_again(session, PIN_FILE), STATUS_OK);
    assert_int_equal(first->machine.l1d.size, 16 << 10);
    session_pin(session, "large", gone); /* in the place of the first */
    assert_int_equal(first->machine.l1d.size, 64 << 10);
    assert_int_equal(session->pin_count, 3);
    other = open_session();
    assert_int_equal(session_carry_on(session, other), 0);
    session_free(session);
    assert_string_equal(other->pins[0].name, "large");
    assert_int_equal(other->pin_count, 3);
    session_free(other);
}

/* The one that was the first for the longest time goes. */
static void a_fifth_pin_takes_the_place_of_the_last(void **state)
{
    (void)state;
    char gone[SESSION_NAME];
    struct session *session = open_session();
    session_pin_file(session);
    session_pin(session, "a", gone);
    session_pin(session, "b", gone);
    session_pin(session, "c", gone);
    assert_string_equal(gone, "");
    assert_int_equal(session_pin_again(session, PIN_FILE), STATUS_OK);
    session_pin(session, "d", gone);
    assert_string_equal(gone, "a");
    assert_int_equal(session->pin_count, PINS_MAX);
    assert_null(session_find_pin(session, "a"));
    static const char *const left[] = {"d", PIN_FILE, "c", "b"};
    for (size_t i = 0; i < PINS_MAX; i++)
        assert_string_equal(session->pins[i].name, left[i]);
    session_free(session);
}

/* Axes follow to a machine that has what they vary, and none to a machine of another kind. */
static void axes_go_where_they_mean_something(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct session *session = open_session(), *other;
    assert_int_equal(session_mark(session, parameter_find("l1d.size"), NULL, text), STATUS_OK);
    assert_int_equal(session_mark(session, parameter_find("tlb.entries"), NULL, text), STATUS_OK);
    session->study.depth = DEPTH_TIMING;
    other = open_session();
    assert_int_equal(session_set_text(other, "tlb.enabled no", text), STATUS_OK);
    assert_int_equal(session_carry_on(session, other), 1);
    session_free(session);
    assert_int_equal(other->axis_count, 1);
    assert_string_equal(other->axes[0].parameter->path, "l1d.size");
    assert_int_equal(session_create("tile-gpu", &session, NULL), STATUS_OK);
    assert_int_equal(session_carry_on(other, session), 1);
    session_free(other);
    assert_int_equal(session->axis_count, 0);
    assert_int_equal(session->study.depth, DEPTH_TIMING);
    session_free(session);
}

/* With the fermi hash the size follows the ways, unless a budget is solved for it. */
static void what_a_budget_solves_follows_no_axis(void **state)
{
    (void)state;
    char text[SESSION_TEXT];
    struct study study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct session *session = open_session();
    assert_int_equal(session_set_text(session, "l1d.index fermi", text), STATUS_OK);
    assert_int_equal(session_mark(session, parameter_find("l1d.ways"), "2 4 6", text), STATUS_OK);
    assert_non_null(session_follower(session, parameter_find("l1d.ways")));
    assert_int_equal(session_equal(session, "l1d.area 0.1mm2 l1d.size", text), STATUS_OK);
    assert_null(session_follower(session, parameter_find("l1d.ways")));
    assert_int_equal(session_study(session, "GEMM:n=32", &study, text), STATUS_OK);
    assert_int_equal(budgets_solve(&study, &diagnostics), STATUS_OK);
    diagnostics_free(&diagnostics);
    study_free(&study);
    session_free(session);
}

#define WITH_MACHINE(test) cmocka_unit_test_setup_teardown(test, write_machine, remove_machine)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MACHINE(a_set_changes_only_its_bytes),
        WITH_MACHINE(a_refused_value_leaves_the_old_one),
        WITH_MACHINE(a_refused_step_proposes_to_keep_the_rest),
        WITH_MACHINE(wrong_words_are_explained),
        WITH_MACHINE(several_values_are_one_edit),
        WITH_MACHINE(a_line_may_be_long_but_not_endless),
        WITH_MACHINE(a_former_name_sets_what_it_is_called_now),
        WITH_MACHINE(steps_go_to_the_next_legal_value),
        WITH_MACHINE(an_axis_is_followed),
        WITH_MACHINE(axes_are_undone),
        WITH_MACHINE(full_ways_follow_the_entries),
        WITH_MACHINE(couples_stay_equal),
        WITH_MACHINE(undo_is_exact),
        WITH_MACHINE(a_new_edit_forgets_what_was_undone),
        WITH_MACHINE(saving),
        WITH_MACHINE(workloads_are_judged_at_once),
        WITH_MACHINE(the_search_is_the_study_s),
        WITH_MACHINE(merging),
        WITH_MACHINE(merging_what_does_not_go_together),
        WITH_MACHINE(merging_with_what_cannot_be_read),
        WITH_MACHINE(merging_with_what_is_broken),
        cmocka_unit_test(a_built_in_machine_needs_a_name),
        cmocka_unit_test(a_pin_takes_what_is_surer),
        WITH_MACHINE(an_earlier_pin_comes_back),
        WITH_MACHINE(a_fifth_pin_takes_the_place_of_the_last),
        WITH_MACHINE(axes_go_where_they_mean_something),
        WITH_MACHINE(what_a_budget_solves_follows_no_axis),
        WITH_MACHINE(axes),
        WITH_MACHINE(the_study_of_the_axes),
        WITH_MACHINE(a_study_brings_machine_and_axes),
        cmocka_unit_test(a_study_of_equal_cost_keeps_its_budget),
        WITH_MACHINE(a_budget_is_said_in_the_words_of_a_study),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
