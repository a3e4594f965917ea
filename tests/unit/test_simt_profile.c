/* What a program issues by instruction, against its stream and against what is known of one lane.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "workload/simt/disassembler.h"
#include "workload/simt/simt_profile.h"
#include "workload/simt/simt_source.h"

static struct trace_source *open_program(const char *name)
{
    struct trace_source *source;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(workload_open(name, &source, &diagnostics), STATUS_OK);
    assert_non_null(simt_source_program(source));
    return source;
}

static struct simt_profile profile_of(const struct simt_program *program)
{
    struct simt_profile profile;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(simt_profile_run(program, NULL, NULL, &profile, &diagnostics), STATUS_OK);
    return profile;
}

static void instructions_add_up(void **state)
{
    (void)state;
    static const char *const names[] = {"simt-line:n=16", "simt-sort:n=32,warps=4",
                                        "simt-fft:n=16,lanes=4", "simt-vertex:n=16,blocks=2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct trace_source *source = open_program(names[i]);
        const struct simt_program *program = simt_source_program(source);
        struct simt_profile profile = profile_of(program);
        uint64_t issued = 0, lanes = 0;
        for (uint32_t k = 0; k < program->image.text_size / 4; k++) {
            const struct simt_pc_count *count = &profile.pcs[k];
            assert_true(count->lanes >= count->issued);
            assert_true(count->lanes <= count->issued * program->setup.lanes);
            issued += count->issued;
            lanes += count->lanes;
        }
        assert_true(issued == profile.issued && lanes == profile.lanes && issued > 100);
        assert_true(profile.stores > 0 && profile.jumps > 0);
        simt_profile_free(&profile);
        trace_source_free(source);
    }
}

/* A single lane is never idle, and executes what the lanes of more would between them. */
static void one_lane_is_efficient(void **state)
{
    (void)state;
    struct trace_source *source = open_program("simt-line:n=16,warps=1,lanes=1");
    const struct simt_program *program = simt_source_program(source);
    struct simt_profile profile = profile_of(program);
    assert_true(simt_efficiency(program, profile.issued, profile.lanes) == 1);
    assert_true(simt_efficiency(program, 0, 0) == 0);
    simt_profile_free(&profile);
    trace_source_free(source);
}

static void instructions_have_texts(void **state)
{
    (void)state;
    struct trace_source *source = open_program("simt-loop");
    const struct simt_program *program = simt_source_program(source);
    char text[SIMT_TEXT_BYTES];
    assert_int_equal(simt_profile_text(program, 1, text), program->image.text + 4);
    assert_true(strlen(text) > 2);
    trace_source_free(source);
}

static void it_can_be_cancelled(void **state)
{
    (void)state;
    struct trace_source *source = open_program("simt-loop:n=100000");
    struct simt_profile profile;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const atomic_bool cancel = true;
    assert_int_equal(
        simt_profile_run(simt_source_program(source), NULL, &cancel, &profile, &diagnostics),
        STATUS_CANCELLED);
    simt_profile_free(&profile);
    trace_source_free(source);
}

static void other_sources_have_no_program(void **state)
{
    (void)state;
    struct trace_source *source;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(workload_open("2DCONV:n=64", &source, &diagnostics), STATUS_OK);
    assert_null(simt_source_program(source));
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_add_up),           cmocka_unit_test(one_lane_is_efficient),
        cmocka_unit_test(instructions_have_texts),       cmocka_unit_test(it_can_be_cancelled),
        cmocka_unit_test(other_sources_have_no_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
