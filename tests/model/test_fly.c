/* fly.h: packets through the router by hand, and against a slow twin that moves every flit and
 * every credit through queues with times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/timing/network/network.h"
#include "support/roll_cache.h"

enum { INPUTS = 5, OUTPUTS = 4, PACKETS = 300, FLIT = 40 };
enum { APART = 23 /* sets of ports take two words */ };

struct bench {
    struct network_config config;
    struct network network;
    uint64_t now;
    uint32_t ids[PACKETS], count; /* delivered, and not yet taken, in order */
    uint16_t outputs[PACKETS];
    uint32_t apart;  /* its ports are every so manyth of the network's; the others are idle */
    uint64_t waited; /* packets in front of inputs, summed over steps */
};

static bool room(void *context, uint32_t output)
{
    (void)context;
    (void)output;
    return true;
}

static void deliver(void *context, uint32_t output, const struct packet *packet, uint64_t arrived)
{
    struct bench *bench = context;
    assert_int_equal(arrived, bench->now);
    assert_int_equal(output, packet->slice);
    bench->outputs[bench->count] = (uint16_t)(output / bench->apart);
    bench->ids[bench->count++] = packet->id;
}

static void bench_init(struct bench *bench, uint64_t places, uint32_t apart)
{
    *bench = (struct bench){.config = {.kind = NETWORK_FLY, .flit = FLIT, .queue = places},
                            .apart = apart};
    assert_int_equal(
        network_init(&bench->network, &bench->config, INPUTS * apart, OUTPUTS * apart, false, 1),
        STATUS_OK);
}

static struct packet make(uint32_t id, uint16_t output, uint32_t flits)
{
    struct packet packet = {.kind = PACKET_READ, .slice = output, .id = id};
    if (flits > 1) {
        packet.kind = PACKET_WRITE;
        packet.bytes = (uint16_t)(flits * FLIT - PACKET_HEADER);
    }
    return packet;
}

static void put(struct bench *bench, uint32_t input, uint16_t output, uint32_t id, uint32_t flits)
{
    const struct packet packet = make(id, (uint16_t)(output * bench->apart), flits);
    assert_int_equal(network_size(&bench->network, &packet), flits);
    assert_true(network_put(&bench->network, input * bench->apart, &packet));
    network_show(&bench->network, input * bench->apart);
}

/* Packets that may move and have not left their input are as many, over time, as the gauge says. */
static void check_waits(struct bench *bench)
{
    uint64_t waiting = 0;
    for (uint32_t i = 0; i < INPUTS; i++)
        waiting += network_visible(&bench->network, i * bench->apart);
    bench->waited += waiting;
    assert_int_equal(gauge_sum(&bench->network.waits, waiting, bench->network.steps + 1),
                     bench->waited);
}

static void move(struct bench *bench)
{
    const struct network_sink sink = {room, deliver, bench};
    assert_true(network_move(&bench->network, bench->now, &sink));
    bench->now++;
    check_waits(bench);
}

/* Moves until a packet has come, which must be `id`; returns the step in which it came. */
static uint64_t wait_for(struct bench *bench, uint32_t id)
{
    bench->count = 0;
    while (!bench->count)
        move(bench);
    assert_int_equal(bench->count, 1);
    assert_int_equal(bench->ids[0], id);
    const struct packet taken = make(0, bench->outputs[0], 1);
    network_taken(&bench->network, bench->outputs[0] * bench->apart, &taken);
    return bench->now - 1;
}

/* A flit takes five steps; each of the same packet comes one step later. */
static void test_alone(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, 64, 1);
    put(&bench, 1, 2, 7, 1);
    assert_int_equal(wait_for(&bench, 7), 5);
    const uint64_t begun = bench.now;
    put(&bench, 1, 2, 8, 4);
    assert_int_equal(wait_for(&bench, 8), begun + 5 + 3);
    network_free(&bench.network);
}

/* Two packets of four flits to one output: the second one, which has been waiting in front of the
 * switch, follows without a gap, because the switch takes two flits a cycle. */
static void test_two_inputs(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, 64, 1);
    put(&bench, 0, 3, 1, 4);
    put(&bench, 4, 3, 2, 4);
    assert_int_equal(wait_for(&bench, 1), 8);
    assert_int_equal(wait_for(&bench, 2), 12);
    network_free(&bench.network);
}

