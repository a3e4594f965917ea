/* The walkers against a twin that goes cycle by cycle through lists, and what must hold of them
 * whatever the stream. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/cache/partition.h"
#include "model/evaluate.h"
#include "model/lru/cache_batch.h"
#include "model/pass/request_log.h"
#include "model/translation/page_table.h"
#include "model/translation/pwc.h"
#include "model/translation/waits.h"
#include "model/translation/walk_unit.h"
#include "model/translation/walkers.h"
#include "schema/parameters.h"
#include "support/list_source.h"
#include "support/sanitized.h"

struct arrival {
    uint32_t instruction;
    uint64_t page;
};

/* Walks whose cost depends on the walks before, as with a page-walk cache: short where one of the
 * last two was near. */
struct toy_costs {
    uint64_t last[2];
    uint64_t base, step;
};

static bool is_near(const struct toy_costs *toy, uint64_t page)
{
    return toy->last[0] == page / 4 || toy->last[1] == page / 4;
}

static unsigned toy_estimate(void *argument, uint64_t page)
{
    return is_near(argument, page) ? 1 : 2 + (unsigned)(page % 3);
}

static uint64_t toy_begin(void *argument, uint64_t page, bool counted)
{
    (void)counted;
    struct toy_costs *toy = argument;
    uint64_t cycles = toy->base + toy->step * toy_estimate(toy, page);
    toy->last[1] = toy->last[0];
    toy->last[0] = page / 4;
    return cycles;
}

static struct toy_costs toy_create(uint64_t base, uint64_t step)
{
    return (struct toy_costs){{UINT64_MAX, UINT64_MAX}, base, step};
}

static struct walk_costs toy_interface(struct toy_costs *toy)
{
    return (struct walk_costs){toy_estimate, toy_begin, toy};
}

/* ---- the twin ---- */

enum twin_state { TWIN_OUTSIDE, TWIN_WAITS, TWIN_JOINED, TWIN_BEGUN };

struct twin_request {
    uint32_t instruction;
    uint64_t page, issued, end;
    bool is_issued;
    unsigned estimate;
    enum twin_state state;
    size_t leader; /* of one that joined */
};

struct twin {
    const struct walker_config *config;
    struct toy_costs *toy;
    struct twin_request *requests;
    size_t count, entered;
    uint64_t cycle, free_at[8];
    size_t last; /* taken last, or SIZE_MAX */
    uint64_t waits[4096];
    size_t begun;
    struct walkers_counts counts;
};

static size_t twin_entries(const struct twin *twin)
{
    size_t entries = 0;
    for (size_t i = 0; i < twin->entered; i++)
        entries += twin->requests[i].state == TWIN_WAITS || twin->requests[i].state == TWIN_JOINED;
    return entries;
}

static uint64_t twin_score(const struct twin *twin, uint32_t instruction)
{
    uint64_t score = 0;
    for (size_t i = 0; i < twin->entered; i++)
        if (twin->requests[i].state == TWIN_WAITS && twin->requests[i].instruction == instruction)
            score += twin->requests[i].estimate;
    return score;
}

static size_t twin_choose(const struct twin *twin)
{
    size_t oldest = SIZE_MAX, best = SIZE_MAX, overtaken = 0;
    for (size_t i = 0; i < twin->entered; i++) {
        const struct twin_request *request = &twin->requests[i];
        if (request->state == TWIN_WAITS && oldest == SIZE_MAX)
            oldest = i;
        /* A walk of its own that came later and has begun. */
        overtaken += oldest != SIZE_MAX && request->state == TWIN_BEGUN && request->leader == i;
    }
    if (oldest == SIZE_MAX || twin->config->policy == WALKER_FCFS ||
        overtaken >= twin->config->patience)
        return oldest;
    for (size_t i = 0; i < twin->entered; i++) {
        const struct twin_request *request = &twin->requests[i];
        if (request->state != TWIN_WAITS)
            continue;
        if (twin->last != SIZE_MAX &&
            request->instruction == twin->requests[twin->last].instruction)
            return i;
        if (best == SIZE_MAX || twin_score(twin, request->instruction) <
                                    twin_score(twin, twin->requests[best].instruction))
            best = i;
    }
    return best;
}

