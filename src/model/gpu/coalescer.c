#include "model/gpu/coalescer.h"

#include <assert.h>

#include "base/bits.h"
#include "model/gpu/segments.h"

/* The bytes first to last, relative to the start of the segment, that one thread touches in it. */
struct piece {
    uint64_t segment; /* address >> bits */
    uint8_t first, last;
};

enum { PIECES_MAX = 4 * WARP_SIZE };

/* log2 of the segment size into which an access is cut. */
static unsigned segment_bits(uint64_t arch, const struct warp_access *access)
{
    bool past_l1 = access->op == OP_ATOMIC || access->flags & ACCESS_BYPASS_L1;
    if (arch >= 40 || (arch >= 20 && past_l1) || access->bytes == 1)
        return 5;
    return access->bytes == 2 ? 6 : 7;
}

/* A 32-bit mask with the bits first to last set. */
static inline uint32_t bit_range(unsigned first, unsigned last)
{
    return ((2u << (last - first)) - 1) << first;
}

/* Makes the request for bytes first to last of the segment at `address`. The request is halved as
 * long as only one half is touched, so it is the smallest aligned power of two of at least 32 B
 * that contains both bytes. */
static inline void put_request(struct request *request, const struct request *common,
                               uint64_t address, unsigned first, unsigned last)
{
    unsigned differ = first ^ last;
    unsigned bits = differ < 32 ? 5 : log2_floor(differ) + 1;
    unsigned moved = first >> bits << bits;
    *request = *common;
    request->address = address + moved;
    request->bytes = (uint16_t)(1u << bits);
    request->touched = bit_range((first - moved) >> (bits - 5), (last - moved) >> (bits - 5));
}

/* The requests for the bytes [low, low + length) if all of them are touched. */
static unsigned coalesce_dense(uint64_t low, uint64_t length, unsigned bits,
                               const struct request *common, struct request *out)
{
    uint64_t high = low + length - 1, size = (uint64_t)1 << bits;
    unsigned count = 0;
    for (uint64_t begin = high & -size;; begin -= size) {
        unsigned first = begin < low ? (unsigned)(low - begin) : 0;
        unsigned last = high - begin < size ? (unsigned)(high - begin) : (unsigned)size - 1;
        put_request(&out[count++], common, begin, first, last);
        if (begin <= low)
            return count;
    }
}

/* Adds `bytes` bytes at `address` as one piece, or as two if they cross a segment, the higher one
 * first. */
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

static void sort_pieces(struct piece *pieces, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        struct piece piece = pieces[i];
        unsigned to = i;
        for (; to && pieces[to - 1].segment < piece.segment; to--)
            pieces[to] = pieces[to - 1];
        pieces[to] = piece;
    }
}

/* Makes one request for each run of pieces in the same segment. The pieces are sorted. */
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
        struct request *request = &out[made++];
        put_request(request, common, address, first, last);
        if (end == begin + 1)
            continue;
        unsigned moved = (unsigned)(request->address - address);
        unsigned shift = (unsigned)__builtin_ctz(request->bytes) - 5;
        request->touched = 0;
        for (unsigned i = begin; i < end; i++)
            request->touched |=
                bit_range((pieces[i].first - moved) >> shift, (pieces[i].last - moved) >> shift);
    }
    return made;
}

/* Whether no access crosses a segment or starts or ends inside a 32nd of it. Addresses of a GPU are
 * aligned to their size, so this is nearly always true and the pieces can be skipped. */
static bool accesses_fit(const uint64_t addresses[WARP_SIZE], unsigned bytes, unsigned bits)
{
    uint64_t part = ((uint64_t)1 << (bits - 5)) - 1, size = (uint64_t)1 << bits, misfits = 0;
    for (unsigned i = 0; i < WARP_SIZE; i++)
        misfits |= addresses[i];
    if (is_power_of_two(bytes) && bytes > part && bytes <= size && !(misfits & (bytes - 1)))
        return true;
    misfits = 0;
    for (unsigned i = 0; i < WARP_SIZE; i++)
        misfits |= (addresses[i] & part) | ((addresses[i] & (size - 1)) + bytes > size);
    return !misfits && !(bytes & part);
}

