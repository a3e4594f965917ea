/* The programs after ISPASS-2009 compute what their standards and plain twins say, and each thread
 * makes the accesses of its twin. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/program_trial.h"
#include "support/thread_twin.h"
#include "workload/cuda/bfs.h"

/* AES by the letter of FIPS-197: multiplication bit by bit, the inverse by trial. */
static uint8_t multiply(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b; b >>= 1) {
        if (b & 1)
            product ^= a;
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
    }
    return product;
}

static uint8_t sub_byte(uint8_t value)
{
    static uint8_t table[256];
    if (!table[0])
        for (int v = 0; v < 256; v++) {
            int inverse = 0;
            while (v && multiply((uint8_t)v, (uint8_t)inverse) != 1)
                inverse++;
            uint8_t out = 0;
            for (int bit = 0; bit < 8; bit++) {
                int sum = 0x63 >> bit & 1;
                for (int k = 0; k < 8; k++)
                    if (k == 0 || k >= 4)
                        sum ^= inverse >> (bit + k) % 8 & 1;
                out |= (uint8_t)(sum << bit);
            }
            table[v] = out;
        }
    return table[value];
}

static void expand_key(const uint8_t key[16], uint8_t schedule[176])
{
    uint8_t constant = 1;
    memcpy(schedule, key, 16);
    for (int word = 4; word < 44; word++)
        for (int b = 0; b < 4; b++) {
            uint8_t before = schedule[4 * (word - 1) + b];
            if (word % 4 == 0) {
                before = sub_byte(schedule[4 * (word - 1) + (b + 1) % 4]);
                if (b == 0) {
                    before ^= constant;
                    constant = multiply(constant, 2);
                }
            }
            schedule[4 * word + b] = schedule[4 * (word - 4) + b] ^ before;
        }
}

static void encrypt(const uint8_t schedule[176], const uint8_t in[16], uint8_t out[16])
{
    static const uint8_t mix[4] = {2, 3, 1, 1};
    uint8_t state[16], shifted[16];
    for (int i = 0; i < 16; i++)
        state[i] = in[i] ^ schedule[i];
    for (int round = 1; round <= 10; round++) {
        for (int i = 0; i < 16; i++)
            shifted[i] = sub_byte(state[(i + 4 * (i % 4)) % 16]);
        for (int i = 0; i < 16; i++) {
            state[i] = shifted[i];
            if (round < 10) {
                state[i] = 0;
                for (int k = 0; k < 4; k++)
                    state[i] ^= multiply(shifted[i / 4 * 4 + k], mix[(k + 4 - i % 4) % 4]);
            }
            state[i] ^= schedule[16 * round + i];
        }
    }
    memcpy(out, state, 16);
}

static const uint8_t first_cipher[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                         0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};

/* FIPS-197 appendix C.1 in the first block, the plain twin in all others. */
static void aes_is_aes(void **state)
{
    (void)state;
    struct trial trial;
    uint8_t key[16], schedule[176];
    for (uint8_t i = 0; i < 16; i++)
        key[i] = i;
    expand_key(key, schedule);
    open_trial(&trial, "AES", "bytes=5000");
    staged_upload(trial.source, &trial.device);
    assert_memory_equal(trial_memory(&trial, "key"), schedule, 176);
    trial_run(&trial);
    const uint8_t *input = trial_copy(&trial, "input");
    uint8_t *result = trial_copy(&trial, "result");
    assert_int_equal(program_find_array(trial.source, "result")->bytes, 5120);
    for (int block = 0; block < 5120 / 16; block++)
        encrypt(schedule, input + 16 * block, result + 16 * block);
    assert_memory_equal(result, first_cipher, 16);
    close_trial(&trial);
}

/* FIPS-197 appendix B. */
static void aes_takes_another_key(void **state)
{
    (void)state;
    static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                    0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    static const uint8_t plain[16] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
                                      0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};
    static const uint8_t cipher[16] = {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb,
                                       0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32};
    struct trial trial;
    open_trial(&trial, "AES", "bytes=1024");
    expand_key(key, trial_memory(&trial, "key"));
    memcpy((uint8_t *)trial_memory(&trial, "input") + 512, plain, 16);
    trial_run(&trial);
    assert_memory_equal((uint8_t *)trial_memory(&trial, "result") + 512, cipher, 16);
    free_trial(&trial);
}

