#include "report/drawing/cell_picture.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "report/drawing/html.h"
#include "report/drawing/pixel_font.h"

/* ---- SVG ---- */

enum { SVG_WIDTH = 8, SVG_HEIGHT = 17, SVG_LINE = 13, SVG_SIZE = 13 };

struct run { /* cells of a row that look alike */
    int row, first, count;
    struct cell_colours colours;
    bool bold;
};

static const struct cell *cell_at(const struct cells *cells, int row, int column)
{
    return &cells->items[row * cells->columns + column];
}

static struct run run_from(const struct cells *cells, cell_colouring *colouring, int row, int first)
{
    const struct cell *cell = cell_at(cells, row, first);
    struct run run = {row, first, 1, colouring(cell), cell->bold};
    for (int i = first + 1; i < cells->columns; i++, run.count++) {
        const struct cell *next = cell_at(cells, row, i);
        const struct cell_colours colours = colouring(next);
        if (colours.ink != run.colours.ink || colours.paper != run.colours.paper ||
            next->bold != run.bold)
            break;
    }
    return run;
}

/* What text does not show at the ends of a run is left out. */
static void svg_text(const struct cells *cells, struct run run, FILE *out)
{
    while (run.count && !cell_at(cells, run.row, run.first + run.count - 1)->glyph)
        run.count--;
    while (run.count && !cell_at(cells, run.row, run.first)->glyph) {
        run.first++;
        run.count--;
    }
    if (!run.count)
        return;
    fprintf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s>",
            run.first * SVG_WIDTH, run.row * SVG_HEIGHT + SVG_LINE, run.count * SVG_WIDTH,
            run.colours.ink, run.bold ? " font-weight=\"bold\"" : "");
    for (int i = 0; i < run.count; i++) {
        const uint32_t glyph = cell_at(cells, run.row, run.first + i)->glyph;
        char bytes[UTF8_MAX + 1] = " ";
        if (glyph)
            bytes[utf8_write(glyph, bytes)] = '\0';
        html_escape(bytes, out);
    }
    fputs("</text>\n", out);
}

void cell_picture_svg(const struct cells *cells, cell_colouring *colouring, FILE *out)
{
    const int width = cells->columns * SVG_WIDTH, height = cells->rows * SVG_HEIGHT;
    const uint32_t paper = colouring(NULL).paper;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"%d\" "
            "xml:space=\"preserve\">\n<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
            width, height, width, height, SVG_SIZE, width, height, paper);
    for (int row = 0; row < cells->rows; row++)
        for (int column = 0; column < cells->columns;) {
            const struct run run = run_from(cells, colouring, row, column);
            if (run.colours.paper != paper)
                fprintf(out,
                        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
                        column * SVG_WIDTH, row * SVG_HEIGHT, run.count * SVG_WIDTH, SVG_HEIGHT,
                        run.colours.paper);
            svg_text(cells, run, out);
            column += run.count;
        }
    fputs("</svg>\n", out);
}

/* ---- pixels ---- */

static void put_cell(const struct cells *cells, cell_colouring *colouring, int row, int column,
                     struct picture *picture)
{
    const struct cell *cell = cell_at(cells, row, column);
    const struct cell_colours colours = colouring(cell);
    const uint32_t glyph = cell->glyph ? cell->glyph : ' ';
    for (int y = 0; y < FONT_HEIGHT; y++)
        for (int x = 0; x < FONT_WIDTH; x++) {
            const bool ink = pixel_font_ink(glyph, x, y) ||
                             (cell->bold && x > 0 && pixel_font_ink(glyph, x - 1, y));
            const uint32_t colour = ink ? colours.ink : colours.paper;
            const size_t at = (size_t)(row * FONT_HEIGHT + y) * picture->width +
                              (size_t)(column * FONT_WIDTH + x);
            unsigned char *pixel = picture->pixels + 3 * at;
            pixel[0] = (unsigned char)(colour >> 16);
            pixel[1] = (unsigned char)(colour >> 8);
            pixel[2] = (unsigned char)colour;
        }
}

enum status cell_picture_pixels(const struct cells *cells, cell_colouring *colouring,
                                struct picture *picture)
{
    *picture = (struct picture){.width = (uint32_t)(cells->columns * FONT_WIDTH),
                                .height = (uint32_t)(cells->rows * FONT_HEIGHT)};
    picture->pixels = malloc((size_t)picture->width * picture->height * 3 + 1);
    if (!picture->pixels)
        return STATUS_MEMORY;
    for (int row = 0; row < cells->rows; row++)
        for (int column = 0; column < cells->columns; column++)
            put_cell(cells, colouring, row, column, picture);
    return STATUS_OK;
}
