#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/rng.h"
#include "base/text_stream.h"
#include "explore/results/pareto.h"
#include "explore/store/store.h"
#include "explore/store/store_file.h"
#include "support/message_text.h"
#include "support/study_builder.h"

static const char text[] = "machine: gtx480\n"
                           "workloads: [GEMM, ATAX]\n"
                           "axes:\n"
                           "  l1d.size: [16KiB, 32KiB, 48KiB]\n"
                           "  l1d.replacement: [lru, fifo, random, rr]\n"
                           "  tlb.entries: [16, 32, 64, 128]\n"
                           "  tech.node: [22nm, 40nm]\n"
                           "where: [l1d.size > 1KiB]\n"
                           "filters: [l2.misses < 90]\n"
                           "objectives: [l1d.misses, total.area]\n"
                           "metrics: [l2.misses, tlb.hit_rate]\n";

static const char *const digests[] = {"00112233", "44556677"};

/* In the place of the C library's: a writer that ends just before the lock is taken removes the
 * file that was opened, and the next one makes another. */
static const char *vanishing;

int flock(int descriptor, int operation)
{
    if (vanishing) {
        unlink(vanishing);
        close(open(vanishing, O_RDWR | O_CREAT, 0666));
    }
    vanishing = NULL;
    return (int)syscall(SYS_flock, descriptor, operation);
}

struct fixture {
    struct study study;
    struct space space;
    const char *path;
};

static void setup(struct fixture *fixture)
{
    study_from_text(text, &fixture->study);
    assert_int_equal(space_open(&fixture->study, &fixture->space, NULL), STATUS_OK);
    fixture->path = scratch_store();
}

/* Values that a point's number decides; small ranges, so that ties happen. */
static void point_metrics(uint64_t point, struct metrics *metrics)
{
    metrics_clear(metrics);
    metrics->l1d_misses = (double)random_below(random_at(1, point), 40);
    metrics->total_area = (double)random_below(random_at(2, point), 40) / 8;
    metrics->l2_misses = (double)random_below(random_at(3, point), 100);
    if (point % 5)
        metrics->tlb_hit_rate = (double)(point % 7) / 8;
}