static void aes_twin(struct thread *t)
{
    load(t, "input", t->x);
    for (int64_t table = 0; table < 4; table++)
        touch_space(t, OP_LOAD, SPACE_CONSTANT, 4, (uint64_t)(1024 * table + 4 * (t->x % 256)));
    for (int64_t round = 0; round <= 10; round++)
        touch_space(t, OP_LOAD, SPACE_TEXTURE, 4,
                    program_find_array(t->source, "key")->base +
                        (uint64_t)(4 * (t->x % 4 + 4 * round)));
    store(t, "result", t->x);
}

static void aes_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program("AES", "bytes=3000");
    check_twin(source, (struct sizes){0}, aes_twin);
    trace_source_free(source);
    source = open_program("AES", "");
    assert_int_equal(source->launches[0].grid[0], 257);
    assert_int_equal(program_find_array(source, "input")->bytes, 263168);
    trace_source_free(source);
}

static uint32_t rotate(uint32_t value, int bits)
{
    return value << bits | value >> (32 - bits);
}

/* SHA-1 of up to 55 bytes by the letter of FIPS-180. */
static void sha1(const uint8_t *message, size_t bytes, uint32_t digest[5])
{
    uint8_t block[64] = {0};
    uint32_t w[80], h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    assert_true(bytes <= 55);
    memcpy(block, message, bytes);
    block[bytes] = 0x80;
    block[62] = (uint8_t)(bytes * 8 >> 8);
    block[63] = (uint8_t)(bytes * 8);
    for (int t = 0; t < 80; t++)
        w[t] = t < 16 ? (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
                            (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3]
                      : rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    memcpy(digest, h, sizeof h);
    for (int t = 0; t < 80; t++) {
        uint32_t b = h[1], c = h[2], d = h[3], f = b ^ c ^ d, k = t < 40 ? 0x6ed9eba1 : 0xca62c1d6;
        if (t < 20) {
            f = (b & c) ^ (~b & d);
            k = 0x5a827999;
        } else if (t >= 40 && t < 60) {
            f = (b & c) ^ (b & d) ^ (c & d);
            k = 0x8f1bbcdc;
        }
        uint32_t next = rotate(h[0], 5) + f + h[4] + k + w[t];
        const uint32_t after[5] = {next, h[0], rotate(h[1], 30), h[2], h[3]};
        memcpy(h, after, sizeof h);
    }
    for (int i = 0; i < 5; i++)
        digest[i] += h[i];
}

static void sto_takes_the_sha1_of_every_window(void **state)
{
    (void)state;
    static const uint32_t abc[5] = {0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d};
    uint32_t digest[5];
    struct trial trial;
    sha1((const uint8_t *)"abc", 3, digest);
    assert_memory_equal(digest, abc, sizeof abc);
    open_trial(&trial, "STO", "threads=300");
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    const uint8_t *input = trial_copy(&trial, "input");
    uint8_t *output = trial_copy(&trial, "output");
    for (int t = 0; t < 300; t++) {
        sha1(input + 4 * t, 52, digest);
        for (int b = 0; b < 4; b++)
            output[4 * t + b] = (uint8_t)(digest[0] >> (24 - 8 * b));
    }
    close_trial(&trial);
}

static void sto_twin(struct thread *t)
{
    if (t->x >= t->n.i)
        return;
    for (int64_t word = 0; word < 13; word++)
        load(t, "input", t->x + word);
    for (uint64_t b = 0; b < 4; b++)
        touch_bytes(t, OP_STORE, "output", (uint64_t)t->x * 4 + b, 1);
}

static void sto_makes_the_accesses_of_its_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program("STO", "threads=333");
    check_twin(source, (struct sizes){333, 0, 0, 0, 0}, sto_twin);
    trace_source_free(source);
    source = open_program("STO", "");
    assert_int_equal(source->launches[0].grid[0], 384);
    assert_int_equal(program_find_array(source, "input")->bytes, 196656);
    trace_source_free(source);
}

/* The scalar ray tracer, recursive and in double precision. */
struct ray {
    double from[3], way[3];
};

