/* Regions: every access lies in one, they are apart and in order, and a source with few arrays far
 * from each other has as many regions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "model/gpu/issue.h"
#include "model/gpu/regions.h"
#include "workload/workload.h"

struct found {
    struct region *regions;
    size_t count;
};

static enum status begin(void *argument, const struct trace_launch *launch)
{
    (void)argument;
    (void)launch;
    return STATUS_OK;
}

static enum status go_on(void *argument, const struct issue_counts *counts)
{
    (void)argument;
    (void)counts;
    return STATUS_OK;
}

static enum status look(void *argument, const struct request *requests, size_t count)
{
    const struct found *found = argument;
    for (size_t i = 0; i < count; i++) {
        size_t inside = 0;
        for (size_t k = 0; k < found->count; k++)
            inside +=
                requests[i].address - found->regions[k].array.base < found->regions[k].array.bytes;
        assert_int_equal(inside, 1);
    }
    return STATUS_OK;
}

static void assert_regions(const char *workload, size_t count)
{
    struct trace_source *source;
    struct machine machine;
    struct found found;
    struct issue_counts counts;
    assert_int_equal(machine_load("gtx480", NULL, &machine, NULL, NULL), STATUS_OK);
    assert_int_equal(workload_open(workload, &source, NULL), STATUS_OK);
    assert_int_equal(regions_find(&machine, source, &found.regions, &found.count, NULL), STATUS_OK);
    assert_true(count ? found.count == count : found.count > 0 && found.count <= REGIONS_MOST);
    for (size_t i = 1; i < found.count; i++)
        assert_true(found.regions[i - 1].array.base + found.regions[i - 1].array.bytes <=
                    found.regions[i].array.base);
    const struct issue_sink sink = {
        .launch = begin, .requests = look, .progress = go_on, .argument = &found};
    assert_int_equal(issue_source(&machine, source, &sink, &counts, NULL), STATUS_OK);
    free(found.regions);
    trace_source_free(source);
}

static void all_accesses_lie_in_one(void **state)
{
    (void)state;
    assert_regions("GEMM:n=16", 1);             /* three arrays beside each other */
    assert_regions("GEMM:n=16,placement=1", 3); /* 2 MiB apart */
    /* Pages in 200 pieces of 2 MiB: more than there may be regions. */
    assert_regions("GEMM:n=512,placement=7,spread=200,nk=1", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_accesses_lie_in_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
