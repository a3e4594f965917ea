#include "base/printable.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/utf8.h"

/* Whether a terminal or a browser would obey the character instead of showing it: C1 controls,
 * direction marks, and line and paragraph separators. */
static bool steers(uint32_t point)
{
    return point < 0xa0 || point == 0x61c || (point >= 0x200e && point <= 0x200f) ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

size_t printable_length(const char *text)
{
    uint32_t point;
    size_t length = utf8_read(text, &point);
    if (length == 1)
        return (point >= 0x20 && point != 0x7f) || point == '\t' || point == '\n' || !point;
    return length && !steers(point) ? length : 0;
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
