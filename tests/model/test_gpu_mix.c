/* The counts of cache.h and opt.h on the gpu_mix stream against those of other programs (Dinero IV
 * and direct simulations), from ../shared/reference/cache/gpu_mix.json or below $WARPSCAPE_SHARED.
 * Skipped where that is absent. WARPSCAPE_TEST_ALL=1 or --all: every configuration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "model/cache/cache.h"
#include "model/cache/opt.h"
#include "model/lru/grid.h"
#include "model/lru/sector_stack.h"
#include "model/lru/stack.h"
#include "support/gpu_mix.h"
#include "support/sanitized.h"

enum { BATCH = 4096 };

struct fixture {
    json_t *root;
    struct gpu_mix mix;
};

static bool test_all;

static int setup(void **state)
{
    static struct fixture fixture;
    char path[4096];
    const char *shared = getenv("WARPSCAPE_SHARED");
    snprintf(path, sizeof path, "%s/reference/cache/gpu_mix.json", shared ? shared : "../shared");
    fixture.root = json_load_file(path, 0, NULL);
    *state = &fixture;
    if (!fixture.root)
        return 0;
    return gpu_mix_create(GPU_MIX_LENGTH, &fixture.mix) ? -1 : 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    json_decref(fixture->root);
    gpu_mix_free(&fixture->mix);
    return 0;
}

static struct fixture *need_reference(void **state)
{
    struct fixture *fixture = *state;
    if (!fixture->root) {
        print_message("no gpu_mix.json (set WARPSCAPE_SHARED)\n");
        skip();
    }
    return fixture;
}

static uint64_t number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return (uint64_t)json_integer_value(value);
}

static void run_config(const struct fixture *fixture, const struct cache_config *config,
                       struct cache_counts *counts, bool flush)
{
    static struct request batch[BATCH];
    struct cache *cache;
    assert_int_equal(cache_create(config, 1, 1, 0, &cache), STATUS_OK);
    for (size_t first = 0; first < fixture->mix.count; first += BATCH) {
        size_t left = fixture->mix.count - first, count = left < BATCH ? left : BATCH;
        gpu_mix_requests(&fixture->mix, first, count, batch);
        assert_int_equal(cache_run(cache, batch, count, NULL), STATUS_OK);
    }
    if (flush)
        assert_int_equal(cache_flush(cache, NULL), STATUS_OK);
    cache_read_counts(cache, counts);
    cache_free(cache);
}

static struct cache_config plain_config(uint64_t line, uint64_t sets, uint64_t ways)
{
    return (struct cache_config){.enabled = 1,
                                 .size = line * sets * ways,
                                 .ways = ways,
                                 .line = line,
                                 .sector = line,
                                 .write = WRITE_BACK,
                                 .write_allocate = WRITE_ALLOCATE_FETCH,
                                 .slices = 1};
}

/* The digest of the addresses as 64-bit words and of the operations as bytes, by sha256sum. */
static void check_digest(const struct gpu_mix *mix, bool operations, const char *expected)
{
    char command[200];
    snprintf(command, sizeof command, "test \"$(sha256sum | cut -c 1-64)\" = %s", expected);
    FILE *pipe = popen(command, "w");
    assert_non_null(pipe);
    for (size_t i = 0; i < mix->count; i++) {
        uint64_t address = mix->items[i] & ~UINT32_C(31);
        uint8_t store = mix->items[i] & 1;
        if (operations)
            fwrite(&store, 1, 1, pipe);
        else
            fwrite(&address, sizeof address, 1, pipe);
    }
    assert_int_equal(pclose(pipe), 0);
}

static void test_stream(void **state)
{
    struct fixture *fixture = need_reference(state);
    const json_t *mix = json_object_get(fixture->root, "gpu_mix");
    assert_int_equal(fixture->mix.count, number(mix, "accesses"));
    uint64_t stores = 0;
    for (size_t i = 0; i < fixture->mix.count; i++)
        stores += fixture->mix.items[i] & 1;
    assert_int_equal(stores, number(mix, "writes"));
    check_digest(&fixture->mix, false, json_string_value(json_object_get(mix, "sha256_u64")));
    check_digest(&fixture->mix, true, json_string_value(json_object_get(mix, "sha256_op")));
}

static int policy_of(const char *name)
{
    if (!strcmp(name, "LRU"))
        return REPLACEMENT_LRU;
    if (!strcmp(name, "FIFO"))
        return REPLACEMENT_FIFO;
    assert_string_equal(name, "PLRU");
    return REPLACEMENT_PLRU;
}

