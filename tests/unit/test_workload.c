/* Opening workloads: names, parameters, recipes, their errors, and the promises of every source. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "base/rng.h"
#include "trace/wtr_write.h"
#include "workload/cuda/compiled.h"
#include "workload/recipe.h"

static struct trace_source *open_or_fail(const char *text)
{
    struct trace_source *source = NULL;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    if (workload_open(text, &source, &diagnostics)) {
        diagnostics_print(&diagnostics, stderr);
        fail_msg("%s does not open", text);
    }
    diagnostics_free(&diagnostics);
    return source;
}

/* All text of the errors that opening gives; the caller frees it. */
static char *errors_of(const char *text, enum status expected)
{
    struct trace_source *source = NULL;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(workload_open(text, &source, &diagnostics), expected);
    assert_null(source);
    assert_true(diagnostics.errors > 0);
    char *message = NULL;
    size_t size;
    FILE *out = open_memstream(&message, &size);
    diagnostics_print(&diagnostics, out);
    fclose(out);
    diagnostics_free(&diagnostics);
    return message;
}

static void expect_error(const char *text, enum status status, const char *part)
{
    char *message = errors_of(text, status);
    if (!strstr(message, part))
        fail_msg("'%s' gives '%s', which lacks '%s'", text, message, part);
    free(message);
}

/* A hash of all records of a block, read with windows of the given capacity. */
static uint64_t hash_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                           uint32_t capacity)
{
    struct access_window window;
    struct block_reader *reader;
    uint64_t hash = 0;
    assert_int_equal(window_init(&window, capacity), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, launch, block, &reader, NULL), STATUS_OK);
    for (uint32_t warp = 0; warp < launch_warps(&source->launches[launch]); warp++) {
        do {
            assert_int_equal(source->ops->read(reader, warp, &window, NULL), STATUS_OK);
            for (uint32_t r = 0; r < window.count; r++) {
                const struct warp_access *access = &window.items[r];
                uint64_t addresses[WARP_SIZE];
                unsigned count = access_addresses(access, &window, addresses);
                for (unsigned i = 0; i < count; i++)
                    hash = random_at(hash, addresses[i]);
                hash = random_at(hash, access->mask + ((uint64_t)access->pc << 32));
                hash = random_at(hash, access->gap * 64 + access->bytes + access->op);
            }
        } while (!window.end);
        assert_int_equal(window.lane_count <= capacity * WARP_SIZE, 1);
        hash = random_at(hash, window.tail);
    }
    source->ops->close_block(reader);
    window_free(&window);
    return hash;
}

