/* The .wtr container: what goes in comes out, and damage is an error wherever it is. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>
#include <xxhash.h>

#include "base/rng.h"
#include "tests/support/trace_walk.h"
#include "trace/wtr.h"
#include "trace/wtr_write.h"

/* The trace of a seed: a pure function, so the test can ask for any record again. */
struct shape {
    uint64_t seed;
    struct trace_launch launches[2];
    uint32_t most; /* records of a warp */
};

static char kernel_name[] = "_Z6kernelPf";

static const struct shape small_shape = {
    .seed = 5,
    .launches = {{kernel_name, {3, 2, 1}, {96, 1, 1}, 21, 512, 80, 0, 8, NULL},
                 {kernel_name, {2, 1, 1}, {32, 2, 1}, 0, 0, 0, 0, 0, NULL}},
    .most = 5,
};

static uint32_t warp_records(const struct shape *shape, uint32_t launch, uint64_t block,
                             uint32_t warp)
{
    uint64_t bits = random_at(shape->seed, (launch * 100 + block) * 100 + warp);
    return bits % 5 ? (uint32_t)random_below(random_at(bits, 0), shape->most + 1) : 0;
}

static uint32_t warp_tail(const struct shape *shape, uint32_t launch, uint64_t block, uint32_t warp)
{
    return (uint32_t)(random_at(shape->seed ^ 77, (launch * 100 + block) * 100 + warp) % 3);
}

static void make_record(const struct shape *shape, uint64_t key, struct warp_access *access,
                        uint64_t addresses[WARP_SIZE])
{
    uint64_t bits = random_at(shape->seed, key);
    *access = (struct warp_access){
        .mask = bits & 1 ? UINT32_MAX : (uint32_t)random_at(bits, 1) | 1u << bits % 32,
        .pc = (uint32_t)(key % 7 * 16),
        .gap = (uint32_t)(random_at(bits, 2) % 9),
        .bytes = (uint16_t)(1u << random_at(bits, 3) % 5),
        .op = (uint8_t)(random_at(bits, 4) % 3),
        .space = (uint8_t)(random_at(bits, 5) % 5),
        .flags = random_at(bits, 6) % 4 ? 0 : ACCESS_BYPASS_L1,
    };
    uint64_t stride = random_at(bits, 7) % 300 - 100, count = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if (access->mask >> lane & 1)
            addresses[count++] = random_at(bits, 8) + stride * lane +
                                 (bits % 3 ? 0 : random_at(bits, 20 + lane) % 4096);
}

static void write_warp(struct wtr_writer *writer, const struct shape *shape, uint32_t launch,
                       uint64_t block, uint32_t warp)
{
    (void)wtr_begin_warp(writer, warp);
    uint32_t count = warp_records(shape, launch, block, warp);
    for (uint32_t i = 0; i < count; i++) {
        struct warp_access access;
        uint64_t addresses[WARP_SIZE];
        make_record(shape, ((launch * 100 + block) * 100 + warp) * 1000000 + i, &access, addresses);
        (void)wtr_put(writer, &access, addresses);
    }
    (void)wtr_end_warp(writer, warp_tail(shape, launch, block, warp));
}

static void write_block(struct wtr_writer *writer, const struct shape *shape, uint32_t launch,
                        uint64_t block)
{
    (void)wtr_begin_block(writer, block);
    for (uint32_t warp = 0; warp < launch_warps(&shape->launches[launch]); warp++)
        write_warp(writer, shape, launch, block, warp);
}

/* Writes the trace, its blocks backwards where asked; with a dropped copy of block 1 first. */
static int write_kept(const struct shape *shape, bool backwards, struct wtr_kept *kept)
{
    int fd = memfd_create("trace", 0);
    assert_true(fd >= 0);
    struct wtr_writer *writer;
    assert_int_equal(wtr_writer_create(fd, "test.wtr", &writer, NULL), STATUS_OK);
    wtr_writer_keep(writer, kept);
    for (uint32_t launch = 0; launch < 2; launch++) {
        (void)wtr_begin_launch(writer, &shape->launches[launch]);
        uint64_t blocks = launch_blocks(&shape->launches[launch]);
        for (uint64_t i = 0; i < blocks; i++) {
            uint64_t block = backwards ? blocks - 1 - i : i;
            if (block == 1) {
                write_block(writer, shape, launch, block);
                (void)wtr_drop_block(writer);
                (void)wtr_begin_block(writer, block);
                (void)wtr_begin_warp(writer, 1);
                (void)wtr_drop_block(writer);
            }
            write_block(writer, shape, launch, block);
            (void)wtr_end_block(writer);
        }
    }
    assert_int_equal(wtr_finish(writer), STATUS_OK);
    wtr_writer_free(writer);
    return fd;
}

