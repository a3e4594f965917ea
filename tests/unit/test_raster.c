/* Triangles against exact integers at every sample: coverage, edges that triangles share, depth,
 * varyings, clipping; and that each order of traversal visits what is covered once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "support/slow_raster.h"

static struct tile_surface surface_of(uint32_t width, uint32_t height, uint32_t samples)
{
    return (struct tile_surface){
        .kind = TILE_DEPTH, .width = width, .height = height, .samples = samples};
}

struct draws { /* of random numbers */
    uint64_t seed, count;
};

static float unit(struct draws *draws)
{
    return random_unit(random_at(draws->seed, draws->count++));
}

/* Screen coordinates from -reach to 1 + reach of the surface, depth in the view, w from 1 to 4. */
static void roll_vertex(struct draws *draws, float reach, struct vertex *vertex)
{
    const float w = 1 + 3 * unit(draws);
    memset(vertex, 0, sizeof *vertex);
    vertex->clip[0] = ((1 + reach) * 2 * unit(draws) - 1 - reach) * w;
    vertex->clip[1] = ((1 + reach) * 2 * unit(draws) - 1 - reach) * w;
    vertex->clip[2] = (2 * unit(draws) - 1) * w;
    vertex->clip[3] = w;
    for (unsigned i = 0; i < 3; i++)
        vertex->varyings[i] = 10 * unit(draws) - 5;
}

static bool roll_triangle(struct draws *draws, const struct raster_target *target,
                          struct vertex vertices[3], struct triangle *triangle)
{
    const float reaches[] = {0, 0.3f, 4, 0.02f};
    const float reach = reaches[draws->count % 4];
    const bool tiny = unit(draws) < 0.3f;
    const struct vertex *corners[3] = {&vertices[0], &vertices[1], &vertices[2]};
    for (unsigned i = 0; i < 3; i++) {
        roll_vertex(draws, reach, &vertices[i]);
        for (unsigned k = 0; k < 2 && i && tiny; k++) /* near the first corner */
            vertices[i].clip[k] =
                (vertices[0].clip[k] / vertices[0].clip[3] + 0.1f * (unit(draws) - 0.5f)) *
                vertices[i].clip[3];
    }
    for (unsigned i = 0; i < 3; i++)
        vertex_place(&vertices[i], &target->view);
    return triangle_setup(triangle, corners, CULL_NONE, target) == TRIANGLE_VISIBLE;
}

static void each_sample_is_decided_exactly(void **state)
{
    (void)state;
    struct draws draws = {.seed = 1};
    size_t covered = 0;
    for (unsigned round = 0; round < 4000; round++) {
        const uint32_t width = 1 + (uint32_t)(unit(&draws) * 70);
        const struct tile_surface surface =
            surface_of(width, 1 + (uint32_t)(unit(&draws) * 50), round % 2 ? 4 : 1);
        struct raster_target target;
        struct vertex vertices[3];
        struct triangle triangle;
        raster_target_init(&target, &surface);
        if (!roll_triangle(&draws, &target, vertices, &triangle))
            continue;
        for (uint32_t row = 0; row < target.rows; row++)
            for (uint32_t column = 0; column < target.columns; column++) {
                const uint16_t mask = triangle_cover(&triangle, &target, column, row);
                for (unsigned i = 0; i < TILE_VALUES; i++) {
                    const struct slow_sample sample = slow_sample_of(&surface, column, row, i);
                    const bool inside =
                        sample.exists && slow_covers(triangle.points, sample.x, sample.y);
                    assert_int_equal(mask >> i & 1, inside);
                    covered += inside;
                }
            }
    }
    assert_true(covered > 100000);
}

