/* Logs give back what was recorded; replays instance by instance count what a pass counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "model/evaluate.h"
#include "model/replay/replay.h"
#include "support/list_source.h"
#include "support/pick_members.h"
#include "support/same_metrics.h"

/* ---- logs -------------------------------------------------------------------------------------
 */

enum { REQUESTS = 150000, INSTANCES = 5 };

static struct request *random_requests(uint64_t seed)
{
    struct request *requests = calloc(REQUESTS, sizeof *requests);
    assert_non_null(requests);
    uint16_t instance = 0;
    for (uint64_t i = 0; i < REQUESTS; i++) {
        uint64_t draw = random_at(seed, i);
        bool first = i == 0 || draw % 3 != 0;
        instance = first ? (uint16_t)(draw >> 8) % INSTANCES : instance;
        /* Some addresses are no multiple of 16 bytes, some regions are far apart. */
        requests[i] =
            (struct request){.address = (draw >> 20 & 0xffff) * (draw % 997 ? 16 : 3) +
                                        (draw >> 40 & 7) * (UINT64_C(1) << 44),
                             .pc = (uint32_t)(draw >> 16 & 15),
                             .touched = (uint32_t)(draw % 5 ? UINT32_MAX : random_at(seed + 1, i)),
                             .instance = instance,
                             .bytes = (uint16_t)(32 << (draw >> 50 & 1)),
                             .op = draw >> 52 & 1 ? OP_STORE : OP_LOAD,
                             .space = (uint8_t)(draw >> 53 & 1),
                             .flags = first ? REQUEST_FIRST : 0};
        if (requests[i].op == OP_LOAD)
            requests[i].touched = UINT32_MAX; /* not kept */
    }
    return requests;
}

struct playback {
    const struct request *expected;
    size_t count;
    unsigned launches;
};

static enum status heard_launch(void *argument, const struct trace_launch *launch)
{
    struct playback *playback = argument;
    assert_non_null(launch);
    playback->launches++;
    return STATUS_OK;
}

static enum status heard_requests(void *argument, const struct request *requests, size_t count)
{
    struct playback *playback = argument;
    assert_true(requests[0].flags & REQUEST_FIRST);
    assert_true(playback->count + count <= REQUESTS);
    for (size_t i = 0; i < count; i++)
        assert_memory_equal(&requests[i], &playback->expected[playback->count + i],
                            sizeof *requests);
    playback->count += count;
    return STATUS_OK;
}

static enum status heard_progress(void *argument, const struct issue_counts *counts)
{
    (void)argument, (void)counts;
    return STATUS_OK;
}

static void logs_give_back_what_was_recorded(void **state)
{
    (void)state;
    static const struct trace_launch launch;
    struct request *requests = random_requests(7);
    struct request_log *log = request_log_create(INSTANCES, PLACE_INSTRUCTION, UINT64_C(1) << 26);
    struct playback playback = {.expected = requests};
    const struct issue_sink sink = {.launch = heard_launch,
                                    .requests = heard_requests,
                                    .progress = heard_progress,
                                    .argument = &playback};
    for (size_t first = 0, end; first < REQUESTS; first = end) {
        if (first == 0 || random_below(random_at(9, first), 8) == 0)
            request_log_launch(log, &launch);
        for (end = first + 1 + random_below(random_at(8, first), 5000);
             end < REQUESTS && !(requests[end].flags & REQUEST_FIRST);)
            end++;
        end = end > REQUESTS ? REQUESTS : end;
        request_log_append(log, requests + first, end - first);
    }
    assert_true(request_log_finish(log));
    assert_int_equal(request_log_requests(log), REQUESTS);
    assert_int_equal(request_log_play(log, &sink), STATUS_OK);
    assert_int_equal(playback.count, REQUESTS);
    assert_true(playback.launches > 1);
    request_log_free(log);
    log = request_log_create(INSTANCES, PLACE_INSTRUCTION, 100000); /* no room */
    request_log_append(log, requests, REQUESTS);
    assert_false(request_log_finish(log));
    request_log_free(log);
    free(requests);
}

/* ---- replays ----------------------------------------------------------------------------------
 */

