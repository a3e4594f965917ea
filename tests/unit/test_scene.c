/* Scenes: their surfaces equal those of the slow rasteriser bit for bit, whatever the samples, the
 * order and the way of clearing; and requests mean the same however they are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/slow_raster.h"
#include "workload/workload.h"

#define SCENE_ADDRESS(name) &scene_##name,
static const struct scene_kind *const kinds[] = {SCENE_LIST(SCENE_ADDRESS)};
#undef SCENE_ADDRESS
enum { KINDS = sizeof kinds / sizeof *kinds };

static void make_stream(struct render_stream *stream, const struct scene_kind *kind,
                        const struct scene_setup *setup)
{
    struct scene scene;
    assert_int_equal(scene_init(&scene, kind, setup, NULL, NULL), STATUS_OK);
    assert_int_equal(render_stream_init(stream, &scene), STATUS_OK);
}

static struct scene_setup small_setup(void)
{
    return (struct scene_setup){.width = 50,
                                .height = 37,
                                .samples = 1,
                                .frame = 20,
                                .frames = 1,
                                .detail = 5,
                                .fast_clear = true,
                                .seed = 1};
}

/* Values of the last surface that are not what it was cleared to. */
static size_t drawn_values(const struct tile_stream *stream, const struct tile_memory *memory)
{
    const struct tile_surface *surface = &stream->surfaces[stream->surface_count - 1];
    const uint32_t *values = tile_memory_line(memory, surface->base);
    size_t count = 0;
    for (uint64_t i = 0; i < TILE_VALUES * tile_lines(surface); i++)
        count += values[i] != surface->clear;
    return count;
}

static void surfaces_equal_the_slow_ones(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++)
        for (unsigned samples = 1; samples <= 4; samples += 3) {
            struct tile_memory slow;
            for (unsigned order = 0; order < TRAVERSAL_COUNT; order++) {
                struct scene_setup setup = small_setup();
                struct render_stream stream;
                struct tile_memory memory;
                setup.samples = samples;
                setup.order = (enum traversal)order;
                setup.fast_clear = order % 2;
                make_stream(&stream, kinds[i], &setup);
                if (!order) {
                    assert_int_equal(tile_memory_init(&slow, &stream.stream), STATUS_OK);
                    slow_draw(&stream, &slow);
                    assert_true(drawn_values(&stream.stream, &slow) > 100);
                }
                assert_int_equal(tile_reference(&stream.stream, &memory, NULL), STATUS_OK);
                assert_int_equal(memory.bytes, slow.bytes);
                assert_memory_equal(memory.values, slow.values, memory.bytes);
                tile_memory_free(&memory);
                render_stream_free(&stream);
            }
            tile_memory_free(&slow);
        }
}

/* All requests of a stream, with their values if `values` is not NULL. */
struct requests {
    struct tile_request *items;
    uint32_t *passes; /* of each */
    uint32_t (*values)[TILE_VALUES];
    uint32_t count, begun;
};

static void read_all(const struct tile_stream *stream, uint32_t capacity, bool values,
                     struct requests *all)
{
    enum { MOST = 200000 };
    struct tile_batch batch;
    struct tile_reader *reader;
    uint32_t pass = UINT32_MAX;
    *all = (struct requests){.items = calloc(MOST, sizeof *all->items),
                             .passes = calloc(MOST, sizeof *all->passes),
                             .values = values ? calloc(MOST, sizeof *all->values) : NULL};
    assert_int_equal(tile_batch_init(&batch, capacity, values), STATUS_OK);
    assert_int_equal(stream->ops->open(stream, values, &reader, NULL), STATUS_OK);
    do {
        assert_int_equal(stream->ops->next(reader, &batch, NULL), STATUS_OK);
        assert_true(batch.count <= capacity && all->count + batch.count <= MOST);
        assert_int_equal(batch.begins, batch.pass != pass);
        pass = batch.pass;
        all->begun += batch.begins;
        memcpy(all->items + all->count, batch.requests, batch.count * sizeof *all->items);
        if (values)
            memcpy(all->values + all->count, batch.values, batch.count * sizeof *all->values);
        for (uint32_t i = 0; i < batch.count; i++)
            all->passes[all->count + i] = pass;
        all->count += batch.count;
    } while (!batch.end);
    stream->ops->close(reader);
    tile_batch_free(&batch);
}

