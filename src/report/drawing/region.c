#include "report/drawing/region.h"

#include "base/utf8.h"

struct region region_part(const struct region *region, int row, int column, int rows, int columns)
{
    long top = row > 0 ? row : 0, left = column > 0 ? column : 0;
    long bottom = (long)row + rows, right = (long)column + columns;
    bottom = bottom < region->rows ? bottom : region->rows;
    right = right < region->columns ? right : region->columns;
    struct region part = {region->cells, 0, 0, 0, 0};
    if (bottom <= top || right <= left)
        return part;
    return (struct region){region->cells, region->row + (int)top, region->column + (int)left,
                           (int)(bottom - top), (int)(right - left)};
}

struct region region_clip(struct cells *cells, int row, int column, int rows, int columns)
{
    struct region all = {cells, 0, 0, cells->rows, cells->columns};
    return region_part(&all, row, column, rows, columns);
}

struct cell *region_cell(const struct region *region, int row, int column)
{
    if (row < 0 || row >= region->rows || column < 0 || column >= region->columns)
        return NULL;
    size_t line = (size_t)(region->row + row) * (size_t)region->cells->columns;
    return &region->cells->items[line + (size_t)(region->column + column)];
}

void region_put(const struct region *region, int row, int column, uint32_t glyph, enum role role)
{
    struct cell *cell = region_cell(region, row, column);
    if (cell)
        *cell = (struct cell){.glyph = glyph, .role = (uint8_t)role};
}

void region_clear(const struct region *region)
{
    for (int row = 0; row < region->rows; row++)
        for (int column = 0; column < region->columns; column++)
            region_put(region, row, column, 0, ROLE_TEXT);
}

void region_text(const struct region *region, int row, int column, enum role role, const char *utf8)
{
    for (uint32_t point; column < region->columns && (point = utf8_next(&utf8));) {
        int width = utf8_width(point);
        if (width == 0)
            continue;
        if (width == 2)
            point = 0xfffd; /* a cell holds one character of width 1 */
        if (point < ' ' || (point >= 0x7f && point < 0xa0))
            point = ' ';
        region_put(region, row, column++, point, role);
    }
}