static int write_trace(const struct shape *shape, bool backwards)
{
    return write_kept(shape, backwards, NULL);
}

static struct trace_source *open_trace(int fd)
{
    struct trace_source *source = NULL;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = wtr_open(dup(fd), "test.wtr", "test", "test", &source, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    diagnostics_free(&diagnostics);
    assert_int_equal(status, STATUS_OK);
    return source;
}

static void expect_warp(const struct shape *shape, const struct trace_source *source,
                        struct block_reader *reader, uint32_t launch, uint64_t block, uint32_t warp,
                        struct access_window *window)
{
    uint32_t next = 0;
    do {
        assert_int_equal(source->ops->read(reader, warp, window, NULL), STATUS_OK);
        assert_true(window->count || window->end);
        for (uint32_t i = 0; i < window->count; i++, next++) {
            struct warp_access want;
            uint64_t addresses[WARP_SIZE], got[WARP_SIZE];
            make_record(shape, ((launch * 100 + block) * 100 + warp) * 1000000 + next, &want,
                        addresses);
            const struct warp_access *access = &window->items[i];
            unsigned count = access_addresses(access, window, got);
            assert_int_equal(access->mask, want.mask);
            assert_memory_equal(got, addresses, count * sizeof *got);
            assert_int_equal(access->pc, want.pc);
            assert_int_equal(access->gap, want.gap);
            assert_int_equal(access->bytes, want.bytes);
            assert_int_equal(access->op, want.op);
            assert_int_equal(access->space, want.space);
            assert_int_equal(access->flags & ACCESS_BYPASS_L1, want.flags);
        }
    } while (!window->end);
    assert_int_equal(next, warp_records(shape, launch, block, warp));
    assert_int_equal(window->tail, warp_tail(shape, launch, block, warp));
    assert_int_equal(source->ops->read(reader, warp, window, NULL), STATUS_OK);
    assert_true(window->end && !window->count); /* reading on is harmless */
}

static void expect_trace(const struct shape *shape, const struct trace_source *source,
                         uint32_t capacity)
{
    struct access_window window;
    assert_int_equal(window_init(&window, capacity), STATUS_OK);
    assert_int_equal(source->launch_count, 2);
    for (uint32_t launch = 0; launch < 2; launch++) {
        assert_string_equal(source->launches[launch].name, kernel_name);
        assert_memory_equal(source->launches[launch].grid, shape->launches[launch].grid, 12);
        assert_int_equal(source->launches[launch].registers, shape->launches[launch].registers);
        assert_int_equal(source->launches[launch].number, shape->launches[launch].number);
        uint64_t blocks = launch_blocks(&shape->launches[launch]);
        for (uint64_t i = 0; i < blocks; i++) {
            uint64_t block = (i * 5 + 3) % blocks == i ? i : blocks - 1 - i;
            struct block_reader *reader;
            assert_int_equal(source->ops->open_block(source, launch, block, &reader, NULL),
                             STATUS_OK);
            for (uint32_t warp = launch_warps(&shape->launches[launch]); warp-- > 0;)
                expect_warp(shape, source, reader, launch, block, warp, &window);
            source->ops->close_block(reader);
        }
    }
    window_free(&window);
}

static void expect_round_trip(const struct shape *shape)
{
    int forwards = write_trace(shape, false), backwards = write_trace(shape, true);
    struct trace_source *a = open_trace(forwards), *b = open_trace(backwards);
    expect_trace(shape, a, 1);
    expect_trace(shape, a, WINDOW_RECORDS);
    expect_trace(shape, b, WINDOW_RECORDS);
    assert_int_equal(strlen(a->digest), 32);
    assert_string_equal(a->digest, b->digest);
    trace_source_free(a);
    trace_source_free(b);
    close(forwards);
    close(backwards);
}

/* Chunks that stay in memory, all of them or as many as there is room for, read the same. */
static void expect_kept(const struct shape *shape, size_t most, bool backwards)
{
    struct wtr_kept kept = {.most = most};
    const int all = write_trace(shape, false), some = write_kept(shape, backwards, &kept);
    struct trace_source *a = open_trace(all), *b = open_trace(some);
    assert_true(kept.count && kept.bytes <= most);
    assert_true(lseek(some, 0, SEEK_END) < lseek(all, 0, SEEK_END));
    assert_int_equal(wtr_take_kept(b, &kept), STATUS_OK);
    expect_trace(shape, b, 1);
    expect_trace(shape, b, WINDOW_RECORDS);
    assert_string_equal(a->digest, b->digest);
    trace_source_free(a);
    trace_source_free(b);
    close(all);
    close(some);
}

static void test_kept(void **state)
{
    (void)state;
    struct shape many = small_shape;
    many.most = 3000;
    for (size_t most = 1 << 22; most <= 1 << 26; most *= 4) {
        expect_kept(&many, most, false);
        expect_kept(&many, most, true);
    }
}

/* A file whose chunks are elsewhere is damaged, not empty. */
static void test_kept_elsewhere(void **state)
{
    (void)state;
    struct wtr_kept kept = {0};
    const int fd = write_kept(&small_shape, false, &kept);
    struct trace_source *source = open_trace(fd);
    struct block_reader *reader;
    struct access_window window;
    assert_int_equal(window_init(&window, WINDOW_RECORDS), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, 0, 0, &reader, NULL), STATUS_OK);
    enum status status = STATUS_OK;
    for (uint32_t warp = 0; warp < 3 && !status; warp++)
        status = source->ops->read(reader, warp, &window, NULL);
    assert_int_equal(status, STATUS_CORRUPT);
    source->ops->close_block(reader);
    window_free(&window);
    trace_source_free(source);
    wtr_kept_free(&kept);
    close(fd);
}