/* Shrinks a request for a whole segment as put_request does, without branches on the addresses. */
static inline void shrink(struct request *request, unsigned bits)
{
    uint32_t touched = request->touched;
    unsigned first = (unsigned)__builtin_ctz(touched), last = log2_floor(touched);
    unsigned most = bits - 5; /* most halvings: down to 32 B */
    unsigned halvings = (unsigned)__builtin_clz((first ^ last) | 1u << (4 - most)) - 27;
    unsigned parts = 32u >> halvings, skipped = first & -parts;
    touched >>= skipped;
    /* The touched 32nds of a segment, as those of its lower half and its lowest quarter. */
    uint32_t half = bits_double(touched), quarter = bits_double(half);
    request->touched = halvings == 0 ? touched : halvings == 1 ? half : quarter;
    request->address += (uint64_t)skipped << most;
    request->bytes = (uint16_t)(1u << (bits - halvings));
}

/* Makes the request for the 32nds of a segment that are touched. */
static inline void put_segment(uint64_t segment, uint32_t touched, unsigned bits,
                               const struct request *common, struct request *out)
{
    *out = *common;
    out->address = segment << bits;
    out->bytes = 32;
    out->touched = touched;
    if (bits > 5)
        shrink(out, bits);
}

/* What an access to the first bytes of a segment touches. */
static inline uint32_t first_part(unsigned bytes, unsigned bits)
{
    return bit_range(0, (bytes - 1) >> (bits - 5));
}

/* Merges accesses that fit (accesses_fit), starting at `lane` in steps of `step`. Returns 0 if an
 * address rises, so the caller must sort first. Inlined, so that `bits` can be a constant. */
static inline unsigned merge_with(const uint64_t *lane, ptrdiff_t step, unsigned lanes,
                                  unsigned bytes, unsigned bits, const struct request *common,
                                  struct request *out)
{
    const unsigned part = bits - 5;
    const uint32_t one = first_part(bytes, bits);
    unsigned count = 0;
    while (lanes) {
        const uint64_t segment = *lane >> bits;
        uint32_t touched = 0;
        uint64_t next = segment;
        do {
            touched |= one << ((unsigned)(*lane >> part) & 31);
            lane += step;
        } while (--lanes && (next = *lane >> bits) == segment);
        if (next > segment)
            return 0;
        put_segment(segment, touched, bits, common, &out[count++]);
    }
    return count;
}

static unsigned merge_falling(const uint64_t *lane, ptrdiff_t step, unsigned lanes, unsigned bytes,
                              unsigned bits, const struct request *common, struct request *out)
{
    switch (bits) {
    case 5:
        return merge_with(lane, step, lanes, bytes, 5, common, out);
    case 7:
        return merge_with(lane, step, lanes, bytes, 7, common, out);
    default:
        return merge_with(lane, step, lanes, bytes, bits, common, out);
    }
}

/* Sorts the addresses, highest first. Each address is placed by counting how many are above it,
 * compared by their upper bits and then by lane. These comparisons do not depend on each other, so
 * the compiler vectorizes them. An insertion sort settles what the lower bits decide; it has little
 * to do. */
static void sort_addresses(uint64_t *addresses, unsigned lanes)
{
    enum { KEY_BITS = 26 };
    uint64_t low = UINT64_MAX, high = 0, unsorted[WARP_SIZE];
    for (unsigned i = 0; i < lanes; i++) {
        unsorted[i] = addresses[i];
        low = addresses[i] < low ? addresses[i] : low;
        high = addresses[i] > high ? addresses[i] : high;
    }
    unsigned width = log2_floor((high - low) | 1) + 1;
    unsigned shift = width > KEY_BITS ? width - KEY_BITS : 0;
    int32_t keys[WARP_SIZE] = {0}, above[WARP_SIZE] = {0};
    for (unsigned i = 0; i < lanes; i++)
        keys[i] = (int32_t)((addresses[i] - low) >> shift) * WARP_SIZE + (int32_t)i;
    for (unsigned i = 0; i < lanes; i++)
        for (unsigned k = 0; k < WARP_SIZE; k++)
            above[k] += keys[i] > keys[k];
    for (unsigned i = 0; i < lanes; i++)
        addresses[above[i]] = unsorted[i];
    for (unsigned i = 1; i < lanes; i++) {
        uint64_t address = addresses[i];
        unsigned to = i;
        for (; to && addresses[to - 1] < address; to--)
            addresses[to] = addresses[to - 1];
        addresses[to] = address;
    }
}

/* The general path, for accesses that cross segments or 32nds of them and for words of local
 * memory: sorts the pieces of all threads. */
