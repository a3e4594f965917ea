/* network.h: which packets move in which step, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/timing/network/network.h"
#include "support/roll_cache.h"

enum { INPUTS = 3, OUTPUTS = 3, LOG = 64 };

struct bench {
    struct network_config config;
    struct network network;
    bool full[OUTPUTS];
    uint64_t now;
    uint32_t ids[LOG], count; /* what was delivered, in order */
    uint64_t arrived;         /* of the last one */
    uint64_t waited;          /* packets in front of inputs, summed over steps */
};

static bool room(void *context, uint32_t output)
{
    const struct bench *bench = context;
    return !bench->full[output];
}

static void deliver(void *context, uint32_t output, const struct packet *packet, uint64_t arrived)
{
    struct bench *bench = context;
    assert_int_equal(output, packet->slice);
    bench->ids[bench->count++] = packet->id;
    bench->arrived = arrived;
}

static void bench_init(struct bench *bench, int kind)
{
    *bench = (struct bench){.config = {.kind = kind, .flit = 40}};
    assert_int_equal(network_init(&bench->network, &bench->config, INPUTS, OUTPUTS, false, 1),
                     STATUS_OK);
}

static void put(struct bench *bench, uint32_t input, uint16_t output, uint32_t id)
{
    const struct packet packet = {.kind = PACKET_READ, .bytes = 32, .slice = output, .id = id};
    assert_true(network_put(&bench->network, input, &packet));
    network_show(&bench->network, input);
}

/* Packets that may move and have not left their input are as many, over time, as the gauge says. */
static void check_waits(struct bench *bench)
{
    uint64_t waiting = 0;
    for (uint32_t i = 0; i < INPUTS; i++)
        waiting += network_visible(&bench->network, i);
    bench->waited += waiting;
    assert_int_equal(gauge_sum(&bench->network.waits, waiting, bench->network.steps + 1),
                     bench->waited);
}

/* One step; checks which packets it delivered, in order. */
static void move(struct bench *bench, const char *expected)
{
    const struct network_sink sink = {room, deliver, bench};
    bench->count = 0;
    assert_true(network_move(&bench->network, bench->now++, &sink));
    check_waits(bench);
    assert_int_equal(bench->count, strlen(expected));
    for (uint32_t i = 0; i < bench->count; i++)
        assert_int_equal(bench->ids[i], expected[i] - '0');
}

/* Every output takes one packet a step, round robin from the input after the last one. */
static void test_round_robin(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, NETWORK_CROSSBAR);
    put(&bench, 0, 1, 0);
    put(&bench, 0, 1, 1);
    put(&bench, 1, 1, 2);
    put(&bench, 2, 1, 3);
    move(&bench, "0");
    move(&bench, "2");
    put(&bench, 1, 1, 4);
    move(&bench, "3");
    move(&bench, "1");
    move(&bench, "4");
    move(&bench, "");
    network_free(&bench.network);
}

/* Outputs are served in ascending order, and an input may send to several of them. */
static void test_ascending(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, NETWORK_CROSSBAR);
    put(&bench, 0, 0, 0);
    put(&bench, 0, 1, 1);
    put(&bench, 0, 2, 2);
    move(&bench, "012");
    put(&bench, 1, 2, 3);
    put(&bench, 1, 1, 4);
    put(&bench, 1, 0, 5);
    move(&bench, "3");
    move(&bench, "4");
    move(&bench, "5");
    put(&bench, 2, 1, 6); /* a head that waits holds what is after it */
    put(&bench, 2, 0, 7);
    bench.full[1] = true;
    move(&bench, "");
    bench.full[1] = false;
    move(&bench, "6");
    move(&bench, "7");
    network_free(&bench.network);
}

static void test_not_yet_shown(void **state)
{
    (void)state;
    struct bench bench;
    const struct packet packet = {.kind = PACKET_READ, .slice = 2, .id = 9};
    bench_init(&bench, NETWORK_CROSSBAR);
    assert_true(network_put(&bench.network, 1, &packet));
    assert_int_equal(network_held(&bench.network, 1), 1);
    move(&bench, "");
    network_show(&bench.network, 1);
    move(&bench, "9");
    assert_int_equal(network_held(&bench.network, 1), 0);
    network_free(&bench.network);
}

/* A burst of 128 B in words of 32 B occupies its input and its output for 4 steps. */
static void test_flits(void **state)
{
    (void)state;
    struct bench bench;
    const struct packet store = {.kind = PACKET_WRITE, .bytes = 128, .slice = 0, .id = 1};
    bench_init(&bench, NETWORK_AXI);
    bench.config.flit = 32;
    assert_int_equal(packet_flits(&bench.config, packet_request_bytes(&store)), 4);
    assert_true(network_put(&bench.network, 0, &store));
    network_show(&bench.network, 0);
    assert_int_equal(network_held(&bench.network, 0), 4);
    put(&bench, 0, 1, 2); /* after it in its input */
    put(&bench, 1, 0, 3); /* to the same output */
    put(&bench, 2, 2, 4);
    const uint64_t begun = bench.now;
    move(&bench, "14");
    assert_int_equal(bench.arrived, begun + 1); /* an address: its register's cycle */
    move(&bench, "");
    move(&bench, "");
    move(&bench, "");
    move(&bench, "32");
    network_free(&bench.network);
}

