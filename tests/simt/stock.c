/* What compilers, linkers and their libraries make of plain C: small data that gp reaches, a large
 * frame, atomics, division of 64 bits, doubles, static rounding modes. test_simt_stock.sh compiles
 * it for several sets of instructions; each gives the same words. */
static int small = 7;
static volatile int size = 1500;
unsigned counter, result[64];

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int large_frame(int lane)
{
    int local[1600];
    for (int i = 0; i < size; i++)
        local[i] = i * lane;
    return local[size - 1];
}

int main(int lane, int lanes, int block, int blocks)
{
    (void)lanes, (void)block, (void)blocks;
    __atomic_fetch_add(&counter, (unsigned)lane, __ATOMIC_SEQ_CST);
    unsigned expected = 0, raised = 1;
    __atomic_compare_exchange_n(&result[63], &expected, raised, 0, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    long long wide = (long long)fibonacci(lane) * 1000000007 / (lane + small);
    double third = (double)lane / 3.0 + 0.5;
    result[lane] =
        (unsigned)(wide >> 3) + (unsigned)(int)(third * 100) + (unsigned)large_frame(lane);
    return 0;
}
