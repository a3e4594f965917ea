#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "explore/space/conditions.h"
#include "support/study_builder.h"

static const struct place typed = {.file = "where", .line = 1, .source = ""};

/* 1 holds, 0 does not, -1 refused at creation, -2 refused at evaluation. */
static int evaluate_text(const char *text, enum expression_scope scope,
                         const struct machine *machine, const struct metrics *metrics,
                         struct diagnostics *diagnostics)
{
    struct place place = typed;
    place.source = text;
    struct expression *expression;
    if (expression_create(text, &place, scope, &expression, diagnostics))
        return -1;
    struct expression_values values = {machine, metrics, "GEMM:n=64", 17, NULL};
    bool holds;
    enum status status = expression_test(expression, &values, &holds, diagnostics);
    expression_free(expression);
    return status ? -2 : holds;
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int expected;
    } cases[] = {
        {"l1d.size = 16384", 1},
        {"l1d.size <= 16KiB", 1},
        {"l1d.size<16KiB", 0},
        {"l1d.size <= 32KiB and page.size = 4KiB", 1},
        {"L1D.size <= 32KiB", -1},
        {"l1d.size % 128 = 0", 1},
        {"l1d.size%128 = 0", 1},
        {"l1d.miss_rate < 40%", 1},
        {"l1d.miss_rate<25%", 0},
        {"(l1d.miss_rate < 40%) and 1", 1},
        {"l1d.miss_rate between 10% and 40%", 1},
        {"l1d.replacement = 'lru'", 1},
        {"l1d.replacement != 'lru'", 0},
        {"l1d.replacement in ('fifo', 'lru')", 1},
        {"l1d.replacement = lru", 1},
        {"l1d.replacement not in (fifo, random)", 1},
        {"l1d.area < 0.05mm2", 1},
        {"l1d.area < 60um2", 0},
        {"l1d.replacement not in ('fifo', 'random')", 1},
        {"tech.node = 40nm", 1},
        {"tech.node < 22nm", 0},
        {"gpu.clock = 700MHz", 1},
        {"l1d.enabled", 1},
        {"l1d.enabled = yes and not l2.flush", 1},
        {"workload = 'GEMM:n=64'", 1},
        {"workload like 'GEMM%'", 1},
        {"id = 17", 1},
        {"l2.miss_rate < 1", 0},  /* NaN is NULL: neither this ... */
        {"l2.miss_rate >= 1", 0}, /* ... nor that */
        {"l2.miss_rate is null", 1},
        {"abs(-3) = 3 and max(1, 2) = 2 and log2(l1d.size) = 14", 1},
        {"pow(2, 4) = 16 and coalesce(l2.miss_rate, 5) = 5", 1},
        {"case when l1d.ways = 4 then 1 else 0 end", 1},
        {"l1d.size / (l1d.ways * l1d.line) = 32", 1},
        {"0x10 = 16 and 1e3 = 1000 and .5 < 1", 1},
        {"1.5KiB = 1536", 1},
        {"'it''s' = 'it''s'", 1},
        {"0", 0},
        {"null", 0},
    };
    struct machine machine;
    struct metrics metrics;
    machine_defaults(&machine);
    metrics_clear(&metrics);
    metrics.l1d_miss_rate = 0.3;
    metrics.l1d_area = 0.04;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        int result = evaluate_text(cases[i].text, SCOPE_POINT, &machine, &metrics, &diagnostics);
        if (result != cases[i].expected) {
            print_error("%s: got %d\n", cases[i].text, result);
            diagnostics_print(&diagnostics, stderr);
        }
        assert_int_equal(result, cases[i].expected);
        diagnostics_free(&diagnostics);
    }
}