/* With a queue for each output, a packet that cannot go holds no other up. */
static void test_sorted(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench, NETWORK_VOQ);
    put(&bench, 1, 2, 3);
    put(&bench, 1, 1, 4);
    put(&bench, 1, 2, 5);
    put(&bench, 1, 0, 6);
    bench.full[2] = true;
    move(&bench, "64");
    bench.full[2] = false;
    move(&bench, "3");
    move(&bench, "5");
    assert_int_equal(network_held(&bench.network, 1), 0);
    network_free(&bench.network);
}

/* ---- a slow twin: every packet in one list, looked through for each output ---- */

enum { PACKETS = 200 };

struct slow {
    struct {
        uint32_t input;
        uint16_t output;
        uint64_t line;
        bool shown, gone;
    } packets[PACKETS]; /* by id, in the order in which they were put */
    uint32_t count, next[OUTPUTS];
};

/* The first packet of an input that an output may take; PACKETS: none. */
static uint32_t slow_first(const struct slow *slow, int kind, uint32_t input, uint32_t output)
{
    for (uint32_t id = 0; id < slow->count; id++) {
        if (slow->packets[id].gone || slow->packets[id].input != input)
            continue;
        if (slow->packets[id].output == output)
            return slow->packets[id].shown ? id : PACKETS;
        if (kind == NETWORK_CROSSBAR)
            return PACKETS;
    }
    return PACKETS;
}

static uint32_t slow_move(struct slow *slow, const struct bench *bench, uint32_t *ids)
{
    uint32_t count = 0;
    for (uint32_t output = 0; output < OUTPUTS; output++)
        for (uint64_t taken = 0; taken < bench->network.rate && !bench->full[output]; taken++)
            for (uint32_t i = 0; i < INPUTS; i++) {
                const uint32_t input = (slow->next[output] + i) % INPUTS;
                const uint32_t id = slow_first(slow, bench->config.kind, input, output);
                if (id == PACKETS)
                    continue;
                slow->packets[id].gone = true;
                const uint32_t then = slow_first(slow, bench->config.kind, input, output);
                const bool more = bench->config.kind == NETWORK_VOQ && then != PACKETS &&
                                  slow->packets[then].line == slow->packets[id].line;
                slow->next[output] = more ? input : (input + 1) % INPUTS;
                ids[count++] = id;
                break;
            }
    return count;
}

static void put_hidden(struct bench *bench, struct slow *slow, struct dice *dice)
{
    const uint32_t id = slow->count++, input = (uint32_t)roll(dice, INPUTS);
    const struct packet packet = {.address = roll(dice, 8) * 64,
                                  .kind = PACKET_READ,
                                  .bytes = 32,
                                  .slice = (uint16_t)roll(dice, OUTPUTS),
                                  .id = id};
    slow->packets[id].line = packet.address / 128;
    slow->packets[id].input = input;
    slow->packets[id].output = packet.slice;
    assert_true(network_put(&bench->network, input, &packet));
}

/* Shows the oldest hidden packet of an input, if it has one. */
static void show(struct bench *bench, struct slow *slow, uint32_t input)
{
    for (uint32_t id = 0; id < slow->count; id++)
        if (slow->packets[id].input == input && !slow->packets[id].shown) {
            slow->packets[id].shown = true;
            network_show(&bench->network, input);
            return;
        }
}

static void check_twin(int kind, uint64_t rate, uint64_t seed)
{
    struct bench bench;
    struct dice dice = {.seed = seed};
    struct slow slow = {.count = 0};
    const struct network_sink sink = {room, deliver, &bench};
    bench_init(&bench, kind);
    bench.network.rate = rate;
    while (slow.count < PACKETS) {
        uint32_t ids[LOG];
        for (uint64_t i = roll(&dice, 4); i && slow.count < PACKETS; i--)
            put_hidden(&bench, &slow, &dice);
        for (uint64_t i = roll(&dice, 4); i; i--)
            show(&bench, &slow, (uint32_t)roll(&dice, INPUTS));
        for (uint32_t output = 0; output < OUTPUTS; output++)
            bench.full[output] = !roll(&dice, 3);
        bench.count = 0;
        assert_true(network_move(&bench.network, bench.now++, &sink));
        check_waits(&bench);
        assert_int_equal(bench.count, slow_move(&slow, &bench, ids));
        assert_memory_equal(bench.ids, ids, bench.count * sizeof *ids);
    }
    network_free(&bench.network);
}

static void test_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++)
        for (uint64_t rate = 1; rate <= 3; rate++) {
            check_twin(NETWORK_CROSSBAR, rate, seed);
            check_twin(NETWORK_VOQ, rate, seed);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_robin),   cmocka_unit_test(test_ascending),
        cmocka_unit_test(test_not_yet_shown), cmocka_unit_test(test_flits),
        cmocka_unit_test(test_sorted),        cmocka_unit_test(test_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