static const char *const samples[] = {
    "2DCONV:n=70",
    "3DCONV:n=9,block_x=16",
    "GEMM:n=40",
    "2MM:n=33,block_x=5",
    "3MM:n=20",
    "GRAMSCHMIDT:n=40",
    "ATAX:n=50,block_x=48",
    "BICG:n=50",
    "MVT:n=300",
    "CORR:n=50",
    "COVAR:n=50",
    "GESUMMV:n=40",
    "SYRK:n=40",
    "SYR2K:n=30",
    "FDTD-2D:n=40,steps=2",
    "BFS:nodes=2000",
    "BACKPROP:n=160",
    "HOTSPOT:n=50,steps=4",
    "PATHFINDER:columns=700,rows=30",
    "AES:bytes=5000",
    "BFS-ISPASS:nodes=2000",
    "MUM:length=5000,queries=400",
    "STREAMCLUSTER:points=600,dimensions=20,calls=3",
    "DWT2D:width=70,height=90,levels=2",
    "STO:threads=700",
    "RAY:width=40,height=30",
    "B+TREE:keys=9000,range=500,ranges=30,points=40",
    "conv2d-512:n=64",
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void window_capacity_does_not_matter(void **state)
{
    (void)state;
    for (int s = 0; s < SAMPLES; s++) {
        struct trace_source *source = open_or_fail(samples[s]);
        for (uint32_t launch = 0; launch < source->launch_count; launch++)
            for (uint64_t b = 0; b < launch_blocks(&source->launches[launch]); b++) {
                uint64_t whole = hash_block(source, launch, b, WINDOW_RECORDS);
                assert_int_equal(hash_block(source, launch, b, 1), whole);
                assert_int_equal(hash_block(source, launch, b, 7), whole);
            }
        trace_source_free(source);
    }
}

/* Reading the warps of two blocks in turn, one record at a time, must not mix them up. */
static void warps_may_be_read_in_turn(void **state)
{
    (void)state;
    struct trace_source *source = open_or_fail("GEMM:n=64,block_x=16,block_y=16");
    struct block_reader *readers[2];
    struct access_window window, twin;
    assert_int_equal(window_init(&window, 1), STATUS_OK);
    assert_int_equal(window_init(&twin, 1), STATUS_OK);
    for (uint32_t warp = 0; warp < launch_warps(source->launches); warp++) {
        assert_int_equal(source->ops->open_block(source, 0, 1, &readers[0], NULL), STATUS_OK);
        assert_int_equal(source->ops->open_block(source, 0, 1, &readers[1], NULL), STATUS_OK);
        do {
            for (uint32_t other = 0; other < launch_warps(source->launches); other++)
                if (other != warp)
                    assert_int_equal(source->ops->read(readers[0], other, &window, NULL),
                                     STATUS_OK);
            assert_int_equal(source->ops->read(readers[0], warp, &window, NULL), STATUS_OK);
            assert_int_equal(source->ops->read(readers[1], warp, &twin, NULL), STATUS_OK);
            assert_int_equal(window.end, twin.end);
            assert_int_equal(window.count, twin.count);
            if (window.count)
                assert_int_equal(window.items[0].pc, twin.items[0].pc);
        } while (!window.end);
        source->ops->close_block(readers[0]);
        source->ops->close_block(readers[1]);
    }
    window_free(&window);
    window_free(&twin);
    trace_source_free(source);
}

enum { THREADS = 4, BLOCKS_MAX = 256 };

struct reading {
    const struct trace_source *source;
    unsigned first;
    uint64_t hashes[BLOCKS_MAX];
};

/* Every block of the last launch, from a different start in each thread, backwards in every other.
 */
static void *read_blocks(void *argument)
{
    struct reading *reading = argument;
    uint32_t launch = reading->source->launch_count - 1;
    uint64_t count = launch_blocks(&reading->source->launches[launch]);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t turn = reading->first % 2 ? count - 1 - i : i;
        uint64_t block = (turn + reading->first * 3) % count;
        reading->hashes[block] = hash_block(reading->source, launch, block, 16);
    }
    return NULL;
}

static void threads_and_order_do_not_matter(void **state)
{
    (void)state;
    static struct reading readings[THREADS];
    static const char *const texts[] = {"2DCONV:n=128", "CORR:n=70,block_x=32", "BFS:nodes=9000",
                                        "PATHFINDER:columns=9000,rows=30",
                                        "MUM:length=5000,queries=3000"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct trace_source *source = open_or_fail(texts[t]);
        pthread_t threads[THREADS];
        for (unsigned i = 0; i < THREADS; i++) {
            readings[i] = (struct reading){.source = source, .first = i};
            assert_int_equal(pthread_create(&threads[i], NULL, read_blocks, &readings[i]), 0);
        }
        for (unsigned i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        for (unsigned i = 1; i < THREADS; i++)
            assert_memory_equal(readings[i].hashes, readings[0].hashes, sizeof readings[0].hashes);
        trace_source_free(source);
    }
}

static void names_go_in_any_case(void **state)
{
    (void)state;
    struct trace_source *upper = open_or_fail("2DCONV:n=64"),
                        *lower = open_or_fail("2dconv:n=0x40");
    assert_string_equal(upper->digest, lower->digest);
    assert_string_equal(upper->name, "2DCONV:n=64");
    trace_source_free(upper);
    trace_source_free(lower);
}

static void digests_tell_parameters_apart(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "GEMM", "GEMM:n=256", "GEMM:block_x=16", "GEMM:registers=20", "2MM:n=512", "GEMM:base=0"};
    struct trace_source *sources[sizeof texts / sizeof *texts];
    size_t count = sizeof texts / sizeof *texts;
    for (size_t i = 0; i < count; i++)
        sources[i] = open_or_fail(texts[i]);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(strlen(sources[i]->digest), 32);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(sources[i]->digest, sources[j]->digest);
    }
    for (size_t i = 0; i < count; i++)
        trace_source_free(sources[i]);
}