static unsigned coalesce_pieces(const struct warp_access *access, const uint64_t *addresses,
                                unsigned lanes, unsigned bits, const struct request *common,
                                struct request *out)
{
    unsigned words = 1, bytes = access->bytes, count = 0;
    if (access->space == SPACE_LOCAL && bytes > 4) {
        words = bytes / 4 < 4 ? bytes / 4 : 4;
        bytes = 4;
    }
    struct piece pieces[PIECES_MAX];
    for (unsigned word = words; word-- > 0;)
        for (unsigned i = lanes; i-- > 0;) {
            uint64_t address = addresses[i];
            if (words > 1) /* aligned words never cross a segment */
                address = (address & ~(uint64_t)3) + word * LOCAL_WORD_STRIDE;
            count = add_pieces(pieces, count, address, bytes, bits);
        }
    sort_pieces(pieces, count);
    return requests_of_pieces(pieces, count, bits, common, out);
}

/* Merges accesses that fit, all threads at once; 0: they are in too many segments. */
static unsigned merge_at_once(const uint64_t addresses[WARP_SIZE], unsigned bytes, unsigned bits,
                              const struct request *common, struct request *out)
{
    struct segment segments[SEGMENTS_MAX];
    const unsigned count = segments_find(addresses, bits, first_part(bytes, bits), segments);
    for (unsigned i = 0; i < count; i++)
        put_segment(segments[i].number, segments[i].touched, bits, common, &out[i]);
    return count;
}

/* Whether the threads of a warp seem to share segments: three in four pairs of neighbours do. */
static bool seem_to_share(const uint64_t addresses[WARP_SIZE], unsigned bits)
{
    unsigned shared = 0;
    for (unsigned i = 0; i < WARP_SIZE; i += WARP_SIZE / 4)
        shared += !((addresses[i] ^ addresses[i + 1]) >> bits);
    return shared >= 3;
}

/* Merges accesses that fit and neither rise nor fall with the lane. */
static unsigned merge_unordered(uint64_t addresses[WARP_SIZE], unsigned lanes, unsigned bytes,
                                unsigned bits, bool vectors, const struct request *common,
                                struct request *out)
{
    if (vectors && seem_to_share(addresses, bits)) {
        const unsigned count = merge_at_once(addresses, bytes, bits, common, out);
        if (count)
            return count;
    }
    sort_addresses(addresses, lanes);
    return merge_falling(addresses, 1, lanes, bytes, bits, common, out);
}

/* Coalesces any record. Addresses usually rise or fall with the lane, so that is tried first. */
static unsigned coalesce_lanes(const struct warp_access *access, const struct access_window *window,
                               unsigned bits, bool vectors, const struct request *common,
                               struct request *out)
{
    uint64_t addresses[WARP_SIZE];
    unsigned lanes = access_addresses(access, window, addresses), bytes = access->bytes, count;
    for (unsigned i = lanes; i < WARP_SIZE; i++)
        addresses[i] = addresses[0];
    if ((access->space == SPACE_LOCAL && bytes > 4) || !accesses_fit(addresses, bytes, bits))
        return coalesce_pieces(access, addresses, lanes, bits, common, out);
    bool falling = addresses[0] > addresses[lanes - 1];
    count = falling ? merge_falling(addresses, 1, lanes, bytes, bits, common, out)
                    : merge_falling(addresses + lanes - 1, -1, lanes, bytes, bits, common, out);
    return count ? count : merge_unordered(addresses, lanes, bytes, bits, vectors, common, out);
}

/* True if the threads together touch every byte from the lowest to the highest address. */
static bool dense_range(const struct warp_access *access, uint64_t *low, uint64_t *length)
{
    int64_t step = access->stride;
    uint64_t distance = (uint64_t)(step < 0 ? -step : step);
    unsigned first = (unsigned)__builtin_ctz(access->mask);
    uint32_t run = access->mask >> first;
    if (!access_is_affine(access) || distance > access->bytes || (run & (run + 1) && distance) ||
        (access->space == SPACE_LOCAL && access->bytes > 4))
        return false;
    unsigned last = log2_floor(access->mask);
    *low = access->base + (uint64_t)step * (step < 0 ? last : first);
    *length = distance * (last - first) + access->bytes;
    return *low + *length > *low; /* else it wraps around the end of the address space */
}

/* Coalesces threads at equal distances of which each touches a segment of its own; 0: they do
 * not. */
