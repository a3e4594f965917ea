/* A stream of tile requests that is kept reads as the stream itself, for any reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/tile_trial.h"
#include "trace/kept_tiles.h"

/* Reads both streams with a capacity of their own and holds each request and each pass equal. */
static void assert_same(const struct tile_stream *a, uint32_t a_capacity,
                        const struct tile_stream *b, uint32_t b_capacity, bool values)
{
    const struct tile_stream *const streams[2] = {a, b};
    const uint32_t capacities[2] = {a_capacity, b_capacity};
    struct tile_batch batches[2];
    struct tile_reader *readers[2];
    uint32_t next[2] = {0}, begun[2] = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tile_batch_init(&batches[i], capacities[i], values), STATUS_OK);
        assert_int_equal(streams[i]->ops->open(streams[i], values, &readers[i], NULL), STATUS_OK);
    }
    for (bool over = false; !over;) {
        bool empty[2];
        for (int i = 0; i < 2; i++) {
            while (next[i] == batches[i].count && !batches[i].end) {
                assert_int_equal(streams[i]->ops->next(readers[i], &batches[i], NULL), STATUS_OK);
                next[i] = 0;
                begun[i] += batches[i].begins;
                assert_int_equal(batches[i].pass + 1, begun[i]);
            }
            empty[i] = next[i] == batches[i].count;
        }
        assert_int_equal(empty[0], empty[1]);
        over = empty[0];
        if (over)
            continue;
        assert_memory_equal(&batches[0].requests[next[0]], &batches[1].requests[next[1]],
                            sizeof *batches[0].requests);
        assert_int_equal(batches[0].pass, batches[1].pass);
        if (values)
            assert_memory_equal(batches[0].values[next[0]], batches[1].values[next[1]],
                                sizeof *batches[0].values);
        next[0]++;
        next[1]++;
    }
    assert_int_equal(begun[0], a->pass_count);
    assert_int_equal(begun[1], a->pass_count);
    for (int i = 0; i < 2; i++) {
        streams[i]->ops->close(readers[i]);
        tile_batch_free(&batches[i]);
    }
}

static void every_reader_reads_the_stream(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct tile_trial *trial = tile_trial_random(seed, (uint32_t)(seed * 13), 10);
        struct kept_tiles kept;
        assert_int_equal(kept_tiles_init(&kept, &trial->stream, KEPT_TILES_MOST), STATUS_OK);
        assert_same(&trial->stream, 7, &kept.stream, 64, true); /* leaves nothing behind */
        assert_false(kept_tiles_ready(&kept));
        assert_same(&trial->stream, 7, &kept.stream, 64, false);
        assert_true(kept_tiles_ready(&kept));
        assert_same(&trial->stream, 64, &kept.stream, 5, false);
        assert_same(&trial->stream, 7, &kept.stream, 64, true);
        kept_tiles_free(&kept);
        tile_trial_free(trial);
    }
}

/* Who leaves early leaves nothing, and does not keep others from it; nor do long streams. */
static void only_whole_streams_are_kept(void **state)
{
    (void)state;
    struct tile_trial *trial = tile_trial_random(1, 500, 10);
    struct tile_batch batch;
    struct tile_reader *early, *late;
    struct kept_tiles kept;
    assert_int_equal(tile_batch_init(&batch, 16, false), STATUS_OK);
    assert_int_equal(kept_tiles_init(&kept, &trial->stream, 1000), STATUS_OK);
    assert_int_equal(kept.stream.ops->open(&kept.stream, false, &early, NULL), STATUS_OK);
    assert_int_equal(kept.stream.ops->open(&kept.stream, false, &late, NULL), STATUS_OK);
    assert_int_equal(kept.stream.ops->next(early, &batch, NULL), STATUS_OK);
    kept.stream.ops->close(early);
    kept.stream.ops->close(late);
    assert_false(kept_tiles_ready(&kept));
    assert_same(&trial->stream, 7, &kept.stream, 64, false);
    assert_true(kept_tiles_ready(&kept));
    kept_tiles_free(&kept);
    assert_int_equal(kept_tiles_init(&kept, &trial->stream, 300), STATUS_OK);
    assert_same(&trial->stream, 7, &kept.stream, 64, false);
    assert_false(kept_tiles_ready(&kept));
    assert_same(&trial->stream, 7, &kept.stream, 64, false);
    kept_tiles_free(&kept);
    tile_batch_free(&batch);
    tile_trial_free(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reader_reads_the_stream),
        cmocka_unit_test(only_whole_streams_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