static bool twin_take(struct twin *twin)
{
    size_t walker = 0, chosen = twin_choose(twin);
    for (size_t w = 1; w < twin->config->count; w++)
        if (twin->free_at[w] < twin->free_at[walker])
            walker = w;
    if (chosen == SIZE_MAX || twin->free_at[walker] > twin->cycle)
        return false;
    struct twin_request *request = &twin->requests[chosen];
    uint64_t cycles = toy_begin(twin->toy, request->page, true);
    twin->free_at[walker] = twin->cycle + cycles;
    twin->last = chosen;
    twin->counts.walks++;
    twin->counts.busy += cycles;
    twin->counts.wait += twin->cycle - request->issued;
    twin->waits[twin->begun++] = twin->cycle - request->issued;
    request->leader = chosen;
    for (size_t i = 0; i < twin->entered; i++) {
        struct twin_request *other = &twin->requests[i];
        bool served = i == chosen || (other->state == TWIN_JOINED && other->leader == chosen);
        if (!served)
            continue;
        other->state = TWIN_BEGUN;
        other->end = twin->cycle + cycles;
    }
    return true;
}

static void twin_enter(struct twin *twin)
{
    struct twin_request *request = &twin->requests[twin->entered];
    request->state = TWIN_WAITS;
    request->estimate = toy_estimate(twin->toy, request->page);
    request->leader = twin->entered;
    for (size_t i = 0; i < twin->entered && twin->config->merge; i++) {
        const struct twin_request *other = &twin->requests[i];
        if (other->page != request->page || other->leader != i ||
            (other->state == TWIN_BEGUN && other->end <= twin->cycle))
            continue;
        request->state = other->state == TWIN_BEGUN ? TWIN_BEGUN : TWIN_JOINED;
        request->leader = i;
        request->end = other->end;
        twin->counts.merged++;
        break;
    }
    twin->entered++;
}

/* Lets enter what is issued in this cycle; true where the buffer holds something up. */
static bool twin_issue(struct twin *twin, uint64_t sms)
{
    while (twin->entered < twin->count) {
        struct twin_request *request = &twin->requests[twin->entered];
        bool first = !twin->entered || request[-1].instruction != request->instruction;
        uint64_t time = request->instruction * twin->config->interval / sms + twin->counts.stalled;
        if (first && !request->is_issued && time > twin->cycle)
            return false;
        if (!request->is_issued)
            request->issued = first ? twin->cycle : request[-1].issued;
        request->is_issued = true;
        while (twin_entries(twin) == twin->config->queue)
            if (!twin_take(twin))
                return true;
        twin_enter(twin);
    }
    return false;
}

static void twin_sum(struct twin *twin)
{
    for (size_t i = 0; i < twin->count;) {
        uint64_t last = 0;
        const struct twin_request *first = &twin->requests[i];
        for (; i < twin->count && twin->requests[i].instruction == first->instruction; i++) {
            twin->counts.latency += twin->requests[i].end - first->issued;
            last = twin->requests[i].end > last ? twin->requests[i].end : last;
        }
        twin->counts.instructions++;
        twin->counts.instruction_latency += last - first->issued;
    }
}