static void depth_is_within_a_step(void **state)
{
    (void)state;
    struct draws draws = {.seed = 2};
    const struct tile_surface surface = surface_of(61, 47, 4);
    struct raster_target target;
    raster_target_init(&target, &surface);
    for (unsigned round = 0; round < 2000; round++) {
        struct vertex vertices[3];
        struct triangle triangle;
        if (!roll_triangle(&draws, &target, vertices, &triangle))
            continue;
        for (uint32_t row = triangle.top; row <= triangle.bottom; row++)
            for (uint32_t column = triangle.left; column <= triangle.right; column++) {
                uint32_t values[TILE_VALUES];
                const uint16_t mask = triangle_cover(&triangle, &target, column, row);
                triangle_depth(&triangle, &target, column, row, values);
                for (unsigned i = 0; i < TILE_VALUES; i++) {
                    const struct slow_sample sample = slow_sample_of(&surface, column, row, i);
                    const double exact = slow_depth(triangle.points, sample.x, sample.y);
                    assert_true(values[i] <= DEPTH_MAX);
                    assert_true(!(mask >> i & 1) || fabs(values[i] - exact) <= 0.6);
                }
            }
    }
}

/* Interpolation with perspective from exact areas: sum of a * v / w over sum of a / w. */
static void varyings_have_perspective(void **state)
{
    (void)state;
    struct draws draws = {.seed = 3};
    const struct tile_surface surface = surface_of(64, 64, 1);
    struct raster_target target;
    raster_target_init(&target, &surface);
    size_t compared = 0;
    for (unsigned round = 0; round < 2000; round++) {
        struct vertex vertices[3];
        struct triangle triangle;
        if (!roll_triangle(&draws, &target, vertices, &triangle) || triangle.area < 65536)
            continue;
        struct varying_planes planes;
        varying_planes_setup(&planes, &triangle, &target, 3);
        for (uint32_t i = 0; i < 64 * 64; i += 7) {
            const uint32_t x = i % 64, y = i / 64;
            if (!slow_covers(triangle.points, 16 * x + 8, 16 * y + 8))
                continue;
            double sums[4] = {0};
            float got[VARYINGS_MAX];
            for (unsigned k = 0; k < 3; k++) {
                struct screen_point part[3] = {triangle.points[0], triangle.points[1],
                                               triangle.points[2]};
                for (unsigned j = 0; j < 3; j++) /* the depth of a corner is its weight */
                    part[j].z = j == k ? 1 << 24 : 0;
                const double weight = slow_depth(part, 16 * x + 8, 16 * y + 8) /
                                      (double)triangle.vertices[k]->clip[3];
                for (unsigned j = 0; j < 3; j++)
                    sums[j] += weight * (double)triangle.vertices[k]->varyings[j];
                sums[3] += weight;
            }
            varyings_at(&planes, x, y, got);
            for (unsigned j = 0; j < 3; j++, compared++)
                assert_true(fabs((double)got[j] - sums[j] / sums[3]) < 2e-3);
        }
    }
    assert_true(compared > 10000);
}

static void each_order_visits_what_is_covered_once(void **state)
{
    (void)state;
    struct draws draws = {.seed = 4};
    enum { MOST = 40 * 30 };
    for (unsigned round = 0; round < 3000; round++) {
        const struct tile_surface surface =
            surface_of(1 + (uint32_t)(unit(&draws) * 79), 1 + (uint32_t)(unit(&draws) * 59),
                       round % 2 ? 4 : 1);
        struct raster_target target;
        struct vertex vertices[3];
        struct triangle triangle;
        raster_target_init(&target, &surface);
        if (!roll_triangle(&draws, &target, vertices, &triangle))
            continue;
        unsigned char seen[MOST];
        struct walk walk;
        uint32_t column, row, last_column = 0, last_row = 0;
        memset(seen, 0, sizeof seen);
        walk_start(&walk, (enum traversal)(round / 2 % TRAVERSAL_COUNT), round, &triangle);
        for (bool first = true; walk_next(&walk, &triangle, &target, &column, &row);
             first = false) {
            assert_true(column >= triangle.left && column <= triangle.right);
            assert_true(row >= triangle.top && row <= triangle.bottom);
            assert_int_equal(seen[row * target.columns + column]++, 0);
            if (walk.order == TRAVERSAL_SCANLINE)
                assert_true(first || row > last_row || (row == last_row && column > last_column));
            last_column = column;
            last_row = row;
        }
        for (uint32_t i = 0; i < target.rows * target.columns; i++)
            assert_true(seen[i] || !triangle_cover(&triangle, &target, i % target.columns,
                                                   i / target.columns));
    }
}

