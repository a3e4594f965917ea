/* Assumed instructions: the records stay as they are, and the instructions are those that the
 * assumption says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "tests/support/issue_walk.h"
#include "tests/support/list_source.h"
#include "tests/support/trace_walk.h"
#include "trace/assumed.h"

enum { REGISTERS = 32 };

static struct trace_source *assume(const struct list_source *list, enum assumed_dependences assumed)
{
    struct trace_source *source;
    assert_int_equal(trace_source_assume(&list->base, assumed, &source, NULL), STATUS_OK);
    return source;
}

static void test_records_and_digests(void **state)
{
    (void)state;
    struct list_source *list = list_source_random(3, 3, 5, 40, 50);
    struct trace_source *serial = assume(list, ASSUMED_SERIAL);
    struct trace_source *independent = assume(list, ASSUMED_INDEPENDENT);
    struct trace_totals a, b;
    struct issue_totals issues;
    assert_int_equal(trace_walk(&list->base, 64, &a, NULL), STATUS_OK);
    assert_int_equal(trace_walk(serial, 7, &b, NULL), STATUS_OK);
    assert_true(a.hash == b.hash && a.records == b.records);
    for (uint32_t capacity = 1; capacity < 40; capacity += 6) {
        assert_int_equal(issue_walk(serial, capacity, 1, &issues, NULL), STATUS_OK);
        assert_true(issues.records == a.records &&
                    issues.classes[CLASS_INTEGER] + issues.records == a.instructions);
        assert_int_equal(issue_walk(independent, capacity, 1, &issues, NULL), STATUS_OK);
        assert_true(issues.records == a.records && issues.classes[CLASS_MEMORY] == a.records);
    }
    assert_true(trace_source_timed(serial) && trace_source_timed(independent));
    assert_string_equal(serial->digest, list->base.digest);
    assert_int_equal(strlen(serial->code_digest), 32);
    assert_string_not_equal(serial->code_digest, independent->code_digest);
    trace_source_free(serial);
    trace_source_free(independent);
    trace_source_free(&list->base);
}

/* What a machine of unlimited speed would see of a warp: who wrote each register, in order. */
struct dependences {
    int64_t writer[REGISTER_COUNT]; /* instruction; -1: none */
    int64_t last;                   /* instruction that wrote any register */
    int64_t loads[REGISTERS];       /* the last loads, by their number modulo REGISTERS */
    uint64_t load_count;
};

static void expect_serial(struct dependences *seen, const struct instruction *row)
{
    assert_int_equal(row->read, 1);
    assert_int_equal(seen->writer[row->registers[row->written]], seen->last);
}

static void expect_independent(struct dependences *seen, const struct instruction *row, int64_t at)
{
    if (row->flags & INSTRUCTION_STORE) {
        assert_true(row->read == 1 && !row->written);
        const int64_t load =
            seen->load_count ? seen->loads[(seen->load_count - 1) % REGISTERS] : -1;
        assert_int_equal(seen->writer[row->registers[0]], load);
        return;
    }
    assert_int_equal(row->read, 0);
    assert_int_equal(row->written, row->flags == INSTRUCTION_LOAD);
    if (row->written) /* a register comes back only after all others */
        assert_int_equal(seen->writer[row->registers[0]],
                         seen->load_count < REGISTERS ? -1
                                                      : seen->loads[seen->load_count % REGISTERS]);
    if (row->written)
        seen->loads[seen->load_count++ % REGISTERS] = at;
}

/* Follows the instructions of a warp through its registers. */
static void follow_warp(const struct trace_source *source, struct block_reader *reader,
                        uint32_t warp, enum assumed_dependences assumed)
{
    struct dependences seen = {.last = -1};
    struct instruction_window window;
    int64_t at = 0;
    for (int i = 0; i < REGISTER_COUNT; i++)
        seen.writer[i] = -1;
    assert_int_equal(instruction_window_init(&window, 9), STATUS_OK);
    bool ended = false;
    do {
        assert_int_equal(source->ops->read_instructions(reader, warp, &window, NULL), STATUS_OK);
        for (uint32_t i = 0; i < window.count; i++, at++) {
            const struct instruction *row = &source->codes[0].items[window.items[i].code];
            assert_false(ended);
            ended = row->action == ACTION_EXIT;
            if (assumed == ASSUMED_SERIAL)
                expect_serial(&seen, row);
            else
                expect_independent(&seen, row, at);
            for (int k = 0; k < row->written; k++)
                seen.last = seen.writer[row->registers[k]] = at;
        }
    } while (!window.end);
    assert_true(ended || !at);
    instruction_window_free(&window);
}

static void test_dependences(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct list_source *list = list_source_random(seed, 2, 3, 120, 50);
        for (int assumed = ASSUMED_SERIAL; assumed < ASSUMED_COUNT; assumed++) {
            struct trace_source *source = assume(list, (enum assumed_dependences)assumed);
            for (uint32_t launch = 0; launch < source->launch_count; launch++)
                for (uint64_t block = 0; block < launch_blocks(&source->launches[launch]);
                     block++) {
                    struct block_reader *reader;
                    assert_int_equal(source->ops->open_block(source, launch, block, &reader, NULL),
                                     STATUS_OK);
                    for (uint32_t w = 0; w < launch_warps(&source->launches[launch]); w++)
                        follow_warp(source, reader, w, (enum assumed_dependences)assumed);
                    source->ops->close_block(reader);
                }
            trace_source_free(source);
        }
        trace_source_free(&list->base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_and_digests),
        cmocka_unit_test(test_dependences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
