#include "ui/text.h"

uint32_t text_decode(const char **text)
{
    const unsigned char *bytes = (const unsigned char *)*text;
    uint32_t point = bytes[0];
    if (!point)
        return 0;
    (*text)++;
    if (point < 0x80)
        return point;
    int more = point >= 0xf0 ? 3 : point >= 0xe0 ? 2 : 1;
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    if (point < 0xc2 || point > 0xf4)
        return 0xfffd;
    point &= 0x3fu >> more;
    for (int i = 1; i <= more; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0xfffd;
        point = point << 6 | (bytes[i] & 0x3f);
    }
    if (point < smallest[more] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
        return 0xfffd;
    *text += more;
    return point;
}

size_t text_encode(uint32_t point, char bytes[4])
{
    if (point < 0x80) {
        bytes[0] = (char)point;
        return 1;
    }
    size_t more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    for (size_t i = more; i > 0; i--) {
        bytes[i] = (char)(0x80 | (point & 0x3f));
        point >>= 6;
    }
    bytes[0] = (char)(lead[more] | point);
    return more + 1;
}

int text_columns(const char *text)
{
    int columns = 0;
    while (text_decode(&text))
        columns++;
    return columns;
}

size_t text_bytes(const char *text, int columns)
{
    const char *end = text;
    while (columns-- > 0 && text_decode(&end))
        ;
    return (size_t)(end - text);
}
