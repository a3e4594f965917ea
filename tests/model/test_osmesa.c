/* Scenes beside OSMesa's pictures of them, where there is an OSMesa (osmesa.h).
 *
 * The two cannot be equal: OpenGL leaves the subpixel grid, the precision of interpolation and of
 * the functions of shaders open. So an edge may take a pixel more or less, and where a picture is
 * looked up a texel may be its neighbour: pixels far off, but few. All others are the same but for
 * rounding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "support/osmesa.h"
#include "support/sanitized.h"

enum { WIDTH = 320, HEIGHT = 240, NEAR = 2 };

struct comparison {
    const struct scene_kind *kind;
    uint32_t detail;
    double far_share; /* pixels of which a channel is more than NEAR of 255 off, at most */
};

/* Colours of the last pass, by pixel. */
static uint32_t *draw(struct render_stream *stream)
{
    struct tile_memory memory;
    const struct tile_stream *tiles = &stream->stream;
    uint32_t *colours = calloc(WIDTH * HEIGHT, sizeof *colours);
    assert_non_null(colours);
    assert_int_equal(tile_reference(tiles, &memory, NULL), STATUS_OK);
    const struct tile_surface *surface = &tiles->surfaces[tiles->surface_count - 2];
    assert_string_equal(surface->name, "colour");
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            colours[y * WIDTH + x] = tile_memory_line(
                &memory, tile_address(surface, x / 4, y / 4))[tile_value(surface, x, y, 0)];
    tile_memory_free(&memory);
    return colours;
}

static unsigned difference(uint32_t a, uint32_t b)
{
    unsigned most = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        const int one = (int)(a >> shift & 0xff) - (int)(b >> shift & 0xff);
        const unsigned size = (unsigned)(one < 0 ? -one : one);
        most = size > most ? size : most;
    }
    return most;
}

static void compare(struct osmesa *mesa, const struct comparison *with, uint32_t frame)
{
    const struct scene_setup setup = {.width = WIDTH,
                                      .height = HEIGHT,
                                      .samples = 1,
                                      .frame = frame,
                                      .frames = 1,
                                      .detail = with->detail,
                                      .fast_clear = true,
                                      .seed = 1};
    struct scene scene;
    struct render_stream stream;
    assert_int_equal(scene_init(&scene, with->kind, &setup, NULL, NULL), STATUS_OK);
    assert_int_equal(render_stream_init(&stream, &scene), STATUS_OK);
    uint32_t *ours = draw(&stream), *theirs = osmesa_draw(mesa, &stream.scene);
    assert_non_null(theirs);
    unsigned equal = 0, far = 0, drawn = 0;
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
        const unsigned off = difference(ours[i], theirs[i]);
        equal += !off;
        far += off > NEAR;
        drawn += theirs[i] != theirs[0];
    }
    const double all = WIDTH * HEIGHT, share = far / all;
    print_message("%-10s frame %2u: %6.2f %% equal, %6.3f %% more than %d of 255 off\n",
                  with->kind->name, (unsigned)frame, 100 * equal / all, 100 * share, NEAR);
    assert_true(drawn > all / 10);
    assert_true(share <= with->far_share);
    free(ours);
    free(theirs);
    render_stream_free(&stream);
}

static void pictures_are_those_of_mesa(void **state)
{
    (void)state;
    static const struct comparison all[] = {{&scene_effect2d, 1, 0.001},
                                            {&scene_shadow, 21, 0.001},
                                            {&scene_refract, 24, 0.03},
                                            {&scene_jellyfish, 32, 0.001}};
    if (SANITIZED) {
        print_message("skipped: Mesa and LLVM do not free all that they allocate\n");
        skip();
    }
    const char *why = "out of memory";
    struct osmesa *mesa = osmesa_open(WIDTH, HEIGHT, &why);
    if (!mesa) {
        print_message("skipped: %s\n", why);
        skip();
    }
    print_message("%s\n", osmesa_name(mesa));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (uint32_t frame = 0; frame <= 45; frame += 45)
            compare(mesa, &all[i], frame);
    osmesa_close(mesa);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pictures_are_those_of_mesa)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