/* Everything here must be refused with a message that holds the second text. */
static void test_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"l1d.sizes < 4", "did you mean 'l1d.size'"},
        {"l1d.mis_rate < 4", "did you mean 'l1d.miss_rate'"},
        {"lru = l1d.replacement", "in quotes: 'lru'"},
        {"l1d.ways = lru", "in quotes: 'lru'"},
        {"l1d.replacement = lur", "unknown name 'lur'"},
        {"miss_rate < 60%", "did you mean 'l1d.miss_rate'"},
        {"l1d.area < 0.05 mm2", "a unit follows its number"},
        {"l1d.replacement = 'lur'", "did you mean 'lru'"},
        {"l1d.replacement in ('lru', 'fifi')", "did you mean 'fifo'"},
        {"l1d.size < 4parsecs", "neither a number nor a quantity"},
        {"gpu.shared_options = 1", "is a list"},
        {"", "empty"},
        {"   ", "empty"},
        {"(l1d.size", "'(' without ')'"},
        {"l1d.size) or (1", "')' without '('"},
        {"l1d.size <", "missing at the end"},
        {"l1d.size < and l1d.ways = 4", "missing before 'and'"},
        {"l1d.ways > > 2", "missing before '>'"},
        {"(l1d.size <) or 1", "missing before ')'"},
        {"not", "missing at the end"},
        {"l1d.size < 1, 2", "not a condition"},
        {"l1d.size 4", "comparison is missing before '4'"},
        {"l1d.size%7 3", "comparison is missing before '3'"},
        {"l1d.replacement 'lru'", "comparison is missing before ''lru''"},
        {"max(l1d.size)", "not a condition"},
        {"(select 1)", "unknown name 'select'"},
        {"1; drop table result", "unexpected ';'"},
        {"1 -- comment", "comments"},
        {"1 /* comment */", "comments"},
        {"\"l1d.size\" = 1", "without quotes"},
        {"[l1d.size] = 1", "without quotes"},
        {"load_extension('x')", "no function 'load_extension'"},
        {"readfile('/etc/passwd')", "no function 'readfile'"},
        {"randomblob(1000000000)", "no function 'randomblob'"},
        {"hex(zeroblob(1000000000))", "no function 'hex'"},
        {"random() > 0", "no function 'random'"},
        {"exists (values (1))", "no function 'exists'"},
        {"1 in sqlite_master", "unknown name 'sqlite_master'"},
        {"rowid = 1", "unknown name 'rowid'"},
        {"?1 = 1", "unexpected '?'"},
        {":x = 1", "unexpected ':'"},
        {"x'00' = 1", "unknown name 'x'"},
        {"'open", "never closed"},
        {"l1d.size \x01 4", "byte 0x01"},
        {"'a\nb' = 1", "control character"},
        {"l1d.size < 4\xc3\xa9", "byte 0xc3"},
        {"attach 'x' as y", "unknown name 'attach'"},
        {"pragma user_version", "unknown name 'pragma'"},
        {"sum(l1d.size) over ()", "no function 'sum'"},
        {"raise(abort, 'x')", "no function 'raise'"},
    };
    struct machine machine;
    struct metrics metrics;
    machine_defaults(&machine);
    metrics_clear(&metrics);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        int result = evaluate_text(cases[i][0], SCOPE_POINT, &machine, &metrics, &diagnostics);
        if (result != -1 || !diagnostics_mention(&diagnostics, cases[i][1])) {
            print_error("%s: got %d\n", cases[i][0], result);
            diagnostics_print(&diagnostics, stderr);
        }
        assert_int_equal(result, -1);
        assert_true(diagnostics_mention(&diagnostics, cases[i][1]));
        diagnostics_free(&diagnostics);
    }
}

static void test_where_knows_what_needs_no_stream(void **state)
{
    (void)state;
    static const char *const cases[] = {"l1d.miss_rate < 1", "workload = 'GEMM'", "id < 4",
                                        "energy.accesses < 1"};
    struct machine machine;
    machine_defaults(&machine);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(evaluate_text(cases[i], SCOPE_MACHINE, &machine, NULL, &diagnostics), -1);
        assert_true(diagnostics_mention(&diagnostics, "'where' may name parameters, bits"));
        diagnostics_free(&diagnostics);
    }
}

/* Overflow, depth and length end with a message and at once. */
static void test_bounded(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics metrics;
    machine_defaults(&machine);
    metrics_clear(&metrics);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(evaluate_text("abs(-9223372036854775807 - 1) > 0", SCOPE_POINT, &machine,
                                   &metrics, &diagnostics),
                     -2);
    assert_true(diagnostics_mention(&diagnostics, "overflow"));
    char text[6000];
    memset(text, '(', 1500);
    text[1500] = '1';
    memset(text + 1501, ')', 1500);
    text[3001] = '\0';
    assert_int_equal(evaluate_text(text, SCOPE_POINT, &machine, &metrics, &diagnostics), -1);
    memset(text, '-', 4000);
    for (int i = 1; i < 4000; i += 2)
        text[i] = ' ';
    strcpy(text + 4000, "1");
    assert_int_equal(evaluate_text(text, SCOPE_POINT, &machine, &metrics, &diagnostics), -1);
    memset(text, ' ', 5000);
    strcpy(text + 5000, "1");
    assert_int_equal(evaluate_text(text, SCOPE_POINT, &machine, &metrics, &diagnostics), -1);
    assert_true(diagnostics_mention(&diagnostics, "longer than"));
    /* The classic bomb of LIKE. */
    strcpy(text, "'");
    for (int i = 0; i < 3000; i++)
        strcat(text, "a");
    strcat(text, "' like '%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%b'");
    assert_int_equal(evaluate_text(text, SCOPE_POINT, &machine, &metrics, &diagnostics), 0);
    diagnostics_free(&diagnostics);
}

