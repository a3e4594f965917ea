/* Pools of packets and their queues against plain arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/timing/base/packet.h"

enum { QUEUES = 4, MOST = 40, STEPS = 20000 };

struct slow_queue { /* in order of their places: id and ready */
    uint32_t ids[MOST];
    uint64_t ready[MOST];
    uint32_t count;
};

static void slow_insert(struct slow_queue *queue, uint32_t at, uint32_t id, uint64_t ready)
{
    for (uint32_t i = queue->count++; i > at; i--) {
        queue->ids[i] = queue->ids[i - 1];
        queue->ready[i] = queue->ready[i - 1];
    }
    queue->ids[at] = id;
    queue->ready[at] = ready;
}

static void slow_pop(struct slow_queue *queue)
{
    queue->count--;
    memmove(queue->ids, queue->ids + 1, queue->count * sizeof *queue->ids);
    memmove(queue->ready, queue->ready + 1, queue->count * sizeof *queue->ready);
}

static uint32_t slow_place(const struct slow_queue *queue, uint64_t ready)
{
    uint32_t at = 0;
    while (at < queue->count && queue->ready[at] <= ready)
        at++;
    return at;
}

static void expect_equal(const struct packet_pool *pool, const struct packet_queue *queue,
                         const struct slow_queue *slow)
{
    assert_int_equal(queue->count, slow->count);
    uint32_t at = queue->first;
    for (uint32_t i = 0; i < slow->count; i++, at = pool->items[at].next) {
        assert_int_equal(pool->items[at].id, slow->ids[i]);
        assert_int_equal(pool->items[at].ready, slow->ready[i]);
    }
    if (slow->count)
        assert_int_equal(packet_queue_tail(pool, queue)->id, slow->ids[slow->count - 1]);
}

struct trial {
    struct packet_pool pool, others;
    struct packet_queue queues[QUEUES], other; /* the last of them and `other` stay in order */
    struct slow_queue slow[QUEUES], slow_other;
    uint64_t drawn;
};

static uint32_t draw(struct trial *trial, uint32_t bound)
{
    return (uint32_t)random_below(random_at(7, trial->drawn++), bound);
}

static void insert(struct trial *trial, uint32_t id)
{
    struct packet_queue *sorted = &trial->queues[QUEUES - 1];
    struct slow_queue *slow = &trial->slow[QUEUES - 1];
    const struct packet packet = {.id = id, .ready = draw(trial, 9)};
    if (slow->count == MOST)
        return;
    assert_true(packet_queue_insert(&trial->pool, sorted, &packet));
    slow_insert(slow, slow_place(slow, packet.ready), id, packet.ready);
}

static void insert_all(struct trial *trial)
{
    struct slow_queue *from = &trial->slow[QUEUES - 1], *to = &trial->slow_other;
    for (; to->count + from->count > MOST; slow_pop(to))
        packet_queue_pop(&trial->others, &trial->other);
    assert_true(packet_queue_insert_all(&trial->pool, &trial->queues[QUEUES - 1], &trial->others,
                                        &trial->other));
    for (; from->count; slow_pop(from))
        slow_insert(to, slow_place(to, from->ready[0]), from->ids[0], from->ready[0]);
}

/* Appends a packet: a new one, or a copy of the pool's own, which moves if the pool grows. */
static void push(struct trial *trial, uint32_t q, uint32_t id)
{
    struct slow_queue *slow = &trial->slow[q];
    const uint32_t other = draw(trial, QUEUES);
    struct packet made = {.id = id, .ready = id};
    const struct packet *packet = &made;
    if (slow->count == MOST)
        return;
    if (trial->slow[other].count && draw(trial, 2))
        packet = packet_queue_head(&trial->pool, &trial->queues[other]);
    slow_insert(slow, slow->count, packet->id, packet->ready);
    assert_true(packet_queue_push(&trial->pool, &trial->queues[q], packet));
}

static void step(struct trial *trial, uint32_t id)
{
    const uint32_t q = draw(trial, QUEUES - 1);
    const uint32_t to = draw(trial, QUEUES - 1);
    struct slow_queue *slow = &trial->slow[q];
    switch (draw(trial, 8)) {
    case 0:
    case 1:
    case 2:
        push(trial, q, id);
        break;
    case 3:
        insert(trial, id);
        break;
    case 4:
        if (!draw(trial, 10))
            insert_all(trial);
        break;
    case 5:
        if (!slow->count || q == to || trial->slow[to].count == MOST)
            break;
        packet_queue_move(&trial->pool, &trial->queues[q], &trial->queues[to]);
        slow_insert(&trial->slow[to], trial->slow[to].count, slow->ids[0], slow->ready[0]);
        slow_pop(slow);
        break;
    default:
        if (!slow->count)
            break;
        assert_true(packet_queue_due(&trial->pool, &trial->queues[q], slow->ready[0]));
        assert_false(slow->ready[0] &&
                     packet_queue_due(&trial->pool, &trial->queues[q], slow->ready[0] - 1));
        packet_queue_pop(&trial->pool, &trial->queues[q]);
        slow_pop(slow);
    }
}

static void test_queues(void **state)
{
    (void)state;
    struct trial trial = {0};
    for (uint32_t id = 1; id <= STEPS; id++) {
        step(&trial, id);
        for (uint32_t q = 0; q < QUEUES; q++)
            expect_equal(&trial.pool, &trial.queues[q], &trial.slow[q]);
        expect_equal(&trial.others, &trial.other, &trial.slow_other);
    }
    /* Places are used again: there are no more than packets were there at once. */
    assert_true(trial.pool.count <= 2 * QUEUES * MOST);
    packet_pool_free(&trial.pool);
    packet_pool_free(&trial.others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_queues)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
