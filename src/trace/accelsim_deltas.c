#include "trace/accelsim_deltas.h"

#include <string.h>

#include "base/bits.h"
#include "trace/text.h"

/* Reads a delta of few digits after one blank, or any other. */
static bool scan_delta(const char **at, int64_t *delta)
{
    enum { DIGITS = 9 };
    const char *p = *at + (**at == ' ');
    const bool negative = *p == '-';
    p += negative;
    const char *begin = p;
    int32_t value = 0;
    for (; *p >= '0' && *p <= '9' && p - begin < DIGITS; p++)
        value = value * 10 + (*p - '0');
    if (p == begin || *p != ' ')
        return scan_signed(at, delta);
    *at = p;
    *delta = negative ? -value : value;
    return true;
}

/* Most bytes of a trace are deltas of one digit after one blank: four of them, if the next four
 * are. A line ends with a zero byte, which is neither. */
static bool scan_four_digits(const char **at, const char *end, uint64_t address,
                             uint64_t *addresses)
{
    enum { TEXT = 8 };
    const char *p = *at;
    uint64_t text;
    if (end - p <= TEXT || p[TEXT] != ' ')
        return false;
    memcpy(&text, p, sizeof text);
    /* Each pair of bytes is a blank and a character between '0' and '9'. */
    const uint64_t digits = text ^ UINT64_C(0x3020302030203020);
    if ((digits | (digits + UINT64_C(0x0600060006000600))) & UINT64_C(0xf0fff0fff0fff0ff))
        return false;
    for (unsigned i = 0; i < 4; i++)
        addresses[i] = address += digits >> (16 * i + 8) & 15;
    *at = p + TEXT;
    return true;
}

/* The zero byte at the end of the line is part of what is compared, so that "4" is not taken for
 * the start of "45". */
static bool recognise(const char **at, const char *end, uint32_t mask,
                      const struct accelsim_deltas *kept, uint64_t addresses[WARP_SIZE])
{
    if (!kept->length || kept->mask != mask || end + 1 - *at < (ptrdiff_t)kept->length ||
        memcmp(*at, kept->text, kept->length) != 0)
        return false;
    const uint64_t first = addresses[0];
    for (unsigned i = 0; i < WARP_SIZE; i++)
        addresses[i] = first + kept->offsets[i];
    *at += kept->length - 1;
    return true;
}

static void deltas_keep(const char *begin, const char *at, uint32_t mask,
                        struct accelsim_deltas *kept, const uint64_t addresses[WARP_SIZE])
{
    const size_t length = (size_t)(at - begin) + 1;
    const unsigned count = bits_count(mask);
    kept->length = 0;
    if (length > sizeof kept->text)
        return;
    for (unsigned i = 0; i < count; i++)
        kept->offsets[i] = addresses[i] - addresses[0];
    memcpy(kept->text, begin, length);
    kept->length = (uint32_t)length;
    kept->mask = mask;
}

bool scan_deltas(const char **at, const char *end, uint32_t mask, struct accelsim_deltas *kept,
                 uint64_t addresses[WARP_SIZE])
{
    const unsigned count = bits_count(mask);
    if (recognise(at, end, mask, kept, addresses))
        return true;
    const char *begin = *at;
    for (unsigned i = 1; i < count;) {
        int64_t delta;
        if (count - i >= 4 && scan_four_digits(at, end, addresses[i - 1], addresses + i)) {
            i += 4;
            continue;
        }
        if (!scan_delta(at, &delta))
            return false;
        addresses[i] = addresses[i - 1] + (uint64_t)delta;
        i++;
    }
    deltas_keep(begin, *at, mask, kept, addresses);
    return true;
}
