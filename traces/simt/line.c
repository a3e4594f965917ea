#define DEFAULT_N 64
#include "simt.h"

int result[N][16][16];

void main(int lane, int lanes, int block, int blocks)
{
    for (int i = lane; i < N; i += lanes) {
        int x = number(4 * i, 4), y = number(4 * i + 1, 4);
        const int to_x = number(4 * i + 2, 4), to_y = number(4 * i + 3, 4);
        const int dx = to_x < x ? x - to_x : to_x - x, dy = to_y < y ? to_y - y : y - to_y;
        const int step_x = to_x < x ? -1 : 1, step_y = to_y < y ? -1 : 1;
        for (int error = dx + dy;;) {
            result[i][y][x] = i + 1;
            if (x == to_x && y == to_y)
                break;
            const int twice = 2 * error;
            if (twice >= dy) {
                error += dy;
                x += step_x;
            }
            if (twice <= dx) {
                error += dx;
                y += step_y;
            }
        }
    }
}
