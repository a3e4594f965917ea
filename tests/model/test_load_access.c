/* What an instruction accesses (load_access.c): the order of a warp's atomics, and the place of
 * local memory. Each against the definition, on random warps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "model/timing/sm/load_store.h"
#include "model/timing/sm/sm.h"
#include "schema/parameters.h"
#include "schema/spaces.h"
#include "support/roll_cache.h"

enum { BLOCK = 32, TRANSACTIONS_MAX = WARP_SIZE };

/* An SM with one instruction in its latch, which accesses listed addresses. */
struct latch {
    struct machine machine;
    struct sm_machine shared;
    struct instruction instruction;
    struct sm_instruction code;
    struct op op;
    struct sm_warp warps[8];
    struct record_copy record;
    struct sm *sm;
};

static struct latch *latch_new(const struct warp_access *access, const uint64_t *addresses,
                               int order)
{
    struct latch *latch = calloc(1, sizeof *latch);
    assert_non_null(latch);
    latch->sm = calloc(1, sizeof *latch->sm);
    assert_non_null(latch->sm);
    machine_defaults(&latch->machine);
    latch->machine.coalescer = (struct coalescer_config){.arch = 70, .order = order};
    latch->shared = (struct sm_machine){.machine = &latch->machine,
                                        .spaces = machine_spaces(&latch->machine),
                                        .address_mask = UINT64_MAX};
    latch->code.code = &latch->instruction;
    latch->op.code = &latch->code;
    latch->record.access = *access;
    latch->record.access.flags = ACCESS_LISTED;
    memcpy(latch->record.lanes, addresses, sizeof latch->record.lanes);
    latch->sm->shared = &latch->shared;
    latch->sm->ops.items = &latch->op;
    latch->sm->records.items = &latch->record;
    latch->sm->warps = latch->warps;
    assert_int_equal(geometry_init(&latch->sm->load_store.l1d.geometry, &latch->machine.l1d),
                     STATUS_OK);
    return latch;
}

static void latch_free(struct latch *latch)
{
    free(latch->sm);
    free(latch);
}

/* ---- atomics ---- */

struct slow_transaction {
    uint64_t block;
    uint32_t touched; /* bytes of the block */
};

/* Each lane joins the first transaction on its block that has none of its bytes, or makes one. */
static unsigned slow_transactions(const uint64_t *addresses, unsigned lanes, unsigned bytes,
                                  struct slow_transaction *made)
{
    unsigned count = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const uint64_t block = addresses[lane] / BLOCK;
        const uint32_t mine = (uint32_t)(((UINT64_C(1) << bytes) - 1) << addresses[lane] % BLOCK);
        unsigned at = 0;
        while (at < count && (made[at].block != block || made[at].touched & mine))
            at++;
        if (at == count)
            made[count++] = (struct slow_transaction){block, 0};
        made[at].touched |= mine;
    }
    return count;
}

/* The highest block goes first, of a block the transaction that was made last; in rising order just
 * the other way round. Bytes count. */
static void atomics_go_block_by_block(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct dice dice = {.seed = seed};
        const unsigned bytes = roll(&dice, 2) ? 4 : 8;
        const uint64_t words = 1 + roll(&dice, 60);
        struct warp_access access = {.op = OP_ATOMIC, .space = SPACE_GLOBAL};
        uint64_t addresses[WARP_SIZE] = {0};
        struct slow_transaction made[TRANSACTIONS_MAX];
        access.bytes = (uint16_t)bytes;
        access.mask = (uint32_t)roll(&dice, UINT32_MAX);
        access.mask |= 1u << roll(&dice, 32);
        const unsigned lanes = bits_count(access.mask);
        for (unsigned i = 0; i < lanes; i++)
            addresses[i] = 0x7f0000000000 + roll(&dice, words) * bytes;
        const int order = (int)roll(&dice, 2);
        struct latch *latch = latch_new(&access, addresses, order);
        load_store_generate(latch->sm, 0);
        unsigned left = slow_transactions(addresses, lanes, bytes, made);
        assert_int_equal(latch->sm->load_store.access_count, left);
        for (uint32_t k = 0; k < latch->sm->load_store.access_count; k++, left--) {
            unsigned best = 0;
            for (unsigned i = 1; i < left; i++)
                best = made[i].block >= made[best].block ? i : best;
            const uint32_t place = order == ORDER_RISING ? left - 1 : k;
            const struct packet *packet = &latch->sm->load_store.accesses[place];
            assert_int_equal(packet->kind, PACKET_ATOMIC);
            assert_int_equal(packet->address, made[best].block * BLOCK);
            assert_int_equal(packet->touched, made[best].touched);
            memmove(&made[best], &made[best + 1], (left - best - 1) * sizeof *made);
        }
        latch_free(latch);
    }
}