static void free_requests(struct requests *all)
{
    free(all->items);
    free(all->passes);
    free(all->values);
}

static void batches_and_values_change_no_request(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct scene_setup setup = small_setup();
        struct render_stream stream;
        struct requests all;
        setup.frames = 2;
        setup.fast_clear = i % 2;
        make_stream(&stream, kinds[i], &setup);
        read_all(&stream.stream, 4096, true, &all);
        assert_int_equal(all.begun, stream.stream.pass_count);
        static const uint32_t capacities[] = {2, 3, 64, 1000};
        for (unsigned k = 0; k < 4; k++) {
            struct requests other;
            read_all(&stream.stream, capacities[k], k % 2, &other);
            assert_int_equal(other.count, all.count);
            assert_memory_equal(other.items, all.items, all.count * sizeof *all.items);
            for (uint32_t r = 0; r < all.count && other.values; r++)
                for (unsigned v = 0; v < TILE_VALUES; v++)
                    assert_true(!(all.items[r].mask >> v & 1) ||
                                other.values[r][v] == all.values[r][v]);
            free_requests(&other);
        }
        free_requests(&all);
        render_stream_free(&stream);
    }
}

static void requests_are_in_order_and_true(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct scene_setup setup = small_setup();
        struct render_stream stream;
        struct requests all;
        struct tile_memory memory;
        uint32_t cleared = 0;
        make_stream(&stream, kinds[i], &setup);
        read_all(&stream.stream, 4096, true, &all);
        assert_int_equal(tile_memory_init(&memory, &stream.stream), STATUS_OK);
        for (uint32_t s = 0; s < stream.stream.surface_count; s++) {
            const struct tile_pass every = {.clears = 1u << s};
            tile_memory_clear(&memory, &stream.stream, &every);
        }
        for (uint32_t r = 0; r < all.count; r++) {
            const struct tile_request *request = &all.items[r];
            const struct tile_surface *surface = &stream.stream.surfaces[request->surface];
            uint32_t *line = tile_memory_line(&memory, request->address);
            assert_int_equal(request->address, tile_address(surface, request->x, request->y));
            assert_int_equal(surface->kind == TILE_DEPTH, request->op == TILE_DEPTH_TEST);
            assert_true(request->mask && !(request->passed & ~request->mask));
            for (unsigned v = 0; v < TILE_VALUES && request->flags & TILE_CLEARED; v++)
                assert_int_equal(line[v], surface->clear);
            cleared += request->flags & TILE_CLEARED;
            if (r && all.passes[r] == all.passes[r - 1])
                assert_true(request->primitive >= all.items[r - 1].primitive);
            assert_int_equal(tile_execute(request, all.values[r], line), request->passed);
        }
        assert_true(cleared > 20);
        tile_memory_free(&memory);
        free_requests(&all);
        render_stream_free(&stream);
    }
}