static void check_entry(const struct fixture *fixture, const json_t *entry)
{
    const char *policy = json_string_value(json_object_get(entry, "policy"));
    struct cache_config config =
        plain_config(number(entry, "line"), number(entry, "sets"), number(entry, "ways"));
    config.replacement = policy_of(policy);
    const json_t *flushed = json_object_get(entry, "writebacks_with_final_flush");
    struct cache_counts counts;
    run_config(fixture, &config, &counts, false);
    print_message("%s %5u KiB %2u ways %3u B lines: %u misses\n", policy,
                  (unsigned)(config.size >> 10), (unsigned)config.ways, (unsigned)config.line,
                  (unsigned)counts.misses);
    assert_int_equal(counts.accesses, number(entry, "accesses"));
    assert_int_equal(counts.misses, number(entry, "misses"));
    assert_int_equal(counts.read_misses, number(entry, "read_misses"));
    assert_int_equal(counts.write_misses, number(entry, "write_misses"));
    if (json_object_get(entry, "writebacks"))
        assert_int_equal(counts.writebacks, number(entry, "writebacks"));
    if (flushed && test_all) {
        run_config(fixture, &config, &counts, true);
        assert_int_equal(counts.writebacks, json_integer_value(flushed));
    }
}

/* Every configuration, or some of each policy spread over the whole list. */
static void test_configs(void **state)
{
    struct fixture *fixture = need_reference(state);
    const json_t *configs = json_object_get(json_object_get(fixture->root, "gpu_mix"), "configs");
    size_t count = json_array_size(configs);
    assert_true(count > 0);
    size_t step = test_all ? 1 : SANITIZED ? count : 23;
    for (size_t i = 0; i < count; i += step)
        check_entry(fixture, json_array_get(configs, i));
}

static void test_sectored(void **state)
{
    struct fixture *fixture = need_reference(state);
    const json_t *sectored = json_object_get(
        json_object_get(fixture->root, "sectored_lru_128B_line_32B_sector"), "gpu_mix");
    size_t count = SANITIZED ? 1 : json_array_size(sectored);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(sectored, i);
        uint64_t column[4];
        for (size_t k = 0; k < 4; k++)
            column[k] = (uint64_t)json_integer_value(json_array_get(row, k));
        struct cache_config config = plain_config(128, column[0], column[1]);
        config.sector = 32;
        struct cache_counts counts;
        run_config(fixture, &config, &counts, false);
        assert_int_equal(counts.misses - counts.sector_misses, column[2]);
        assert_int_equal(counts.misses, column[3]);
    }
}

/* All of these in one pass. */
static void test_sectored_together(void **state)
{
    enum { CACHES = 1000 };
    static struct cache_config configs[CACHES];
    static struct request batch[BATCH];
    struct fixture *fixture = need_reference(state);
    const json_t *rows = json_object_get(
        json_object_get(fixture->root, "sectored_lru_128B_line_32B_sector"), "gpu_mix");
    size_t caches = json_array_size(rows);
    struct sector_stack *pass;
    assert_in_range(caches, 1, CACHES);
    for (size_t i = 0; i < caches; i++) {
        const json_t *row = json_array_get(rows, i);
        configs[i] = plain_config(128, (uint64_t)json_integer_value(json_array_get(row, 0)),
                                  (uint64_t)json_integer_value(json_array_get(row, 1)));
        configs[i].sector = 32;
    }
    assert_int_equal(sector_stack_create(configs, caches, 1, 0, &pass), STATUS_OK);
    for (size_t first = 0; first < fixture->mix.count; first += BATCH) {
        size_t left = fixture->mix.count - first, count = left < BATCH ? left : BATCH;
        gpu_mix_requests(&fixture->mix, first, count, batch);
        assert_int_equal(sector_stack_run(pass, batch, count), STATUS_OK);
    }
    assert_int_equal(sector_stack_settle(pass), STATUS_OK);
    for (size_t i = 0; i < caches; i++) {
        const json_t *row = json_array_get(rows, i);
        struct cache_counts counts;
        sector_stack_read_counts(pass, i, configs[i].ways, &counts);
        assert_int_equal(counts.misses - counts.sector_misses,
                         json_integer_value(json_array_get(row, 2)));
        assert_int_equal(counts.misses, json_integer_value(json_array_get(row, 3)));
    }
    sector_stack_free(pass);
}

static struct stack_pass *run_stack(const struct fixture *fixture, uint64_t line, uint64_t sets)
{
    static struct request batch[BATCH];
    struct cache_config config = plain_config(line, sets, 1);
    struct stack_pass *pass;
    assert_int_equal(stack_create(&config, 32, 1, 0, &pass), STATUS_OK);
    for (size_t first = 0; first < fixture->mix.count; first += BATCH) {
        size_t left = fixture->mix.count - first, count = left < BATCH ? left : BATCH;
        gpu_mix_requests(&fixture->mix, first, count, batch);
        assert_int_equal(stack_run(pass, batch, count), STATUS_OK);
    }
    return pass;
}