/* Segments of 128 B, of which each sector is an access, leave in one order or the other. */
static void sectors_leave_in_order(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct dice dice = {.seed = seed};
        const int order = (int)roll(&dice, 2);
        struct warp_access access = {.op = OP_LOAD, .space = SPACE_GLOBAL, .bytes = 4};
        uint64_t addresses[WARP_SIZE] = {0};
        access.mask = UINT32_MAX;
        for (unsigned i = 0; i < WARP_SIZE; i++)
            addresses[i] = 0x7f0000000000 + 4 * roll(&dice, 300);
        struct latch *latch = latch_new(&access, addresses, order);
        latch->machine.coalescer.arch = 20;
        latch->machine.l1d.sector = 32;
        assert_int_equal(geometry_init(&latch->sm->load_store.l1d.geometry, &latch->machine.l1d),
                         STATUS_OK);
        load_store_generate(latch->sm, 0);
        const struct load_store *unit = &latch->sm->load_store;
        assert_true(unit->access_count > 1);
        for (uint32_t i = 1; i < unit->access_count; i++)
            assert_int_equal(unit->accesses[i].address > unit->accesses[i - 1].address,
                             order == ORDER_RISING);
        latch_free(latch);
    }
}

/* ---- local memory ---- */

/* Word w of a block's thread t in slot s of SM m. */
static uint64_t slow_place(const struct latch *latch, uint64_t word, uint64_t thread)
{
    const uint64_t threads = (uint64_t)latch->sm->warps_per_block * WARP_SIZE;
    const uint64_t sms = latch->machine.gpu.sms, slots = latch->sm->block_slots;
    const uint64_t slot = latch->sm->warps[latch->op.warp].block;
    return word * threads * slots * sms * 4 +
           4 * (threads * (latch->sm->number + sms * slot) + thread) + 0x1f880000;
}

static void local_memory_has_its_place(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct dice dice = {.seed = seed};
        struct warp_access access = {.op = OP_LOAD, .space = SPACE_LOCAL, .bytes = 4};
        uint64_t addresses[WARP_SIZE] = {0}, words[WARP_SIZE];
        const uint64_t first = WARP_SIZE * roll(&dice, 5000);
        access.mask = UINT32_MAX;
        for (unsigned i = 0; i < WARP_SIZE; i++) {
            words[i] = roll(&dice, 3) ? 7 : roll(&dice, 1 << 22);
            addresses[i] = LOCAL_UNPLACED + words[i] * LOCAL_WORD_STRIDE + 4 * (first + i);
        }
        struct latch *latch = latch_new(&access, addresses, ORDER_FALLING);
        latch->machine.gpu.sms = 1 + roll(&dice, 80);
        latch->sm->number = (uint16_t)roll(&dice, latch->machine.gpu.sms);
        latch->sm->block_slots = 1 + (uint32_t)roll(&dice, 8);
        latch->sm->warps_per_block = 1 + (uint32_t)roll(&dice, 8);
        latch->op.warp = (uint16_t)roll(&dice, 8);
        latch->warps[latch->op.warp].block = (uint16_t)roll(&dice, latch->sm->block_slots);
        load_store_generate(latch->sm, 0);
        const uint64_t thread = latch->op.warp % latch->sm->warps_per_block * WARP_SIZE;
        for (unsigned i = 0; i < WARP_SIZE; i++) {
            const uint64_t place = slow_place(latch, words[i], thread + i);
            unsigned found = 0;
            for (uint32_t k = 0; k < latch->sm->load_store.access_count; k++)
                found += place - latch->sm->load_store.accesses[k].address <
                         latch->sm->load_store.accesses[k].bytes;
            assert_int_equal(found, 1);
        }
        latch_free(latch);
    }
}

/* Addresses that a source has chosen stay where they are. */
static void other_local_memory_stays(void **state)
{
    (void)state;
    struct warp_access access = {.op = OP_LOAD, .space = SPACE_LOCAL, .bytes = 4, .mask = 1};
    const uint64_t addresses[WARP_SIZE] = {0x3fc00000};
    struct latch *latch = latch_new(&access, addresses, ORDER_FALLING);
    latch->sm->block_slots = latch->sm->warps_per_block = 1;
    load_store_generate(latch->sm, 0);
    assert_int_equal(latch->sm->load_store.access_count, 1);
    assert_int_equal(latch->sm->load_store.accesses[0].address, 0x3fc00000);
    latch_free(latch);
}

/* ---- banks ---- */

/* Lines that follow each other are looked up at once, as many as there are tags; the next ones wait
 * for another cycle. Each has the banks of its place, one for each sector of a line. */