/* Clearing line by line is a whole write of each line more, and the rest is the same. */
static void slow_clears_are_requests(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS; i++) {
        struct scene_setup setup = small_setup();
        struct render_stream fast, slow;
        struct requests a, b;
        uint32_t lines = 0, at = 0;
        make_stream(&fast, kinds[i], &setup);
        setup.fast_clear = false;
        make_stream(&slow, kinds[i], &setup);
        read_all(&fast.stream, 4096, false, &a);
        read_all(&slow.stream, 4096, false, &b);
        for (uint32_t k = 0; k < b.count; k++) {
            assert_int_equal(b.items[k].flags, 0);
            if (b.items[k].primitive == TILE_NO_PRIMITIVE) {
                lines += b.items[k].mask == TILE_WHOLE && b.items[k].op == TILE_REPLACE;
                continue;
            }
            assert_true(at < a.count);
            a.items[at].flags = 0;
            assert_memory_equal(&a.items[at], &b.items[k], sizeof *b.items);
            at++;
        }
        assert_int_equal(at, a.count);
        for (uint32_t s = 0; s < fast.stream.surface_count; s++)
            lines -= (uint32_t)tile_lines(&fast.stream.surfaces[s]);
        assert_int_equal(lines, 0);
        free_requests(&a);
        free_requests(&b);
        render_stream_free(&fast);
        render_stream_free(&slow);
    }
}

static void records_are_the_requests(void **state)
{
    (void)state;
    static const char *const names[] = {"raster-shadow:width=80,height=60,detail=6,frames=2",
                                        "raster-refract:width=40,height=30,detail=4,samples=4",
                                        "raster-effect2d:width=33,height=35,fast_clear=off"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trace_source *source;
        struct requests all;
        struct access_window window;
        uint32_t at = 0;
        assert_int_equal(workload_open(names[i], &source, NULL), STATUS_OK);
        assert_int_equal(source->launch_count, source->tiles->pass_count);
        read_all(source->tiles, 4096, false, &all);
        assert_int_equal(window_init(&window, 100), STATUS_OK);
        for (uint32_t launch = source->launch_count; launch--;) { /* from the last to the first */
            struct block_reader *reader;
            uint32_t from = 0;
            while (all.passes[from] != launch)
                from++;
            assert_int_equal(source->ops->open_block(source, launch, 0, &reader, NULL), STATUS_OK);
            for (window.end = false; !window.end;) {
                assert_int_equal(source->ops->read(reader, 0, &window, NULL), STATUS_OK);
                for (uint32_t k = 0; k < window.count; k++, from++, at++) {
                    const struct warp_access record =
                        tile_record(source->tiles->surfaces, &all.items[from]);
                    assert_memory_equal(&window.items[k], &record, sizeof record);
                }
            }
            source->ops->close_block(reader);
        }
        assert_int_equal(at, all.count);
        free_requests(&all);
        window_free(&window);
        trace_source_free(source);
    }
}

static void digests_tell_scenes_apart(void **state)
{
    (void)state;
    static const char *const names[] = {"raster-refract:width=40,height=30,detail=4",
                                        "raster-shadow:width=40,height=30,detail=4",
                                        "raster-refract:width=41,height=30,detail=4",
                                        "raster-refract:width=40,height=30,detail=5",
                                        "raster-refract:width=40,height=30,detail=4,order=z",
                                        "raster-refract:width=40,height=30,detail=4,samples=4"};
    enum { NAMES = sizeof names / sizeof *names };
    char digests[NAMES][33];
    for (size_t i = 0; i < NAMES; i++) {
        struct trace_source *source;
        assert_int_equal(workload_open(names[i], &source, NULL), STATUS_OK);
        memcpy(digests[i], source->digest, sizeof digests[i]);
        trace_source_free(source);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(digests[i], digests[k]);
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"raster-refract:width=0",     "raster-refract:samples=2",
                                        "raster-refract:order=zz",    "raster-refract:mesh=dog",
                                        "raster-refract:height=5000", "raster-refract:size=3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trace_source *source;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(workload_open(names[i], &source, &diagnostics), STATUS_INVALID);
        assert_int_equal(diagnostics.errors, 1);
        diagnostics_free(&diagnostics);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_equal_the_slow_ones),
        cmocka_unit_test(batches_and_values_change_no_request),
        cmocka_unit_test(requests_are_in_order_and_true),
        cmocka_unit_test(slow_clears_are_requests),
        cmocka_unit_test(records_are_the_requests),
        cmocka_unit_test(digests_tell_scenes_apart),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
