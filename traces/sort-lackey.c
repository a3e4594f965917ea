/* Heap sort of 2,048 numbers, without a C library: the program behind sort-lackey.wtr. */
enum { COUNT = 2048 };

static unsigned numbers[COUNT];

static void sift(unsigned root, unsigned count)
{
    for (unsigned child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && numbers[child] < numbers[child + 1])
            child++;
        if (numbers[root] >= numbers[child])
            return;
        unsigned number = numbers[root];
        numbers[root] = numbers[child];
        numbers[child] = number;
    }
}

void _start(void)
{
    unsigned number = 1;
    for (unsigned i = 0; i < COUNT; i++)
        numbers[i] = number = number * 1664525u + 1013904223u;
    for (unsigned root = COUNT / 2; root-- > 0;)
        sift(root, COUNT);
    for (unsigned last = COUNT - 1; last > 0; last--) {
        unsigned largest = numbers[0];
        numbers[0] = numbers[last];
        numbers[last] = largest;
        sift(0, last);
    }
    __asm__ volatile("syscall" : : "a"(60), "D"(0));
}
