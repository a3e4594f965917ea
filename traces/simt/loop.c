#define DEFAULT_N 1000
#include "simt.h"

int result[64];

void main(int lane, int lanes, int block, int blocks)
{
    volatile int sum = 0; /* or the compiler knows the sum */
    for (int i = N; i; i--)
        sum += i;
    result[lane] = sum;
}