static void test_round_trip(void **state)
{
    (void)state;
    expect_round_trip(&small_shape);
    struct shape many = small_shape;
    many.most = 3000; /* several chunks, blocks at their borders */
    expect_round_trip(&many);
}

/* One warp of many records is split over chunks and keeps its order. */
static void test_long_warp(void **state)
{
    (void)state;
    struct shape shape = {.seed = 11,
                          .launches = {{kernel_name, {1, 1, 1}, {32, 1, 1}, 0, 0, 0, 0, 0, NULL},
                                       {kernel_name, {2, 1, 1}, {64, 1, 1}, 0, 0, 0, 0, 0, NULL}},
                          .most = 180000};
    expect_round_trip(&shape);
}

static void test_digest_sees_content_only(void **state)
{
    (void)state;
    struct shape shape = small_shape;
    int first = write_trace(&shape, false);
    shape.seed++;
    int second = write_trace(&shape, false);
    struct trace_source *a = open_trace(first), *b = open_trace(second);
    assert_string_not_equal(a->digest, b->digest);
    trace_source_free(a);
    trace_source_free(b);
    close(first);
    close(second);
}

static void test_block_twice(void **state)
{
    (void)state;
    for (int between = 0; between < 2; between++) {
        int fd = memfd_create("trace", 0);
        struct wtr_writer *writer;
        assert_int_equal(wtr_writer_create(fd, "test.wtr", &writer, NULL), STATUS_OK);
        (void)wtr_begin_launch(writer, &small_shape.launches[0]);
        for (uint64_t i = 0; i < 3; i++) {
            write_block(writer, &small_shape, 0, i == 1 && between ? 4 : 3);
            (void)wtr_end_block(writer);
        }
        assert_int_equal(wtr_finish(writer), STATUS_INVALID);
        wtr_writer_free(writer);
        close(fd);
    }
}