/* A packet with more flits than its reader's buffer sees still comes through. */
static void test_large(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, 4, 1);
    put(&bench, 0, 0, 1, 100);
    assert_true(wait_for(&bench, 1) >= 104);
    network_free(&bench.network);
}

/* ---- a slow twin ---- */

struct flit {
    uint32_t packet;
    uint32_t output;
    uint64_t at; /* the step from which it can be taken */
    bool last;
};

enum { FLITS = PACKETS * 8 };

struct lane { /* flits, or credits, in order */
    struct flit items[FLITS];
    uint32_t first, end;
};

static void lane_push(struct lane *lane, struct flit flit, uint64_t at)
{
    assert_true(lane->end < FLITS);
    flit.at = at;
    lane->items[lane->end++] = flit;
}

static bool lane_has(const struct lane *lane, uint64_t now)
{
    return lane->first < lane->end && lane->items[lane->first].at <= now;
}

static struct flit lane_pop(struct lane *lane)
{
    return lane->items[lane->first++];
}

struct slow_input {
    struct lane waiting, entering, buffer, freed, returning;
    uint64_t credits;
    enum { IDLE, ASKING, ACTIVE } state;
};

struct slow_output {
    struct lane crossing, queue, leaving, behind, returning;
    uint64_t credits;
    uint32_t next;
    int owner;
    uint32_t seen; /* flits */
};

struct slow {
    struct slow_input inputs[INPUTS];
    struct slow_output outputs[OUTPUTS];
    uint32_t flits[PACKETS];
};

static void slow_init(struct slow *slow, uint64_t places)
{
    memset(slow, 0, sizeof *slow);
    for (uint32_t i = 0; i < INPUTS; i++)
        slow->inputs[i].credits = places;
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        slow->outputs[i].credits = places;
        slow->outputs[i].owner = -1;
    }
}

/* Ejects: a flit comes behind the output, one becomes visible and gives its credit back. */
static uint32_t slow_eject(struct slow *slow, uint64_t now, uint32_t *ids)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        struct slow_output *output = &slow->outputs[i];
        if (lane_has(&output->leaving, now))
            lane_push(&output->behind, lane_pop(&output->leaving), now);
        if (!lane_has(&output->behind, now) || output->seen >= 16)
            continue;
        const struct flit flit = lane_pop(&output->behind);
        output->seen++;
        lane_push(&output->returning, flit, now + 2);
        if (flit.last)
            ids[count++] = flit.packet;
    }
    return count;
}

/* Injects: a flit with a credit goes to its input, another one arrives there. */
static void slow_inject(struct slow *slow, uint64_t now)
{
    for (uint32_t i = 0; i < INPUTS; i++) {
        struct slow_input *input = &slow->inputs[i];
        if (lane_has(&input->returning, now)) {
            lane_pop(&input->returning);
            input->credits++;
        }
        if (lane_has(&input->entering, now))
            lane_push(&input->buffer, lane_pop(&input->entering), now);
        if (lane_has(&input->waiting, now) && input->credits) {
            input->credits--;
            lane_push(&input->entering, lane_pop(&input->waiting), now + 2);
        }
    }
}

static bool slow_wants(const struct slow_input *input, uint32_t output)
{
    return input->state == ASKING && input->buffer.items[input->buffer.first].output == output;
}