static int compare_waits(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

static void twin_run(const struct walker_config *config, uint64_t sms, struct toy_costs *toy,
                     const struct arrival *arrivals, size_t count, struct walkers_counts *counts)
{
    struct twin *twin = calloc(1, sizeof *twin);
    assert_non_null(twin);
    twin->config = config;
    twin->toy = toy;
    twin->last = SIZE_MAX;
    twin->count = count;
    twin->requests = calloc(count, sizeof *twin->requests);
    assert_non_null(twin->requests);
    for (size_t i = 0; i < count; i++) {
        twin->requests[i].instruction = arrivals[i].instruction;
        twin->requests[i].page = arrivals[i].page;
    }
    uint64_t until = 0, last_issue = 0;
    for (;; twin->cycle++) {
        bool held = twin_issue(twin, sms);
        while (twin_take(twin))
            ;
        if (twin->entered == count && !twin_entries(twin))
            break;
        twin->counts.stalled += held;
    }
    twin_sum(twin);
    for (size_t i = 0; i < count; i++)
        last_issue = twin->requests[i].issued;
    for (size_t w = 0; w < config->count; w++)
        until = twin->free_at[w] > until ? twin->free_at[w] : until;
    twin->counts.span = until > last_issue ? until : last_issue;
    qsort(twin->waits, twin->begun, sizeof *twin->waits, compare_waits);
    size_t rank = (size_t)ceil(0.99 * (double)twin->begun);
    twin->counts.wait_p99 = waits_longest(waits_step(twin->waits[rank - 1]));
    *counts = twin->counts;
    free(twin->requests);
    free(twin);
}

/* ---- streams ---- */

enum { ARRIVALS = 400 };

static void draw_arrivals(uint64_t seed, struct arrival arrivals[ARRIVALS])
{
    uint64_t draw = 0, pages = 4 + random_below(random_at(seed, draw++), 60);
    uint32_t instruction = (uint32_t)random_below(random_at(seed, draw++), 20);
    for (size_t i = 0; i < ARRIVALS;) {
        uint64_t requests = 1 + random_below(random_at(seed, draw++), 6);
        for (; requests && i < ARRIVALS; requests--, i++)
            arrivals[i] =
                (struct arrival){instruction, random_below(random_at(seed, draw++), pages)};
        instruction += 1 + (uint32_t)random_below(random_at(seed, draw++), 4);
    }
}

static struct walker_config draw_config(uint64_t seed)
{
    static const uint64_t patience[] = {0, 1, 5, 2000000};
    return (struct walker_config){
        .count = 1 + random_below(random_at(seed, 1001), 5),
        .queue = 1 + random_below(random_at(seed, 1002), 30),
        .policy = (int)random_below(random_at(seed, 1003), 2),
        .patience = patience[random_below(random_at(seed, 1004), 4)],
        .merge = (int)random_below(random_at(seed, 1005), 2),
        .interval = random_below(random_at(seed, 1006), 40),
    };
}

static struct walkers_counts run(const struct walker_config *config, uint64_t sms,
                                 struct toy_costs *toy, const struct arrival *arrivals)
{
    const struct walk_costs costs = toy_interface(toy);
    struct walkers *walkers;
    struct walkers_counts counts;
    assert_int_equal(walkers_create(config, sms, &costs, &walkers), STATUS_OK);
    for (size_t i = 0; i < ARRIVALS; i++)
        assert_int_equal(walkers_arrive(walkers, arrivals[i].instruction, arrivals[i].page),
                         STATUS_OK);
    walkers_finish(walkers);
    walkers_read_counts(walkers, &counts);
    walkers_free(walkers);
    return counts;
}

#define CHECK(field)                                                                               \
    if (fast.field != slow.field)                                                                  \
    fail_msg("seed %llu: " #field " %llu, twin %llu", (unsigned long long)seed,                    \
             (unsigned long long)fast.field, (unsigned long long)slow.field)

static void equal_to_the_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(400); seed++) {
        struct arrival arrivals[ARRIVALS];
        struct walker_config config = draw_config(seed);
        uint64_t sms = 1 + seed % 4, step = random_below(random_at(seed, 1007), 30);
        struct toy_costs one = toy_create(seed % 3, step), two = one;
        struct walkers_counts fast, slow;
        draw_arrivals(seed, arrivals);
        fast = run(&config, sms, &one, arrivals);
        twin_run(&config, sms, &two, arrivals, ARRIVALS, &slow);
        CHECK(walks);
        CHECK(merged);
        CHECK(wait);
        CHECK(wait_p99);
        CHECK(latency);
        CHECK(instructions);
        CHECK(instruction_latency);
        CHECK(busy);
        CHECK(stalled);
        CHECK(span);
        assert_int_equal(fast.walks + fast.merged, ARRIVALS);
    }
}

/* Where every walk takes as long, no order makes walkers idle: all policies start walks at the same
 * cycles and differ in who waits, not in how much is waited. */
static void order_conserves_work_and_waiting(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROLLS(100); seed++) {
        struct arrival arrivals[ARRIVALS];
        struct walker_config config = draw_config(seed);
        draw_arrivals(seed, arrivals);
        config.merge = 0;
        config.queue = ARRIVALS;
        config.policy = WALKER_FCFS;
        struct toy_costs toy = toy_create(17, 0);
        struct walkers_counts slow = run(&config, 3, &toy, arrivals), fast;
        config.policy = WALKER_SJF;
        fast = run(&config, 3, &toy, arrivals);
        CHECK(walks);
        CHECK(busy);
        CHECK(wait);
        CHECK(latency);
        CHECK(span);
        assert_int_equal(fast.busy, 17 * ARRIVALS);
        assert_int_equal(fast.stalled, 0);
    }
}

/* All are there at once, one walker: then shortest job first is the least that instructions can
 * wait on average, and with one request an instruction the order of cost. */
