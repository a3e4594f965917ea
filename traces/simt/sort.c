#define DEFAULT_N 256
#include "simt.h"

int result[N];

void main(int lane, int lanes, int block, int blocks)
{
    for (int i = lane; i < N; i += lanes)
        result[i] = number(i, 15);
    for (int size = 2; size <= N; size *= 2)
        for (int half = size / 2; half; half /= 2) {
            meet();
            for (int i = lane; i < N; i += lanes) {
                const int other = i ^ half, one = result[i], two = result[other];
                if (other > i && (i & size ? one < two : one > two)) {
                    result[i] = two;
                    result[other] = one;
                }
            }
        }
}