static struct store *open_for_writing(const struct fixture *fixture)
{
    struct store *store;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status =
        store_create(fixture->path, &fixture->space, digests, &store, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    return store;
}

static void fill(const struct fixture *fixture)
{
    struct store *store = open_for_writing(fixture);
    for (uint64_t point = 0; point < fixture->space.points; point++) {
        struct metrics metrics;
        point_metrics(point, &metrics);
        assert_int_equal(store_put(store, point, &metrics, NULL), STATUS_OK);
    }
    assert_int_equal(store_commit(store, NULL), STATUS_OK);
    store_close(store);
}

struct rows {
    uint64_t points[4096];
    double values[4096][4];
    size_t count;
};

static enum status collect(void *argument, const struct store_row *row)
{
    struct rows *rows = argument;
    rows->points[rows->count] = row->point;
    memcpy(rows->values[rows->count++], row->values, sizeof rows->values[0]);
    return STATUS_OK;
}

static struct rows rows;

static enum status run_query(const struct fixture *fixture, const struct query *query,
                             struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *study;
    assert_int_equal(store_open(fixture->path, &store, &study, NULL), STATUS_OK);
    rows.count = 0;
    enum status status = store_query(store, query, collect, &rows, diagnostics);
    store_close(store);
    return status;
}

static void test_round_trip(void **state)
{
    (void)state;
    struct fixture fixture;
    struct store *store;
    const struct study *study;
    setup(&fixture);
    fill(&fixture);
    assert_int_equal(store_open(fixture.path, &store, &study, NULL), STATUS_OK);
    assert_int_equal(study->axis_count, 4);
    assert_int_equal(study->workload_count, 2);
    assert_string_equal(study->workloads[1], "ATAX");
    assert_string_equal(study->where[0].text, "l1d.size > 1KiB");
    assert_string_equal(study->filters[0].text, "l2.misses < 90");
    assert_int_equal(study->objective_count, 2);
    assert_int_equal(study->objectives[1].direction, LOWER_IS_BETTER);
    assert_int_equal(study->column_count, 2);
    assert_true(machine_same(&study->machine, &fixture.study.machine, ~0u));
    for (size_t a = 0; a < 4; a++) {
        const struct axis *axis = &study->axes[a], *made = &fixture.study.axes[a];
        assert_ptr_equal(axis->parameter, made->parameter);
        assert_int_equal(axis->count, made->count);
        for (size_t i = 0; i < axis->count; i++)
            assert_true(parameter_equal(axis->parameter, axis->values[i], made->values[i]));
    }
    const struct metric *const *columns;
    assert_int_equal(store_columns(store, &columns), 4);
    assert_string_equal(columns[0]->path, "l1d.misses");
    assert_string_equal(columns[3]->path, "tlb.hit_rate");
    char *yaml, *hash, *none;
    assert_int_equal(store_provenance(store, "study_yaml", &yaml, NULL), STATUS_OK);
    assert_int_equal(store_provenance(store, "space_hash", &hash, NULL), STATUS_OK);
    assert_int_equal(store_provenance(store, "no_such_key", &none, NULL), STATUS_OK);
    assert_null(none);
    assert_int_equal(store_digest(store, 1000, &none, NULL), STATUS_OK);
    assert_null(none);
    assert_non_null(strstr(yaml, "l1d.replacement"));
    assert_int_equal(strlen(hash), 16);
    free(yaml);
    free(hash);
    store_close(store);
    const struct query all = {0};
    assert_int_equal(run_query(&fixture, &all, NULL), STATUS_OK);
    assert_int_equal(rows.count, fixture.space.points);
    for (size_t i = 0; i < rows.count; i++) {
        struct metrics metrics;
        point_metrics(i, &metrics);
        assert_int_equal(rows.points[i], i);
        assert_true(rows.values[i][0] == metrics.l1d_misses);
        assert_true(rows.values[i][1] == metrics.total_area);
        assert_int_equal(isnan(rows.values[i][3]), isnan(metrics.tlb_hit_rate));
    }
    study_free(&fixture.study);
}

static void test_query_conditions(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    fill(&fixture);
    const struct query query = {
        .where = "l1d.size = 32KiB and l1d.replacement in ('lru', 'rr') and tech.node < 30nm and "
                 "l1d.misses < 30 and workload = 'ATAX' and page.size = 4KiB"};
    assert_int_equal(run_query(&fixture, &query, NULL), STATUS_OK);
    size_t expected = 0;
    for (uint64_t point = fixture.space.machines; point < fixture.space.points; point++) {
        struct metrics metrics;
        struct machine machine;
        point_metrics(point, &metrics);
        space_machine(&fixture.space, point % fixture.space.machines, &machine);
        if (machine.l1d.size == 32768 && machine.tech.node < 30e-9 && metrics.l1d_misses < 30 &&
            (machine.l1d.replacement == REPLACEMENT_LRU ||
             machine.l1d.replacement == REPLACEMENT_RR))
            assert_int_equal(rows.points[expected++], point);
    }
    assert_true(expected > 0);
    assert_int_equal(rows.count, expected);
    study_free(&fixture.study);
}

static void test_query_sort_and_limit(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    fill(&fixture);
    const struct query by_metric = {.sort = "-tlb.hit_rate"};
    assert_int_equal(run_query(&fixture, &by_metric, NULL), STATUS_OK);
    assert_int_equal(rows.count, fixture.space.points);
    for (size_t i = 1; i < rows.count; i++) {
        double before = rows.values[i - 1][3], here = rows.values[i][3];
        assert_true(isnan(here) || before >= here); /* NaN last */
        if (before == here)
            assert_true(rows.points[i - 1] < rows.points[i]);
    }
    const struct query by_parameter = {.sort = "tlb.entries", .limit = 7};
    assert_int_equal(run_query(&fixture, &by_parameter, NULL), STATUS_OK);
    assert_int_equal(rows.count, 7);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(space_digit(&fixture.space, rows.points[i], 2), 0);
    /* The lowest of equal sorts is not beaten by another of them in any objective. */
    const struct query best = {.sort = "l2.size", .best_first = true};
    assert_int_equal(run_query(&fixture, &best, NULL), STATUS_OK);
    assert_int_equal(rows.count, fixture.space.points);
    for (size_t i = 1; i < rows.count; i++) {
        assert_true(rows.values[i - 1][0] <= rows.values[i][0]);
        if (rows.values[i - 1][0] == rows.values[i][0])
            assert_true(rows.values[i - 1][1] <= rows.values[i][1]);
    }
    const struct query by_constant = {.sort = "l2.size", .limit = 2};
    assert_int_equal(run_query(&fixture, &by_constant, NULL), STATUS_OK);
    assert_int_equal(rows.points[1], 1);
    study_free(&fixture.study);
}

static void test_query_front(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    fill(&fixture);
    const struct query query = {.front = true, .where = "l1d.size <= 32KiB"};
    assert_int_equal(run_query(&fixture, &query, NULL), STATUS_OK);
    size_t found = 0;
    for (size_t w = 0; w < 2; w++) {
        struct pareto *front;
        uint64_t *ids;
        assert_int_equal(pareto_create(fixture.study.objectives, 2, &front), STATUS_OK);
        for (uint64_t m = 0; m < fixture.space.machines; m++) {
            uint64_t point = w * fixture.space.machines + m;
            struct metrics metrics;
            struct machine machine;
            point_metrics(point, &metrics);
            space_machine(&fixture.space, m, &machine);
            const double values[] = {metrics.l1d_misses, metrics.total_area};
            if (metrics.l2_misses < 90 && machine.l1d.size <= 32768) /* the study's filter */
                assert_int_equal(pareto_offer(front, point, values, NULL), STATUS_OK);
        }
        assert_int_equal(pareto_ids(front, &ids), STATUS_OK);
        for (size_t i = 0; i < pareto_count(front); i++)
            assert_int_equal(rows.points[found++], ids[i]);
        free(ids);
        pareto_free(front);
    }
    assert_int_equal(found, rows.count);
    const struct query sorted = {.front = true, .sort = "-l1d.misses", .limit = 3};
    assert_int_equal(run_query(&fixture, &sorted, NULL), STATUS_OK);
    assert_int_equal(rows.count, 3);
    assert_true(rows.values[0][0] >= rows.values[1][0]);
    study_free(&fixture.study);
}

static void test_query_refuses(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    fill(&fixture);
    static const struct {
        struct query query;
        enum status status;
        const char *mention;
    } cases[] = {
        {{.where = "l1d.accesses > 4"}, STATUS_NOT_FOUND, "did not store l1d.accesses"},
        {{.where = "1) or (1"}, STATUS_INVALID, "without '('"},
        {{.where = "(select value from study)"}, STATUS_INVALID, "unknown name 'select'"},
        {{.where = "axis_value(id, 0)"}, STATUS_INVALID, "no function 'axis_value'"},
        {{.where = "abs(-9223372036854775807 - 1)"}, STATUS_INVALID, "overflow"},
        {{.sort = "l1d.mises"}, STATUS_NOT_FOUND, "did you mean 'l1d.misses'"},
        {{.sort = "1; drop table result"}, STATUS_NOT_FOUND, "unknown name"},
        {{.sort = "gpu.shared_options"}, STATUS_INVALID, "has no order"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(run_query(&fixture, &cases[i].query, &diagnostics), cases[i].status);
        if (!diagnostics_mention(&diagnostics, cases[i].mention))
            diagnostics_print(&diagnostics, stderr);
        assert_true(diagnostics_mention(&diagnostics, cases[i].mention));
        diagnostics_free(&diagnostics);
    }
    study_free(&fixture.study);
}

static void test_resume(void **state)
{
    (void)state;
    struct fixture fixture;
    struct metrics metrics;
    uint64_t count;
    setup(&fixture);
    struct store *store = open_for_writing(&fixture);
    for (uint64_t point = 0; point < 10; point++) {
        point_metrics(point * 3, &metrics);
        assert_int_equal(store_put(store, point * 3, &metrics, NULL), STATUS_OK);
    }
    store_close(store); /* commits */
    store = open_for_writing(&fixture);
    uint8_t *bitmap = calloc(fixture.space.points / 8 + 1, 1);
    assert_int_equal(store_done(store, bitmap, &count, NULL), STATUS_OK);
    assert_int_equal(count, 10);
    for (uint64_t point = 0; point < fixture.space.points; point++)
        assert_int_equal(bit_test(bitmap, point), point < 30 && point % 3 == 0);
    point_metrics(3, &metrics); /* the same again is nothing new, another value is a conflict */
    assert_int_equal(store_put(store, 3, &metrics, NULL), STATUS_OK);
    metrics.l2_misses = NAN;
    assert_int_equal(store_put(store, 3, &metrics, NULL), STATUS_CONFLICT);
    store_close(store);
    free(bitmap);
    study_free(&fixture.study);
}

static void put_axis(FILE *out, const char *path, unsigned values)
{
    fprintf(out, "  %s: [", path);
    for (unsigned i = 1; i <= values; i++)
        fprintf(out, "%s%u", i > 1 ? ", " : "", i);
    fputs("]\n", out);
}

/* What is done is kept in chunks of 65,536 points; the points on both sides of their edge. */
static void test_resume_of_many(void **state)
{
    (void)state;
    struct text_stream stream;
    struct fixture fixture = {.path = scratch_store()};
    FILE *out = text_stream_open(&stream);
    assert_non_null(out);
    fputs("machine: gtx480\nworkloads: [GEMM, ATAX]\nobjectives: [l1d.misses]\naxes:\n", out);
    put_axis(out, "l1d.latency", 150);
    put_axis(out, "l2.latency", 300);
    char *many = text_stream_take(&stream);
    study_from_text(many, &fixture.study);
    free(many);
    assert_int_equal(space_open(&fixture.study, &fixture.space, NULL), STATUS_OK);
    const uint64_t last = fixture.space.points - 1;
    const uint64_t points[] = {0, 65535, 65536, last};
    assert_true(last > 65536);
    uint8_t *bitmap = calloc(last / 8 + 1, 1);
    for (size_t i = 0; i < 4; i++) {
        struct store *store = open_for_writing(&fixture);
        struct metrics metrics;
        uint64_t count;
        point_metrics(points[i], &metrics);
        assert_int_equal(store_put(store, points[i], &metrics, NULL), STATUS_OK);
        store_close(store); /* commits */
        store = open_for_writing(&fixture);
        assert_int_equal(store_done(store, bitmap, &count, NULL), STATUS_OK);
        store_close(store);
        assert_int_equal(count, i + 1);
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(bit_test(bitmap, points[k]), k <= i);
    }
    free(bitmap);
    study_free(&fixture.study);
}

/* Changes one thing of the study at a time; each must be refused with its name. */
static void test_resume_refused(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *mention;
    } changes[] = {
        {"16KiB, 32KiB", "16KiB, 24KiB", "value 2 of l1d.size is 32KiB there and 24KiB here"},
        {"48KiB]", "48KiB, 64KiB]", "l1d.size has 3 values there and 4 here"},
        {"tlb.entries: [", "pwc.entries: [", "axis 3 is tlb.entries there and pwc.entries here"},
        {"GEMM, ATAX", "GEMM, BICG", "workload 2 is ATAX there and BICG here"},
        {"GEMM, ATAX", "GEMM", "2 workloads there and 1 here"},
        {"size > 1KiB", "size > 2KiB", "'where' has"},
        {"l2.misses, tlb", "l2.accesses, tlb", "column 3 is l2.misses there and l2.accesses here"},
        {"machine: gtx480", "machine: gtx480\nset: {l2.ways: 16}",
         "l2.ways is 8 there and 16 here"},
    };
    struct fixture fixture;
    setup(&fixture);
    fill(&fixture);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char changed[1024];
        const char *at = strstr(text, changes[i].from);
        assert_non_null(at);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, changes[i].to,
                 at + strlen(changes[i].from));
        struct study study;
        struct space space;
        struct store *store;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        study_from_text(changed, &study);
        assert_int_equal(space_open(&study, &space, NULL), STATUS_OK);
        assert_int_equal(store_create(fixture.path, &space, digests, &store, &diagnostics),
                         STATUS_CONFLICT);
        if (!diagnostics_mention(&diagnostics, changes[i].mention))
            diagnostics_print(&diagnostics, stderr);
        assert_true(diagnostics_mention(&diagnostics, changes[i].mention));
        diagnostics_free(&diagnostics);
        study_free(&study);
    }
    struct store *store;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const char *const others[] = {digests[0], "8899aabb"};
    assert_int_equal(store_create(fixture.path, &fixture.space, others, &store, &diagnostics),
                     STATUS_CONFLICT);
    assert_true(diagnostics_mention(&diagnostics, "workload ATAX has the digest 44556677"));
    diagnostics_free(&diagnostics);
    study_free(&fixture.study);
}