static void short_jobs_first_is_best_for_one_walker(void **state)
{
    (void)state;
    unsigned better = 0;
    for (uint64_t seed = 0; seed < ROLLS(100); seed++) {
        struct arrival arrivals[ARRIVALS];
        struct walker_config config = {.count = 1, .queue = ARRIVALS, .patience = UINT32_MAX};
        draw_arrivals(seed, arrivals);
        struct toy_costs toy = toy_create(17, 0);
        struct walkers_counts fcfs = run(&config, 1, &toy, arrivals);
        config.policy = WALKER_SJF;
        struct walkers_counts sjf = run(&config, 1, &toy, arrivals);
        assert_int_equal(fcfs.instructions, sjf.instructions);
        assert_true(sjf.instruction_latency <= fcfs.instruction_latency);
        better += sjf.instruction_latency < fcfs.instruction_latency;
    }
    assert_true(better >= ROLLS(91));
}

static uint64_t served[ARRIVALS];
static size_t served_count;

static unsigned page_estimate(void *argument, uint64_t page)
{
    (void)argument;
    return (unsigned)(page % 100);
}

static uint64_t page_begin(void *argument, uint64_t page, bool counted)
{
    (void)argument, (void)counted;
    served[served_count++] = page;
    return 1000;
}

static void expect_order(const struct walker_config *config, const struct arrival *arrivals,
                         size_t count, const uint64_t *expected)
{
    const struct walk_costs costs = {page_estimate, page_begin, NULL};
    struct walkers *walkers;
    served_count = 0;
    assert_int_equal(walkers_create(config, 1, &costs, &walkers), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(walkers_arrive(walkers, arrivals[i].instruction, arrivals[i].page),
                         STATUS_OK);
    walkers_finish(walkers);
    walkers_free(walkers);
    assert_int_equal(served_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(served[i], expected[i]);
}

static void the_scheduler_by_hand(void **state)
{
    (void)state;
    /* Pages of instruction 1 cost 4 each, 2: 1 each, 3: 3, 4: 2. All come at cycle 0. */
    static const struct arrival arrivals[] = {{1, 104}, {1, 204}, {2, 101}, {2, 201},
                                              {2, 301}, {3, 103}, {4, 102}};
    struct walker_config config = {.count = 1, .queue = 8, .patience = 100};
    config.policy = WALKER_SJF;
    /* Scores 8, 3, 3, 2: instruction 4, then 2 as it is older than 3 and to its end, 3, 1. */
    expect_order(&config, arrivals, 7, (uint64_t[]){102, 101, 201, 301, 103, 104, 204});
    /* The oldest lets three younger ones pass; then its instruction goes on. */
    config.patience = 3;
    expect_order(&config, arrivals, 7, (uint64_t[]){102, 101, 201, 104, 204, 301, 103});
    /* Room for four: 104, 204, 101 and 201 are there when the first is taken. */
    config.patience = 100;
    config.queue = 4;
    expect_order(&config, arrivals, 7, (uint64_t[]){101, 201, 301, 102, 103, 104, 204});
    config.policy = WALKER_FCFS;
    expect_order(&config, arrivals, 7, (uint64_t[]){104, 204, 101, 201, 301, 103, 102});
}

static void one_request_an_instruction_goes_by_cost(void **state)
{
    (void)state;
    static const struct arrival arrivals[] = {{1, 9}, {2, 3}, {3, 7}, {4, 3}, {5, 1}};
    struct walker_config config = {
        .count = 1, .queue = 8, .policy = WALKER_SJF, .patience = UINT32_MAX};
    expect_order(&config, arrivals, 5, (uint64_t[]){1, 3, 3, 7, 9});
}

static void instructions_may_wrap(void **state)
{
    (void)state;
    struct walker_config config = {.count = 1, .queue = 8, .interval = 10};
    struct toy_costs toy = toy_create(3, 0);
    const struct walk_costs costs = toy_interface(&toy);
    struct walkers *walkers;
    struct walkers_counts counts;
    assert_int_equal(walkers_create(&config, 1, &costs, &walkers), STATUS_OK);
    walkers_count(walkers, false);
    assert_int_equal(walkers_arrive(walkers, UINT32_MAX - 1, 1), STATUS_OK);
    walkers_count(walkers, true);
    assert_int_equal(walkers_arrive(walkers, 3, 2), STATUS_OK);
    walkers_finish(walkers);
    walkers_read_counts(walkers, &counts);
    assert_int_equal(counts.span, 10 * 5 + 3);
    assert_int_equal(counts.walks, 1); /* the first was waiting when counting began */
    assert_int_equal(counts.instructions, 1);
    assert_int_equal(counts.wait, 0);
    walkers_free(walkers);
}

static void illegal_walkers(void **state)
{
    (void)state;
    struct toy_costs toy = toy_create(3, 0);
    const struct walk_costs costs = toy_interface(&toy);
    struct walkers *walkers;
    struct walker_config config = {.count = 0, .queue = 8};
    assert_int_equal(walkers_create(&config, 1, &costs, &walkers), STATUS_INVALID);
    config = (struct walker_config){.count = 1, .queue = 0};
    assert_int_equal(walkers_create(&config, 1, &costs, &walkers), STATUS_INVALID);
    walkers_free(walkers);
}

static void waits_are_kept_within_a_64th(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t cycles = random_at(5, i) >> random_below(random_at(6, i), 64);
        unsigned step = waits_step(cycles);
        assert_in_range(step, 0, WAIT_STEPS - 1);
        assert_true(waits_longest(step) >= cycles);
        assert_true(waits_longest(step) - cycles <= cycles / 64);
        assert_true(waits_step(waits_longest(step)) == step);
    }
    assert_int_equal(waits_longest(waits_step(UINT64_MAX)), UINT64_MAX);
}

/* A probe says what the walk that follows reads, and leaves no trace. */
static void estimates_are_what_a_walk_would_read(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {4096, 2097152};
    for (int organization = 0; organization < PWC_COUNT; organization++)
        for (uint64_t seed = 0; seed < ROLLS(40); seed++) {
            struct machine machine;
            struct pwc *pwc, *alone;
            machine_defaults(&machine);
            machine.pwc.organization = organization;
            machine.pwc.entries = 8;
            machine.pwc.invalidate = seed & 1;
            uint64_t page_size = sizes[seed / 2 % 2];
            assert_int_equal(pwc_create(&machine.pwc, page_size, &pwc), STATUS_OK);
            assert_int_equal(pwc_create(&machine.pwc, page_size, &alone), STATUS_OK);
            for (uint64_t i = 0; i < 500; i++) {
                uint64_t draw = random_at(seed, i);
                uint64_t address = (draw & 3) << 39 | (draw >> 2 & 3) << 30 |
                                   (draw >> 4 & 7) << 21 | (draw >> 7 & 15) << 12;
                unsigned expected = pwc_probe(pwc, address);
                enum pwc_hit hit = pwc_walk(pwc, address);
                assert_int_equal(page_levels(page_size) - (unsigned)hit, expected);
                assert_int_equal(pwc_walk(alone, address), hit);
            }
            pwc_free(pwc);
            pwc_free(alone);
        }
}

/* First come, first served is the order of the stream: the walkers change no count. */
static void fcfs_walks_in_the_order_of_the_stream(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROLLS(10); seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 60, 40000);
        struct machine machine;
        struct metrics plain, timed;
        const struct evaluate_options options = {.needs = NEED_TIMES(STAGE_PWC)};
        machine_defaults(&machine);
        machine.gpu.sms = 3;
        machine.tlb.entries = machine.tlb.ways = 4;
        machine.l2tlb.enabled = seed & 1;
        machine.l2tlb.entries = 32;
        machine.pwc.organization = (int)(seed % PWC_COUNT);
        machine.pwc.entries = 4;
        assert_int_equal(evaluate(&machine, &source->base, NULL, &plain, NULL), STATUS_OK);
        machine.walker = draw_config(seed);
        machine.walker.policy = WALKER_FCFS;
        machine.walker.merge = 0;
        assert_int_equal(evaluate(&machine, &source->base, &options, &timed, NULL), STATUS_OK);
        assert_true(plain.walk_count > 0 && plain.walk_count == timed.walk_count);
        assert_true(plain.walk_memory_accesses == timed.walk_memory_accesses);
        if (machine.pwc.organization != PWC_NONE)
            assert_true(plain.pwc_l2_hit_rate == timed.pwc_l2_hit_rate &&
                        plain.pwc_l3_hit_rate == timed.pwc_l3_hit_rate);
        assert_true(isnan(plain.walk_wait_mean) && timed.walk_wait_mean >= 0);
        trace_source_free(&source->base);
    }
}