static void occupancy_follows_the_parameters(void **state)
{
    (void)state;
    struct trace_source *source = open_or_fail("GEMM");
    assert_int_equal(launch_registers(&source->launches[0], 86), 24);
    assert_int_equal(source->launches[0].shared_bytes, 0);
    trace_source_free(source);
    source = open_or_fail("GEMM:registers=40,shared_bytes=4096");
    assert_int_equal(source->launches[0].registers, 40);
    assert_int_equal(launch_registers(&source->launches[0], 86), 40);
    assert_int_equal(source->launches[0].shared_bytes, 4096);
    trace_source_free(source);
}

/* The newest code that is not newer than the machine, or else the oldest. */
static void registers_follow_the_architecture(void **state)
{
    (void)state;
    static const struct {
        uint64_t arch;
        uint32_t registers;
    } expected[] = {{20, 32}, {70, 32}, {75, 32}, {79, 32}, {80, 26},
                    {86, 32}, {87, 32}, {89, 32}, {90, 29}, {99, 29}};
    struct trace_source *source = open_or_fail("3DCONV:n=8");
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(launch_registers(&source->launches[0], expected[i].arch),
                         expected[i].registers);
    trace_source_free(source);
}

static bool launches_kernel(const struct trace_source *source, const char *kernel)
{
    for (uint32_t i = 0; i < source->launch_count; i++)
        if (!strcmp(source->launches[i].name, kernel))
            return true;
    return false;
}

/* Nothing but kernels of programs stands in the table, each once; parameters decide which of them a
 * program launches. */
static void every_compiled_kernel_is_launched(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *text;
    } others[] = {{"column_sums", "SUMS:down=1"},
                  {"transpose_tile", "TRANSPOSE:tile=1"},
                  {"filter_7", "FILTER:size=7"}};
    for (const struct compiled_kernel *row = compiled_kernels; row->program; row++) {
        const char *text = row->program;
        assert_ptr_equal(compiled_find(row->program, row->kernel), row);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            text = strcmp(row->kernel, others[i].kernel) ? text : others[i].text;
        struct trace_source *source = open_or_fail(text);
        assert_true(launches_kernel(source, row->kernel));
        trace_source_free(source);
    }
}

static void wrong_parameters_are_all_reported(void **state)
{
    (void)state;
    char *message = errors_of("GEMM:m=4,blok_x=2,n=0,nk=ten,ni", STATUS_INVALID);
    assert_non_null(strstr(message, "GEMM has no parameter 'm'"));
    assert_non_null(strstr(message, "did you mean 'block_x'?"));
    assert_non_null(strstr(message, "expected a whole number from 1 to 65536, got '0'"));
    assert_non_null(strstr(message, "got 'ten'"));
    assert_non_null(strstr(message, "expected parameter=value, got 'ni'"));
    free(message);
    expect_error("GEMM:n=4,n=5", STATUS_INVALID, "'n' is given twice");
    expect_error("2DCONV:block_x=64,block_y=64", STATUS_INVALID, "at most 1024 threads");
    expect_error("CORR:reduce_x=64,reduce_y=64", STATUS_INVALID, "at most 1024 threads");
    expect_error("3DCONV:ni=2", STATUS_INVALID, "at least 3");
}

static void wrong_names_get_a_suggestion(void **state)
{
    (void)state;
    expect_error("GEM", STATUS_NOT_FOUND, "did you mean 'GEMM'?");
    expect_error("atxa:n=5", STATUS_NOT_FOUND, "did you mean 'ATAX'?");
    expect_error("conv2d-51", STATUS_NOT_FOUND, "did you mean 'conv2d-512'?");
    expect_error("/no/such/trace.wtr", STATUS_NOT_FOUND, "'/no/such/trace.wtr' is no workload");
    expect_error("", STATUS_NOT_FOUND, "is no workload");
}

