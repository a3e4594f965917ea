/* Lists of addresses against a cache simulator that knows no warps and no coalescer: each access
 * looks up the lines that it touches, whatever their size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/rng.h"
#include "model/evaluate.h"
#include "tests/support/temporary.h"
#include "trace/trace_file.h"

enum { ACCESSES = 3000, WAYS_MAX = 4, SETS_MAX = 64 };

struct access {
    uint64_t address;
    unsigned bytes;
    bool store;
};

struct counts {
    uint64_t accesses, misses;
};

/* LRU, write back, stores allocate: lists of tags, the last used first. */
static struct counts simulate(const struct access *list, unsigned line, unsigned sets,
                              unsigned ways)
{
    static uint64_t tags[SETS_MAX][WAYS_MAX];
    struct counts counts = {0};
    memset(tags, 0xff, sizeof tags);
    for (size_t i = 0; i < ACCESSES; i++) {
        const uint64_t last = (list[i].address + list[i].bytes - 1) / line;
        for (uint64_t at = list[i].address / line; at <= last; at++) {
            uint64_t *set = tags[at % sets];
            unsigned way = 0;
            while (way < ways && set[way] != at)
                way++;
            counts.accesses++;
            counts.misses += way == ways;
            way -= way == ways;
            memmove(set + 1, set, way * sizeof *set);
            set[0] = at;
        }
    }
    return counts;
}

static struct trace_source *open_list(const struct access *list)
{
    char *text = malloc(ACCESSES * 32), path[TEMPORARY_PATH];
    size_t used = 0;
    struct trace_source *source;
    assert_non_null(text);
    for (size_t i = 0; i < ACCESSES; i++)
        used += (size_t)sprintf(text + used, "%c %llx %x\n", list[i].store ? 'w' : 'r',
                                (unsigned long long)list[i].address, list[i].bytes);
    temporary_file(temporary_folder, "list.din", text, used, path);
    free(text);
    assert_int_equal(trace_open(path, NULL, &source, NULL), STATUS_OK);
    return source;
}

static void test_caches_of_any_line(void **state)
{
    (void)state;
    static struct access list[ACCESSES];
    for (uint64_t seed = 0; seed < 40; seed++) {
        uint64_t draw = 0;
        for (size_t i = 0; i < ACCESSES; i++) {
            const unsigned bytes = 1u << random_at(seed, draw++) % 4;
            list[i] =
                (struct access){random_below(random_at(seed, draw++), 1 << 13) & -(uint64_t)bytes,
                                bytes, random_at(seed, draw++) % 3 == 0};
        }
        struct machine machine;
        machine_defaults(&machine);
        const unsigned line = 16u << random_at(seed, draw++) % 4,
                       ways = 1u << random_at(seed, draw++) % 3;
        const unsigned sets = 4u << random_at(seed, draw++) % 5;
        machine.gpu.sms = 1;
        machine.coalescer.arch = random_at(seed, draw++) % 2 ? 20 : 70;
        machine.l1d.line = line;
        machine.l1d.sector = line;
        machine.l1d.ways = ways;
        machine.l1d.size = (uint64_t)line * sets * ways;
        machine.l1d.index = INDEX_MODULO;
        machine.l1d.replacement = REPLACEMENT_LRU;
        machine.l1d.write = WRITE_BACK;
        machine.l1d.write_allocate = WRITE_ALLOCATE_FETCH;
        machine.l1d.flush = 0;
        machine.l2.enabled = 0;
        machine.tlb.enabled = 0;
        struct trace_source *source = open_list(list);
        struct metrics metrics;
        assert_int_equal(evaluate(&machine, source, NULL, &metrics, NULL), STATUS_OK);
        const struct counts expected = simulate(list, line, sets, ways);
        assert_true(metrics.l1d_accesses == (double)expected.accesses);
        assert_true(metrics.l1d_misses == (double)expected.misses);
        assert_true(metrics.stream_transactions == ACCESSES);
        trace_source_free(source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_caches_of_any_line)};
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