static unsigned coalesce_apart(const struct warp_access *access, unsigned bits,
                               const struct request *common, struct request *out)
{
    const uint64_t step = (uint64_t)(int64_t)access->stride, size = (uint64_t)1 << bits;
    const uint64_t distance = access->stride < 0 ? -step : step;
    const unsigned bytes = access->bytes, part = bits - 5;
    const unsigned low = (unsigned)__builtin_ctz(access->mask), high = log2_floor(access->mask);
    const bool falls = access->stride < 0;
    const uint64_t top = access->base + step * (falls ? low : high);
    if (!access_is_affine(access) || distance < size || !is_power_of_two(bytes) ||
        bytes >> part == 0 || bytes > size || (access->base | step) & (bytes - 1) ||
        top < distance * (high - low) /* it wraps around the end of the address space */
        || (access->space == SPACE_LOCAL && bytes > 4))
        return 0;
    const uint32_t one = first_part(bytes, bits), steps = high - low;
    unsigned count = 0;
    uint64_t address = top;
    for (unsigned i = 0; i <= steps; i++, address -= distance) {
        const unsigned lane = falls ? low + i : high - i;
        if (access->mask >> lane & 1)
            put_segment(address >> bits, one << ((unsigned)(address >> part) & 31), bits, common,
                        &out[count++]);
    }
    return count;
}

static unsigned coalesce_part(const struct warp_access *access, const struct access_window *window,
                              unsigned bits, bool vectors, const struct request *common,
                              struct request *out)
{
    uint64_t low, length;
    if (dense_range(access, &low, &length))
        return coalesce_dense(low, length, bits, common, out);
    const unsigned count = coalesce_apart(access, bits, common, out);
    return count ? count : coalesce_lanes(access, window, bits, vectors, common, out);
}

static void reverse(struct request *requests, unsigned count)
{
    for (unsigned i = 0; i < count / 2; i++) {
        const struct request request = requests[i];
        requests[i] = requests[count - 1 - i];
        requests[count - 1 - i] = request;
    }
}

/* Coalesces the upper and then the lower half-warp. Listed records and patterns have their
 * addresses lane by lane, so the upper half starts after those of the lower half. */
static unsigned coalesce_half_warps(const struct warp_access *access,
                                    const struct access_window *window, unsigned bits, bool vectors,
                                    const struct request *common, struct request *out)
{
    unsigned count = 0;
    struct warp_access half = *access;
    half.mask = access->mask & 0xffff0000u;
    if (access->flags & ACCESS_LISTED)
        half.base += bits_count(access->mask & 0xffffu);
    if (access->flags & ACCESS_PATTERN)
        half.stride += (int32_t)bits_count(access->mask & 0xffffu);
    if (half.mask)
        count = coalesce_part(&half, window, bits, vectors, common, out);
    half.mask = access->mask & 0xffffu;
    half.base = access->base;
    half.stride = access->stride;
    if (half.mask)
        count += coalesce_part(&half, window, bits, vectors, common, out + count);
    return count;
}

/* Nothing coalesces accesses of a list: what lies in one half of a sector asks for no more, so that
 * caches of 16 B lines look up one. Larger lines see no difference. */
static void halve_sector(struct request *request)
{
    const uint32_t low = request->touched & 0xffff, high = request->touched >> 16;
    if (request->bytes != 32 || (low && high))
        return;
    request->bytes = 16;
    request->address += high ? 16 : 0;
    request->touched = bits_double(low | high);
}

static unsigned coalesce_with(bool vectors, const struct coalescer_config *coalescer,
                              const struct warp_access *access, const struct access_window *window,
                              uint16_t instance, struct request out[COALESCED_MAX])
{
    assert(access->mask && access->bytes && access->bytes <= ACCESS_BYTES_MAX);
    bool past_l1 = access->op == OP_ATOMIC || access->flags & ACCESS_BYPASS_L1;
    const struct request common = {
        .pc = access->pc,
        .instance = instance,
        .op = access->op,
        .space = access->space,
        .flags = past_l1 ? REQUEST_BYPASS_L1 : 0,
    };
    unsigned bits = segment_bits(coalescer->arch, access);
    unsigned count = coalescer->arch < 20
                         ? coalesce_half_warps(access, window, bits, vectors, &common, out)
                         : coalesce_part(access, window, bits, vectors, &common, out);
    if (coalescer->order == ORDER_RISING)
        reverse(out, count);
    for (unsigned i = 0; access->flags & ACCESS_SINGLE && i < count; i++)
        halve_sector(&out[i]);
    out[0].flags |= REQUEST_FIRST;
    return count;
}

unsigned coalesce(const struct coalescer_config *coalescer, const struct warp_access *access,
                  const struct access_window *window, uint16_t instance,
                  struct request out[COALESCED_MAX])
{
    return coalesce_with(segments_possible(), coalescer, access, window, instance, out);
}

unsigned coalesce_plain(const struct coalescer_config *coalescer, const struct warp_access *access,
                        const struct access_window *window, uint16_t instance,
                        struct request out[COALESCED_MAX])
{
    return coalesce_with(false, coalescer, access, window, instance, out);
}