/* Opens and reads everything; STATUS_OK only where nothing was noticed. */
static enum status read_all(const uint8_t *bytes, size_t size)
{
    int fd = memfd_create("damaged", 0);
    assert_int_equal(write(fd, bytes, size), size);
    struct trace_source *source;
    struct trace_totals totals;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = wtr_open(fd, "damaged.wtr", "test", "test", &source, &diagnostics);
    if (!status) {
        status = trace_walk(source, 64, &totals, &diagnostics);
        trace_source_free(source);
    }
    if (status) { /* an error says which file and where */
        assert_true(diagnostics.errors == 1);
        assert_string_equal(diagnostics.items[0].file, "damaged.wtr");
        assert_true(diagnostics.items[0].has_offset);
        assert_true(diagnostics.items[0].offset <= size);
    }
    diagnostics_free(&diagnostics);
    return status;
}

static void test_damage_is_found(void **state)
{
    (void)state;
    int fd = write_trace(&small_shape, false);
    off_t size = lseek(fd, 0, SEEK_END);
    uint8_t *bytes = malloc((size_t)size);
    assert_int_equal(pread(fd, bytes, (size_t)size, 0), size);
    assert_int_equal(read_all(bytes, (size_t)size), STATUS_OK);
    for (off_t cut = 0; cut < size; cut++)
        assert_int_not_equal(read_all(bytes, (size_t)cut), STATUS_OK);
    for (off_t at = 0; at < size; at++) {
        uint8_t good = bytes[at];
        bytes[at] ^= (uint8_t)(1u << random_at(1, (uint64_t)at) % 8);
        assert_int_not_equal(read_all(bytes, (size_t)size), STATUS_OK);
        bytes[at] = good;
    }
    free(bytes);
    close(fd);
}

/* Writes a number into the last entry of the index and makes the checksums right again. */
static void sign_entry(uint8_t *bytes, size_t size, size_t at, uint64_t number, size_t width)
{
    uint8_t *trailer = bytes + size - WTR_TRAILER_BYTES, *entry = trailer - WTR_ENTRY_BYTES;
    for (size_t i = 0; i < width; i++)
        entry[at + i] = (uint8_t)(number >> 8 * i);
    wtr_put64(trailer + 16, XXH64(bytes + wtr_get64(trailer), wtr_get64(trailer + 8), 0));
    wtr_put64(trailer + 48, XXH64(trailer, 48, 0));
}

/* Opens, and reads no chunk. */
static enum status open_bytes(const uint8_t *bytes, size_t size)
{
    int fd = memfd_create("lying", 0);
    struct trace_source *source;
    assert_int_equal(write(fd, bytes, size), size);
    enum status status = wtr_open(fd, "lying.wtr", "test", "test", &source, NULL);
    if (!status)
        trace_source_free(source);
    return status;
}

/* An index is not trusted because its checksum is right: what it says is checked when the file is
 * opened, not when a chunk turns out to be another. */
static void test_index_never_trusts(void **state)
{
    (void)state;
    enum { FIRST_BLOCK = 8, LAST_BLOCK = 16, LAUNCH = 24, LAST_WARP = 32 };
    struct shape plain = small_shape; /* without numbers, the index ends with its entries */
    plain.launches[0].number = 0;
    int fd = write_trace(&plain, false);
    size_t size = (size_t)lseek(fd, 0, SEEK_END);
    uint8_t *bytes = malloc(size), *lying = malloc(size);
    assert_int_equal(pread(fd, bytes, size, 0), size);
    const uint8_t *entry = bytes + size - WTR_TRAILER_BYTES - WTR_ENTRY_BYTES;
    const struct trace_launch *launch = &small_shape.launches[wtr_get32(entry + LAUNCH)];
    const struct {
        size_t at, width;
        uint64_t number;
    } lies[] = {{LAST_BLOCK, 8, launch_blocks(launch)},
                {LAST_BLOCK, 8, UINT64_MAX},
                {LAST_WARP, 4, launch_warps(launch)},
                {FIRST_BLOCK, 8, wtr_get64(entry + LAST_BLOCK) + 1},
                {LAUNCH, 4, 2}};
    memcpy(lying, bytes, size);
    sign_entry(lying, size, LAST_BLOCK, wtr_get64(entry + LAST_BLOCK), 8);
    assert_memory_equal(lying, bytes, size); /* the checksums are those of the writer */
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        memcpy(lying, bytes, size);
        sign_entry(lying, size, lies[i].at, lies[i].number, lies[i].width);
        assert_int_equal(open_bytes(lying, size), STATUS_CORRUPT);
    }
    free(bytes);
    free(lying);
    close(fd);
}