/* Any bytes at all: never a crash, and a diagnostic whenever it is refused. */
static void test_random_bytes(void **state)
{
    (void)state;
    static const char *const words[] = {"l1d.size", "l1d.replacement",
                                        "'lru'",    "(",
                                        ")",        "and",
                                        "or",       "not",
                                        "in",       ",",
                                        "4KiB",     "<",
                                        "=",        "%",
                                        "'",        "case",
                                        "end",      "when",
                                        "then",     "max(",
                                        "id",       "workload",
                                        "-",        "~",
                                        "||",       "like",
                                        "null",     "40%",
                                        "\x01",     "1e",
                                        "..",       "0x",
                                        "between",  "is"};
    struct machine machine;
    struct metrics metrics;
    machine_defaults(&machine);
    metrics_clear(&metrics);
    srand(1);
    for (int round = 0; round < 3000; round++) {
        char text[400] = "";
        for (int i = rand() % 12; i >= 0; i--) {
            strcat(text, words[(size_t)rand() % (sizeof words / sizeof *words)]);
            strcat(text, rand() % 3 ? " " : "");
        }
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        int result = evaluate_text(text, SCOPE_POINT, &machine, &metrics, &diagnostics);
        assert_int_equal(result<0, diagnostics.errors> 0);
        diagnostics_free(&diagnostics);
    }
}

static void test_place(void **state)
{
    (void)state;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct expression *expression;
    struct place place = {.file = "overnight.yaml", .line = 12};
    assert_int_equal(
        expression_create("l1d.sice > 4", &place, SCOPE_MACHINE, &expression, &diagnostics),
        STATUS_INVALID);
    assert_int_equal(diagnostics.count, 1);
    assert_string_equal(diagnostics.items[0].file, "overnight.yaml");
    assert_int_equal(diagnostics.items[0].line, 12);
    assert_non_null(strstr(diagnostics.items[0].message, "\"l1d.sice > 4\""));
    diagnostics_free(&diagnostics);
    place.source = "4 < l1d.sice";
    (void)expression_create(place.source, &place, SCOPE_MACHINE, &expression, &diagnostics);
    assert_int_equal(diagnostics.items[0].column, 5);
    assert_int_equal(diagnostics.items[0].span, 8);
    diagnostics_free(&diagnostics);
}

/* The second line of defence: whatever the scanner may let through one day, a guarded database only
 * reads, and calls the functions of expressions alone. */
static void test_guard(void **state)
{
    (void)state;
    static const char *const refused[] = {"SELECT load_extension('x')",
                                          "SELECT randomblob(9)",
                                          "SELECT sqlite_version()",
                                          "SELECT zeroblob(9)",
                                          "SELECT printf('%s', 1)",
                                          "ATTACH ':memory:' AS other",
                                          "INSERT INTO kept VALUES(2)",
                                          "UPDATE kept SET value = 2",
                                          "DELETE FROM kept",
                                          "CREATE TABLE other(value)",
                                          "CREATE TEMP TABLE other(value)",
                                          "DROP TABLE kept",
                                          "PRAGMA user_version",
                                          "VACUUM",
                                          "BEGIN"};
    static const char *const extra[] = {"randomblob", NULL};
    sqlite3 *database;
    assert_int_equal(sqlite3_open(":memory:", &database), SQLITE_OK);
    const char *const made = "CREATE TABLE kept(value); INSERT INTO kept VALUES(1)";
    assert_int_equal(sqlite3_exec(database, made, NULL, NULL, NULL), SQLITE_OK);
    expression_guard(database, NULL);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (sqlite3_exec(database, refused[i], NULL, NULL, NULL) == SQLITE_OK)
            fail_msg("%s", refused[i]);
    const char *const read = "SELECT max(value, abs(-1)) FROM kept WHERE value LIKE '1'";
    assert_int_equal(sqlite3_exec(database, read, NULL, NULL, NULL), SQLITE_OK);
    expression_guard(database, extra);
    assert_int_equal(sqlite3_exec(database, refused[1], NULL, NULL, NULL), SQLITE_OK);
    assert_int_not_equal(sqlite3_exec(database, refused[0], NULL, NULL, NULL), SQLITE_OK);
    expression_unguard(database);
    assert_int_equal(sqlite3_exec(database, refused[7], NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

static void test_units(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"l1d.area < 2", "l1d.area < 2mm2"},
        {"l1d.size<=32768 and l1d.ways = 4", "l1d.size<=32768B and l1d.ways = 4"},
        {"l1d.area < 2mm2", "l1d.area < 2mm2"},
        {"l1d.miss_rate < 40%", "l1d.miss_rate < 40%"},
        {"l1d.miss_rate < 0.4", "l1d.miss_rate < 0.4"},
        {"l1d.area < 2 * l1d.ways", "l1d.area < 2 * l1d.ways"},
        {"l1d.area < 2.5 or 1 < 2", "l1d.area < 2.5mm2 or 1 < 2"},
        {"workload = 'l1d.area < 2", "workload = 'l1d.area < 2"},
        {"", ""}};
    char out[128], small[8];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(condition_print(texts[i][0], out, sizeof out), texts[i][1]);
    assert_string_equal(condition_print("l1d.area < 2", small, sizeof small), "l1d.are");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_where_knows_what_needs_no_stream),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_guard),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
