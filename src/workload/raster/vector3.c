#include "workload/raster/vector3.h"

struct matrix matrix_multiply(struct matrix a, struct matrix b)
{
    struct matrix product;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < 4; k++)
            product.m[i][k] = a.m[i][0] * b.m[0][k] + a.m[i][1] * b.m[1][k] +
                              a.m[i][2] * b.m[2][k] + a.m[i][3] * b.m[3][k];
    return product;
}

struct matrix matrix_translation(float x, float y, float z)
{
    return (struct matrix){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}, {0, 0, 0, 1}}};
}

struct matrix matrix_scaling(float x, float y, float z)
{
    return (struct matrix){{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}, {0, 0, 0, 1}}};
}

struct matrix matrix_rotation(float degrees, struct vector3 axis)
{
    const double angle = (double)degrees * M_PI / 180;
    const float s = (float)sin(angle), c = (float)cos(angle), d = 1 - c;
    const struct vector3 u = vector_unit(axis);
    return (struct matrix){
        {{c + u.x * u.x * d, u.x * u.y * d - u.z * s, u.x * u.z * d + u.y * s, 0},
         {u.y * u.x * d + u.z * s, c + u.y * u.y * d, u.y * u.z * d - u.x * s, 0},
         {u.z * u.x * d - u.y * s, u.z * u.y * d + u.x * s, c + u.z * u.z * d, 0},
         {0, 0, 0, 1}}};
}

struct matrix matrix_look_at(struct vector3 eye, struct vector3 at, struct vector3 up)
{
    const struct vector3 forward = vector_unit(vector_subtract(at, eye));
    const struct vector3 side = vector_unit(vector_cross(forward, up));
    const struct vector3 top = vector_cross(side, forward);
    return (struct matrix){{{side.x, side.y, side.z, -vector_dot(side, eye)},
                            {top.x, top.y, top.z, -vector_dot(top, eye)},
                            {-forward.x, -forward.y, -forward.z, vector_dot(forward, eye)},
                            {0, 0, 0, 1}}};
}

struct matrix matrix_perspective(float degrees, float aspect, float near, float far)
{
    const float f = (float)(1 / tan((double)degrees * M_PI / 360));
    return (struct matrix){{{f / aspect, 0, 0, 0},
                            {0, f, 0, 0},
                            {0, 0, (far + near) / (near - far), 2 * far * near / (near - far)},
                            {0, 0, -1, 0}}};
}

void matrix_apply(const struct matrix *matrix, struct vector3 v, float result[4])
{
    for (unsigned i = 0; i < 4; i++)
        result[i] =
            matrix->m[i][0] * v.x + matrix->m[i][1] * v.y + matrix->m[i][2] * v.z + matrix->m[i][3];
}

struct vector3 matrix_turn(const struct matrix *matrix, struct vector3 v)
{
    return (struct vector3){matrix->m[0][0] * v.x + matrix->m[0][1] * v.y + matrix->m[0][2] * v.z,
                            matrix->m[1][0] * v.x + matrix->m[1][1] * v.y + matrix->m[1][2] * v.z,
                            matrix->m[2][0] * v.x + matrix->m[2][1] * v.y + matrix->m[2][2] * v.z};
}