static const double centres[4][3] = {{0, -1.5, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, -2}};
static const double radii[4] = {0, 0.5, 0.5, 0.75};
static const double colours[4][3] = {{0, 1, 1}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void direct(const double from[3], const double to[3], double way[3])
{
    double length = 0;
    for (int i = 0; i < 3; i++)
        length += (to[i] - from[i]) * (to[i] - from[i]);
    for (int i = 0; i < 3; i++)
        way[i] = (to[i] - from[i]) / sqrt(length);
}

/* Solves the quadratic equation of the sphere, or the linear one of the plane. */
static double hit_at(const struct ray *ray, int object)
{
    if (object == 0) {
        double t = fabs(ray->way[1]) < 0.0001 ? 0 : (centres[0][1] - ray->from[1]) / ray->way[1];
        return t > 0 ? t : 0;
    }
    double off[3];
    for (int i = 0; i < 3; i++)
        off[i] = ray->from[i] - centres[object][i];
    double half = dot(off, ray->way), c = dot(off, off) - radii[object] * radii[object];
    double root = half * half - c;
    if (root < 0 || (half > 0 && c > 0))
        return 0;
    return c > 0 ? -half - sqrt(root) : -half + sqrt(root);
}

static bool reaches_light(const double point[3], const double way[3])
{
    static const double light[3] = {10, 10, 10};
    struct ray ray;
    double apart = 0;
    for (int i = 0; i < 3; i++) {
        ray.from[i] = point[i] + way[i] * 0.0001;
        ray.way[i] = way[i];
        apart += (light[i] - point[i]) * (light[i] - point[i]);
    }
    for (int object = 0; object < 4; object++) {
        double t = hit_at(&ray, object), met[3];
        for (int i = 0; i < 3; i++)
            met[i] = point[i] + way[i] * t;
        if (t != 0 && !(t > 0 && dot(met, met) > apart))
            return false;
    }
    return true;
}

/* Returns whether anything was hit. */
static bool trace_ray(const struct ray *ray, int depth, double colour[3])
{
    static const double light[3] = {10, 10, 10};
    int nearest = -1;
    double distance = 10000;
    for (int object = 0; object < 4; object++) {
        double t = hit_at(ray, object);
        if (t > 0 && t < distance) {
            distance = t;
            nearest = object;
        }
    }
    if (nearest < 0 || depth == 5)
        return false;
    double point[3], to_light[3], to_eye[3], normal[3] = {0, 1, 0}, sum[3], deeper[3];
    for (int i = 0; i < 3; i++)
        point[i] = ray->from[i] + ray->way[i] * distance;
    direct(point, light, to_light);
    direct(point, ray->from, to_eye);
    if (nearest)
        direct(centres[nearest], point, normal);
    double side = dot(normal, to_eye) < 0 ? -1 : 1, facing = side * dot(normal, to_light);
    double share = 0.05, gleam = 0;
    if (facing > 0 && reaches_light(point, to_light)) {
        for (int i = 0; i < 3; i++)
            sum[i] = to_light[i] + to_eye[i];
        double shine = side * dot(normal, sum) / sqrt(dot(sum, sum));
        share += 0.3 * fmin(1, facing);
        gleam = 0.8 * pow(fmax(0, fmin(1, shine)), 50);
    }
    struct ray next;
    for (int i = 0; i < 3; i++) {
        next.way[i] = 2 * normal[i] * dot(normal, to_eye) - to_eye[i];
        next.from[i] = point[i] + next.way[i] * 0.0001;
        colour[i] = colours[nearest][i] * share + gleam;
    }
    if (trace_ray(&next, depth + 1, deeper))
        for (int i = 0; i < 3; i++)
            colour[i] += 0.8 * deeper[i];
    return true;
}

static void trace_pixel(int x, int y, int width, int height, int pixel[3])
{
    static const double eye[3] = {0, 0.5, 2}, centre[3] = {0, 0, 0};
    double ahead[3], up[3], colour[3] = {0}, size = 2.0 / (width < height ? width : height);
    direct(eye, centre, ahead);
    double lift = sqrt(1 - ahead[1] * ahead[1]);
    for (int i = 0; i < 3; i++)
        up[i] = ((i == 1) - ahead[1] * ahead[i]) / lift;
    const double across[3] = {ahead[1] * up[2] - ahead[2] * up[1],
                              ahead[2] * up[0] - ahead[0] * up[2],
                              ahead[0] * up[1] - ahead[1] * up[0]};
    double focus = 1 / tan(65 * M_PI / 360), zero[3] = {0}, way[3];
    struct ray ray;
    memcpy(ray.from, eye, sizeof eye);
    for (int i = 0; i < 3; i++)
        way[i] = ahead[i] * focus + across[i] * (x - width * 0.5) * size +
                 up[i] * (y - height * 0.5) * size;
    direct(zero, way, ray.way);
    if (!trace_ray(&ray, 0, colour))
        memset(colour, 0, sizeof colour);
    for (int i = 0; i < 3; i++)
        pixel[i] = (int)(fmin(1, colour[i]) * 255);
}

/* Single precision differs by a step of a channel, and by more where a ray grazes an edge. */
static void ray_paints_the_picture_of_the_scalar_tracer(void **state)
{
    (void)state;
    enum { WIDTH = 120, HEIGHT = 90 };
    struct trial trial;
    open_trial(&trial, "RAY", "width=120,height=90");
    trial_run(&trial);
    const uint32_t *picture = trial_memory(&trial, "output");
    int wrong = 0, painted[3] = {0};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int pixel[3], distance = 0;
            trace_pixel(x, y, WIDTH, HEIGHT, pixel);
            for (int i = 0; i < 3; i++) {
                int found = picture[y * WIDTH + x] >> (8 * i) & 255;
                distance = abs(found - pixel[i]) > distance ? abs(found - pixel[i]) : distance;
                painted[i] += found > 60;
            }
            wrong += distance > 2;
        }
    assert_true(wrong < WIDTH * HEIGHT / 200);
    for (int i = 0; i < 3; i++)
        assert_true(painted[i] > 100);
    free_trial(&trial);
}

