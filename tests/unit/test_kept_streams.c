/* What is kept of streams: found again, gone with its tape, never beyond the bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/kept_streams.h"
#include "model/replay.h"
#include "schema/parameters.h"

enum { REQUESTS = 5000 };

static struct kept_streams *create(uint64_t limit)
{
    struct kept_streams *kept = calloc(1, sizeof *kept);
    assert_non_null(kept);
    kept->limit = limit;
    return kept;
}

static void forget(struct kept_streams *kept)
{
    kept_streams_forget(kept);
    free(kept);
}

static struct stage_key key_of(unsigned char name)
{
    return (struct stage_key){.bytes = {name}};
}

static struct tape *make_tape(void)
{
    static const struct trace_launch launch;
    struct tape *tape = tape_create(2, PLACE_REQUEST, UINT64_C(1) << 24);
    assert_non_null(tape);
    tape_launch(tape, &launch);
    for (uint64_t i = 0; i < REQUESTS; i++) {
        const struct request request = {.address = i * 128,
                                        .touched = UINT32_MAX,
                                        .bytes = 128,
                                        .unit = i & 1,
                                        .flags = REQUEST_FIRST};
        tape_append(tape, &request, 1);
    }
    assert_true(tape_finish(tape));
    return tape;
}

static struct deal *make_deal(const struct tape *tape, const struct machine *machine, bool placed)
{
    const struct evaluate_options options = {0};
    const struct replay replay = {machine, tape, &options, 1, NULL};
    struct deal *deal;
    assert_int_equal(deal_create(&replay, placed, &deal), STATUS_OK);
    return deal;
}

static struct passage *make_passage(const struct tape *tape, const struct machine *machine)
{
    struct passage *passage = passage_create(machine, tape);
    assert_non_null(passage);
    return passage;
}

static void streams_are_found_again(void **state)
{
    (void)state;
    struct kept_streams *kept = create(UINT64_C(1) << 30);
    struct machine machine;
    const struct stage_key one = key_of(1), two = key_of(2);
    machine_defaults(&machine);
    struct tape *tape = make_tape();
    assert_true(keep_tape(kept, &one, tape));
    assert_false(keep_tape(kept, &two, NULL));
    assert_ptr_equal(kept_tape(kept, &one), tape);
    assert_null(kept_tape(kept, &two));
    assert_null(kept_passage(kept, &one)); /* of the same name, but no passage */
    struct passage *passage = make_passage(tape, &machine);
    assert_true(keep_passage(kept, &one, passage));
    assert_ptr_equal(kept_passage(kept, &one), passage);
    assert_true(keep_deal(kept, make_deal(tape, &machine, false)));
    assert_non_null(kept_deal(kept, tape, &machine.l2, false));
    assert_null(kept_deal(kept, tape, &machine.l2, true)); /* that one has no places */
    assert_true(keep_deal(kept, make_deal(tape, &machine, true)));
    assert_non_null(kept_deal(kept, tape, &machine.l2, true));
    machine.l2.ways *= 2; /* dealt alike */
    assert_non_null(kept_deal(kept, tape, &machine.l2, true));
    machine.l2.interleave *= 2;
    assert_null(kept_deal(kept, tape, &machine.l2, true));
    forget(kept);
}

/* Where a passage or a deal would be left without its tape it goes too. */
static void what_needs_a_tape_goes_with_it(void **state)
{
    (void)state;
    struct machine machine;
    const struct stage_key one = key_of(1), two = key_of(2);
    machine_defaults(&machine);
    struct tape *tape = make_tape(), *next = make_tape();
    struct passage *passage = make_passage(tape, &machine);
    struct deal *deal = make_deal(tape, &machine, true);
    struct kept_streams *kept =
        create(tape_bytes(tape) + passage_bytes(passage) + deal_bytes(deal) + 64);
    assert_true(keep_tape(kept, &one, tape));
    assert_true(keep_passage(kept, &one, passage));
    assert_true(keep_deal(kept, deal));
    kept_streams_hold(kept);
    assert_true(keep_tape(kept, &two, next)); /* the first tape was used longest ago */
    assert_null(kept_tape(kept, &one));
    assert_null(kept_passage(kept, &one));
    assert_null(kept_deal(kept, tape, &machine.l2, true));
    assert_ptr_equal(kept_tape(kept, &two), next);
    forget(kept);
}

/* What was used since the hold stays, and what there is no room for is not kept. */
static void what_is_held_stays(void **state)
{
    (void)state;
    const struct stage_key one = key_of(1), two = key_of(2), three = key_of(3);
    struct tape *tape = make_tape();
    struct kept_streams *kept = create(2 * tape_bytes(tape) + 64);
    assert_true(keep_tape(kept, &one, tape));
    assert_true(keep_tape(kept, &two, make_tape()));
    kept_streams_hold(kept);
    assert_ptr_equal(kept_tape(kept, &one), tape);
    assert_true(keep_tape(kept, &three, make_tape())); /* instead of the second */
    assert_null(kept_tape(kept, &two));
    assert_false(keep_tape(kept, &two, make_tape()));
    assert_ptr_equal(kept_tape(kept, &one), tape);
    assert_non_null(kept_tape(kept, &three));
    forget(kept);
}

static void there_are_so_many_places(void **state)
{
    (void)state;
    struct kept_streams *kept = create(UINT64_C(1) << 30);
    const struct stage_key first = key_of(100);
    for (unsigned i = 0; i < KEPT_STREAMS + 8; i++) {
        const struct stage_key name = key_of((unsigned char)(100 + i));
        kept_streams_hold(kept);
        assert_true(keep_tape(kept, &name, make_tape()));
        assert_non_null(kept_tape(kept, &name));
    }
    assert_null(kept_tape(kept, &first));
    forget(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_found_again),
        cmocka_unit_test(what_needs_a_tape_goes_with_it),
        cmocka_unit_test(what_is_held_stays),
        cmocka_unit_test(there_are_so_many_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
