#include "workload/raster/triangle.h"

#include <math.h>

#include "trace/tile_lanes.h"

__extension__ typedef __int128 int128;

enum { Z_SHIFT = 20, PIXEL = SUBPIXELS / SAMPLE_GRID };

void raster_target_init(struct raster_target *target, const struct tile_surface *surface)
{
    /* The standard positions of four samples, in 1/16 pixel from the corner. */
    static const int32_t four_x[] = {6, 14, 2, 10}, four_y[] = {2, 6, 10, 14};
    const uint32_t side = tile_side(surface);
    *target = (struct raster_target){.width = surface->width,
                                     .height = surface->height,
                                     .columns = tile_columns(surface),
                                     .rows = tile_rows(surface),
                                     .side = side,
                                     .samples = surface->samples,
                                     .least = INT32_MAX,
                                     .view = view_of(surface->width, surface->height)};
    for (uint32_t i = 0; i < TILE_VALUES; i++) {
        const uint32_t pixel = i / surface->samples, sample = i % surface->samples;
        const bool one = surface->samples == 1;
        target->x[i] =
            (int32_t)(pixel % side * SAMPLE_GRID) + (one ? SAMPLE_GRID / 2 : four_x[sample]);
        target->y[i] =
            (int32_t)(pixel / side * SAMPLE_GRID) + (one ? SAMPLE_GRID / 2 : four_y[sample]);
        target->least = target->x[i] < target->least ? target->x[i] : target->least;
        target->most = target->x[i] > target->most ? target->x[i] : target->most;
    }
}

static int32_t least_of(int32_t a, int32_t b, int32_t c)
{
    const int32_t least = a < b ? a : b;
    return least < c ? least : c;
}

static int32_t most_of(int32_t a, int32_t b, int32_t c)
{
    return -least_of(-a, -b, -c);
}

/* The lines that its extent touches; false if none is on the surface. Samples lie within lines, so
 * the pixels around the extent are enough. */
static bool set_extent(struct triangle *triangle, const struct raster_target *target)
{
    const struct screen_point *p = triangle->points;
    const int32_t left = least_of(p[0].x, p[1].x, p[2].x), right = most_of(p[0].x, p[1].x, p[2].x);
    const int32_t top = least_of(p[0].y, p[1].y, p[2].y), bottom = most_of(p[0].y, p[1].y, p[2].y);
    const int32_t line = (int32_t)target->side * SUBPIXELS;
    if (right < 0 || bottom < 0 || left >= (int32_t)target->width * SUBPIXELS ||
        top >= (int32_t)target->height * SUBPIXELS)
        return false;
    triangle->left = left < 0 ? 0 : (uint32_t)(left / line);
    triangle->top = top < 0 ? 0 : (uint32_t)(top / line);
    triangle->right = (uint32_t)(right / line);
    triangle->bottom = (uint32_t)(bottom / line);
    if (triangle->right >= target->columns)
        triangle->right = target->columns - 1;
    if (triangle->bottom >= target->rows)
        triangle->bottom = target->rows - 1;
    return true;
}

/* An edge function is E(x, y) = dx * (y - y0) - dy * (x - x0) in 1/256 pixels. Samples have
 * multiples of 16, so E / 16 rounded down has the same sign there. */
static void set_edges(struct triangle *triangle, const struct raster_target *target)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct screen_point *from = &triangle->points[i];
        const struct screen_point *to = &triangle->points[i < 2 ? i + 1 : 0];
        const int64_t dx = to->x - from->x, dy = to->y - from->y;
        const bool owns = dy < 0 || (dy == 0 && dx > 0); /* left and top edges own their samples */
        const int64_t constant = dy * from->x - dx * from->y - !owns;
        triangle->step_x[i] = -dy;
        triangle->step_y[i] = dx;
        triangle->edge[i] = constant >> 4; /* rounds down */
        triangle->most[i] = (dx > 0 ? dx * target->most : dx * target->least) -
                            (dy > 0 ? dy * target->least : dy * target->most);
        triangle->least[i] = (dx > 0 ? dx * target->least : dx * target->most) -
                             (dy > 0 ? dy * target->most : dy * target->least);
        for (unsigned k = 0; k < TILE_VALUES; k++)
            triangle->offsets[i][k] = (int32_t)dx * target->y[k] - (int32_t)dy * target->x[k];
    }
}

/* Gradient with room for 20 bits after the point. Of slivers so thin that it has no room, it does
 * not matter: their depth is that of their vertices. */
static int64_t depth_gradient(double numerator, double area)
{
    const double gradient = numerator / area * PIXEL * (1 << Z_SHIFT) / DEPTH_PARTS;
    return fabs(gradient) < 0x1p62 ? llrint(gradient) : 0;
}

