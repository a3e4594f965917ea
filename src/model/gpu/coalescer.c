#include "model/gpu/coalescer.h"

#include <assert.h>

/* What one thread touches of one segment: bytes first to last, counted from its begin. */
struct piece {
    uint64_t segment; /* address >> bits */
    uint8_t first, last;
};

enum { PIECES_MAX = 4 * WARP_SIZE };

/* log2 of the segment that an access is cut into. */
static unsigned segment_bits(uint64_t arch, const struct warp_access *access)
{
    bool past_l1 = access->op == OP_ATOMIC || access->flags & ACCESS_BYPASS_L1;
    if (arch >= 40 || (arch >= 20 && past_l1) || access->bytes == 1)
        return 5;
    return access->bytes == 2 ? 6 : 7;
}

/* Bits first to last of a word of 32. */
static inline uint32_t bit_range(unsigned first, unsigned last)
{
    return ((2u << (last - first)) - 1) << first;
}

/* Shrinks a segment to the half, and again, as long as only one half of it holds bytes first to
 * last; returns log2 of what is left and moves *address to its begin. */
static inline unsigned shrink(uint64_t *address, unsigned bits, unsigned first, unsigned last)
{
    for (; bits > 5; bits--) {
        unsigned half = 1u << (bits - 1);
        if (last < half)
            continue;
        if (first < half)
            break;
        *address += half;
        first -= half;
        last -= half;
    }
    return bits;
}

/* The requests of the bytes [low, low + length) when all of them are touched. */
static unsigned coalesce_dense(uint64_t low, uint64_t length, unsigned bits,
                               const struct request *common, struct request *out)
{
    uint64_t high = low + length - 1, size = (uint64_t)1 << bits;
    unsigned count = 0;
    for (uint64_t begin = high & -size;; begin -= size) {
        unsigned first = begin < low ? (unsigned)(low - begin) : 0;
        unsigned last = high - begin < size ? (unsigned)(high - begin) : (unsigned)size - 1;
        struct request *request = &out[count++];
        *request = *common;
        request->address = begin;
        unsigned left = bits == 5 ? 5 : shrink(&request->address, bits, first, last);
        unsigned moved = (unsigned)(request->address - begin);
        request->bytes = (uint16_t)(1u << left);
        request->touched = bit_range((first - moved) >> (left - 5), (last - moved) >> (left - 5));
        if (begin <= low)
            return count;
    }
}

/* Adds the one or two pieces of `bytes` bytes at `address`, the higher one first. */
static inline unsigned add_pieces(struct piece *pieces, unsigned count, uint64_t address,
                                  unsigned bytes, unsigned bits)
{
    unsigned size = 1u << bits, first = (unsigned)address & (size - 1), last = first + bytes - 1;
    uint64_t segment = address >> bits;
    if (last >= size) {
        uint64_t next = (address + bytes - 1) >> bits; /* may wrap around to 0 */
        pieces[count++] = (struct piece){next, 0, (uint8_t)(last - size)};
        last = size - 1;
    }
    pieces[count++] = (struct piece){segment, (uint8_t)first, (uint8_t)last};
    return count;
}

static bool pieces_descend(const struct piece *pieces, unsigned count)
{
    unsigned rises = 0;
    for (unsigned i = 1; i < count; i++)
        rises += pieces[i].segment > pieces[i - 1].segment;
    return !rises;
}

static void sort_by_insertion(struct piece *pieces, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        struct piece piece = pieces[i];
        unsigned to = i;
        for (; to && pieces[to - 1].segment < piece.segment; to--)
            pieces[to] = pieces[to - 1];
        pieces[to] = piece;
    }
}

/* Highest segment first. Up to 64 pieces within 2^25 segments of each other are placed by counting
 * how many are above each: all comparisons independent, so the compiler makes vectors of them. */
static void sort_pieces(struct piece *pieces, unsigned count)
{
    enum { RANKED_MAX = 64 };
    uint64_t low = UINT64_MAX, high = 0;
    for (unsigned i = 0; i < count; i++) {
        low = pieces[i].segment < low ? pieces[i].segment : low;
        high = pieces[i].segment > high ? pieces[i].segment : high;
    }
    if (count > RANKED_MAX || count < 6 || high - low >= (uint64_t)1 << 25) {
        sort_by_insertion(pieces, count);
        return;
    }
    int32_t keys[RANKED_MAX], above[RANKED_MAX] = {0};
    struct piece unsorted[RANKED_MAX];
    for (unsigned i = 0; i < count; i++) {
        keys[i] = (int32_t)((pieces[i].segment - low) * RANKED_MAX + i);
        unsorted[i] = pieces[i];
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < count; k++)
            above[k] += keys[i] > keys[k];
    for (unsigned i = 0; i < count; i++)
        pieces[above[i]] = unsorted[i];
}

