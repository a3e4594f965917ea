/* Vectors of three and 4 x 4 matrices, as far as drawing needs them. Matrices multiply columns from
 * the left, and the last call is applied first, as in OpenGL: multiply(projection, view). */
#pragma once

#include <math.h>

struct vector3 {
    float x, y, z;
};

struct matrix {
    float m[4][4]; /* row, column */
};

#define MATRIX_IDENTITY                                                                            \
    {                                                                                              \
        {                                                                                          \
            {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0},                                              \
            {                                                                                      \
                0, 0, 0, 1                                                                         \
            }                                                                                      \
        }                                                                                          \
    }

static inline struct vector3 vector_add(struct vector3 a, struct vector3 b)
{
    return (struct vector3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct vector3 vector_scale(struct vector3 a, float factor)
{
    return (struct vector3){a.x * factor, a.y * factor, a.z * factor};
}

static inline struct vector3 vector_subtract(struct vector3 a, struct vector3 b)
{
    return (struct vector3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline float vector_dot(struct vector3 a, struct vector3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vector3 vector_cross(struct vector3 a, struct vector3 b)
{
    return (struct vector3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* The zero vector stays zero. */
static inline struct vector3 vector_unit(struct vector3 a)
{
    const float length = sqrtf(vector_dot(a, a));
    return length > 0 ? vector_scale(a, 1 / length) : a;
}

/* As in GLSL: the refraction of a unit vector at a surface with unit normal, with the ratio of the
 * indices; zero for total reflection. */
static inline struct vector3 vector_refract(struct vector3 in, struct vector3 normal, float ratio)
{
    const float cosine = vector_dot(normal, in);
    const float k = 1 - ratio * ratio * (1 - cosine * cosine);
    if (k < 0)
        return (struct vector3){0, 0, 0};
    return vector_subtract(vector_scale(in, ratio),
                           vector_scale(normal, ratio * cosine + sqrtf(k)));
}

static inline struct vector3 vector_reflect(struct vector3 in, struct vector3 normal)
{
    return vector_subtract(in, vector_scale(normal, 2 * vector_dot(normal, in)));
}

struct matrix matrix_multiply(struct matrix a, struct matrix b);
struct matrix matrix_translation(float x, float y, float z);
struct matrix matrix_scaling(float x, float y, float z);
struct matrix matrix_rotation(float degrees, struct vector3 axis); /* axis: not zero */
/* The view of an eye that looks at a point; `up` need not be at right angles to the view. */
struct matrix matrix_look_at(struct vector3 eye, struct vector3 at, struct vector3 up);
/* Right-handed, depth from -1 to 1 as in OpenGL; the angle is from bottom to top. */
struct matrix matrix_perspective(float degrees, float aspect, float near, float far);

/* matrix x (v, 1). */
void matrix_apply(const struct matrix *matrix, struct vector3 v, float result[4]);
/* The upper left 3 x 3 part x v: of rotations and uniform scalings it turns normals, too. */
struct vector3 matrix_turn(const struct matrix *matrix, struct vector3 v);