static void every_built_in_recipe_opens(void **state)
{
    (void)state;
    unsetenv("WARPSCAPE_TRACES");
    size_t count = 0;
    for (; embedded_recipes[count].name; count++) {
        struct recipe recipe;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(recipe_find(embedded_recipes[count].name, &recipe, &diagnostics),
                         STATUS_OK);
        assert_string_equal(recipe.name, embedded_recipes[count].name);
        assert_true(*recipe.help && *recipe.origin);
        for (size_t w = 0; workloads[w]; w++)
            assert_string_not_equal(recipe.name, workloads[w]->name);
        recipe_free(&recipe);
        trace_source_free(open_or_fail(embedded_recipes[count].name));
    }
    assert_true(count >= 12);
}

static void recipes_are_their_program(void **state)
{
    (void)state;
    struct trace_source *recipe = open_or_fail("gemm-128"), *program = open_or_fail("GEMM:n=128");
    assert_string_equal(recipe->name, "gemm-128");
    assert_string_equal(recipe->digest, program->digest);
    trace_source_free(recipe);
    trace_source_free(program);
    recipe = open_or_fail("gemm-128:block_x=16");
    program = open_or_fail("GEMM:n=128,block_x=16");
    assert_string_equal(recipe->digest, program->digest);
    trace_source_free(recipe);
    trace_source_free(program);
}

/* A folder of its own with one recipe file in it, chosen by $WARPSCAPE_TRACES. */
static char folder[] = "/tmp/test_workload_XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return !mkdtemp(folder) || setenv("WARPSCAPE_TRACES", folder, 1);
}

