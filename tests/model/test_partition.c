#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/cache/partition.h"

static struct cache_config slices_of(uint64_t slices, int function)
{
    return (struct cache_config){
        .slices = slices, .interleave = 256, .partition = function, .line = 128};
}

/* Of `slices` neighbouring chunks every slice gets one, whatever the hash: so the rest of the chunk
 * number tells the chunks of a slice apart. */
static void check_one_to_one(uint64_t slices, int function)
{
    struct cache_config config = slices_of(slices, function);
    struct partition partition;
    assert_int_equal(partition_init(&partition, &config), STATUS_OK);
    for (uint64_t row = 0; row < 500; row++) {
        unsigned char seen[128] = {0};
        for (uint64_t i = 0; i < slices; i++) {
            struct request in = {
                .address = (row * slices + i) * 256 + 96, .bytes = 32, .instance = 7};
            struct request out;
            partition_requests(&partition, &in, 1, &out);
            assert_int_equal(out.address, in.address);
            assert_true(out.instance < slices);
            assert_int_equal(seen[out.instance]++, 0);
        }
    }
}

static void test_one_to_one(void **state)
{
    (void)state;
    static const uint64_t any[] = {1, 2, 3, 12, 16, 24, 32, 64, 80};
    for (size_t i = 0; i < sizeof any / sizeof *any; i++) {
        check_one_to_one(any[i], PARTITION_LINEAR);
        check_one_to_one(any[i], PARTITION_ROTATE);
    }
    for (uint64_t slices = 1; slices <= 64; slices *= 2) {
        check_one_to_one(slices, PARTITION_XOR);
        check_one_to_one(slices, PARTITION_IPOLY);
    }
}

/* What the hashes are for: a power-of-two stride does not camp on one slice. */
static void test_hashes_spread_strides(void **state)
{
    (void)state;
    for (int function = PARTITION_LINEAR; function <= PARTITION_IPOLY; function++) {
        struct cache_config config = slices_of(16, function);
        struct partition partition;
        assert_int_equal(partition_init(&partition, &config), STATUS_OK);
        unsigned used = 0;
        for (uint64_t i = 0; i < 16; i++) {
            struct request in = {.address = i * 4096, .bytes = 32}, out;
            partition_requests(&partition, &in, 1, &out);
            used |= 1u << out.instance;
        }
        assert_int_equal(__builtin_popcount(used), function == PARTITION_LINEAR ? 1 : 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_to_one),
        cmocka_unit_test(test_hashes_spread_strides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