struct walker {
    pthread_t thread;
    const struct trace_source *source;
    struct trace_totals totals;
    enum status status;
};

static void *walk(void *argument)
{
    struct walker *walker = argument;
    walker->status = trace_walk(walker->source, 64, &walker->totals, NULL);
    return NULL;
}

/* Threads that read one source at once see what one thread sees. */
static void test_many_readers(void **state)
{
    (void)state;
    struct shape shape = small_shape;
    shape.most = 3000;
    int fd = write_trace(&shape, false);
    struct trace_source *source = open_trace(fd);
    struct trace_totals alone;
    assert_int_equal(trace_walk(source, 64, &alone, NULL), STATUS_OK);
    struct walker walkers[4];
    for (int i = 0; i < 4; i++) {
        walkers[i].source = source;
        assert_int_equal(pthread_create(&walkers[i].thread, NULL, walk, &walkers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(walkers[i].thread, NULL);
        assert_int_equal(walkers[i].status, STATUS_OK);
        assert_true(walkers[i].totals.hash == alone.hash);
    }
    trace_source_free(source);
    close(fd);
}

/* A chunk whose checksum is right but whose columns lie. */
static void test_columns_never_trust(void **state)
{
    (void)state;
    int fd = write_trace(&small_shape, false);
    struct trace_source *source = open_trace(fd);
    trace_source_free(source);
    close(fd);
    struct wtr_chunk chunk = {0};
    struct wtr_bytes raw = {0};
    struct warp_access items[3] = {{.mask = 3, .bytes = 4, .stride = 4, .base = 100},
                                   {.mask = 7, .bytes = 4, .flags = ACCESS_LISTED},
                                   {.mask = 1, .bytes = 8, .base = UINT64_MAX}};
    uint64_t lanes[3] = {5, 900, 3};
    struct wtr_span spans[2] = {{.block = 1, .warp = 2, .count = 2},
                                {.block = 4, .warp = 0, .first = 2, .count = 1, .lane = 3}};
    chunk = (struct wtr_chunk){.items = items,
                               .lanes = lanes,
                               .spans = spans,
                               .count = 3,
                               .lane_count = 3,
                               .span_count = 2};
    assert_int_equal(wtr_encode(&chunk, false, &raw), STATUS_OK);
    /* The columns of a chunk without instructions stay what they were in the first version. */
    assert_true(XXH64(raw.items, raw.count, 0) == UINT64_C(0x21b3c31135e3b1ac));
    for (uint64_t seed = 0; seed < 40000; seed++) {
        uint8_t bytes[512];
        memcpy(bytes, raw.items, raw.count);
        for (unsigned k = 0; k <= seed % 3 && seed; k++)
            bytes[random_at(seed, k) % raw.count] = (uint8_t)random_at(seed, 10 + k);
        size_t size = seed % 5 == 4 ? random_at(seed, 20) % raw.count : raw.count;
        struct wtr_chunk decoded = {0};
        const char *what;
        enum status status = wtr_decode(bytes, size, 2, 3, 3, NULL, &decoded, &what);
        if (!seed) {
            assert_int_equal(status, STATUS_OK);
            assert_memory_equal(decoded.items, items, sizeof items);
            assert_memory_equal(decoded.lanes, lanes, sizeof lanes);
        }
        for (size_t i = 0; !status && i < decoded.count; i++)
            assert_true(decoded.items[i].mask && decoded.items[i].bytes);
        wtr_chunk_free(&decoded);
    }
    free(raw.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_kept_elsewhere),
        cmocka_unit_test(test_long_warp),
        cmocka_unit_test(test_digest_sees_content_only),
        cmocka_unit_test(test_block_twice),
        cmocka_unit_test(test_damage_is_found),
        cmocka_unit_test(test_index_never_trusts),
        cmocka_unit_test(test_many_readers),
        cmocka_unit_test(test_columns_never_trust),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
