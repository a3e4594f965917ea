#define DEFAULT_N 32
#include "simt.h"

static const int filter[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
int result[N][N], image[N][N];

void main(int lane, int lanes, int block, int blocks)
{
    for (int i = lane; i < N * N; i += lanes)
        image[i / N][i % N] = number(i, 8);
    meet();
    for (int i = lane; i < N * N; i += lanes) {
        const int y = i / N, x = i % N;
        int sum = 0;
        if (x && y && x < N - 1 && y < N - 1)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    sum += filter[r][c] * image[y + r - 1][x + c - 1];
        result[y][x] = sum >> 4;
    }
}