static void set_depth(struct triangle *triangle, const struct raster_target *target)
{
    const struct screen_point *p = triangle->points;
    const double x1 = p[1].x - p[0].x, y1 = p[1].y - p[0].y, z1 = p[1].z - p[0].z;
    const double x2 = p[2].x - p[0].x, y2 = p[2].y - p[0].y, z2 = p[2].z - p[0].z;
    const double area = (double)triangle->area;
    const int64_t z_x = depth_gradient(z1 * y2 - z2 * y1, area);
    const int64_t z_y = depth_gradient(z2 * x1 - z1 * x2, area);
    const int128 moved = ((int128)z_x * p[0].x + (int128)z_y * p[0].y) >> 4;
    triangle->z_x = (uint64_t)z_x;
    triangle->z_y = (uint64_t)z_y;
    triangle->z = ((uint64_t)p[0].z << Z_SHIFT) / DEPTH_PARTS - (uint64_t)moved +
                  (UINT64_C(1) << (Z_SHIFT - 1));
    const int32_t least = least_of(p[0].z, p[1].z, p[2].z), most = most_of(p[0].z, p[1].z, p[2].z);
    triangle->z_least = (uint32_t)(least + DEPTH_PARTS / 2) / DEPTH_PARTS;
    triangle->z_most = (uint32_t)(most + DEPTH_PARTS / 2) / DEPTH_PARTS;
    for (unsigned i = 0; i < TILE_VALUES; i++)
        triangle->z_offsets[i] = triangle->z_x * (uint64_t)(int64_t)target->x[i] +
                                 triangle->z_y * (uint64_t)(int64_t)target->y[i];
}