static int remove_folder(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void write_recipe(const char *name, const char *text)
{
    char path[100];
    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void recipes_of_the_folder_come_first(void **state)
{
    (void)state;
    setenv("WARPSCAPE_TRACES", folder, 1);
    write_recipe("gemm-128", "help: mine\nworkload: GEMM\nparameters: {n: 20, block_y: 4}\n");
    write_recipe("gemm", "workload: GEMM\nparameters:\n  n: 21\n");
    struct trace_source *source = open_or_fail("gemm-128"),
                        *twin = open_or_fail("GEMM:n=20,block_y=4");
    assert_string_equal(source->digest, twin->digest);
    trace_source_free(source);
    trace_source_free(twin);
    source = open_or_fail("gemm");
    assert_int_equal(source->launches[0].grid[1], 3);
    trace_source_free(source);
    char path[100];
    snprintf(path, sizeof path, "%s/gemm.yaml", folder);
    source = open_or_fail(path);
    assert_string_equal(source->name, "gemm");
    trace_source_free(source);
    struct workload_entry *entries;
    size_t count, mine = 0;
    assert_int_equal(workload_list(&entries, &count), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        mine += !strcmp(entries[i].name, "gemm-128") && !strcmp(entries[i].help, "mine");
    assert_int_equal(mine, 1);
    workload_list_free(entries, count);
}

static void mistakes_in_recipes_are_all_reported(void **state)
{
    (void)state;
    write_recipe("bad", "name: bad\nwrokload: GEMM\nworkload: GEM\nparameters: {n: 0}\n");
    char *message = errors_of("bad", STATUS_INVALID);
    assert_non_null(strstr(message, "bad.yaml:2:1: unknown key 'wrokload'"));
    assert_non_null(strstr(message, "did you mean 'workload'?"));
    assert_non_null(strstr(message, "there is no program 'GEM'; did you mean 'GEMM'?"));
    free(message);
    write_recipe("bad", "workload: GEMM\nparameters: {n: 0, q: 3}\n");
    message = errors_of("bad", STATUS_INVALID);
    assert_non_null(strstr(message, "bad.yaml:2:17: n of GEMM: expected a whole number from 1"));
    assert_non_null(strstr(message, "GEMM has no parameter 'q'"));
    free(message);
    write_recipe("bad", "workload: GEMM\nfile: x.wtr\n");
    expect_error("bad", STATUS_INVALID, "has both");
    write_recipe("bad", "name: nothing\n");
    expect_error("bad", STATUS_INVALID, "has neither");
    write_recipe("bad", "- a\n- b\n");
    expect_error("bad", STATUS_INVALID, "a recipe is a mapping");
    write_recipe("bad", "workload: [GEMM]\nparameters: 3\nhelp: {}\n");
    expect_error("bad", STATUS_INVALID, "there is no program ''");
}

static void a_wrong_digest_is_refused(void **state)
{
    (void)state;
    struct trace_source *source = open_or_fail("MVT:n=30");
    char text[200];
    snprintf(text, sizeof text, "workload: MVT\nparameters: {n: 30}\ndigest: %s\n", source->digest);
    write_recipe("kept", text);
    trace_source_free(open_or_fail("kept"));
    snprintf(text, sizeof text, "workload: MVT\nparameters: {n: 31}\ndigest: %s\n", source->digest);
    write_recipe("kept", text);
    expect_error("kept", STATUS_CORRUPT, source->digest);
    trace_source_free(source);
}

static void write_records(const struct trace_source *source, struct wtr_writer *writer,
                          uint32_t launch, uint64_t block)
{
    struct access_window window;
    struct block_reader *reader;
    assert_int_equal(window_init(&window, WINDOW_RECORDS), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, launch, block, &reader, NULL), STATUS_OK);
    for (uint32_t warp = 0; warp < launch_warps(&source->launches[launch]); warp++) {
        (void)wtr_begin_warp(writer, warp);
        do {
            assert_int_equal(source->ops->read(reader, warp, &window, NULL), STATUS_OK);
            for (uint32_t r = 0; r < window.count; r++) {
                uint64_t lanes[WARP_SIZE];
                access_addresses(&window.items[r], &window, lanes);
                (void)wtr_put(writer, &window.items[r], lanes);
            }
        } while (!window.end);
        (void)wtr_end_warp(writer, window.tail);
    }
    source->ops->close_block(reader);
    window_free(&window);
}

/* Records a workload into a trace file of the folder. */
static void record(const char *text, const char *name)
{
    struct trace_source *source = open_or_fail(text);
    struct wtr_writer *writer;
    char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_CREAT | O_RDWR, 0600);
    assert_true(fd >= 0);
    assert_int_equal(wtr_writer_create(fd, path, &writer, NULL), STATUS_OK);
    for (uint32_t launch = 0; launch < source->launch_count; launch++) {
        (void)wtr_begin_launch(writer, &source->launches[launch]);
        for (uint64_t b = 0; b < launch_blocks(&source->launches[launch]); b++) {
            (void)wtr_begin_block(writer, b);
            write_records(source, writer, launch, b);
            (void)wtr_end_block(writer);
        }
    }
    assert_int_equal(wtr_finish(writer), STATUS_OK);
    wtr_writer_free(writer);
    close(fd);
    trace_source_free(source);
}

static void a_recipe_may_name_a_trace_file(void **state)
{
    (void)state;
    record("BFS:nodes=500", "recorded.wtr");
    write_recipe("recorded", "file: recorded.wtr\norigin: here\nlicence: none\n");
    struct trace_source *file = open_or_fail("recorded"), *program = open_or_fail("BFS:nodes=500");
    assert_string_equal(file->name, "recorded");
    assert_int_equal(file->launch_count, program->launch_count);
    for (uint32_t launch = 0; launch < file->launch_count; launch++)
        assert_int_equal(hash_block(file, launch, 0, 16), hash_block(program, launch, 0, 16));
    char text[200], *message;
    snprintf(text, sizeof text, "file: recorded.wtr\ndigest: %s\n", file->digest);
    write_recipe("recorded", text);
    trace_source_free(open_or_fail("recorded"));
    write_recipe("recorded", "file: recorded.wtr\ndigest: 00112233\n");
    message = errors_of("recorded", STATUS_CORRUPT);
    assert_non_null(strstr(message, "00112233"));
    assert_non_null(strstr(message, file->digest));
    free(message);
    expect_error("recorded:n=4", STATUS_INVALID, "has no parameters");
    write_recipe("recorded", "file: gone.wtr\n");
    expect_error("recorded", STATUS_NOT_FOUND, "gone.wtr");
    write_recipe("recorded", "file: recorded.wtr\nparameters: {n: 3}\n");
    expect_error("recorded", STATUS_INVALID, "parameters belong to a workload");
    snprintf(text, sizeof text, "%s/recorded.wtr", folder);
    trace_source_free(open_or_fail(text));
    trace_source_free(file);
    trace_source_free(program);
}

/* The same records, and instructions besides; its digest is that of the records. */
static void a_recipe_may_assume_instructions(void **state)
{
    (void)state;
    char text[200];
    record("BFS:nodes=500", "recorded.wtr");
    write_recipe("recorded", "file: recorded.wtr\n");
    struct trace_source *file = open_or_fail("recorded");
    assert_false(trace_source_timed(file));
    snprintf(text, sizeof text, "file: recorded.wtr\nassume: serial\ndigest: %s\n", file->digest);
    write_recipe("recorded", text);
    struct trace_source *assumed = open_or_fail("recorded");
    assert_true(trace_source_timed(assumed));
    assert_string_equal(assumed->name, "recorded");
    assert_non_null(strstr(assumed->provenance, "assumed to be serial"));
    for (uint32_t launch = 0; launch < file->launch_count; launch++)
        assert_int_equal(hash_block(file, launch, 0, 16), hash_block(assumed, launch, 0, 16));
    trace_source_free(file);
    trace_source_free(assumed);
    write_recipe("recorded", "file: recorded.wtr\nassume: seriel\n");
    expect_error("recorded", STATUS_INVALID, "did you mean 'serial'?");
    write_recipe("recorded", "file: recorded.wtr\nassume: [serial]\n");
    expect_error("recorded", STATUS_INVALID, "there is no assumption 'a list'");
    write_recipe("recorded", "workload: GEMM\nassume: serial\n");
    expect_error("recorded", STATUS_INVALID, "assume belongs to a trace file");
}

static void bad_requests_of_a_source_are_refused(void **state)
{
    (void)state;
    struct trace_source *source = open_or_fail("GEMM:n=32");
    struct block_reader *reader;
    struct access_window window;
    assert_int_equal(window_init(&window, 4), STATUS_OK);
    assert_int_equal(source->ops->open_block(source, 1, 0, &reader, NULL), STATUS_NOT_FOUND);
    assert_int_equal(source->ops->open_block(source, 0, 4, &reader, NULL), STATUS_NOT_FOUND);
    assert_int_equal(source->ops->open_block(source, 0, 3, &reader, NULL), STATUS_OK);
    assert_int_equal(source->ops->read(reader, 8, &window, NULL), STATUS_NOT_FOUND);
    source->ops->close_block(reader);
    source->ops->close_block(NULL);
    window_free(&window);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(window_capacity_does_not_matter),
        cmocka_unit_test(warps_may_be_read_in_turn),
        cmocka_unit_test(threads_and_order_do_not_matter),
        cmocka_unit_test(names_go_in_any_case),
        cmocka_unit_test(digests_tell_parameters_apart),
        cmocka_unit_test(occupancy_follows_the_parameters),
        cmocka_unit_test(registers_follow_the_architecture),
        cmocka_unit_test(every_compiled_kernel_is_launched),
        cmocka_unit_test(wrong_parameters_are_all_reported),
        cmocka_unit_test(wrong_names_get_a_suggestion),
        cmocka_unit_test(every_built_in_recipe_opens),
        cmocka_unit_test(recipes_are_their_program),
        cmocka_unit_test(recipes_of_the_folder_come_first),
        cmocka_unit_test(mistakes_in_recipes_are_all_reported),
        cmocka_unit_test(a_wrong_digest_is_refused),
        cmocka_unit_test(a_recipe_may_name_a_trace_file),
        cmocka_unit_test(a_recipe_may_assume_instructions),
        cmocka_unit_test(bad_requests_of_a_source_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
