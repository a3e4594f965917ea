/* network.h: which packets move in which step, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/timing/network.h"

enum { INPUTS = 3, OUTPUTS = 3, LOG = 64 };

struct bench {
    struct network_config config;
    struct network network;
    bool full[OUTPUTS];
    uint64_t now;
    uint32_t ids[LOG], count; /* what was delivered, in order */
    uint64_t arrived;         /* of the last one */
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
    assert_int_equal(network_init(&bench->network, &bench->config, INPUTS, OUTPUTS, false),
                     STATUS_OK);
}

static void put(struct bench *bench, uint32_t input, uint16_t output, uint32_t id)
{
    const struct packet packet = {.kind = PACKET_READ, .bytes = 32, .slice = output, .id = id};
    assert_true(network_put(&bench->network, input, &packet));
    network_show(&bench->network, input);
}

/* One step; checks which packets it delivered, in order. */
static void move(struct bench *bench, const char *expected)
{
    const struct network_sink sink = {room, deliver, bench};
    bench->count = 0;
    network_move(&bench->network, bench->now++, &sink);
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
    put(&bench, 2, 1, 6); /* a head that waits holds what is behind it */
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

/* A store of 128 B has 4 flits of 40 B: it occupies its input and its output for 4 steps. */
static void test_flits(void **state)
{
    (void)state;
    struct bench bench;
    const struct packet store = {.kind = PACKET_WRITE, .bytes = 128, .slice = 0, .id = 1};
    bench_init(&bench, NETWORK_FLY);
    assert_int_equal(packet_flits(&bench.config, packet_request_bytes(&store)), 4);
    assert_true(network_put(&bench.network, 0, &store));
    network_show(&bench.network, 0);
    assert_int_equal(network_held(&bench.network, 0), 4);
    put(&bench, 0, 1, 2); /* behind it in its input */
    put(&bench, 1, 0, 3); /* to the same output */
    put(&bench, 2, 2, 4);
    const uint64_t begun = bench.now;
    move(&bench, "14");
    assert_int_equal(bench.arrived, begun + 5); /* a single flit: the router's cycles */
    move(&bench, "");
    move(&bench, "");
    move(&bench, "");
    move(&bench, "32");
    network_free(&bench.network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_robin),
        cmocka_unit_test(test_ascending),
        cmocka_unit_test(test_not_yet_shown),
        cmocka_unit_test(test_flits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