enum triangle_fate triangle_setup(struct triangle *triangle, const struct vertex *const vertices[3],
                                  enum cull cull, const struct raster_target *target)
{
    struct screen_point *p = triangle->points;
    for (unsigned i = 0; i < 3; i++) {
        p[i] = vertices[i]->point;
        triangle->vertices[i] = vertices[i];
    }
    const int64_t area = (int64_t)(p[1].x - p[0].x) * (p[2].y - p[0].y) -
                         (int64_t)(p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (!area)
        return TRIANGLE_EMPTY;
    const bool front = area < 0; /* rows count downwards */
    if (cull == (front ? CULL_FRONT : CULL_BACK))
        return TRIANGLE_CULLED;
    if (front) {
        const struct screen_point point = p[1];
        p[1] = p[2];
        p[2] = point;
        triangle->vertices[1] = vertices[2];
        triangle->vertices[2] = vertices[1];
    }
    triangle->area = front ? -area : area;
    if (!set_extent(triangle, target))
        return TRIANGLE_OUTSIDE;
    set_edges(triangle, target);
    set_depth(triangle, target);
    return TRIANGLE_VISIBLE;
}

static int64_t corner(const struct triangle *triangle, const struct raster_target *target,
                      unsigned edge, uint32_t column, uint32_t row)
{
    const int64_t line = (int64_t)target->side * SAMPLE_GRID;
    return triangle->edge[edge] + triangle->step_x[edge] * (line * column) +
           triangle->step_y[edge] * (line * row);
}

/* Samples of a line that lie on the surface. */
static uint16_t surface_mask(const struct raster_target *target, uint32_t column, uint32_t row)
{
    const uint32_t width = target->width - column * target->side;
    const uint32_t height = target->height - row * target->side;
    if (width >= target->side && height >= target->side)
        return TILE_WHOLE;
    uint32_t mask = 0;
    for (unsigned i = 0; i < TILE_VALUES; i++)
        mask |= (uint32_t)(target->x[i] < (int32_t)(width * SAMPLE_GRID) &&
                           target->y[i] < (int32_t)(height * SAMPLE_GRID))
                << i;
    return (uint16_t)mask;
}

/* Within a line 32 bits are enough: an edge function changes there by less than 2^30, so where it
 * is as large as that in a corner it has one sign in all the line, and may be cut to it. */
uint16_t triangle_cover(const struct triangle *triangle, const struct raster_target *target,
                        uint32_t column, uint32_t row)
{
    enum { FAR = 1 << 30 };
    tile_lanes outside = {0};
    bool whole = true;
    for (unsigned i = 0; i < 3; i++) {
        const int64_t at = corner(triangle, target, i, column, row);
        if (at + triangle->most[i] < 0)
            return 0;
        if (at + triangle->least[i] >= 0)
            continue;
        tile_lanes offsets;
        tile_lanes_load(&offsets, triangle->offsets[i]);
        outside |= offsets + (int32_t)(at < -FAR ? -FAR : at > FAR ? FAR : at);
        whole = false;
    }
    if (whole)
        return surface_mask(target, column, row);
    const tile_lanes inside = outside >= 0;
    return tile_lanes_bits(&inside) & surface_mask(target, column, row);
}

static int64_t divide_down(int64_t a, int64_t b) /* b > 0 */
{
    return a / b - (a % b < 0);
}

bool triangle_span(const struct triangle *triangle, const struct raster_target *target,
                   uint32_t row, uint32_t *first, uint32_t *last)
{
    int64_t from = triangle->left, to = triangle->right;
    for (unsigned i = 0; i < 3; i++) {
        const int64_t step = triangle->step_x[i] * (int64_t)target->side * SAMPLE_GRID;
        const int64_t most = corner(triangle, target, i, 0, row) + triangle->most[i];
        if (step > 0) {
            const int64_t bound = -divide_down(most, step);
            from = bound > from ? bound : from;
        } else if (step < 0) {
            const int64_t bound = divide_down(most, -step);
            to = bound < to ? bound : to;
        } else if (most < 0) {
            return false;
        }
    }
    *first = (uint32_t)from;
    *last = (uint32_t)to;
    return from <= to;
}

bool triangle_touches(const struct triangle *triangle, const struct raster_target *target,
                      uint32_t column, uint32_t row, uint32_t side)
{
    if (column > triangle->right || row > triangle->bottom || column + side <= triangle->left ||
        row + side <= triangle->top)
        return false;
    const int64_t more = (int64_t)target->side * SAMPLE_GRID * (side - 1);
    for (unsigned i = 0; i < 3; i++) {
        const int64_t x = triangle->step_x[i] > 0 ? triangle->step_x[i] * more : 0;
        const int64_t y = triangle->step_y[i] > 0 ? triangle->step_y[i] * more : 0;
        if (corner(triangle, target, i, column, row) + triangle->most[i] + x + y < 0)
            return false;
    }
    return true;
}

void triangle_depth(const struct triangle *triangle, const struct raster_target *target,
                    uint32_t column, uint32_t row, uint32_t values[TILE_VALUES])
{
    const uint64_t line = (uint64_t)target->side * SAMPLE_GRID;
    const uint64_t start =
        triangle->z + triangle->z_x * (line * column) + triangle->z_y * (line * row);
    const int32_t least = (int32_t)triangle->z_least, most = (int32_t)triangle->z_most;
    for (unsigned i = 0; i < TILE_VALUES; i++) {
        const int32_t z = (int32_t)(uint32_t)((start + triangle->z_offsets[i]) >> Z_SHIFT);
        const int32_t raised = z < least ? least : z;
        values[i] = (uint32_t)(raised > most ? most : raised);
    }
}

/* The plane through three values, one a vertex. */
static struct plane_value plane_of(const struct triangle *triangle, double x, double y,
                                   const double v[3])
{
    const struct screen_point *p = triangle->points;
    const double x1 = p[1].x - p[0].x, y1 = p[1].y - p[0].y, v1 = v[1] - v[0];
    const double x2 = p[2].x - p[0].x, y2 = p[2].y - p[0].y, v2 = v[2] - v[0];
    const double scale = SUBPIXELS / (double)triangle->area;
    const double step_x = (v1 * y2 - v2 * y1) * scale, step_y = (v2 * x1 - v1 * x2) * scale;
    const double start = v[0] + step_x * (x + 0.5 - (double)p[0].x / SUBPIXELS) +
                         step_y * (y + 0.5 - (double)p[0].y / SUBPIXELS);
    return (struct plane_value){(float)start, (float)step_x, (float)step_y};
}

void varying_planes_setup(struct varying_planes *planes, const struct triangle *triangle,
                          const struct raster_target *target, unsigned count)
{
    double inverse[3], v[3];
    planes->x = triangle->left * target->side;
    planes->y = triangle->top * target->side;
    planes->count = count;
    for (unsigned i = 0; i < 3; i++)
        inverse[i] = 1 / (double)triangle->vertices[i]->clip[3];
    planes->inverse_w = plane_of(triangle, planes->x, planes->y, inverse);
    for (unsigned k = 0; k < count; k++) {
        for (unsigned i = 0; i < 3; i++)
            v[i] = (double)triangle->vertices[i]->varyings[k] * inverse[i];
        planes->values[k] = plane_of(triangle, planes->x, planes->y, v);
    }
}

void varyings_at(const struct varying_planes *planes, uint32_t x, uint32_t y,
                 float varyings[VARYINGS_MAX])
{
    const float right = (float)(x - planes->x), down = (float)(y - planes->y);
    const struct plane_value *inverse = &planes->inverse_w;
    const float inverse_w = inverse->start + inverse->step_x * right + inverse->step_y * down;
    const float w = 1 / fmaxf(inverse_w, 0x1p-60f); /* centres may lie beyond the horizon (MSAA) */
    for (unsigned k = 0; k < planes->count; k++) {
        const struct plane_value *value = &planes->values[k];
        varyings[k] = (value->start + value->step_x * right + value->step_y * down) * w;
    }
}
