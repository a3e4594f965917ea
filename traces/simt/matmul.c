#define DEFAULT_N 4
#include "simt.h"

static const int start[16] = {1, 2, 3, 4, 5, 6, 7, 8, 1, 3, 5, 7, 2, 4, 6, 8};
int result[N][N], a[N][N];

void main(int lane, int lanes, int block, int blocks)
{
    for (int i = lane; i < N * N; i += lanes)
        a[i / N][i % N] = start[i % 16];
    meet();
    for (int i = lane; i < N * N; i += lanes) {
        int sum = 0;
        for (int k = 0; k < N; k++)
            sum += a[i / N][k] * a[i % N][k];
        result[i / N][i % N] = sum;
    }
}