/* Successive lines on Hilbert's curve are neighbours where a triangle covers all of a square. */
static void hilbert_goes_to_neighbours(void **state)
{
    (void)state;
    const struct tile_surface surface = surface_of(64, 64, 1);
    struct vertex vertices[3] = {
        {.clip = {-1, 1, 0, 1}}, {.clip = {-1, -7, 0, 1}}, {.clip = {7, 1, 0, 1}}};
    const struct vertex *corners[3] = {&vertices[0], &vertices[1], &vertices[2]};
    struct raster_target target;
    struct triangle triangle;
    struct walk walk;
    uint32_t column, row, x = 0, y = 0, count = 0;
    raster_target_init(&target, &surface);
    for (unsigned i = 0; i < 3; i++)
        vertex_place(&vertices[i], &target.view);
    assert_int_equal(triangle_setup(&triangle, corners, CULL_NONE, &target), TRIANGLE_VISIBLE);
    walk_start(&walk, TRAVERSAL_HILBERT, 0, &triangle);
    for (; walk_next(&walk, &triangle, &target, &column, &row); count++) {
        if (count)
            assert_int_equal(abs((int)column - (int)x) + abs((int)row - (int)y), 1);
        else
            assert_int_equal(column + row, 0);
        x = column;
        y = row;
    }
    assert_int_equal(count, 256);
}

/* Counts how often samples are covered by the clipped triangles of a mesh. */
static void count_samples(const struct tile_surface *surface, struct vertex *vertices,
                          const uint32_t *indices, size_t index_count, unsigned char *counts)
{
    struct raster_target target;
    raster_target_init(&target, surface);
    for (size_t i = 0; i < index_count; i += 3) {
        struct vertex room[CLIP_VERTICES];
        const struct vertex *p[CLIP_VERTICES], *corners[3];
        for (unsigned k = 0; k < 3; k++) {
            vertex_place(&vertices[indices[i + k]], &target.view);
            corners[k] = &vertices[indices[i + k]];
        }
        const unsigned count = clip_triangle(corners, &target.view, 0, room, p);
        for (unsigned k = 1; k + 1 < count; k++) {
            const struct vertex *const fan[3] = {p[0], p[k], p[k + 1]};
            struct triangle triangle;
            if (triangle_setup(&triangle, fan, CULL_NONE, &target) != TRIANGLE_VISIBLE)
                continue;
            for (uint32_t line = 0; line < target.rows * target.columns; line++)
                for (unsigned mask = triangle_cover(&triangle, &target, line % target.columns,
                                                    line / target.columns);
                     mask; mask &= mask - 1)
                    counts[line * TILE_VALUES + (unsigned)__builtin_ctz(mask)]++;
        }
    }
}

enum { CELLS = 9, CORNERS = CELLS + 1, GRID_INDICES = 6 * CELLS * CELLS };

/* Two triangles a cell, along either diagonal. */
static void make_grid(struct draws *draws, uint32_t indices[GRID_INDICES])
{
    for (uint32_t i = 0, *out = indices; i < CELLS * CELLS; i++, out += 6) {
        const uint32_t a = i / CELLS * CORNERS + i % CELLS, b = a + 1, c = a + CORNERS, d = c + 1;
        const uint32_t one[] = {a, b, d, a, d, c}, other[] = {a, b, c, b, d, c};
        memcpy(out, unit(draws) < 0.5f ? one : other, sizeof one);
    }
}

static void shared_edges_are_drawn_once(void **state)
{
    (void)state;
    struct draws draws = {.seed = 5};
    for (unsigned round = 0; round < 60; round++) {
        const struct tile_surface surface = surface_of(97, 64, round % 2 ? 4 : 1);
        struct vertex vertices[CORNERS * CORNERS] = {0};
        uint32_t indices[GRID_INDICES];
        make_grid(&draws, indices);
        for (uint32_t i = 0; i < CORNERS * CORNERS; i++) {
            /* A grid larger than the screen; corners move by less than a third of a cell. Every
             * third round they lie on samples, where edges meet them exactly. */
            const bool exact = round % 3 == 0;
            const uint32_t row = i / CORNERS;
            const float w = 1 + unit(&draws);
            const float jitter = exact ? 0 : 0.06f;
            const float x =
                1.25f * (2 * (float)(i % CORNERS) / CELLS - 1) + jitter * (2 * unit(&draws) - 1);
            const float y = 1.25f * (2 * (float)row / CELLS - 1) + jitter * (2 * unit(&draws) - 1);
            vertices[i].clip[0] = x * w;
            vertices[i].clip[1] = y * w;
            vertices[i].clip[3] = w;
        }
        unsigned char counts[25 * 16 * 16 * 4 * 4] = {0};
        count_samples(&surface, vertices, indices, GRID_INDICES, counts);
        for (uint32_t line = 0; line < tile_lines(&surface); line++)
            for (unsigned i = 0; i < TILE_VALUES; i++) {
                const struct slow_sample sample = slow_sample_of(
                    &surface, line % tile_columns(&surface), line / tile_columns(&surface), i);
                assert_int_equal(counts[line * TILE_VALUES + i], sample.exists);
            }
    }
}