static struct walk_unit *create_unit(const struct machine *machine, bool timed)
{
    struct walk_unit *unit;
    assert_int_equal(walk_unit_create(machine, timed, NULL, &unit), STATUS_OK);
    return unit;
}

/* What is counted are the walks of what came after the warm-up, though others wait at its end. */
static void a_warm_up_ends_with_an_instruction(void **state)
{
    (void)state;
    enum { WARM = 150 };
    for (uint64_t seed = 0; seed < ROLLS(100); seed++) {
        struct arrival arrivals[ARRIVALS];
        struct request requests[ARRIVALS];
        struct machine machine;
        struct pwc_counts timed, plain;
        struct walkers_counts times;
        size_t warm = WARM;
        draw_arrivals(seed, arrivals);
        for (size_t i = 0; i < ARRIVALS; i++)
            requests[i] = (struct request){.address = arrivals[i].page * 512 * PAGE_TOKEN,
                                           .pc = arrivals[i].instruction};
        while (arrivals[warm].instruction == arrivals[warm - 1].instruction)
            warm++;
        machine_defaults(&machine);
        machine.pwc.organization = (int)(seed % PWC_COUNT);
        machine.pwc.entries = 8;
        machine.walker = draw_config(seed);
        machine.walker.latency = 100;
        struct walk_unit *one = create_unit(&machine, true), *two;
        machine.walker.policy = WALKER_FCFS;
        machine.walker.merge = 0;
        two = create_unit(&machine, false);
        assert_false(walk_unit_read_times(two, &times));
        struct walk_unit *units[] = {one, two};
        for (int u = 0; u < 2; u++) {
            walk_unit_count(units[u], false);
            assert_int_equal(walk_unit_run(units[u], requests, warm), STATUS_OK);
            walk_unit_count(units[u], true);
            assert_int_equal(walk_unit_run(units[u], requests + warm, ARRIVALS - warm), STATUS_OK);
            walk_unit_finish(units[u]);
        }
        walk_unit_read_counts(one, &timed);
        walk_unit_read_counts(two, &plain);
        assert_true(walk_unit_read_times(one, &times));
        assert_int_equal(times.walks, timed.walks);
        assert_int_equal(times.walks + times.merged, ARRIVALS - warm);
        struct walker_config config = draw_config(seed);
        if (config.policy == WALKER_FCFS && !config.merge)
            assert_memory_equal(&timed, &plain, sizeof timed);
        walk_unit_free(one);
        walk_unit_free(two);
    }
}

