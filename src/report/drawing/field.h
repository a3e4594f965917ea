/* Values on a grid - the colours of a frame, counts of its lines - and how a grid becomes a picture
 * of any size, in pixels or in character cells.
 *
 * A cell shows two pixels, one above the other, so cells count as twice as high as wide. */
#pragma once

#include "report/drawing/cells.h"
#include "report/drawing/picture.h"

struct field { /* zero-initialized: empty */
    uint32_t width, height;
    unsigned channels; /* 3: red, green and blue from 0 to 255; 1: any value, NaN: none */
    double *values;    /* [height][width][channels] */
};

/* Zeros. STATUS_MEMORY. */
enum status field_init(struct field *field, uint32_t width, uint32_t height, unsigned channels);
void field_free(struct field *field);

/* The colours of a picture. STATUS_MEMORY. */
enum status field_of_picture(const struct picture *picture, struct field *field);

/* Makes each value of `to`, which is new, the mean of what it covers, by area. STATUS_MEMORY. */
enum status field_scale(const struct field *from, uint32_t width, uint32_t height,
                        struct field *to);

/* From dark to bright for shares from 0 to 1, as 0xrrggbb; the more, the brighter also in grey. */
uint32_t heat_colour(double share);

/* A field of one channel as one of three: `most` is the brightest. */
enum status field_heat(const struct field *from, double most, struct field *to);
double field_most(const struct field *field); /* 0: nothing is above 0 */

/* 8 bits a channel; each value fills `side` x `side` pixels, cut at width x height. */
enum status field_picture(const struct field *field, uint32_t side, uint32_t width, uint32_t height,
                          struct picture *picture);

/* Cells that a field with square values takes at most in so much room. */
void field_fit(const struct field *field, int room_rows, int room_columns, int *rows, int *columns);

/* Draws a field of three channels, two values a cell, clipped to the grid. */
void field_draw(const struct field *field, struct cells *cells, int row, int column,
                enum glyphs glyphs);
