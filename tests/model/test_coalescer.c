/* The coalescer against a twin that looks at every byte of every thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/rng.h"
#include "model/gpu/coalesce_memo.h"

enum { BYTES_MAX = WARP_SIZE * ACCESS_BYTES_MAX };

static int descending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* Every byte address that the lanes of `part` touch, highest first. */
static unsigned touched_bytes(const struct warp_access *access, const uint64_t *addresses,
                              uint32_t part, uint64_t bytes[BYTES_MAX])
{
    unsigned count = 0, active = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        if (!(access->mask >> lane & 1))
            continue;
        uint64_t address = addresses[active++];
        for (unsigned byte = 0; byte < access->bytes && part >> lane & 1; byte++) {
            bool split = access->space == SPACE_LOCAL && access->bytes > 4;
            bytes[count++] =
                split ? address / 4 * 4 + byte / 4 * LOCAL_WORD_STRIDE + byte % 4 : address + byte;
        }
    }
    qsort(bytes, count, sizeof *bytes, descending);
    return count;
}

static unsigned twin_part(uint64_t arch, const struct warp_access *access,
                          const uint64_t *addresses, uint32_t part, struct request *out)
{
    uint64_t bytes[BYTES_MAX];
    unsigned count = touched_bytes(access, addresses, part, bytes), made = 0;
    bool past_l1 = access->op == OP_ATOMIC || access->flags & ACCESS_BYPASS_L1;
    uint64_t segment = access->bytes == 1 ? 32 : access->bytes == 2 ? 64 : 128;
    if (arch >= 40 || (arch >= 20 && past_l1))
        segment = 32;
    for (unsigned begin = 0, end; begin < count; begin = end) {
        uint64_t address = bytes[begin] / segment * segment, size = segment;
        for (end = begin; end < count && bytes[end] / segment * segment == address; end++)
            continue;
        /* bytes[begin] is the highest of the segment, bytes[end - 1] the lowest. */
        while (size > 32) {
            if (bytes[begin] - address < size / 2)
                size /= 2;
            else if (bytes[end - 1] - address >= size / 2)
                address += size /= 2;
            else
                break;
        }
        struct request *request = &out[made++];
        *request = (struct request){.address = address, .bytes = (uint16_t)size};
        for (unsigned i = begin; i < end; i++)
            request->touched |= 1u << ((bytes[i] - address) * 32 / size);
        request->pc = access->pc;
        request->op = access->op;
        request->space = access->space;
        request->instance = 7;
        request->flags = past_l1 ? REQUEST_BYPASS_L1 : 0;
    }
    return made;
}

static unsigned coalesce_twin(const struct coalescer_config *coalescer,
                              const struct warp_access *access, const uint64_t *addresses,
                              struct request *out)
{
    struct request falling[COALESCED_MAX];
    const uint64_t arch = coalescer->arch;
    unsigned count = 0;
    if (arch >= 20) {
        count = twin_part(arch, access, addresses, UINT32_MAX, falling);
    } else {
        count = twin_part(arch, access, addresses, 0xffff0000u, falling);
        count += twin_part(arch, access, addresses, 0xffffu, falling + count);
    }
    for (unsigned i = 0; i < count; i++)
        out[coalescer->order == ORDER_RISING ? count - 1 - i : i] = falling[i];
    out[0].flags |= REQUEST_FIRST;
    return count;
}

/* A random record of the kinds that programs make, and of some that they do not. */
static void random_record(uint64_t seed, struct warp_access *access, uint64_t *addresses)
{
    static const uint32_t masks[] = {UINT32_MAX,  1,      0x80000000u, 0xffff,
                                     0xffff0000u, 0x0ff0, 0x55555555u};
    static const int64_t strides[] = {0, 1, 2, 4, 8, 16, 12, -4, -1, 3, 32, 128, 4096, -4100, 5};
    static const uint16_t sizes[] = {1, 2, 4, 4, 4, 8, 16, 32, 3};
    static const uint64_t spreads[] = {64, 512, 4096, 1 << 20, (uint64_t)1 << 40};
    uint64_t draw = 0;
#define DRAW(bound) random_below(random_at(seed, draw++), (bound))
    *access = (struct warp_access){.bytes = sizes[DRAW(9)], .pc = 16};
    unsigned mask = (unsigned)DRAW(10);
    access->mask = mask < 7 ? masks[mask] : (uint32_t)DRAW(UINT32_MAX) + 1;
    access->op = (uint8_t)DRAW(3);
    access->space = DRAW(8) ? SPACE_GLOBAL : SPACE_LOCAL;
    if (access->space == SPACE_LOCAL && access->bytes > 16)
        access->bytes = 16;
    access->flags = DRAW(4) ? 0 : ACCESS_BYPASS_L1;
    uint64_t base = DRAW(6) ? DRAW((uint64_t)1 << 47) : UINT64_MAX - DRAW(200);
    if (DRAW(2))
        base &= ~(uint64_t)31;
    int64_t stride = strides[DRAW(15)];
    uint64_t spread = spreads[DRAW(5)];
    bool affine = DRAW(2);
    unsigned count = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if (access->mask >> lane & 1)
            addresses[count++] = affine ? base + (uint64_t)stride * lane : base + DRAW(spread);
#undef DRAW
}

