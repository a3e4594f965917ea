#include "report/drawing/cells.h"

#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "report/drawing/region.h"

enum status cells_init(struct cells *cells, int rows, int columns)
{
    *cells = (struct cells){.rows = rows > 0 ? rows : 0, .columns = columns > 0 ? columns : 0};
    size_t count = (size_t)cells->rows * (size_t)cells->columns;
    cells->items = calloc(count ? count : 1, sizeof *cells->items);
    if (!cells->items) {
        *cells = (struct cells){0};
        return STATUS_MEMORY;
    }
    return STATUS_OK;
}

void cells_free(struct cells *cells)
{
    free(cells->items);
    *cells = (struct cells){0};
}

void cells_text(struct cells *cells, int row, int column, enum role role, const char *utf8)
{
    struct region all = region_clip(cells, 0, 0, cells->rows, cells->columns);
    region_text(&all, row, column, role, utf8);
}

/* Of 0xrrggbb, from 0 to 255. */
static unsigned brightness(uint32_t colour)
{
    return (299 * (colour >> 16 & 0xff) + 587 * (colour >> 8 & 0xff) + 114 * (colour & 0xff)) /
           1000;
}

uint32_t cell_shade(const struct cell *cell)
{
    static const char shades[] = " .:-=+*#%@";
    enum { SHADES = sizeof shades - 1 };
    if (!cell->ink)
        return cell->glyph;
    const uint32_t lower = cell->paper ? cell->paper : cell->ink;
    return (unsigned char)shades[(brightness(cell->ink) + brightness(lower)) * SHADES / 511];
}

void cells_print(const struct cells *cells, FILE *out)
{
    for (int row = 0; row < cells->rows; row++) {
        const struct cell *line = &cells->items[(size_t)row * (size_t)cells->columns];
        int end = cells->columns;
        while (end > 0 && (cell_shade(&line[end - 1]) == 0 || cell_shade(&line[end - 1]) == ' '))
            end--;
        for (int column = 0; column < end; column++) {
            char bytes[UTF8_MAX];
            uint32_t glyph = cell_shade(&line[column]);
            fwrite(bytes, 1, utf8_write(glyph ? glyph : ' ', bytes), out);
        }
        putc('\n', out);
    }
}

void bar_draw(struct cells *cells, int row, int column, int width, double share, enum role role,
              enum glyphs glyphs)
{
    struct region bar = region_clip(cells, row, column, 1, width);
    width = bar.columns;
    double filled = isnan(share) ? 0 : fmin(fmax(share, 0), 1) * width;
    /* U+2588 is a full block, U+2589 to U+258F are 7 to 1 eighths of one. */
    int eighths = (int)lround(filled * 8);
    if (filled > 0 && !eighths)
        eighths = 1; /* show a small value as one eighth, not as zero */
    for (int i = 0; i < width; i++, eighths -= 8) {
        if (glyphs == GLYPHS_ASCII) {
            bool full = eighths >= 4;
            region_put(&bar, 0, i, full ? '#' : '.', full ? role : ROLE_DIM);
        } else if (eighths > 0) {
            region_put(&bar, 0, i, 0x2590u - (uint32_t)(eighths < 8 ? eighths : 8), role);
        } else {
            region_put(&bar, 0, i, 0x2591, ROLE_DIM);
        }
    }
}