/* A step of the router: its stages look at what the step before has left, then all change. */
static void slow_step(struct slow *slow, uint64_t now)
{
    int granted[OUTPUTS];
    bool sends[OUTPUTS];
    for (uint32_t i = 0; i < INPUTS; i++)
        if (slow->inputs[i].state == IDLE && lane_has(&slow->inputs[i].buffer, now))
            slow->inputs[i].state = ASKING;
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        struct slow_output *output = &slow->outputs[i];
        if (lane_has(&output->returning, now)) {
            lane_pop(&output->returning);
            output->credits++;
        }
        granted[i] = -1;
        for (uint32_t k = 0; output->owner < 0 && granted[i] < 0 && k < INPUTS; k++)
            if (slow_wants(&slow->inputs[(output->next + k) % INPUTS], i))
                granted[i] = (int)((output->next + k) % INPUTS);
        sends[i] = output->owner >= 0 && output->credits &&
                   lane_has(&slow->inputs[output->owner].buffer, now);
        if (lane_has(&output->crossing, now)) /* sent in the step before */
            lane_push(&output->queue, lane_pop(&output->crossing), now);
    }
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        struct slow_output *output = &slow->outputs[i];
        if (granted[i] >= 0) {
            output->owner = granted[i];
            output->next = (uint32_t)(granted[i] + 1) % INPUTS;
            slow->inputs[granted[i]].state = ACTIVE;
        } else if (sends[i]) {
            struct slow_input *input = &slow->inputs[output->owner];
            const struct flit flit = lane_pop(&input->buffer);
            output->credits--;
            lane_push(&input->freed, flit, now);
            lane_push(&output->crossing, flit, now);
            if (flit.last) {
                output->owner = -1;
                input->state = IDLE;
            }
        }
    }
}

static uint32_t slow_move(struct slow *slow, uint64_t now, uint32_t *ids)
{
    const uint32_t count = slow_eject(slow, now, ids);
    slow_inject(slow, now);
    slow_step(slow, now);
    slow_step(slow, now);
    for (uint32_t i = 0; i < OUTPUTS; i++)
        if (lane_has(&slow->outputs[i].queue, now))
            lane_push(&slow->outputs[i].leaving, lane_pop(&slow->outputs[i].queue), now + 2);
    for (uint32_t i = 0; i < INPUTS; i++)
        if (lane_has(&slow->inputs[i].freed, now))
            lane_push(&slow->inputs[i].returning, lane_pop(&slow->inputs[i].freed), now + 2);
    return count;
}

static void put_both(struct bench *bench, struct slow *slow, struct dice *dice, uint32_t id,
                     bool crowded)
{
    const uint32_t input = (uint32_t)roll(dice, INPUTS), flits = 1 + (uint32_t)roll(dice, 5);
    const uint16_t output = crowded ? 0 : (uint16_t)roll(dice, OUTPUTS);
    slow->flits[id] = flits;
    put(bench, input, output, id, flits);
    for (uint32_t i = 0; i < flits; i++) {
        const struct flit flit = {.packet = id, .output = output, .last = i + 1 == flits};
        lane_push(&slow->inputs[input].waiting, flit, bench->now);
    }
}

/* The readers take one of what they see now and then. */
static void take_some(struct bench *bench, struct slow *slow, struct dice *dice, uint64_t rarely)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bench->count; i++) {
        const uint32_t id = bench->ids[i];
        const uint16_t output = bench->outputs[i];
        if (roll(dice, rarely)) {
            bench->ids[kept] = id;
            bench->outputs[kept++] = output;
            continue;
        }
        const struct packet taken = make(id, output, slow->flits[id]);
        network_taken(&bench->network, output * bench->apart, &taken);
        slow->outputs[output].seen -= slow->flits[id];
    }
    bench->count = kept;
}

static void check_twin(uint64_t seed, uint64_t places, uint32_t apart)
{
    static struct slow slow;
    struct bench bench;
    struct dice dice = {.seed = seed};
    const bool crowded = seed % 4 == 0;
    const uint64_t rarely = 1 + seed % 7;
    uint32_t ids[OUTPUTS], made = 0, came = 0;
    bench_init(&bench, places, apart);
    slow_init(&slow, places);
    while (came < PACKETS) {
        for (uint64_t i = roll(&dice, 4); i && made < PACKETS; i--)
            put_both(&bench, &slow, &dice, made++, crowded);
        const uint32_t before = bench.count;
        const uint32_t count = slow_move(&slow, bench.now, ids);
        move(&bench);
        assert_int_equal(bench.count - before, count);
        assert_memory_equal(bench.ids + before, ids, count * sizeof *ids);
        came += count;
        take_some(&bench, &slow, &dice, rarely);
    }
    network_free(&bench.network);
}

static void test_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++)
        check_twin(seed, seed % 3 ? 1 + seed % 9 : 64, seed % 2 ? 1 : APART);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_two_inputs),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