/* Filters and directions only say how to read the rows. */
static void test_resume_takes_new_filters(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    fill(&fixture);
    fixture.study.filters[0].text[strlen("l2.misses < ")] = '5';
    fixture.study.objectives[0].direction = HIGHER_IS_BETTER;
    store_close(open_for_writing(&fixture));
    struct store *store;
    const struct study *study;
    assert_int_equal(store_open(fixture.path, &store, &study, NULL), STATUS_OK);
    assert_int_equal(study->filter_count, 1);
    assert_string_equal(study->filters[0].text, "l2.misses < 50");
    assert_int_equal(study->objectives[0].direction, HIGHER_IS_BETTER);
    store_close(store);
    study_free(&fixture.study);
}

static void test_one_writer_many_readers(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    struct store *writer = open_for_writing(&fixture), *second, *reader;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(store_create(fixture.path, &fixture.space, digests, &second, &diagnostics),
                     STATUS_CONFLICT);
    assert_true(diagnostics_mention(&diagnostics, "another sweep is writing"));
    diagnostics_free(&diagnostics);
    const struct study *study;
    assert_int_equal(store_open(fixture.path, &reader, &study, NULL), STATUS_OK);
    for (uint64_t point = 0; point < 100; point++) {
        struct metrics metrics;
        point_metrics(point, &metrics);
        assert_int_equal(store_put(writer, point, &metrics, NULL), STATUS_OK);
        if (point % 10 != 9)
            continue;
        rows.count = 0; /* uncommitted rows are not seen, and nobody waits */
        const struct query all = {0};
        assert_int_equal(store_query(reader, &all, collect, &rows, NULL), STATUS_OK);
        assert_int_equal(rows.count, point - 9);
        assert_int_equal(store_commit(writer, NULL), STATUS_OK);
        rows.count = 0;
        assert_int_equal(store_query(reader, &all, collect, &rows, NULL), STATUS_OK);
        assert_int_equal(rows.count, point + 1);
    }
    store_close(writer);
    store_close(reader);
    study_free(&fixture.study);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, size), size);
    close(file);
}

