#include "support/tile_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/tile/tile_run.h"
#include "support/roll_tiles.h"
#include "support/slow_tiles.h"
#include "support/tile_trial.h"

void tile_twin_check(uint64_t seed)
{
    struct dice dice = {.seed = seed};
    struct machine machine;
    struct tile_run run;
    struct tile_trial *trial = tile_trial_random(seed, 1 + roll(&dice, 400), 1 + roll(&dice, 40));
    struct tile_run_options options = {.carry = false};
    roll_tiles(&dice, (int)roll(&dice, TILE_BINNED), &machine);
    if (!roll(&dice, 3))
        ideal_add(&options.ideals, IDEAL_TILE_PORTS);
    if (!roll(&dice, 3))
        ideal_add(&options.ideals, IDEAL_TILE_BANKS);
    assert_int_equal(tile_run_open(&run, &machine, &trial->stream, &options, NULL, NULL),
                     STATUS_OK);
    assert_int_equal(tile_run_advance(&run, UINT64_MAX, NULL), STATUS_OK);
    const struct slow_tiles slow = slow_tiles_run(&machine, options.ideals, trial);
    const struct tile_counts *counts = &run.tiles.counts;
    assert_int_equal(counts->cycles, slow.cycles);
    assert_int_equal(counts->reads, slow.reads);
    assert_int_equal(counts->loaded, slow.loaded);
    assert_int_equal(counts->stored, slow.stored);
    assert_int_equal(counts->banks.cleared, slow.cleared);
    assert_int_equal(counts->banks.accesses, slow.accesses);
    assert_int_equal(counts->banks.misses, slow.misses);
    assert_int_equal(counts->banks.chained, slow.chained);
    assert_int_equal(counts->banks.unread, slow.unread);
    assert_int_equal(counts->banks.longest, slow.longest);
    assert_int_equal(counts->banks.prefetches, slow.prefetches);
    assert_int_equal(counts->banks.cache_writes, slow.cache_writes);
    assert_int_equal(counts->banks.refills, slow.refills);
    assert_int_equal(counts->banks.tag_updates, slow.tag_updates);
    assert_int_equal(counts->banks.writebacks, slow.writebacks);
    for (int i = BANK_RUNS + 1; i < BANK_STALLS; i++)
        assert_int_equal(counts->banks.stalls[i], slow.stalls[i]);
    assert_int_equal(counts->input_stalls, slow.input_stalls);
    assert_int_equal(counts->bank_stalls, slow.bank_stalls);
    assert_int_equal(counts->queue_sum, slow.queue_sum);
    assert_int_equal(counts->queue_p99, slow.queue_p99);
    tile_run_close(&run);
    tile_trial_free(trial);
}