static void lines_have_the_banks_of_their_place(void **state)
{
    (void)state;
    const struct warp_access access = {.op = OP_LOAD, .space = SPACE_GLOBAL, .bytes = 4, .mask = 1};
    static const uint64_t addresses[WARP_SIZE];
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct dice dice = {.seed = seed};
        struct latch *latch = latch_new(&access, addresses, ORDER_FALLING);
        struct load_store *unit = &latch->sm->load_store;
        const uint32_t tags = 1 + (uint32_t)roll(&dice, 5);
        const uint64_t line = latch->machine.l1d.line, sector = 32;
        uint64_t lines[WARP_SIZE];
        latch->machine.l1d.sector = sector;
        latch->machine.l1d.tags = tags;
        latch->shared.l1_sectors = (uint32_t)(line / sector);
        latch->shared.l1_banks = tags * latch->shared.l1_sectors;
        latch->shared.l1_waits = PACKET_WAITS;
        assert_int_equal(geometry_init(&unit->l1d.geometry, &latch->machine.l1d), STATUS_OK);
        unit->access_count = 1 + (uint32_t)roll(&dice, WARP_SIZE);
        for (uint32_t i = 0; i < unit->access_count; i++) {
            lines[i] = i && roll(&dice, 2) ? lines[i - 1] : roll(&dice, 6);
            unit->accesses[i] =
                (struct packet){.address = lines[i] * line + roll(&dice, line / sector) * sector};
        }
        load_store_choose_banks(latch->sm);
        for (uint32_t i = 0, changes = 0; i < unit->access_count; i++) {
            const struct packet *packet = &unit->accesses[i];
            const bool other = i && lines[i] != lines[i - 1];
            changes += other;
            assert_int_equal(packet->bank,
                             changes % tags * (line / sector) + packet->address % line / sector);
            assert_int_equal((packet->flags & PACKET_WAITS) != 0, other && changes % tags == 0);
        }
        latch_free(latch);
    }
}

/* Of lanes that go together, a wavefront for each word that they ask the same bank for. */
static uint64_t slow_wavefronts(const uint64_t *addresses, unsigned lanes, unsigned bytes)
{
    enum { BANKS = 32, WORD = 4 };
    const unsigned words = bytes > WORD ? bytes / WORD : 1, together = BANKS / words;
    uint64_t all = 0;
    for (unsigned first = 0; first < lanes; first += together) {
        const unsigned end = first + together < lanes ? first + together : lanes;
        unsigned most = 0;
        for (unsigned bank = 0; bank < BANKS; bank++) {
            uint64_t asked[WARP_SIZE];
            unsigned count = 0;
            for (unsigned i = first * words; i < end * words; i++) {
                const uint64_t word = addresses[i / words] / WORD + i % words;
                unsigned at = 0;
                while (at < count && asked[at] != word)
                    at++;
                asked[at] = word;
                count += word % BANKS == bank && at == count;
            }
            most = count > most ? count : most;
        }
        all += most;
    }
    return all;
}

/* On few words, so that many instructions stay within 128 B. */
static void words_in_one_bank_take_wavefronts(void **state)
{
    (void)state;
    unsigned alone = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct dice dice = {.seed = seed};
        const unsigned bytes = 1u << roll(&dice, 5), spread = 1u << roll(&dice, 9);
        struct warp_access access = {.op = OP_LOAD, .space = SPACE_GLOBAL};
        uint64_t addresses[WARP_SIZE] = {0};
        access.bytes = (uint16_t)bytes;
        access.mask = (uint32_t)roll(&dice, UINT32_MAX) | 1;
        const unsigned lanes = bits_count(access.mask);
        for (unsigned i = 0; i < lanes; i++)
            addresses[i] = 0x7f0000000000 + (roll(&dice, 4) + roll(&dice, spread)) * bytes;
        struct latch *latch = latch_new(&access, addresses, ORDER_FALLING);
        latch->machine.l1d.tags = latch->machine.l1d.wavefront = latch->machine.l1d.load_cycles = 1;
        load_store_generate(latch->sm, 0);
        const uint64_t cycles = load_store_data_cycles(latch->sm, &latch->record);
        assert_int_equal(cycles, slow_wavefronts(addresses, lanes, bytes));
        alone += cycles == 1;
        latch_free(latch);
    }
    assert_in_range(alone, 200, 1800);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_go_block_by_block),
        cmocka_unit_test(sectors_leave_in_order),
        cmocka_unit_test(local_memory_has_its_place),
        cmocka_unit_test(other_local_memory_stays),
        cmocka_unit_test(lines_have_the_banks_of_their_place),
        cmocka_unit_test(words_in_one_bank_take_wavefronts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
