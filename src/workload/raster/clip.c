#include "workload/raster/clip.h"

#include <math.h>
#include <string.h>

/* Planes, by the bit of `outside` that says that a vertex is beyond them. The first keeps points
 * that can be divided by w at all. */
enum { PLANES = 7, NOT_FINITE = 1 << PLANES, SIDES = 16 };

static float distance(const struct vertex *vertex, const struct view *view, unsigned plane)
{
    const float w_least = 0x1p-20f;
    const float *clip = vertex->clip;
    switch (plane) {
    case 0:
        return clip[3] - w_least;
    case 1:
        return clip[3] + clip[2];
    case 2:
        return clip[3] - clip[2];
    case 3:
        return view->guard_x * clip[3] + clip[0];
    case 4:
        return view->guard_x * clip[3] - clip[0];
    case 5:
        return view->guard_y * clip[3] + clip[1];
    default:
        return view->guard_y * clip[3] - clip[1];
    }
}

struct view view_of(uint32_t width, uint32_t height)
{
    enum { GUARD = CLIP_GUARD - CLIP_GUARD / 64 }; /* room for rounding */
    return (struct view){.width = (float)width,
                         .height = (float)height,
                         .guard_x = 2 * (float)GUARD / (float)width - 1,
                         .guard_y = 2 * (float)GUARD / (float)height - 1};
}

/* Coordinates so large that clipping them lost all precision end at the guard band, too. */
static int32_t snapped(double pixels)
{
    return (int32_t)lrint(fmin(fmax(pixels, -CLIP_GUARD), CLIP_GUARD) * SUBPIXELS);
}

static void set_point(struct vertex *vertex, const struct view *view)
{
    enum { DEPTH_SCALE = DEPTH_MAX * DEPTH_PARTS };
    const double inverse = 1 / (double)vertex->clip[3];
    const double z = fmin(fmax(vertex->clip[2] * inverse * 0.5 + 0.5, 0), 1);
    vertex->point =
        (struct screen_point){snapped((vertex->clip[0] * inverse * 0.5 + 0.5) * view->width),
                              snapped((0.5 - vertex->clip[1] * inverse * 0.5) * view->height),
                              (int32_t)lrint(z * DEPTH_SCALE)};
}

/* Bits 0 to PLANES - 1 are those of planes that cut; bits from SIDES on those of the four sides of
 * the view, which do not cut, but a triangle beyond one of them is not seen. */
void vertex_place(struct vertex *vertex, const struct view *view)
{
    const float *clip = vertex->clip;
    uint32_t outside = 0;
    for (unsigned i = 0; i < PLANES; i++)
        outside |= (uint32_t)(distance(vertex, view, i) < 0) << i;
    outside |= (uint32_t)(clip[0] > clip[3]) << SIDES |
               (uint32_t)(clip[0] < -clip[3]) << (SIDES + 1) |
               (uint32_t)(clip[1] > clip[3]) << (SIDES + 2) |
               (uint32_t)(clip[1] < -clip[3]) << (SIDES + 3);
    if (!isfinite(clip[0]) || !isfinite(clip[1]) || !isfinite(clip[2]) || !isfinite(clip[3]))
        outside = NOT_FINITE;
    vertex->outside = outside;
    if (!(outside & 0xffff))
        set_point(vertex, view);
}

static void cut(const struct vertex *kept, const struct vertex *lost, float kept_distance,
                float lost_distance, unsigned varyings, struct vertex *result)
{
    const float t = kept_distance / (kept_distance - lost_distance);
    for (unsigned i = 0; i < 4; i++)
        result->clip[i] = kept->clip[i] + t * (lost->clip[i] - kept->clip[i]);
    for (unsigned i = 0; i < varyings; i++)
        result->varyings[i] = kept->varyings[i] + t * (lost->varyings[i] - kept->varyings[i]);
}

/* Sutherland and Hodgman's step: the part of a polygon on one side of a plane. */
static unsigned clip_plane(unsigned plane, const struct view *view, const struct vertex *in,
                           unsigned count, unsigned varyings, struct vertex *out)
{
    unsigned made = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct vertex *from = &in[i], *to = &in[i + 1 < count ? i + 1 : 0];
        const float a = distance(from, view, plane), b = distance(to, view, plane);
        if (a >= 0)
            out[made++] = *from;
        if (a >= 0 && b < 0)
            cut(from, to, a, b, varyings, &out[made++]);
        else if (a < 0 && b >= 0)
            cut(to, from, b, a, varyings, &out[made++]);
    }
    return made;
}

static unsigned clip_planes(const struct vertex *const triangle[3], uint32_t cuts,
                            const struct view *view, unsigned varyings,
                            struct vertex room[CLIP_VERTICES])
{
    struct vertex other[CLIP_VERTICES], *from = room, *to = other;
    unsigned count = 3;
    for (unsigned i = 0; i < 3; i++)
        room[i] = *triangle[i];
    for (; cuts && count; cuts &= cuts - 1) {
        count = clip_plane((unsigned)__builtin_ctz(cuts), view, from, count, varyings, to);
        struct vertex *swap = from;
        from = to;
        to = swap;
    }
    if (from == other)
        memcpy(room, other, count * sizeof *room);
    return count < 3 ? 0 : count;
}

unsigned clip_triangle(const struct vertex *const triangle[3], const struct view *view,
                       unsigned varyings, struct vertex room[CLIP_VERTICES],
                       const struct vertex *polygon[CLIP_VERTICES])
{
    const uint32_t a = triangle[0]->outside, b = triangle[1]->outside, c = triangle[2]->outside;
    const uint32_t cuts = (a | b | c) & 0xffff;
    if (a & b & c || cuts & NOT_FINITE)
        return 0;
    for (unsigned i = 0; i < 3; i++)
        polygon[i] = triangle[i];
    if (!cuts)
        return 3;
    const unsigned count = clip_planes(triangle, cuts, view, varyings, room);
    for (unsigned i = 0; i < count; i++) {
        set_point(&room[i], view);
        polygon[i] = &room[i];
    }
    return count;
}