/* A lock on a file that nobody can name any more keeps nobody away. */
static void test_lock_is_of_the_named_file(void **state)
{
    (void)state;
    struct fixture fixture;
    struct store *second;
    char lock[4096];
    setup(&fixture);
    snprintf(lock, sizeof lock, "%s.lock", fixture.path);
    vanishing = lock;
    struct store *first = open_for_writing(&fixture);
    assert_null(vanishing);
    assert_int_equal(access(lock, F_OK), 0);
    assert_int_equal(store_create(fixture.path, &fixture.space, digests, &second, NULL),
                     STATUS_CONFLICT);
    store_close(first);
    study_free(&fixture.study);
}

/* A store whose writer ended while somebody had it open is whole without its log. */
static void test_copy_beside_a_reader(void **state)
{
    (void)state;
    struct fixture fixture;
    struct store *reader, *copy;
    const struct study *kept;
    uint64_t count = 0;
    setup(&fixture);
    struct store *store = open_for_writing(&fixture);
    for (uint64_t point = 0; point < 40; point++) {
        struct metrics metrics;
        point_metrics(point, &metrics);
        assert_int_equal(store_put(store, point, &metrics, NULL), STATUS_OK);
    }
    assert_int_equal(store_commit(store, NULL), STATUS_OK);
    assert_int_equal(store_open(fixture.path, &reader, &kept, NULL), STATUS_OK);
    assert_int_equal(store_count(reader, &count, NULL), STATUS_OK);
    store_close(store);
    const char *path = scratch_store();
    char command[512];
    snprintf(command, sizeof command, "cp '%s' '%s'", fixture.path, path);
    assert_int_equal(system(command), 0); /* the file alone, as people copy it */
    assert_int_equal(store_open(path, &copy, &kept, NULL), STATUS_OK);
    assert_int_equal(store_count(copy, &count, NULL), STATUS_OK);
    assert_int_equal(count, 40);
    store_close(copy);
    store_close(reader);
    study_free(&fixture.study);
}