/* One pass for each (line, sets) that neighbouring entries share; some of them or all. */
static void test_stack(void **state)
{
    struct fixture *fixture = need_reference(state);
    const json_t *entries =
        json_object_get(json_object_get(fixture->root, "gpu_mix"), "lru_all_ways");
    uint64_t line = 0, sets = 0;
    size_t group = 0, checked = 0, step = test_all ? 1 : SANITIZED ? 100 : 9;
    struct stack_pass *pass = NULL;
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        bool begins = line != number(entry, "line") || sets != number(entry, "sets");
        line = number(entry, "line");
        sets = number(entry, "sets");
        group += begins;
        if (group % step != 1 % step)
            continue;
        if (begins) {
            stack_free(pass);
            pass = run_stack(fixture, line, sets);
        }
        struct cache_counts counts;
        stack_read_counts(pass, number(entry, "ways"), &counts);
        assert_int_equal(counts.misses, number(entry, "misses"));
        checked++;
    }
    stack_free(pass);
    print_message("%u configurations in some of %u passes\n", (unsigned)checked, (unsigned)group);
    assert_true(checked > 0);
}

/* The configurations in `entries` that a grid knows, of one policy where that is given. */
static void check_grid(const struct fixture *fixture, const json_t *entries, const char *policy,
                       int replacement, enum grid_path path)
{
    enum { CACHES = 2000 };
    static struct cache_config configs[CACHES];
    static const json_t *chosen[CACHES];
    static struct request batch[BATCH];
    size_t caches = 0;
    for (size_t i = 0; i < json_array_size(entries) && caches < CACHES; i++) {
        const json_t *entry = json_array_get(entries, i);
        const char *its = json_string_value(json_object_get(entry, "policy"));
        if (its && strcmp(its, policy) != 0)
            continue;
        configs[caches] =
            plain_config(number(entry, "line"), number(entry, "sets"), number(entry, "ways"));
        configs[caches].replacement = replacement;
        if (grid_applies(&configs[caches]))
            chosen[caches++] = entry;
    }
    const struct grid_options options = {.instances = 1, .path = path};
    struct grid *grid;
    enum status status = grid_create(configs, caches, &options, &grid);
    if (status == STATUS_UNSUPPORTED)
        skip();
    assert_int_equal(status, STATUS_OK);
    for (size_t first = 0; first < fixture->mix.count; first += BATCH) {
        size_t left = fixture->mix.count - first, count = left < BATCH ? left : BATCH;
        gpu_mix_requests(&fixture->mix, first, count, batch);
        assert_int_equal(grid_run(grid, batch, count), STATUS_OK);
    }
    assert_int_equal(grid_drain(grid), STATUS_OK);
    for (size_t i = 0; i < caches; i++) {
        struct cache_counts counts;
        grid_read_counts(grid, i, &counts);
        assert_int_equal(counts.accesses, fixture->mix.count);
        assert_int_equal(counts.misses, number(chosen[i], "misses"));
    }
    print_message("%u %s configurations with %s\n", (unsigned)caches, policy, grid_path_name(grid));
    grid_free(grid);
}

static void test_grid(void **state)
{
    struct fixture *fixture = need_reference(state);
    if (SANITIZED)
        skip();
    const json_t *mix = json_object_get(fixture->root, "gpu_mix");
    const json_t *ways = json_object_get(mix, "lru_all_ways");
    const json_t *configs = json_object_get(mix, "configs");
    check_grid(fixture, ways, "LRU", REPLACEMENT_LRU, GRID_BEST);
    check_grid(fixture, configs, "FIFO", REPLACEMENT_FIFO, GRID_BEST);
    for (enum grid_path path = GRID_PLAIN; test_all && path <= GRID_AVX512; path++) {
        check_grid(fixture, ways, "LRU", REPLACEMENT_LRU, path);
        check_grid(fixture, configs, "FIFO", REPLACEMENT_FIFO, path);
    }
}

static void check_opt(const struct fixture *fixture, uint64_t misses)
{
    static struct request batch[BATCH];
    struct cache_config config = plain_config(64, 128, 4);
    struct cache_counts counts;
    struct opt_cache *opt;
    assert_int_equal(opt_create(&config, 1, 0, 0, &opt), STATUS_OK);
    for (size_t first = 0; first < fixture->mix.count; first += BATCH) {
        size_t left = fixture->mix.count - first, count = left < BATCH ? left : BATCH;
        gpu_mix_requests(&fixture->mix, first, count, batch);
        assert_int_equal(opt_run(opt, batch, count, NULL), STATUS_OK);
    }
    assert_int_equal(opt_finish(opt, false, &counts), STATUS_OK);
    assert_int_equal(counts.accesses, fixture->mix.count);
    assert_int_equal(counts.misses, misses);
    opt_free(opt);
}

static void test_opt(void **state)
{
    struct fixture *fixture = need_reference(state);
    if (SANITIZED)
        skip();
    check_opt(fixture, number(fixture->root, "opt_belady_128sets_4ways_64B_misses"));
}

int main(int argc, char **argv)
{
    const char *all = getenv("WARPSCAPE_TEST_ALL");
    test_all = (argc > 1 && !strcmp(argv[1], "--all")) || (all && !strcmp(all, "1"));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream),   cmocka_unit_test(test_configs),
        cmocka_unit_test(test_sectored), cmocka_unit_test(test_sectored_together),
        cmocka_unit_test(test_stack),    cmocka_unit_test(test_grid),
        cmocka_unit_test(test_opt),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