static void expect_equal(const struct coalescer_config *coalescer, uint64_t seed,
                         struct access_window *window)
{
    struct warp_access access;
    uint64_t addresses[WARP_SIZE];
    random_record(seed, &access, addresses);
    window->count = window->lane_count = 0;
    window_push(window, access, addresses);
    struct request got[COALESCED_MAX], want[COALESCED_MAX];
    const unsigned expected = coalesce_twin(coalescer, &access, addresses, want);
    unsigned count = coalesce(coalescer, &window->items[0], window, 7, got);
    bool equal = count == expected && !memcmp(got, want, count * sizeof *got);
    if (equal) {
        count = coalesce_plain(coalescer, &window->items[0], window, 7, got);
        equal = count == expected && !memcmp(got, want, count * sizeof *got);
    }
    if (equal)
        return;
    print_error("arch %u order %d seed %llu: %u requests, %u expected\n", (unsigned)coalescer->arch,
                coalescer->order, (unsigned long long)seed, count, expected);
    fail();
}

static void test_equals_twin(void **state)
{
    (void)state;
    static const uint64_t archs[] = {13, 20, 35, 70};
    struct access_window window;
    assert_int_equal(window_init(&window, 1), STATUS_OK);
    for (unsigned a = 0; a < 4; a++)
        for (uint64_t seed = 0; seed < 8000; seed++) {
            const struct coalescer_config coalescer = {archs[a],
                                                       seed % 4 ? ORDER_FALLING : ORDER_RISING};
            expect_equal(&coalescer, seed, &window);
        }
    window_free(&window);
}

/* A pattern moved about, also to where it passes the end of the address space. */
static void expect_remembered(struct coalesce_memo *memo, const struct coalescer_config *coalescer,
                              uint64_t seed, const struct access_window *window,
                              struct warp_access access)
{
    static const uint64_t steps[] = {1, 4, 32, 128};
    struct request got[COALESCED_MAX], want[COALESCED_MAX];
    for (uint64_t move = 0; move < 200; move++) {
        uint64_t addresses[WARP_SIZE];
        const uint64_t draw = random_at(seed, move);
        access.base = random_below(draw, 400) * steps[draw >> 40 & 3] - 400 * (draw >> 50 & 1);
        access_addresses(&access, window, addresses);
        const unsigned expected = coalesce_twin(coalescer, &access, addresses, want);
        const unsigned count = coalesce_remembered(memo, coalescer, &access, window, 7, got);
        if (count == expected && !memcmp(got, want, count * sizeof *got))
            continue;
        print_error("arch %u order %d seed %llu move %llu: %u requests, %u expected\n",
                    (unsigned)coalescer->arch, coalescer->order, (unsigned long long)seed,
                    (unsigned long long)move, count, expected);
        fail();
    }
}

static void test_memo_equals_twin(void **state)
{
    (void)state;
    enum { PATTERNS = 400 };
    static const uint64_t archs[] = {13, 20, 70};
    static uint64_t offsets[PATTERNS][WARP_SIZE];
    const struct access_window window = {.offsets = offsets[0]};
    for (unsigned a = 0; a < 6; a++) {
        const struct coalescer_config coalescer = {archs[a / 2],
                                                   a % 2 ? ORDER_RISING : ORDER_FALLING};
        struct coalesce_memo memo = {0};
        for (uint64_t seed = 0; seed < PATTERNS; seed++) {
            struct warp_access access;
            random_record(seed, &access, offsets[seed]);
            for (unsigned k = WARP_SIZE; k--;)
                offsets[seed][k] -= offsets[seed][0];
            access.flags |= ACCESS_PATTERN;
            access.stride = (int32_t)(seed * WARP_SIZE);
            expect_remembered(&memo, &coalescer, seed, &window, access);
            access.flags &= (uint8_t)~ACCESS_PATTERN;
            access.stride = (int32_t)random_below(random_at(seed, 900), 300) - 150;
            access.stride *= (int32_t)random_below(random_at(seed, 901), 3); /* 0: one address */
            expect_remembered(&memo, &coalescer, seed, &window, access);
        }
    }
}

static void test_known_records(void **state)
{
    (void)state;
    const struct coalescer_config sectors = {.arch = 70}, segments = {.arch = 20};
    struct request out[COALESCED_MAX];
    struct warp_access access = {.base = 0x1000, .stride = 4, .mask = UINT32_MAX, .bytes = 4};
    assert_int_equal(coalesce(&sectors, &access, NULL, 0, out), 4);
    assert_int_equal(out[0].address, 0x1060);
    assert_int_equal(out[0].flags, REQUEST_FIRST);
    assert_int_equal(out[3].address, 0x1000);
    assert_int_equal(out[3].flags, 0);
    assert_int_equal(coalesce(&segments, &access, NULL, 0, out), 1);
    assert_int_equal(out[0].bytes, 128);
    access.mask = 0xff; /* the lowest quarter only */
    assert_int_equal(coalesce(&segments, &access, NULL, 0, out), 1);
    assert_int_equal(out[0].bytes, 32);
    assert_int_equal(out[0].touched, UINT32_MAX);
    access.mask = 0x10001; /* two threads, two quarters: first and third */
    assert_int_equal(coalesce(&segments, &access, NULL, 0, out), 1);
    assert_int_equal(out[0].bytes, 128);
    assert_int_equal(out[0].touched, 0x10001);
    access.base = 0x107e; /* crosses a segment */
    access.mask = 1;
    assert_int_equal(coalesce(&segments, &access, NULL, 0, out), 2);
    assert_int_equal(out[0].address, 0x1080);
    assert_int_equal(out[1].address, 0x1060);
    assert_int_equal(out[1].touched, 0xc0000000u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_twin),
        cmocka_unit_test(test_memo_equals_twin),
        cmocka_unit_test(test_known_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
