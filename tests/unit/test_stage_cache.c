/* The stage cache: what it gives back is what was kept, whatever happens to its file. */
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/rng.h"
#include "explore/plan/stage_cache.h"
#include "schema/parameters.h"
#include "support/study_builder.h"

enum { VALUES = 15 };

/* The result that belongs to a number: a look-up can be checked without a second list. */
static struct stage_result result_of(uint64_t number, double values[VALUES])
{
    struct stage_result result = {
        .detail = DETAIL_LOOKUPS | DETAIL_TRAFFIC, .values = values, .count = VALUES};
    uint64_t key[2] = {number, random_at(1, number)};
    memcpy(result.key.bytes, key, sizeof key);
    for (size_t i = 0; i < result.count; i++)
        result.values[i] = i == 3 ? NAN : (double)(random_at(2, number + i) >> 12);
    return result;
}

static bool is_kept(struct stage_cache *cache, uint64_t number)
{
    double wanted[VALUES], values[VALUES] = {0};
    struct stage_result expected = result_of(number, wanted), found = expected;
    found.values = values;
    if (!stage_cache_get(cache, &found))
        return false;
    assert_memory_equal(found.values, expected.values, expected.count * sizeof *found.values);
    return true;
}

static void keep(struct stage_cache *cache, uint64_t first, size_t count)
{
    struct stage_result *results = calloc(count, sizeof *results);
    double(*values)[VALUES] = calloc(count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        results[i] = result_of(first + i, values[i]);
    stage_cache_put(cache, results, count);
    free(results);
    free(values);
}

static struct stage_cache *open_cache(const char *path, uint64_t limit)
{
    struct stage_cache *cache;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(stage_cache_open(path, limit, &cache, &diagnostics), STATUS_OK);
    assert_int_equal(diagnostics.count, 0);
    assert_non_null(cache);
    return cache;
}

static void close_quietly(struct stage_cache *cache)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    stage_cache_close(cache, &diagnostics);
    assert_int_equal(diagnostics.count, 0);
}

static void what_is_kept_comes_back(void **state)
{
    (void)state;
    const char *const places[] = {NULL, scratch_store()};
    for (size_t i = 0; i < 2; i++) {
        struct stage_cache *cache = open_cache(places[i], STAGE_CACHE_BYTES);
        assert_false(is_kept(cache, 7));
        keep(cache, 0, 100);
        keep(cache, 50, 100); /* again */
        for (uint64_t n = 0; n < 150; n++)
            assert_true(is_kept(cache, n));
        assert_false(is_kept(cache, 150));
        close_quietly(cache);
        if (!places[i])
            continue;
        cache = open_cache(places[i], STAGE_CACHE_BYTES);
        assert_true(is_kept(cache, 149));
        close_quietly(cache);
    }
}

static void a_richer_result_answers_a_poorer_question(void **state)
{
    (void)state;
    struct stage_cache *cache = open_cache(NULL, STAGE_CACHE_BYTES);
    double values[3][VALUES];
    struct stage_result poor = result_of(1, values[0]), rich = result_of(1, values[1]),
                        found = result_of(1, values[2]);
    poor.detail = DETAIL_LOOKUPS;
    poor.values[5] = NAN;
    stage_cache_put(cache, &poor, 1);
    found.detail = DETAIL_LOOKUPS | DETAIL_CLASSES;
    assert_false(stage_cache_get(cache, &found));
    rich.detail = DETAIL_LOOKUPS | DETAIL_TRAFFIC | DETAIL_CLASSES;
    stage_cache_put(cache, &rich, 1);
    assert_true(stage_cache_get(cache, &found));
    assert_memory_equal(found.values, rich.values, rich.count * sizeof *rich.values);
    found.detail = DETAIL_OPT;
    assert_false(stage_cache_get(cache, &found));
    found.detail = DETAIL_LOOKUPS;
    found.count--; /* another number of values: another table of metrics */
    assert_false(stage_cache_get(cache, &found));
    close_quietly(cache);
}

/* What the L1D of the functional depth depends on and that of the reuse depth does not; the last
 * two it reads where l1d.reuse.model asks for them. */