static void test_foreign_files(void **state)
{
    (void)state;
    struct fixture fixture;
    struct store *store;
    const struct study *study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    setup(&fixture);
    assert_int_equal(store_open(fixture.path, &store, &study, &diagnostics), STATUS_NOT_FOUND);
    write_file(fixture.path, "these are my notes, keep them\n", 30);
    assert_int_equal(store_open(fixture.path, &store, &study, &diagnostics), STATUS_CORRUPT);
    assert_int_equal(store_create(fixture.path, &fixture.space, digests, &store, &diagnostics),
                     STATUS_CORRUPT);
    assert_true(diagnostics_mention(&diagnostics, "not a Warpscape store"));
    struct stat kept;
    assert_int_equal(stat(fixture.path, &kept), 0);
    assert_int_equal(kept.st_size, 30); /* untouched */
    write_file(fixture.path, "", 0);
    assert_int_equal(store_open(fixture.path, &store, &study, &diagnostics), STATUS_NOT_FOUND);
    assert_true(diagnostics_mention(&diagnostics, "empty, not a Warpscape store"));
    assert_int_equal(store_open("/dev/null", &store, &study, &diagnostics), STATUS_INVALID);
    diagnostics_free(&diagnostics);
    store_close(open_for_writing(&fixture)); /* an empty file may become a store */
    study_free(&fixture.study);
}