static struct machine random_machine(uint64_t seed)
{
    struct machine machine;
    uint64_t draw = 0;
    struct violation violations[VIOLATION_MAX];
    do {
        machine_defaults(&machine);
        machine.seed = seed;
        machine.gpu.sms = 1 + random_at(seed, draw++) % 5;
        machine.coalescer.arch = random_at(seed, draw++) & 1 ? 20 : 75;
        machine.coalescer.order = (int)(seed / 7 % 2);
        machine.l1d.index = pick_index(random_at(seed, draw++));
        machine.l1d.texture = (int)(seed / 3 % 2);
        machine.l1d.size = UINT64_C(2048) << random_at(seed, draw++) % 3;
        machine.l1d.ways = UINT64_C(1) << random_at(seed, draw++) % 5;
        machine.l1d.sector = UINT64_C(32) << random_at(seed, draw++) % 3;
        machine.l1d.replacement = pick_replacement(random_at(seed, draw++));
        machine.l1d.flush = (int)(random_at(seed, draw++) & 1);
        machine.l1d.write = (int)(random_at(seed, draw++) % (WRITE_LOCAL_BACK + 1));
        machine.l1d.write_allocate = (int)(random_at(seed, draw++) % (WRITE_ALLOCATE_LAZY + 1));
        machine.l2.slices = UINT64_C(1) << random_at(seed, draw++) % 3;
        machine.l2.ways = 4;
        machine.l2.size = 16384;
        machine.l2.flush = (int)(random_at(seed, draw++) & 1);
        machine.l2.partition = (int)(random_at(seed, draw++) % 3);
        machine.l2.replacement = pick_replacement(random_at(seed, draw++));
        machine.l2.index = pick_index(random_at(seed, draw++));
        machine.l2.write_allocate = (int)(random_at(seed, draw++) % (WRITE_ALLOCATE_LAZY + 1));
        machine.tlb.entries = machine.tlb.ways = UINT64_C(2) << random_at(seed, draw++) % 3;
        machine.tlb.replacement = pick_replacement(random_at(seed, draw++));
        machine.page.size = random_at(seed, draw++) & 1 ? 4096 : 65536;
        machine.pwc.organization = (int)(random_at(seed, draw++) % PWC_COUNT);
        machine.pwc.entries = 8;
        machine.walker.policy = (int)(random_at(seed, draw++) & 1);
    } while (machine_check(&machine, violations));
    return machine;
}

static void assert_same(const struct metrics *found, const struct metrics *expected,
                        unsigned stages)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        double a = metric_get(&metric_table[i], found);
        double b = metric_get(&metric_table[i], expected);
        bool told = !(metric_stages(&metric_table[i]) & ~stages); /* not of other stages besides */
        if (told && !same_number(a, b))
            fail_msg("%s: %.17g replayed, %.17g in a pass", metric_table[i].path, a, b);
    }
}

static void run_l2(const struct replay *replay, const struct miss_mask *mask, struct metrics *found)
{
    struct slice_streams *streams;
    assert_int_equal(slice_streams_create(replay, mask != NULL, &streams), STATUS_OK);
    assert_true(slice_streams_serves(streams, &replay->machine->l2));
    assert_int_equal(replay_l2(replay, streams, mask, found), STATUS_OK);
    slice_streams_free(streams);
}

/* From the log of the stream to the L2 by way of a log of what the L1D sends. */
static void run_by_log(const struct replay *replay, struct metrics *found)
{
    struct replay behind = *replay;
    struct request_log *misses =
        request_log_create(replay->log->instances, PLACE_REQUEST, UINT64_C(1) << 26);
    metrics_clear(found);
    assert_int_equal(replay_l1d(replay, found, misses, NULL), STATUS_OK);
    assert_true(request_log_finish(misses));
    behind.log = misses;
    run_l2(&behind, NULL, found);
    metrics_derive(found);
    request_log_free(misses);
}

/* ... by way of a miss mask. */
static void run_by_mask(const struct replay *replay, struct metrics *found)
{
    struct miss_mask *mask = miss_mask_create(replay->machine, replay->log);
    assert_non_null(mask);
    metrics_clear(found);
    assert_int_equal(replay_l1d(replay, found, NULL, mask), STATUS_OK);
    run_l2(replay, mask, found);
    metrics_derive(found);
    miss_mask_free(mask);
}

static void run_translation(const struct replay *replay, struct metrics *found)
{
    struct replay behind = *replay;
    struct request_log *walks =
        request_log_create(replay->log->instances, PLACE_PC, UINT64_C(1) << 26);
    metrics_clear(found);
    assert_int_equal(replay_tlb(replay, found, walks), STATUS_OK);
    assert_true(request_log_finish(walks));
    behind.log = walks;
    assert_int_equal(replay_walks(&behind, found), STATUS_OK);
    metrics_derive(found);
    request_log_free(walks);
}

/* The stream of a source, and what a pass over it counts. */
static struct request_log *record(const struct machine *machine, const struct trace_source *source,
                                  struct metrics *expected)
{
    struct request_log *stream =
        request_log_create((unsigned)machine->gpu.sms, PLACE_INSTRUCTION, UINT64_C(1) << 26);
    const struct request_logs logs = {.stream = stream};
    const struct evaluate_options options = {.needs = NEED_REPORT, .record = &logs};
    assert_int_equal(evaluate(machine, source, &options, expected, NULL), STATUS_OK);
    assert_true(request_log_finish(stream));
    return stream;
}

