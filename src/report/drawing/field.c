#include "report/drawing/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/drawing/region.h"

enum status field_init(struct field *field, uint32_t width, uint32_t height, unsigned channels)
{
    *field = (struct field){.width = width, .height = height, .channels = channels};
    field->values = calloc((size_t)width * height * channels + 1, sizeof *field->values);
    return field->values ? STATUS_OK : STATUS_MEMORY;
}

void field_free(struct field *field)
{
    free(field->values);
    *field = (struct field){0};
}

enum status field_of_picture(const struct picture *picture, struct field *field)
{
    const enum status status = field_init(field, picture->width, picture->height, 3);
    for (size_t i = 0; !status && i < (size_t)picture->width * picture->height * 3; i++)
        field->values[i] = picture->pixels[i];
    return status;
}

/* The values of a span that [begin, end) of the other grid covers, and how much of the first and
 * the last of them. */
struct span {
    uint32_t first, last;
    double begin, end;
};

static struct span span_of(uint32_t at, uint32_t from, uint32_t to)
{
    struct span span = {.begin = (double)at * from / to, .end = (double)(at + 1) * from / to};
    span.first = (uint32_t)span.begin;
    span.last = (uint32_t)ceil(span.end) - 1;
    span.last = span.last >= from ? from - 1 : span.last;
    return span;
}

static double covered(const struct span *span, uint32_t at)
{
    return fmin(span->end, at + 1.0) - fmax(span->begin, at);
}

static double mean_over(const struct field *field, const struct span *rows,
                        const struct span *columns, unsigned channel)
{
    double sum = 0, area = 0;
    for (uint32_t y = rows->first; y <= rows->last; y++)
        for (uint32_t x = columns->first; x <= columns->last; x++) {
            const double value =
                field->values[((size_t)y * field->width + x) * field->channels + channel];
            const double share = covered(rows, y) * covered(columns, x);
            if (isnan(value))
                continue;
            sum += share * value;
            area += share;
        }
    return area > 0 ? sum / area : NAN;
}

enum status field_scale(const struct field *from, uint32_t width, uint32_t height, struct field *to)
{
    const enum status status = field_init(to, width, height, from->channels);
    double *out = to->values;
    for (uint32_t y = 0; !status && y < height; y++) {
        const struct span rows = span_of(y, from->height, height);
        for (uint32_t x = 0; x < width; x++) {
            const struct span columns = span_of(x, from->width, width);
            for (unsigned i = 0; i < from->channels; i++)
                *out++ = mean_over(from, &rows, &columns, i);
        }
    }
    return status;
}

uint32_t heat_colour(double share)
{
    static const unsigned char stops[][3] = {{0, 0, 0},     {56, 16, 110},  {150, 42, 106},
                                             {222, 92, 48}, {250, 178, 44}, {255, 255, 205}};
    enum { LAST = sizeof stops / sizeof *stops - 1 };
    const double at = fmin(fmax(isnan(share) ? 0 : share, 0), 1) * LAST;
    const size_t stop = at >= LAST ? LAST - 1 : (size_t)at;
    uint32_t colour = 0;
    for (unsigned i = 0; i < 3; i++) {
        const double low = stops[stop][i], high = stops[stop + 1][i];
        colour = colour << 8 | (uint32_t)(low + (at - (double)stop) * (high - low) + 0.5);
    }
    return colour;
}

double field_most(const struct field *field)
{
    double most = 0;
    for (size_t i = 0; i < (size_t)field->width * field->height * field->channels; i++)
        most = fmax(most, field->values[i]); /* of a number and a NaN: the number */
    return most;
}

enum status field_heat(const struct field *from, double most, struct field *to)
{
    const enum status status = field_init(to, from->width, from->height, 3);
    for (size_t i = 0; !status && i < (size_t)from->width * from->height; i++) {
        const uint32_t colour = heat_colour(most > 0 ? from->values[i] / most : 0);
        for (unsigned k = 0; k < 3; k++)
            to->values[3 * i + k] = colour >> (16 - 8 * k) & 0xff;
    }
    return status;
}

enum status field_picture(const struct field *field, uint32_t side, uint32_t width, uint32_t height,
                          struct picture *picture)
{
    *picture = (struct picture){width, height, malloc((size_t)width * height * 3)};
    if (!picture->pixels)
        return STATUS_MEMORY;
    unsigned char *out = picture->pixels;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (unsigned i = 0; i < 3; i++)
                *out++ = (unsigned char)
                             field->values[((size_t)(y / side) * field->width + x / side) * 3 + i];
    return STATUS_OK;
}

void field_fit(const struct field *field, int room_rows, int room_columns, int *rows, int *columns)
{
    const double width = field->width ? field->width : 1, height = field->height;
    const double scale = fmin(room_columns / width, 2.0 * room_rows / fmax(height, 1));
    *columns = (int)fmax(1, fmin(room_columns, floor(width * scale + 0.5)));
    *rows = (int)fmax(1, fmin(room_rows, floor(height * scale / 2 + 0.5)));
}

static uint32_t colour_at(const struct field *field, uint32_t x, uint32_t y)
{
    uint32_t colour = 0;
    for (unsigned i = 0; i < 3; i++) {
        const double value = field->values[((size_t)y * field->width + x) * 3 + i];
        colour = colour << 8 | (uint32_t)fmin(fmax(isnan(value) ? 0 : value, 0), 255);
    }
    return CELL_COLOUR | colour;
}

void field_draw(const struct field *field, struct cells *cells, int row, int column,
                enum glyphs glyphs)
{
    enum { UPPER_HALF = 0x2580 };
    const struct region region =
        region_clip(cells, row, column, (int)(field->height + 1) / 2, (int)field->width);
    for (int y = 0; y < region.rows; y++)
        for (int x = 0; x < region.columns; x++) {
            const uint32_t top = 2 * (uint32_t)y, below = top + 1 < field->height ? top + 1 : top;
            struct cell cell = {.ink = colour_at(field, (uint32_t)x, top),
                                .paper = colour_at(field, (uint32_t)x, below)};
            cell.glyph = glyphs == GLYPHS_ASCII ? cell_shade(&cell) : UPPER_HALF;
            *region_cell(&region, y, x) = cell;
        }
}
