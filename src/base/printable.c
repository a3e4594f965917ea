#include "base/printable.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a terminal or a browser would obey the character instead of showing it: C1 controls,
 * direction marks, and line and paragraph separators. */
static bool steers(uint32_t point)
{
    return point < 0xa0 || point == 0x61c || (point >= 0x200e && point <= 0x200f) ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

size_t printable_length(const char *text)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] < 0x80)
        return (byte[0] >= 0x20 && byte[0] != 0x7f) || byte[0] == '\t' || byte[0] == '\n' ||
               byte[0] == '\0';
    if (byte[0] < 0xc0 || byte[0] > 0xf4)
        return 0;
    size_t length = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
    uint32_t point = byte[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (byte[i] & 0x3f);
    }
    bool character =
        point >= smallest[length] && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000);
    return character && !steers(point) ? length : 0;
}

const char *printable_put(const char *text, FILE *out)
{
    size_t length = printable_length(text);
    if (length)
        fwrite(text, 1, length, out);
    else
        fprintf(out, "\\x%02x", (unsigned char)*text);
    return text + (length ? length : 1);
}

void printable_write(const char *text, FILE *out)
{
    while (*text)
        text = printable_put(text, out);
}

void printable_comment(const char *text, FILE *out)
{
    while (*text) {
        fputs("# ", out);
        while (*text && *text != '\n')
            text = printable_put(text, out);
        fputc('\n', out);
        text += *text == '\n';
    }
}