/* What the parts hand on adds up, whatever the machine. */
static void misses_walks_and_merges_add_up(void **state)
{
    (void)state;
    unsigned reordered = 0, merged = 0;
    for (uint64_t seed = 1; seed <= ROLLS(40); seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 60, 40000);
        struct machine machine;
        struct metrics metrics, fcfs;
        machine_defaults(&machine);
        machine.gpu.sms = 3;
        machine.tlb.entries = machine.tlb.ways = 4;
        machine.l2tlb.enabled = seed & 1;
        machine.l2tlb.entries = machine.l2tlb.ways = 16;
        machine.pwc.organization = (int)(seed % PWC_COUNT);
        machine.pwc.entries = 4;
        machine.walker = draw_config(seed);
        machine.walker.interval = 1;
        machine.walker.latency = 100;
        assert_int_equal(evaluate(&machine, &source->base, NULL, &metrics, NULL), STATUS_OK);
        double misses = metrics.tlb_misses;
        if (machine.l2tlb.enabled) {
            assert_true(metrics.l2tlb_accesses == metrics.tlb_misses);
            assert_true(metrics.l2tlb_misses < metrics.tlb_misses);
            misses = metrics.l2tlb_misses;
        } else {
            assert_true(isnan(metrics.l2tlb_misses) && isnan(metrics.l2tlb_bits));
        }
        assert_true(metrics.walk_count + metrics.walk_merged == misses);
        if (!machine.walker.merge)
            assert_true(metrics.walk_merged == 0);
        merged += metrics.walk_merged > 0;
        machine.walker.policy = WALKER_FCFS;
        assert_int_equal(evaluate(&machine, &source->base, NULL, &fcfs, NULL), STATUS_OK);
        reordered += fcfs.walk_memory_accesses != metrics.walk_memory_accesses;
        trace_source_free(&source->base);
    }
    assert_true(reordered > 3 && merged > 3);
}

