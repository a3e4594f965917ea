#include "report/drawing/picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"

static const uint32_t *samples_of(const struct tile_surface *surface,
                                  const struct tile_memory *memory, uint32_t x, uint32_t y)
{
    const uint32_t side = tile_side(surface);
    return tile_memory_line(memory, tile_address(surface, x / side, y / side)) +
           tile_value(surface, x, y, 0);
}

static void put_colours(const struct tile_surface *surface, const struct tile_memory *memory,
                        struct picture *picture)
{
    const uint32_t samples = surface->samples == 4 ? 4 : 1;
    unsigned char *out = picture->pixels;
    for (uint32_t y = 0; y < surface->height; y++)
        for (uint32_t x = 0; x < surface->width; x++) {
            const uint32_t *values = samples_of(surface, memory, x, y);
            for (unsigned shift = 0; shift < 24; shift += 8) {
                uint32_t sum = samples / 2;
                for (uint32_t i = 0; i < samples; i++)
                    sum += values[i] >> shift & 0xff;
                *out++ = (unsigned char)(sum / samples);
            }
        }
}

static void put_depth(const struct tile_surface *surface, const struct tile_memory *memory,
                      struct picture *picture)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t y = 0; y < surface->height; y++)
        for (uint32_t x = 0; x < surface->width; x++) {
            const uint32_t value = *samples_of(surface, memory, x, y);
            least = value < least ? value : least;
            most = value != surface->clear && value > most ? value : most;
        }
    unsigned char *out = picture->pixels;
    const double range = most > least ? (double)(most - least) : 1;
    for (uint32_t y = 0; y < surface->height; y++)
        for (uint32_t x = 0; x < surface->width; x++, out += 3) {
            const uint32_t value = *samples_of(surface, memory, x, y);
            const double grey = value > most ? 1 : 0.9 * (double)(value - least) / range;
            memset(out, (int)(grey * 255 + 0.5), 3);
        }
}

enum status picture_of_surface(const struct tile_surface *surface, const struct tile_memory *memory,
                               struct picture *picture)
{
    *picture = (struct picture){.width = surface->width, .height = surface->height};
    picture->pixels = malloc((size_t)surface->width * surface->height * 3);
    if (!picture->pixels)
        return STATUS_MEMORY;
    (surface->kind == TILE_DEPTH ? put_depth : put_colours)(surface, memory, picture);
    return STATUS_OK;
}

void picture_free(struct picture *picture)
{
    free(picture->pixels);
    *picture = (struct picture){0};
}

enum status picture_write(const struct picture *picture, const char *path, unsigned options,
                          struct diagnostics *diagnostics)
{
    struct output_file file;
    enum status status = output_file_open(path, options, &file, diagnostics);
    if (status)
        return status;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = picture->width,
                       .height = picture->height,
                       .format = PNG_FORMAT_RGB};
    if (png_image_write_to_stdio(&image, file.stream, 0, picture->pixels, 0, NULL))
        return output_file_commit(&file, diagnostics);
    output_file_drop(&file);
    return diagnostics_error(diagnostics, STATUS_IO, "%s: %s", path, image.message);
}