static bool is_unread(const struct parameter *parameter)
{
    static const char *const paths[] = {"l1d.replacement", "l1d.write", "l1d.write_allocate",
                                        "l1d.allocate", "l1d.mshr.merge"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (!strcmp(parameter->path, paths[i]))
            return true;
    return false;
}

/* Keys change with everything that a stage depends on, and with nothing else. */
static void keys_know_the_chain(void **state)
{
    (void)state;
    struct machine machine, other;
    machine_defaults(&machine);
    const unsigned readers = stages_simulated() | AT_REUSE;
    for (unsigned left = readers; left; left &= left - 1) {
        const unsigned stage = stage_lowest(left), next_stage = stage_lowest(left & (left - 1));
        const unsigned chain =
            stage == AT_REUSE ? depth_reads(DEPTH_REUSE) : stage_chain(stage, false);
        struct stage_key key = stage_key("a", &machine, stage), found;
        found = stage_key("b", &machine, stage);
        assert_memory_not_equal(&key, &found, sizeof key);
        found = stage_key("a", &machine, next_stage ? next_stage : STAGE_STREAM);
        assert_memory_not_equal(&key, &found, sizeof key);
        for (size_t i = 0; i < parameter_count; i++) {
            const struct parameter *parameter = &parameters[i];
            struct value value = parameter_get(parameter, &machine), next;
            bool relevant = parameter_relevant(parameter, &machine);
            if (!parameter_next(parameter, value, 1, &next) &&
                !parameter_next(parameter, value, -1, &next))
                continue;
            other = machine;
            parameter_set(parameter, &other, next);
            found = stage_key("a", &other, stage);
            bool depends = relevant && parameter->stages & chain &&
                           !(stage == AT_REUSE && is_unread(parameter));
            bool differs = memcmp(&key, &found, sizeof key) != 0;
            /* Switching something on or off may make others matter: that is no mistake. */
            if (depends != differs && !(differs && parameter->type == PARAMETER_BOOL))
                fail_msg("%s: key of %s %s", parameter->path, reader_name(stage),
                         differs ? "changes" : "stays");
        }
    }
}

/* A depth that reads instructions tells traces apart whose records alone are equal. */
static void identities_know_the_instructions(void **state)
{
    (void)state;
    char a[SOURCE_IDENTITY], b[SOURCE_IDENTITY];
    struct trace_source one = {.digest = "0123", .code_digest = "4567"}, other = one;
    strcpy(other.code_digest, "89ab");
    for (int depth = 0; depth < DEPTH_COUNT; depth++) {
        evaluate_identity(&one, (enum depth)depth, a);
        evaluate_identity(&other, (enum depth)depth, b);
        assert_int_equal(strcmp(a, b) != 0, depth_can((enum depth)depth, DEPTH_TIMED));
    }
}

/* So does a single stage that reads them, and no other. */
static void keys_know_the_instructions(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    machine.l1i.fetches = 1;
    for (size_t i = 0; i < STAGE_COUNT; i++) {
        if (!(stage_table[i].traits & STAGE_SIMULATED))
            continue;
        const struct stage_key a = stage_key("0123+4567", &machine, 1u << i);
        const struct stage_key b = stage_key("0123+89ab", &machine, 1u << i);
        const struct stage_key c = stage_key("0123", &machine, 1u << i);
        const bool reads = stage_table[i].traits & STAGE_CODE;
        assert_int_equal(memcmp(&a, &b, sizeof a) != 0, reads);
        assert_int_equal(memcmp(&a, &c, sizeof a) != 0, reads);
    }
}

/* Every entry of a list counts, the last one and their number too. */
static void keys_know_all_of_a_list(void **state)
{
    (void)state;
    struct machine machine;
    machine_defaults(&machine);
    machine.l1d.unified = 131072;
    machine.gpu.shared_options = (struct sizes){{0, 32768, 65536}, 3};
    const struct stage_key key = stage_key("a", &machine, STAGE_L1D);
    for (uint32_t i = 0; i < 3; i++) {
        struct machine other = machine;
        other.gpu.shared_options.item[i] += 1024;
        struct stage_key found = stage_key("a", &other, STAGE_L1D);
        assert_memory_not_equal(&key, &found, sizeof key);
    }
    machine.gpu.shared_options.count = 2;
    struct stage_key found = stage_key("a", &machine, STAGE_L1D);
    assert_memory_not_equal(&key, &found, sizeof key);
}

static uint64_t file_size(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return (uint64_t)status.st_size;
}

static void the_least_recently_used_go_first(void **state)
{
    (void)state;
    const uint64_t limit = 1 << 20;
    const char *path = scratch_store();
    struct stage_cache *cache = open_cache(path, limit);
    size_t kept = 0;
    for (uint64_t n = 0; n < 20000; n += 500)
        keep(cache, n, 500);
    for (uint64_t n = 0; n < 20000; n++)
        kept += is_kept(cache, n);
    assert_true(kept > 1000 && kept < 8000);
    assert_true(is_kept(cache, 19999)); /* the newest went in */
    close_quietly(cache);
    assert_true(file_size(path) <= limit);
}

static void damage_is_a_warning(void **state)
{
    (void)state;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct stage_cache *cache;
    const char *path = scratch_store();
    FILE *file = fopen(path, "w");
    fprintf(file, "these are notes, and long enough to be the header of a database: %0100d", 0);
    fclose(file);
    assert_int_equal(stage_cache_open(path, 1 << 20, &cache, &diagnostics), STATUS_OK);
    assert_null(cache);
    assert_int_equal(diagnostics.errors, 0);
    assert_true(diagnostics_mention(&diagnostics, "cannot be used"));
    assert_false(is_kept(cache, 1)); /* no cache is an empty one */
    keep(cache, 1, 1);
    stage_cache_close(cache, &diagnostics);
    diagnostics_free(&diagnostics);
    assert_int_equal(stage_cache_open("/dev/null/stages.db", 1 << 20, &cache, &diagnostics),
                     STATUS_OK);
    assert_null(cache);
    diagnostics_free(&diagnostics);
}

/* Bytes are changed all over the file, one random place after the other: a result is right or not
 * there, never wrong (is_kept compares), and nothing crashes. */
static void changed_bytes_never_lie(void **state)
{
    (void)state;
    size_t lost = 0;
    for (uint64_t round = 0; round < 60; round++) {
        const char *path = "/tmp";
        char name[128];
        snprintf(name, sizeof name, "%s/warpscape-cache-%d.db", path, (int)getpid());
        struct stage_cache *cache = open_cache(name, 1 << 20);
        keep(cache, 0, 200);
        close_quietly(cache);
        int file = open(name, O_RDWR);
        uint64_t size = file_size(name);
        for (uint64_t i = 0; i < 1 + round / 4; i++) {
            unsigned char byte = (unsigned char)random_at(round, 2 * i);
            off_t at = (off_t)random_below(random_at(round, 2 * i + 1), size);
            assert_int_equal(pwrite(file, &byte, 1, at), 1);
        }
        close(file);
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(stage_cache_open(name, 1 << 20, &cache, &diagnostics), STATUS_OK);
        for (uint64_t n = 0; n < 200; n++)
            lost += !is_kept(cache, n);
        keep(cache, 100, 200);
        stage_cache_close(cache, &diagnostics);
        assert_int_equal(diagnostics.errors, 0);
        diagnostics_free(&diagnostics);
        unlink(name);
    }
    assert_true(lost > 0); /* the bytes did hit something */
}

/* Four processes on one file, one of them killed in the middle. */
static void processes_share_a_file(void **state)
{
    (void)state;
    const char *path = scratch_store();
    pid_t children[4];
    for (int c = 0; c < 4; c++) {
        children[c] = fork();
        assert_true(children[c] >= 0);
        if (children[c])
            continue;
        struct stage_cache *cache;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        if (stage_cache_open(path, STAGE_CACHE_BYTES, &cache, &diagnostics) || !cache)
            _exit(1);
        for (uint64_t round = 0; round < 30; round++) {
            keep(cache, round * 10, 20);
            (void)is_kept(cache, random_below(random_at((uint64_t)c, round), 300));
        }
        stage_cache_close(cache, &diagnostics);
        _exit(diagnostics.count != 0);
    }
    usleep(3000);
    kill(children[3], SIGKILL);
    for (int c = 0; c < 4; c++) {
        int status;
        assert_int_equal(waitpid(children[c], &status, 0), children[c]);
        if (c < 3)
            assert_int_equal(status, 0);
    }
    struct stage_cache *cache = open_cache(path, STAGE_CACHE_BYTES);
    for (uint64_t n = 0; n < 310; n++)
        assert_true(is_kept(cache, n));
    close_quietly(cache);
}

static void the_place_follows_the_environment(void **state)
{
    (void)state;
    setenv("HOME", "/home/somebody", 1);
    setenv("XDG_CACHE_HOME", "/elsewhere", 1);
    char *path = stage_cache_path();
    assert_string_equal(path, "/elsewhere/warpscape/stages.db");
    free(path);
    setenv("XDG_CACHE_HOME", "relative", 1);
    path = stage_cache_path();
    assert_string_equal(path, "/home/somebody/.cache/warpscape/stages.db");
    free(path);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_null(stage_cache_path());
}

/* Adds up the first bytes of the proofs of a family. */
static bool take_proof(void *argument, const struct stage_proof *proof)
{
    *(unsigned *)argument += *(const unsigned char *)proof->bytes;
    return false;
}

static unsigned sum_of_proofs(struct stage_cache *cache, unsigned char family, size_t size)
{
    const struct stage_key key = {{family}};
    unsigned sum = 0;
    stage_cache_proofs(cache, &key, size, take_proof, &sum);
    return sum;
}

static void proofs_are_those_of_a_family(void **state)
{
    (void)state;
    const char *const places[] = {NULL, scratch_store()};
    for (size_t i = 0; i < 2; i++) {
        struct stage_cache *cache = open_cache(places[i], STAGE_CACHE_BYTES);
        for (unsigned char k = 1; k <= 4; k++) {
            const unsigned char bytes[3] = {k};
            const struct stage_proof proof = {.family = {{k % 2}},
                                              .run = {{k}},
                                              .bytes = bytes,
                                              .size = k == 4 ? 2 : sizeof bytes};
            stage_cache_put_proof(cache, &proof);
        }
        if (places[i]) { /* and still there in another process */
            close_quietly(cache);
            cache = open_cache(places[i], STAGE_CACHE_BYTES);
        }
        assert_int_equal(sum_of_proofs(cache, 1, 3), 1 + 3);
        assert_int_equal(sum_of_proofs(cache, 0, 3), 2); /* the other one has another size */
        assert_int_equal(sum_of_proofs(cache, 7, 3), 0);
        close_quietly(cache);
    }
    assert_int_equal(sum_of_proofs(NULL, 1, 3), 0);
}

static void damaged_proofs_prove_nothing(void **state)
{
    (void)state;
    const char *path = scratch_store();
    sqlite3 *database;
    const unsigned char bytes[3] = {9};
    const struct stage_proof proof = {.family = {{1}}, .bytes = bytes, .size = sizeof bytes};
    struct stage_cache *cache = open_cache(path, STAGE_CACHE_BYTES);
    stage_cache_put_proof(cache, &proof);
    close_quietly(cache);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "UPDATE proof SET proof = x'080000'", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(database);
    cache = open_cache(path, STAGE_CACHE_BYTES);
    assert_int_equal(sum_of_proofs(cache, 1, 3), 0);
    close_quietly(cache);
}

/* A file that an earlier version made has no proofs yet. */
static void older_file_gets_proofs(void **state)
{
    (void)state;
    const char *path = scratch_store();
    sqlite3 *database;
    close_quietly(open_cache(path, STAGE_CACHE_BYTES));
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "DROP TABLE proof", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    const unsigned char bytes[3] = {5};
    const struct stage_proof proof = {.family = {{1}}, .bytes = bytes, .size = sizeof bytes};
    struct stage_cache *cache = open_cache(path, STAGE_CACHE_BYTES);
    stage_cache_put_proof(cache, &proof);
    assert_int_equal(sum_of_proofs(cache, 1, 3), 5);
    close_quietly(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_are_those_of_a_family),
        cmocka_unit_test(damaged_proofs_prove_nothing),
        cmocka_unit_test(older_file_gets_proofs),
        cmocka_unit_test(what_is_kept_comes_back),
        cmocka_unit_test(a_richer_result_answers_a_poorer_question),
        cmocka_unit_test(keys_know_the_chain),
        cmocka_unit_test(keys_know_all_of_a_list),
        cmocka_unit_test(identities_know_the_instructions),
        cmocka_unit_test(keys_know_the_instructions),
        cmocka_unit_test(the_least_recently_used_go_first),
        cmocka_unit_test(damage_is_a_warning),
        cmocka_unit_test(changed_bytes_never_lie),
        cmocka_unit_test(processes_share_a_file),
        cmocka_unit_test(the_place_follows_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
