/* Walks a second through every page-walk cache, on a stream with the locality of a GPU kernel:
 * one L4 and two L3 indices, L2 indices that repeat and drift. */
#include <stdio.h>

#include "base/clock.h"
#include "base/rng.h"
#include "model/translation/pwc.h"
#include "schema/parameters.h"

enum { WALKS = 4000000, ADDRESSES = 1 << 16 };

static uint64_t addresses[ADDRESSES];

static int measure(int organization, uint64_t entries)
{
    struct machine machine;
    machine_defaults(&machine);
    machine.pwc.organization = organization;
    machine.pwc.entries = entries;
    struct pwc *pwc;
    if (pwc_create(&machine.pwc, 4096, &pwc))
        return 1;
    double start = clock_seconds();
    for (unsigned i = 0; i < WALKS; i++)
        pwc_walk(pwc, addresses[i % ADDRESSES]);
    double elapsed = clock_seconds() - start;
    struct pwc_counts counts;
    pwc_read_counts(pwc, &counts);
    printf("%-4s %5llu entries  %7.1f Mwalk/s  %.3f accesses/walk\n", pwc_kinds[organization]->name,
           (unsigned long long)entries, 1e-6 * WALKS / elapsed,
           (double)counts.memory_accesses / (double)counts.walks);
    pwc_free(pwc);
    return 0;
}

int main(void)
{
    for (uint64_t i = 0; i < ADDRESSES; i++) {
        uint64_t draw = random_at(1, i);
        uint64_t region = (i >> 8) % 64 + random_below(draw, 40);
        addresses[i] = 0x7f7280000000 + (region << 21) + (draw & 0x1ff000);
    }
    static const uint64_t sizes[] = {8, 24, 62, 512, 65536};
    int failed = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int organization = PWC_TPC; organization < PWC_COUNT; organization++)
            failed |= measure(organization, sizes[i]);
    return failed;
}