/* Flips bytes and cuts the file anywhere: an error or rows, never a crash. */
static void test_damaged_files(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    fill(&fixture);
    int file = open(fixture.path, O_RDONLY);
    struct stat info;
    assert_true(file >= 0 && !fstat(file, &info));
    size_t size = (size_t)info.st_size;
    unsigned char *good = malloc(size), *bad = malloc(size);
    assert_int_equal(read(file, good, size), size);
    close(file);
    for (uint64_t round = 0; round < 120; round++) {
        memcpy(bad, good, size);
        for (uint64_t i = 0; i < 1 + round % 8; i++)
            bad[random_below(random_at(7, round * 16 + i), size)] ^=
                (unsigned char)(random_at(8, round * 16 + i) | 1);
        size_t length = round % 4 ? size : random_below(random_at(9, round), size);
        write_file(fixture.path, bad, length);
        struct store *store;
        const struct study *study;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        enum status status = store_open(fixture.path, &store, &study, &diagnostics);
        const struct query queries[] = {{0}, {.front = true, .where = "l1d.size > 4"}};
        for (size_t i = 0; !status && i < 2; i++) {
            rows.count = 0;
            status = store_query(store, &queries[i], collect, &rows, &diagnostics);
            if (i == 1 || status)
                store_close(store);
        }
        assert_int_equal(status != STATUS_OK, diagnostics.errors > 0);
        diagnostics_free(&diagnostics);
    }
    free(good);
    free(bad);
    study_free(&fixture.study);
}

/* One flipped bit anywhere: the store is refused, or warned of, or holds what was written. */
static void test_flipped_bits(void **state)
{
    (void)state;
    static struct rows whole;
    struct fixture fixture;
    struct stat info;
    setup(&fixture);
    fill(&fixture);
    assert_int_equal(run_query(&fixture, &(struct query){0}, NULL), STATUS_OK);
    whole = rows;
    int file = open(fixture.path, O_RDWR);
    assert_true(file >= 0 && !fstat(file, &info));
    unsigned noticed = 0;
    for (uint64_t round = 0; round < 600; round++) {
        const off_t at = (off_t)random_below(random_at(17, round), (uint64_t)info.st_size);
        unsigned char byte, flipped;
        assert_int_equal(pread(file, &byte, 1, at), 1);
        flipped = byte ^ (unsigned char)(1u << random_below(random_at(18, round), 8));
        assert_int_equal(pwrite(file, &flipped, 1, at), 1);
        struct store *store;
        const struct study *study;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        enum status status = store_open(fixture.path, &store, &study, &diagnostics);
        rows.count = 0;
        if (!status) {
            status = store_query(store, &(struct query){0}, collect, &rows, &diagnostics);
            store_close(store);
        }
        noticed += diagnostics.count > 0;
        if (!diagnostics.count &&
            (rows.count != whole.count ||
             memcmp(rows.points, whole.points, whole.count * sizeof *whole.points) != 0))
            fail_msg("a bit of byte %lld: other points", (long long)at);
        for (size_t i = 0; !diagnostics.count && i < whole.count; i++)
            for (size_t k = 0; k < 4; k++)
                if (rows.values[i][k] != whole.values[i][k] &&
                    !(isnan(rows.values[i][k]) && isnan(whole.values[i][k])))
                    fail_msg("a bit of byte %lld: other values", (long long)at);
        diagnostics_free(&diagnostics);
        assert_int_equal(pwrite(file, &byte, 1, at), 1);
    }
    close(file);
    assert_true(noticed > 100);
    study_free(&fixture.study);
}