/* One request for each run of equal segments. */
static unsigned requests_of_pieces(const struct piece *pieces, unsigned count, unsigned bits,
                                   const struct request *common, struct request *out)
{
    unsigned made = 0;
    for (unsigned begin = 0, end; begin < count; begin = end) {
        unsigned first = pieces[begin].first, last = pieces[begin].last;
        for (end = begin + 1; end < count && pieces[end].segment == pieces[begin].segment; end++) {
            first = pieces[end].first < first ? pieces[end].first : first;
            last = pieces[end].last > last ? pieces[end].last : last;
        }
        uint64_t address = pieces[begin].segment << bits;
        unsigned left = shrink(&address, bits, first, last);
        unsigned moved = (unsigned)(address - (pieces[begin].segment << bits));
        uint32_t touched = 0;
        for (unsigned i = begin; i < end; i++)
            touched |= bit_range((pieces[i].first - moved) >> (left - 5),
                                 (pieces[i].last - moved) >> (left - 5));
        out[made] = *common;
        out[made].address = address;
        out[made].bytes = (uint16_t)(1u << left);
        out[made++].touched = touched;
    }
    return made;
}

/* Any record: each thread's pieces, sorted where they do not happen to be. */
static unsigned coalesce_pieces(const struct warp_access *access,
                                const struct access_window *window, unsigned bits,
                                const struct request *common, struct request *out)
{
    uint64_t addresses[WARP_SIZE];
    unsigned lanes = access_addresses(access, window, addresses), words = 1, bytes = access->bytes;
    if (access->space == SPACE_LOCAL && bytes > 4) {
        words = bytes / 4 < 4 ? bytes / 4 : 4;
        bytes = 4;
    }
    /* Addresses mostly rise with the lane or fall with it; walk so that the pieces fall. */
    bool falling = addresses[0] > addresses[lanes - 1];
    struct piece pieces[PIECES_MAX];
    unsigned count = 0;
    for (unsigned word = words; word-- > 0;)
        for (unsigned i = 0; i < lanes; i++) {
            uint64_t address = addresses[falling ? i : lanes - 1 - i];
            if (words > 1) /* words are aligned, so none crosses a segment */
                address = (address & ~(uint64_t)3) + word * LOCAL_WORD_STRIDE;
            count = add_pieces(pieces, count, address, bytes, bits);
        }
    if (!pieces_descend(pieces, count))
        sort_pieces(pieces, count);
    return requests_of_pieces(pieces, count, bits, common, out);
}

/* True when the threads together touch every byte from the lowest to the highest address. */
static bool dense_range(const struct warp_access *access, uint64_t *low, uint64_t *length)
{
    int64_t step = access->stride;
    uint64_t distance = (uint64_t)(step < 0 ? -step : step);
    unsigned first = (unsigned)__builtin_ctz(access->mask);
    uint32_t run = access->mask >> first;
    if (access->flags & ACCESS_LISTED || distance > access->bytes ||
        (run & (run + 1) && distance) || (access->space == SPACE_LOCAL && access->bytes > 4))
        return false;
    unsigned last = 31u - (unsigned)__builtin_clz(access->mask);
    *low = access->base + (uint64_t)step * (step < 0 ? last : first);
    *length = distance * (last - first) + access->bytes;
    return *low + *length > *low; /* else it wraps around the end of the address space */
}

static unsigned coalesce_part(const struct warp_access *access, const struct access_window *window,
                              unsigned bits, const struct request *common, struct request *out)
{
    uint64_t low, length;
    if (dense_range(access, &low, &length))
        return coalesce_dense(low, length, bits, common, out);
    return coalesce_pieces(access, window, bits, common, out);
}

static unsigned coalesce_half_warps(const struct warp_access *access,
                                    const struct access_window *window, unsigned bits,
                                    const struct request *common, struct request *out)
{
    unsigned count = 0;
    struct warp_access half = *access;
    half.mask = access->mask & 0xffff0000u;
    if (access->flags & ACCESS_LISTED)
        half.base += (unsigned)__builtin_popcount(access->mask & 0xffffu);
    if (half.mask)
        count = coalesce_part(&half, window, bits, common, out);
    half.mask = access->mask & 0xffffu;
    half.base = access->base;
    if (half.mask)
        count += coalesce_part(&half, window, bits, common, out + count);
    return count;
}

unsigned coalesce(uint64_t arch, const struct warp_access *access,
                  const struct access_window *window, uint16_t unit,
                  struct request out[COALESCED_MAX])
{
    assert(access->mask && access->bytes && access->bytes <= ACCESS_BYTES_MAX);
    bool past_l1 = access->op == OP_ATOMIC || access->flags & ACCESS_BYPASS_L1;
    const struct request common = {
        .pc = access->pc,
        .unit = unit,
        .op = access->op,
        .space = access->space,
        .flags = past_l1 ? REQUEST_BYPASS_L1 : 0,
    };
    unsigned bits = segment_bits(arch, access);
    unsigned count = arch < 20 ? coalesce_half_warps(access, window, bits, &common, out)
                               : coalesce_part(access, window, bits, &common, out);
    out[0].flags |= REQUEST_FIRST;
    return count;
}