static void touch_local(struct thread *t, enum memory_op op, uint64_t number, uint64_t colour)
{
    touch_space(t, op, SPACE_LOCAL, 16, 0x3fc00000 + colour * 4 * LOCAL_WORD_STRIDE + 4 * number);
}

/* What a thread accesses whose ray hits something `hits` times. */
static uint64_t hash_pixel(const struct trace_source *source, uint64_t number, int64_t pixel,
                           uint64_t hits)
{
    struct thread t = {.source = source};
    for (uint64_t i = 0; i < 5; i++)
        touch_local(&t, OP_STORE, number, i);
    if (pixel < 0)
        return t.hash;
    store(&t, "output", pixel);
    for (uint64_t i = 0; i < hits; i++)
        touch_local(&t, OP_STORE, number, i);
    for (uint64_t i = hits; i > 1; i--) {
        touch_local(&t, OP_LOAD, number, i - 2);
        touch_local(&t, OP_LOAD, number, i - 1);
        touch_local(&t, OP_STORE, number, i - 2);
    }
    touch_local(&t, OP_LOAD, number, 0);
    load(&t, "output", pixel);
    store(&t, "output", pixel);
    return t.hash;
}

static void ray_makes_the_accesses_of_a_path(void **state)
{
    (void)state;
    enum { WIDTH = 100, HEIGHT = 60, BLOCKS_X = 7 };
    static uint64_t hashes[BLOCK_THREADS_MAX];
    struct trace_source *source = open_program("RAY", "width=100,height=60");
    int threads_of[6] = {0};
    for (uint64_t block = 0; block < launch_blocks(&source->launches[0]); block++) {
        hash_block(source, 0, block, hashes);
        for (uint64_t i = 0; i < 128; i++) {
            int64_t x = (int64_t)(block % BLOCKS_X * 16 + i % 16);
            int64_t y = (int64_t)(block / BLOCKS_X * 8 + i / 16);
            int64_t pixel = x < WIDTH && y < HEIGHT ? y * WIDTH + x : -1;
            uint64_t hits = 0;
            while (hits < 5 && hash_pixel(source, block * 128 + i, pixel, hits) != hashes[i])
                hits++;
            assert_true(hash_pixel(source, block * 128 + i, pixel, hits) == hashes[i]);
            threads_of[hits]++;
        }
    }
    for (int hits = 0; hits < 4; hits++)
        assert_true(threads_of[hits] > 10);
    trace_source_free(source);
}

