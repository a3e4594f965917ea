/* The cache of recorded streams: an entry is found again, is dropped with its log, and the total
 * never exceeds the limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/live/stream_cache.h"
#include "model/replay/replay.h"
#include "schema/parameters.h"

enum { REQUESTS = 5000 };

static struct stream_cache *create(uint64_t limit)
{
    struct stream_cache *kept = calloc(1, sizeof *kept);
    assert_non_null(kept);
    kept->limit = limit;
    return kept;
}

static void forget(struct stream_cache *kept)
{
    stream_cache_forget(kept);
    free(kept);
}

static struct stage_key key_of(unsigned char name)
{
    return (struct stage_key){.bytes = {name}};
}

static struct request_log *make_log(void)
{
    static const struct trace_launch launch;
    struct request_log *log = request_log_create(2, PLACE_REQUEST, UINT64_C(1) << 24);
    assert_non_null(log);
    request_log_launch(log, &launch);
    for (uint64_t i = 0; i < REQUESTS; i++) {
        const struct request request = {.address = i * 128,
                                        .touched = UINT32_MAX,
                                        .bytes = 128,
                                        .instance = i & 1,
                                        .flags = REQUEST_FIRST};
        request_log_append(log, &request, 1);
    }
    assert_true(request_log_finish(log));
    return log;
}

static struct slice_streams *make_slices(const struct request_log *log,
                                         const struct machine *machine, bool placed)
{
    const struct evaluate_options options = {0};
    const struct replay replay = {machine, log, &options, 1, NULL};
    struct slice_streams *streams;
    assert_int_equal(slice_streams_create(&replay, placed, &streams), STATUS_OK);
    return streams;
}

static struct miss_mask *make_mask(const struct request_log *log, const struct machine *machine)
{
    struct miss_mask *mask = miss_mask_create(machine, log);
    assert_non_null(mask);
    return mask;
}

static void streams_are_found_again(void **state)
{
    (void)state;
    struct stream_cache *kept = create(UINT64_C(1) << 30);
    struct machine machine;
    const struct stage_key one = key_of(1), two = key_of(2);
    machine_defaults(&machine);
    struct request_log *log = make_log();
    assert_true(keep_log(kept, &one, log));
    assert_false(keep_log(kept, &two, NULL));
    assert_ptr_equal(kept_log(kept, &one), log);
    assert_null(kept_log(kept, &two));
    assert_null(kept_mask(kept, &one)); /* of the same name, but no miss mask */
    struct miss_mask *mask = make_mask(log, &machine);
    assert_true(keep_mask(kept, &one, mask));
    assert_ptr_equal(kept_mask(kept, &one), mask);
    assert_true(keep_slices(kept, make_slices(log, &machine, false)));
    assert_non_null(kept_slices(kept, log, &machine.l2, false));
    assert_null(kept_slices(kept, log, &machine.l2, true)); /* that one has no places */
    assert_true(keep_slices(kept, make_slices(log, &machine, true)));
    assert_non_null(kept_slices(kept, log, &machine.l2, true));
    machine.l2.ways *= 2; /* dealt alike */
    assert_non_null(kept_slices(kept, log, &machine.l2, true));
    machine.l2.interleave *= 2;
    assert_null(kept_slices(kept, log, &machine.l2, true));
    forget(kept);
}

/* Miss masks and slice streams go with the log that they refer to. */
static void what_needs_a_log_goes_with_it(void **state)
{
    (void)state;
    struct machine machine;
    const struct stage_key one = key_of(1), two = key_of(2);
    machine_defaults(&machine);
    struct request_log *log = make_log(), *next = make_log();
    struct miss_mask *mask = make_mask(log, &machine);
    struct slice_streams *streams = make_slices(log, &machine, true);
    struct stream_cache *kept =
        create(request_log_bytes(log) + miss_mask_bytes(mask) + slice_streams_bytes(streams) + 64);
    assert_true(keep_log(kept, &one, log));
    assert_true(keep_mask(kept, &one, mask));
    assert_true(keep_slices(kept, streams));
    stream_cache_hold(kept);
    assert_true(keep_log(kept, &two, next)); /* the first log was used longest ago */
    assert_null(kept_log(kept, &one));
    assert_null(kept_mask(kept, &one));
    assert_null(kept_slices(kept, log, &machine.l2, true));
    assert_ptr_equal(kept_log(kept, &two), next);
    forget(kept);
}

/* What was used since the hold stays, and what there is no room for is not kept. */
static void what_is_held_stays(void **state)
{
    (void)state;
    const struct stage_key one = key_of(1), two = key_of(2), three = key_of(3);
    struct request_log *log = make_log();
    struct stream_cache *kept = create(2 * request_log_bytes(log) + 64);
    assert_true(keep_log(kept, &one, log));
    assert_true(keep_log(kept, &two, make_log()));
    stream_cache_hold(kept);
    assert_ptr_equal(kept_log(kept, &one), log);
    assert_true(keep_log(kept, &three, make_log())); /* instead of the second */
    assert_null(kept_log(kept, &two));
    assert_false(keep_log(kept, &two, make_log()));
    assert_ptr_equal(kept_log(kept, &one), log);
    assert_non_null(kept_log(kept, &three));
    forget(kept);
}

static void there_are_so_many_places(void **state)
{
    (void)state;
    struct stream_cache *kept = create(UINT64_C(1) << 30);
    const struct stage_key first = key_of(100);
    for (unsigned i = 0; i < STREAM_CACHE_PLACES + 8; i++) {
        const struct stage_key name = key_of((unsigned char)(100 + i));
        stream_cache_hold(kept);
        assert_true(keep_log(kept, &name, make_log()));
        assert_non_null(kept_log(kept, &name));
    }
    assert_null(kept_log(kept, &first));
    forget(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_found_again),
        cmocka_unit_test(what_needs_a_log_goes_with_it),
        cmocka_unit_test(what_is_held_stays),
        cmocka_unit_test(there_are_so_many_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