/* Walkers stand idle too where a program no longer misses: their time ends with the program. */
static void walkers_are_there_until_the_last_instruction(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROLLS(8); seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 60, 40000);
        struct machine machine;
        struct metrics metrics;
        const struct evaluate_options options = {.needs = NEED_ALL};
        machine_defaults(&machine);
        machine.gpu.sms = 2;
        machine.walker.count = seed % 3 + 1;
        machine.walker.l2 = (int)(seed & 1);
        machine.walker.interval = 1000;
        machine.walker.lookup = 0;
        machine.walker.latency = machine.walker.l2 ? 0 : 7;
        machine.walker.l2_latency = 7;
        assert_int_equal(evaluate(&machine, &source->base, &options, &metrics, NULL), STATUS_OK);
        double busy = 7 * metrics.walk_memory_accesses / (double)machine.walker.count;
        double issue = floor(metrics.stream_memory_instructions * 1000 / 2);
        double longest = 7 * metrics.walk_memory_accesses; /* all walks after the last issue */
        assert_true(metrics.walk_count > 0 && metrics.walker_stall == 0);
        assert_true(metrics.walker_busy <= busy / issue * (1 + 1e-12));
        assert_true(metrics.walker_busy >= busy / (issue + longest) * (1 - 1e-12));
        trace_source_free(&source->base);
    }
}

/* The twin of walks through an L2: with walkers without end that take no time, and an instruction a
 * cycle, every instruction's requests are followed by the reads of its walks. */
struct coupled_twin {
    struct request walks[100000];
    size_t walk_count, walk;
    uint32_t instruction;
    struct cache *l2;
    struct partition partition;
    struct pwc *pwc;
    struct page_table table;
    uint64_t reads;
};

static void twin_look_up(struct coupled_twin *twin, const struct request *request)
{
    struct request sliced;
    partition_requests(&twin->partition, request, 1, &sliced);
    assert_int_equal(cache_run(twin->l2, &sliced, 1, NULL), STATUS_OK);
}

static void twin_walk(struct coupled_twin *twin)
{
    for (; twin->walk < twin->walk_count && twin->walks[twin->walk].pc == twin->instruction;
         twin->walk++) {
        uint64_t address = twin->walks[twin->walk].address / PAGE_TOKEN * 4096;
        uint64_t entries[PAGE_LEVELS];
        unsigned levels = page_table_walk(&twin->table, address, entries);
        for (unsigned level = pwc_walk(twin->pwc, address); level < levels; level++) {
            const struct request read = {.address = entries[level] & ~UINT64_C(31),
                                         .touched = UINT32_C(0xff) << entries[level] % 32,
                                         .bytes = 32,
                                         .op = OP_LOAD};
            twin_look_up(twin, &read);
            twin->reads++;
        }
    }
}

static enum status twin_requests(void *argument, const struct request *requests, size_t count)
{
    struct coupled_twin *twin = argument;
    for (size_t i = 0; i < count; i++) {
        if (requests[i].flags & REQUEST_FIRST) {
            twin_walk(twin);
            twin->instruction++;
        }
        twin_look_up(twin, &requests[i]);
    }
    return STATUS_OK;
}

static enum status twin_keep(void *argument, const struct request *requests, size_t count)
{
    struct coupled_twin *twin = argument;
    assert_true(twin->walk_count + count <= sizeof twin->walks / sizeof *twin->walks);
    memcpy(twin->walks + twin->walk_count, requests, count * sizeof *requests);
    twin->walk_count += count;
    return STATUS_OK;
}

static enum status twin_launch(void *argument, const struct trace_launch *launch)
{
    (void)argument, (void)launch;
    return STATUS_OK;
}

static enum status twin_progress(void *argument, const struct issue_counts *counts)
{
    (void)argument, (void)counts;
    return STATUS_OK;
}

static void coupled_machine(uint64_t seed, struct machine *machine)
{
    machine_defaults(machine);
    machine->gpu.sms = 1;
    machine->l1d.enabled = 0;
    machine->tlb.entries = machine->tlb.ways = 4;
    machine->pwc.organization = (int)(seed % PWC_COUNT);
    machine->pwc.entries = 2;
    machine->l2.slices = 2;
    machine->l2.ways = 4;
    machine->l2.size = 16384;
    machine->walker.l2 = 1;
}

