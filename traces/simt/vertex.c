#define DEFAULT_N 256
#include "simt.h"

struct lit {
    float position[4];
    int grey;
};

static const float matrix[4][4] = {
    {1.5f, 0, 0, 0}, {0, 2, 0.5f, 0}, {0, -0.25f, 1.25f, -3}, {0, 0, -1, 0}};
static const float light[3] = {0.5f, 0.75f, 0.4375f};
struct lit result[N];
float vertices[N][6];

void main(int lane, int lanes, int block, int blocks)
{
    for (int i = lane; i < 6 * N; i += lanes)
        vertices[i / 6][i % 6] = (float)(number(i, 10) - 512) * 0.00390625f;
    meet();
    for (int i = lane; i < N; i += lanes) {
        const float *at = vertices[i], *normal = at + 3;
        for (int row = 0; row < 4; row++) {
            float sum = __builtin_fmaf(matrix[row][2], at[2], matrix[row][3]);
            sum = __builtin_fmaf(matrix[row][1], at[1], sum);
            result[i].position[row] = __builtin_fmaf(matrix[row][0], at[0], sum);
        }
        float grey = light[0] * normal[0];
        grey = __builtin_fmaf(light[1], normal[1], grey);
        grey = __builtin_fmaf(light[2], normal[2], grey);
        grey *= 255;
        result[i].grey = grey <= 0 ? 0 : (int)(grey < 255 ? grey : 255);
    }
}