/* A ground far larger than the view, through and behind the eye: below the horizon each sample
 * once, above it none. */
static void clipped_triangles_meet(void **state)
{
    (void)state;
    struct draws draws = {.seed = 6};
    const struct tile_surface surface = surface_of(120, 90, 1);
    for (unsigned round = 0; round < 40; round++) {
        struct vertex vertices[CORNERS * CORNERS] = {0};
        uint32_t indices[GRID_INDICES];
        const struct matrix view =
            matrix_multiply(matrix_perspective(60, 4.0f / 3, 0.1f, 1e6f),
                            matrix_rotation(360 * unit(&draws), (struct vector3){0, 1, 0}));
        make_grid(&draws, indices);
        for (uint32_t i = 0; i < CORNERS * CORNERS; i++) {
            const uint32_t row = i / CORNERS;
            const struct vector3 at = {
                3e4f * (2 * (float)(i % CORNERS) / CELLS - 1) + 2e3f * unit(&draws), -1,
                3e4f * (2 * (float)row / CELLS - 1) + 2e3f * unit(&draws)};
            matrix_apply(&view, at, vertices[i].clip);
        }
        unsigned char counts[30 * 23 * TILE_VALUES] = {0};
        count_samples(&surface, vertices, indices, GRID_INDICES, counts);
        for (uint32_t y = 0; y < surface.height; y++)
            for (uint32_t x = 0; x < surface.width; x++) {
                const uint32_t line = y / 4 * 30 + x / 4;
                const unsigned count = counts[line * TILE_VALUES + tile_value(&surface, x, y, 0)];
                assert_true(count <= 1);
                assert_true(y <= 46 || count == 1);
                assert_true(y >= 44 || count == 0);
            }
    }
}

static void odd_vertices_draw_nothing_or_little(void **state)
{
    (void)state;
    const float values[] = {0, -1, 1, 1e-30f, 1e30f, -1e30f, INFINITY, NAN, 3e38f, 1e-7f};
    const size_t count = sizeof values / sizeof *values;
    struct draws draws = {.seed = 7};
    const struct tile_surface surface = surface_of(64, 48, 1);
    const uint32_t indices[] = {0, 1, 2};
    for (unsigned round = 0; round < 50000; round++) {
        struct vertex vertices[3] = {0};
        unsigned char counts[16 * 12 * TILE_VALUES] = {0};
        bool ahead = false;
        for (unsigned i = 0; i < 3; i++) {
            for (unsigned k = 0; k < 4; k++)
                vertices[i].clip[k] = values[random_below(random_at(8, draws.count++), count)];
            ahead |= vertices[i].clip[3] > 0;
        }
        count_samples(&surface, vertices, indices, 3, counts);
        for (size_t i = 0; i < sizeof counts; i++)
            assert_true(counts[i] <= (ahead ? CLIP_VERTICES - 2 : 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sample_is_decided_exactly),
        cmocka_unit_test(depth_is_within_a_step),
        cmocka_unit_test(varyings_have_perspective),
        cmocka_unit_test(each_order_visits_what_is_covered_once),
        cmocka_unit_test(hilbert_goes_to_neighbours),
        cmocka_unit_test(shared_edges_are_drawn_once),
        cmocka_unit_test(clipped_triangles_meet),
        cmocka_unit_test(odd_vertices_draw_nothing_or_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