/* A damaged row is named, and nothing is done with such a store. */
static void test_damage_is_named(void **state)
{
    (void)state;
    struct fixture fixture;
    struct store *store;
    const struct study *study;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    sqlite3 *database;
    setup(&fixture);
    fill(&fixture);
    assert_int_equal(sqlite3_open(fixture.path, &database), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(database, "UPDATE result SET \"l1d.misses\" = \"l1d.misses\" + 1 WHERE id = 7",
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(store_open(fixture.path, &store, &study, &diagnostics), STATUS_CORRUPT);
    assert_true(diagnostics_mention(&diagnostics, "the row of point 7 is damaged"));
    diagnostics_free(&diagnostics);
    assert_int_equal(store_create(fixture.path, &fixture.space, digests, &store, &diagnostics),
                     STATUS_CORRUPT);
    assert_true(diagnostics_mention(&diagnostics, "the row of point 7 is damaged"));
    diagnostics_free(&diagnostics);
    /* Rows that are gone are made again, and a store of the first layout is read as it is. */
    assert_int_equal(sqlite3_exec(database, "DELETE FROM result WHERE id = 7", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(store_open(fixture.path, &store, &study, &diagnostics), STATUS_OK);
    assert_true(diagnostics_mention(&diagnostics, "rows were written"));
    diagnostics_free(&diagnostics);
    store_close(store);
    assert_int_equal(sqlite3_exec(database,
                                  "ALTER TABLE result DROP COLUMN row_hash; PRAGMA user_version=1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(database);
    store = open_for_writing(&fixture);
    struct metrics metrics;
    point_metrics(7, &metrics);
    assert_int_equal(store_put(store, 7, &metrics, NULL), STATUS_OK);
    store_close(store);
    assert_int_equal(run_query(&fixture, &(struct query){0}, NULL), STATUS_OK);
    assert_int_equal(rows.count, fixture.space.points);
    study_free(&fixture.study);
}

/* How many hashes of rows do not fit 4 bytes. */
static int count_wide(sqlite3 *database)
{
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v2(database,
                                        "SELECT count(*) FROM result WHERE row_hash NOT BETWEEN "
                                        "-2147483648 AND 2147483647",
                                        -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const int count = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return count;
}

/* Hashes of rows take 4 bytes, but 8 in files of the second layout, which stay what they are. */
static void test_hash_widths(void **state)
{
    (void)state;
    struct fixture fixture;
    struct store *store;
    sqlite3 *database;
    setup(&fixture);
    for (int wide = 0; wide < 2; wide++) {
        store = open_for_writing(&fixture);
        for (uint64_t p = 0; p < fixture.space.points; p++) {
            struct metrics metrics;
            point_metrics(p, &metrics);
            assert_int_equal(store_put(store, p, &metrics, NULL), STATUS_OK);
        }
        store_close(store);
        assert_int_equal(run_query(&fixture, &(struct query){0}, NULL), STATUS_OK);
        assert_int_equal(rows.count, fixture.space.points);
        assert_int_equal(sqlite3_open(fixture.path, &database), SQLITE_OK);
        assert_int_equal(count_wide(database) > 0, wide);
        assert_int_equal(sqlite3_exec(database,
                                      "DELETE FROM result; DELETE FROM study WHERE key = 'rows'; "
                                      "PRAGMA user_version=2",
                                      NULL, NULL, NULL),
                         SQLITE_OK);
        sqlite3_close(database);
    }
    study_free(&fixture.study);
}

/* Cells that the program itself never writes. */
static void test_foreign_cells(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *says;
    } changes[] = {
        {"UPDATE space SET pos = -1 WHERE pos = 0", "the axes are not numbered from 0"},
        {"UPDATE space SET pos = 7 WHERE pos = 1", "the axes are not numbered from 0"},
        {"UPDATE space SET name = 'l1d.sise' WHERE pos = 1", "unknown parameter 'l1d.sise'"},
        {"UPDATE parameter SET value = 'many' WHERE path = 'gpu.sms'", "gpu.sms"},
        {"UPDATE space SET name = 'l1d.bypass.policy', values_json = '[\"never\", \"ccws\"]'"
         " WHERE pos = 1",
         "scheduler.throttle: ccws now"},
        {"UPDATE metric SET path = 'l1d.hope' WHERE pos = 0", "unknown metric 'l1d.hope'"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct fixture fixture;
        struct store *store;
        const struct study *study;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        sqlite3 *database;
        setup(&fixture);
        fill(&fixture);
        assert_int_equal(sqlite3_open(fixture.path, &database), SQLITE_OK);
        assert_int_equal(sqlite3_exec(database, changes[i].sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(database);
        assert_int_equal(store_open(fixture.path, &store, &study, &diagnostics), STATUS_CORRUPT);
        assert_true(diagnostics_mention(&diagnostics, changes[i].says));
        diagnostics_free(&diagnostics);
        study_free(&fixture.study);
    }
}

/* Stores of earlier versions, whose machines and axes have settings by their former names. */
static void test_moved_settings(void **state)
{
    (void)state;
    static const struct {
        const char *sql;
        int throttle;
    } changes[] = {
        {"UPDATE parameter SET value = 'ccws' WHERE path = 'l1d.bypass.policy'", THROTTLE_CCWS},
        {"INSERT INTO parameter VALUES ('l1d.bypass.throttle', 'yes')", THROTTLE_CONGESTION},
        {"UPDATE parameter SET value = 'ccws' WHERE path = 'l1d.bypass.policy';"
         "INSERT INTO parameter VALUES ('l1d.bypass.throttle', 'no')",
         THROTTLE_CCWS},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct fixture fixture;
        struct store *store;
        const struct study *study;
        setup(&fixture);
        fill(&fixture);
        store = open_for_writing(&fixture);
        assert_int_equal(sqlite3_exec(store->database,
                                      "DELETE FROM parameter WHERE path = 'scheduler.throttle'",
                                      NULL, NULL, NULL),
                         SQLITE_OK);
        assert_int_equal(sqlite3_exec(store->database, changes[i].sql, NULL, NULL, NULL),
                         SQLITE_OK);
        assert_int_equal(store_seal_study(store, NULL), STATUS_OK);
        store_close(store);
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        if (store_open(fixture.path, &store, &study, &diagnostics))
            fail_msg("%s", messages_take(&diagnostics));
        diagnostics_free(&diagnostics);
        assert_int_equal(study->machine.scheduler.throttle, changes[i].throttle);
        assert_int_equal(study->machine.l1d.bypass.policy, BYPASS_NEVER);
        store_close(store);
        study_free(&fixture.study);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_query_conditions),
        cmocka_unit_test(test_query_sort_and_limit),
        cmocka_unit_test(test_query_front),
        cmocka_unit_test(test_query_refuses),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_resume_of_many),
        cmocka_unit_test(test_resume_refused),
        cmocka_unit_test(test_resume_takes_new_filters),
        cmocka_unit_test(test_one_writer_many_readers),
        cmocka_unit_test(test_lock_is_of_the_named_file),
        cmocka_unit_test(test_copy_beside_a_reader),
        cmocka_unit_test(test_foreign_files),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_moved_settings),
        cmocka_unit_test(test_flipped_bits),
        cmocka_unit_test(test_damage_is_named),
        cmocka_unit_test(test_hash_widths),
        cmocka_unit_test(test_foreign_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
