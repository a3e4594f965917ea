/* The `search` of a study: every member and parameter, errors, writing and reading back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/study_file.h"
#include "support/message_text.h"

static enum status read_search(const char *search, struct study *study,
                               struct diagnostics *diagnostics)
{
    char text[512];
    struct document *document;
    snprintf(text, sizeof text,
             "machine: gtx480\nworkloads: [ATAX]\nobjectives: [l1d.misses]\n%s\n", search);
    assert_int_equal(document_parse(text, strlen(text), "s.yaml", &document, NULL), STATUS_OK);
    enum status status = study_from_document(document, NULL, study, diagnostics);
    document_free(document);
    return status;
}

static void test_forms(void **state)
{
    (void)state;
    struct study study;
    assert_int_equal(read_search("", &study, NULL), STATUS_OK);
    assert_false(study.search.chosen);
    assert_int_equal(study.search.method, SEARCH_EXHAUSTIVE);
    study_free(&study);
    assert_int_equal(read_search("search: nsga2", &study, NULL), STATUS_OK);
    assert_true(study.search.chosen && study.search.population == 50);
    study_free(&study);
    assert_int_equal(read_search("search: {halving: {share: 1/4, slack: 2%}}", &study, NULL),
                     STATUS_OK);
    assert_true(study.search.share == 0.25 && study.search.slack == 0.02);
    study_free(&study);
    assert_int_equal(read_search("search: {exhaustive: {prune: yes}}", &study, NULL), STATUS_OK);
    assert_true(study.search.prune && !study.search.verify_bounds);
    study_free(&study);
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"search: nsga3", "there is no search 'nsga3'; did you mean 'nsga2'?"},
        {"search: []", "expected the name of one search"},
        {"search: {random: {}, nsga2: {}}", "expected the name of one search"},
        {"search: {random: 5}", "expected the parameters of the search"},
        {"search: {random: {point: 5}}", "did you mean 'points'?"},
        {"search: {random: {population: 5}}", "random has no parameter 'population'"},
        {"search: {random: {points: 0}}", "points: expected a whole number from 1"},
        {"search: {random: {points: -1}}", "points: expected a whole number from 1"},
        {"search: {halving: {share: 1/0}}", "share: expected a number"},
        {"search: {halving: {share: nan}}", "share: expected a number"},
        {"search: {exhaustive: {prune: 2}}", "prune: expected yes or no"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct study study;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(read_search(wrong[i][0], &study, &diagnostics), STATUS_INVALID);
        char *messages = messages_take(&diagnostics);
        if (!strstr(messages, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], messages);
        free(messages);
    }
}

/* Every parameter of every search, at a value that is not its usual one, survives writing. */
static void test_reads_back(void **state)
{
    (void)state;
    for (int method = 0; method < SEARCH_COUNT; method++) {
        struct study study, again;
        char text[256], why[VALUE_TEXT], *yaml;
        snprintf(text, sizeof text, "search: %s", search_table[method].name);
        assert_int_equal(read_search(text, &study, NULL), STATUS_OK);
        for (size_t i = 0; i < search_parameter_count; i++) {
            const struct search_parameter *parameter = &search_parameter_table[i];
            if (!search_has(method, parameter))
                continue;
            const char *value = parameter->type == PARAMETER_REAL   ? "0.375"
                                : parameter->type == PARAMETER_BOOL ? "yes"
                                                                    : "77";
            assert_int_equal(search_set(&study.search, parameter->name, value, why), STATUS_OK);
        }
        assert_int_equal(study_to_yaml(&study, &yaml), STATUS_OK);
        struct document *document;
        assert_int_equal(document_parse(yaml, strlen(yaml), "s.yaml", &document, NULL), STATUS_OK);
        assert_int_equal(study_from_document(document, NULL, &again, NULL), STATUS_OK);
        assert_memory_equal(&again.search, &study.search, sizeof study.search);
        document_free(document);
        free(yaml);
        study_free(&study);
        study_free(&again);
    }
}

static void test_command_line_form(void **state)
{
    (void)state;
    struct search search;
    char why[VALUE_TEXT];
    search_defaults(&search);
    assert_int_equal(search_parse("nsga2:population=20,evaluations=300", &search, why), STATUS_OK);
    assert_true(search.population == 20 && search.evaluations == 300);
    /* The same search again keeps what the study said. */
    assert_int_equal(search_parse("nsga2:front=9", &search, why), STATUS_OK);
    assert_true(search.population == 20 && search.front == 9);
    assert_int_equal(search_parse("random", &search, why), STATUS_OK);
    assert_true(search.population == 50 && search.points == 1000);
    assert_int_equal(search_parse("random:points", &search, why), STATUS_INVALID);
    assert_non_null(strstr(why, "name=value"));
    assert_int_equal(search_parse("nsga2:front=3,population=8,front=3", &search, why),
                     STATUS_INVALID);
    assert_string_equal(why, "front is given twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_reads_back),
        cmocka_unit_test(test_command_line_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