static void walks_go_through_the_l2(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROLLS(10); seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 60, 4000);
        struct coupled_twin *twin = calloc(1, sizeof *twin);
        struct request_logs logs;
        struct machine machine;
        struct metrics metrics;
        struct cache_counts counts;
        assert_non_null(twin);
        coupled_machine(seed, &machine);
        logs = (struct request_logs){
            .stream = request_log_create((unsigned)machine.gpu.sms, PLACE_INSTRUCTION, 1 << 26),
            .walks = request_log_create((unsigned)machine.gpu.sms, PLACE_PC, 1 << 26)};
        machine.walker.count = 1024;
        machine.walker.interval = 1;
        machine.walker.lookup = machine.walker.latency = machine.walker.l2_latency = 0;
        const struct evaluate_options options = {.record = &logs};
        assert_int_equal(evaluate(&machine, &source->base, &options, &metrics, NULL), STATUS_OK);
        assert_true(request_log_finish(logs.stream) && request_log_finish(logs.walks));
        assert_int_equal(partition_init(&twin->partition, &machine.l2), STATUS_OK);
        assert_int_equal(cache_create(&machine.l2, 2, machine.seed, 0, &twin->l2), STATUS_OK);
        assert_int_equal(pwc_create(&machine.pwc, 4096, &twin->pwc), STATUS_OK);
        page_table_init(&twin->table, PAGE_TABLE_BASE, 4096);
        const struct issue_sink keep = {.launch = twin_launch,
                                        .requests = twin_keep,
                                        .progress = twin_progress,
                                        .argument = twin};
        const struct issue_sink play = {.launch = twin_launch,
                                        .requests = twin_requests,
                                        .progress = twin_progress,
                                        .argument = twin};
        assert_int_equal(request_log_play(logs.walks, &keep), STATUS_OK);
        assert_int_equal(request_log_play(logs.stream, &play), STATUS_OK);
        twin_walk(twin);
        assert_int_equal(twin->walk, twin->walk_count);
        cache_read_counts(twin->l2, &counts);
        assert_true(metrics.l2_walk_accesses == (double)twin->reads && twin->reads > 0);
        assert_true(metrics.l2_walk_misses > 0);
        assert_true(metrics.walk_memory_accesses == (double)twin->reads);
        assert_true(metrics.l2_accesses == (double)counts.accesses);
        assert_true(metrics.l2_misses == (double)counts.misses);
        assert_true(metrics.l2_read_bytes == (double)counts.read_bytes);
        cache_free(twin->l2);
        pwc_free(twin->pwc);
        request_log_free(logs.stream);
        request_log_free(logs.walks);
        free(twin);
        trace_source_free(&source->base);
    }
}

/* Whatever the walkers: their reads come beside the data's, and a slow L2 makes longer waits. */
static void coupled_counts_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROLLS(20); seed++) {
        struct list_source *source = list_source_random(seed, 2, 12, 60, 4000);
        const struct evaluate_options options = {.needs = NEED_ALL};
        struct machine machine;
        struct metrics coupled, apart;
        coupled_machine(seed, &machine);
        machine.l1d.enabled = (int)(seed & 1);
        machine.l2tlb.enabled = (int)(seed >> 1 & 1);
        machine.l2tlb.entries = machine.l2tlb.ways = 8;
        machine.walker = draw_config(seed);
        machine.walker.latency = 10;
        machine.walker.l2_latency = 5;
        machine.walker.l2 = 1;
        assert_int_equal(evaluate(&machine, &source->base, &options, &coupled, NULL), STATUS_OK);
        machine.walker.l2 = 0;
        assert_int_equal(evaluate(&machine, &source->base, &options, &apart, NULL), STATUS_OK);
        assert_true(coupled.l2_walk_accesses == coupled.walk_memory_accesses);
        assert_true(coupled.l2_accesses - coupled.l2_walk_accesses == apart.l2_accesses);
        assert_true(coupled.l2_walk_misses <= coupled.l2_misses);
        assert_true(coupled.l1d_misses == apart.l1d_misses || isnan(apart.l1d_misses));
        assert_true(coupled.tlb_misses == apart.tlb_misses);
        assert_true(isnan(apart.l2_walk_accesses));
        assert_true(coupled.walk_latency_mean >= 5);
        trace_source_free(&source->base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_the_twin),
        cmocka_unit_test(order_conserves_work_and_waiting),
        cmocka_unit_test(short_jobs_first_is_best_for_one_walker),
        cmocka_unit_test(the_scheduler_by_hand),
        cmocka_unit_test(one_request_an_instruction_goes_by_cost),
        cmocka_unit_test(instructions_may_wrap),
        cmocka_unit_test(illegal_walkers),
        cmocka_unit_test(waits_are_kept_within_a_64th),
        cmocka_unit_test(estimates_are_what_a_walk_would_read),
        cmocka_unit_test(fcfs_walks_in_the_order_of_the_stream),
        cmocka_unit_test(a_warm_up_ends_with_an_instruction),
        cmocka_unit_test(misses_walks_and_merges_add_up),
        cmocka_unit_test(walkers_are_there_until_the_last_instruction),
        cmocka_unit_test(walks_go_through_the_l2),
        cmocka_unit_test(coupled_counts_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
