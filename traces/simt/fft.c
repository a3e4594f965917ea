#define DEFAULT_N 64
#include "simt.h"

/* exp(-2 pi i / 2^s) for s from 1 on */
static const float roots[][2] = {
    {-1, 0},
    {0, -1},
    {0.707106781f, -0.707106781f},
    {0.923879533f, -0.382683432f},
    {0.98078528f, -0.195090322f},
    {0.995184727f, -0.0980171403f},
    {0.998795456f, -0.0490676743f},
    {0.999698819f, -0.0245412285f},
    {0.999924702f, -0.0122715383f},
    {0.999981175f, -0.00613588465f},
    {0.999995294f, -0.00306795676f},
    {0.999998823f, -0.00153398019f}};
float result[N][2];

void main(int lane, int lanes, int block, int blocks)
{
    for (int i = lane; i < N; i += lanes) {
        int place = 0;
        for (int bit = 1, mirrored = N / 2; mirrored; bit *= 2, mirrored /= 2)
            place |= i & mirrored ? bit : 0;
        result[place][0] = (float)number(i, 10);
        result[place][1] = 0;
    }
    for (int half = 1, stage = 0; half < N; half *= 2, stage++) {
        meet();
        for (int i = lane; i < N / 2; i += lanes) {
            const int within = i & (half - 1), upper = 2 * (i - within) + within;
            float re = 1, im = 0;
            const float(*root)[2] = &roots[stage];
            for (int left = within; left; left >>= 1, root--)
                if (left & 1) {
                    const float next = re * (*root)[0] - im * (*root)[1];
                    im = re * (*root)[1] + im * (*root)[0];
                    re = next;
                }
            float *a = result[upper], *b = result[upper + half];
            const float x = re * b[0] - im * b[1], y = re * b[1] + im * b[0];
            b[0] = a[0] - x;
            b[1] = a[1] - y;
            a[0] += x;
            a[1] += y;
        }
    }
}