/* The marks and visits at the start of every launch, by plain double buffers. */
enum { BFS_NODES = 1500, BFS_LAUNCHES_MAX = 40 };
static bool marked[BFS_LAUNCHES_MAX][BFS_NODES], visited[BFS_LAUNCHES_MAX][BFS_NODES];

/* Returns how many launches there are. */
static uint32_t replay_search(const struct graph *graph)
{
    uint32_t launch = 0;
    memset(marked, 0, sizeof marked);
    memset(visited, 0, sizeof visited);
    marked[0][0] = true;
    for (bool over = true; over; launch++) {
        over = false;
        assert_true(launch + 1 < BFS_LAUNCHES_MAX);
        memcpy(visited[launch + 1], visited[launch], sizeof visited[0]);
        for (uint32_t v = 0; v < graph->nodes; v++) {
            if (!marked[launch][v])
                continue;
            visited[launch + 1][v] = true;
            for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++)
                if (!visited[launch][graph->edges[e]])
                    marked[launch + 1][graph->edges[e]] = over = true;
        }
    }
    return launch;
}

static void search_twin(struct thread *t)
{
    const struct graph *graph = bfs_ispass_graph(t->source);
    uint64_t v = (uint64_t)t->x;
    if (v >= graph->nodes)
        return;
    touch_bytes(t, OP_LOAD, "mask", v, 1);
    if (!marked[t->launch][v])
        return;
    touch_bytes(t, OP_STORE, "mask", v, 1);
    touch_bytes(t, OP_STORE, "visited", v, 1);
    touch_bytes(t, OP_LOAD, "nodes", 8 * v + 4, 4);
    touch_bytes(t, OP_LOAD, "nodes", 8 * v, 4);
    for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
        uint64_t to = graph->edges[e];
        load(t, "edges", e);
        touch_bytes(t, OP_LOAD, "visited", to, 1);
        if (visited[t->launch][to])
            continue;
        load(t, "cost", t->x);
        store(t, "cost", (int64_t)to);
        touch_bytes(t, OP_STORE, "mask", to, 1);
        touch_bytes(t, OP_STORE, "over", 0, 1);
        touch_bytes(t, OP_LOAD, "nodes", 8 * v + 4, 4);
        touch_bytes(t, OP_LOAD, "nodes", 8 * v, 4);
    }
}

static void check_search(const char *parameters)
{
    struct trial trial;
    open_trial(&trial, "BFS-ISPASS", parameters);
    const struct graph *graph = bfs_ispass_graph(trial.source);
    assert_int_equal(trial.source->launch_count, replay_search(graph));
    check_twin(trial.source, (struct sizes){0}, search_twin);
    staged_upload(trial.source, &trial.device);
    trial_run(&trial);
    uint32_t levels;
    uint32_t *level = graph_levels(graph, &levels);
    assert_non_null(level);
    const uint8_t *found = trial_memory(&trial, "visited");
    const int32_t *cost = trial_memory(&trial, "cost");
    for (uint32_t v = 0; v < graph->nodes; v++) {
        assert_int_equal(found[v], level[v] != UINT32_MAX);
        assert_int_equal(cost[v] < 0, level[v] == UINT32_MAX);
    }
    free(level);
    free_trial(&trial);
}

/* Costs depend on the order of the threads; which nodes have one does not. */
static void search_follows_its_rule(void **state)
{
    (void)state;
    check_search("nodes=1500");
    check_search("nodes=1000,degree=2,seed=5,block_x=100");
    check_search("nodes=300,degree=16");
    check_search("nodes=40,degree=1,seed=2");
    check_search("nodes=1,degree=3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aes_is_aes),
        cmocka_unit_test(aes_takes_another_key),
        cmocka_unit_test(aes_makes_the_accesses_of_its_twin),
        cmocka_unit_test(sto_takes_the_sha1_of_every_window),
        cmocka_unit_test(sto_makes_the_accesses_of_its_twin),
        cmocka_unit_test(ray_paints_the_picture_of_the_scalar_tracer),
        cmocka_unit_test(search_follows_its_rule),
        cmocka_unit_test(ray_makes_the_accesses_of_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