static void replays_count_what_a_pass_counts(void **state)
{
    (void)state;
    const struct evaluate_options options = {.needs = NEED_REPORT};
    const unsigned caches = STAGE_L1D | STAGE_L2;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        struct list_source *source = list_source_random(seed, 1 + seed % 4, 9, 40, 400);
        if (seed % 3 == 0)
            list_source_mix_spaces(source, seed);
        const struct machine machine = random_machine(seed);
        struct metrics expected, found;
        struct request_log *stream = record(&machine, &source->base, &expected);
        const struct replay replay = {&machine, stream, &options, 1 + (int)(seed % 3), NULL};
        run_by_log(&replay, &found);
        assert_same(&found, &expected, caches);
        assert_true(found.l2_accesses > 0);
        run_translation(&replay, &found);
        assert_same(&found, &expected, STAGE_TLB | STAGE_PWC);
        assert_true(found.tlb_misses > 0);
        request_log_free(stream);
        trace_source_free(&source->base);
    }
}

/* A machine whose L1D no line of gets dirty, of an L2 that takes what it sends as it comes. */
static struct machine random_clean_machine(uint64_t seed)
{
    static const int writes[] = {WRITE_READ_ONLY, WRITE_THROUGH, WRITE_EVICT};
    struct violation violations[VIOLATION_MAX];
    for (uint64_t draw = 1000;; draw += 16) {
        struct machine machine = random_machine(seed + draw);
        machine.l1d.write = writes[random_at(seed, draw) % 3];
        machine.l1d.write_allocate =
            random_at(seed, draw + 1) & 1 ? WRITE_ALLOCATE_NONE : WRITE_ALLOCATE_LAZY;
        machine.l1d.line = UINT64_C(16) << random_at(seed, draw + 2) % 6;
        machine.l1d.sector = machine.l1d.line >> (random_at(seed, draw + 3) & 1);
        machine.l1d.ways = 1 + random_at(seed, draw + 4) % 20;
        machine.l1d.size = 32 * machine.l1d.ways * machine.l1d.line;
        machine.l1d.index = pick_index(random_at(seed, draw + 5));
        if (random_at(seed, draw + 6) & 1)
            machine.l1d.replacement = REPLACEMENT_LRU;
        machine.l2.sector = UINT64_C(16) << random_at(seed, draw + 7) % 3;
        machine.l2.interleave = UINT64_C(128) << random_at(seed, draw + 8) % 3;
        struct request_log any = {.largest = 128, .stores_locally = true};
        if (!machine_check(&machine, violations) && miss_mask_applies(&machine, &any))
            return machine;
    }
}

/* With classes and without, from LRU filters where that is possible and from caches. */
static void masks_count_what_a_pass_counts(void **state)
{
    (void)state;
    unsigned filters = 0;
    double flush = 0, capacity = 0, conflict = 0; /* of LRU filters */
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct list_source *source = list_source_random(seed, 1 + seed % 4, 9, 40, 400);
        if (seed % 3 == 0)
            list_source_mix_spaces(source, seed);
        const struct machine machine = random_clean_machine(seed);
        struct metrics expected, found;
        struct request_log *stream = record(&machine, &source->base, &expected);
        struct evaluate_options options = {.needs = NEED_REPORT};
        const struct replay replay = {&machine, stream, &options, 1 + (int)(seed % 3), NULL};
        run_by_mask(&replay, &found);
        assert_same(&found, &expected, STAGE_L1D | STAGE_L2);
        if (replay_l1d_filters(&replay)) {
            filters++;
            flush += found.l1d_miss_flush;
            capacity += found.l1d_miss_capacity;
            conflict += found.l1d_miss_conflict;
        }
        options.needs = 0;
        assert_int_equal(evaluate(&machine, &source->base, &options, &expected, NULL), STATUS_OK);
        run_by_mask(&replay, &found);
        assert_same(&found, &expected, STAGE_L1D | STAGE_L2);
        request_log_free(stream);
        trace_source_free(&source->base);
    }
    assert_true(filters > 10 && filters < 90);
    assert_true(flush > 0 && capacity > 0 && conflict > 0);
}

/* Where a byte a request cannot say what is sent, nobody is told that it could. */
static void others_need_a_log(void **state)
{
    (void)state;
    struct machine machine, other;
    const struct request_log stream = {.largest = 128},
                             local = {.largest = 128, .stores_locally = true};
    machine_defaults(&machine);
    assert_true(miss_mask_applies(&machine, &stream));
    assert_false(miss_mask_applies(&machine, &local)); /* local_back */
    other = machine;
    other.l1d.write = WRITE_BACK;
    assert_false(miss_mask_applies(&other, &stream));
    other = machine;
    other.l1d.write_allocate = WRITE_ALLOCATE_FETCH;
    assert_false(miss_mask_applies(&other, &stream));
    other = machine;
    other.l2.sector = 128; /* sectors of the L1D would become one */
    other.l1d.sector = other.l1d.line = 64;
    assert_false(miss_mask_applies(&other, &stream));
    other = machine;
    other.l2.line = other.l2.interleave = 64; /* a request would lie in two slices */
    assert_false(miss_mask_applies(&other, &stream));
    other = machine;
    other.l1d.replacement = REPLACEMENT_OPT;
    assert_false(miss_mask_applies(&other, &stream));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_give_back_what_was_recorded),
        cmocka_unit_test(replays_count_what_a_pass_counts),
        cmocka_unit_test(masks_count_what_a_pass_counts),
        cmocka_unit_test(others_need_a_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
