#define DEFAULT_N 4096
#include "simt.h"

int result, numbers[N];

void main(int lane, int lanes, int block, int blocks)
{
    volatile int *shared = (volatile int *)0xff000000u;
    int most = 0;
    for (int i = lane; i < N; i += lanes)
        numbers[i] = number(i, 15);
    for (int i = lane; i < N; i += lanes)
        most = numbers[i] > most ? numbers[i] : most;
    shared[lane] = most;
    for (int half = 32; half; half >>= 1) {
        meet();
        if (lane < half && lane + half < lanes && shared[lane + half] > shared[lane])
            shared[lane] = shared[lane + half];
    }
    if (!lane)
        result = shared[0];
}
