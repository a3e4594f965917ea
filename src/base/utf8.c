#include "base/utf8.h"

#include <locale.h>
#include <pthread.h>
#include <string.h>
#include <wchar.h>

enum { REPLACEMENT = 0xfffd };

static bool legal(uint32_t point)
{
    return point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
}

size_t utf8_read(const char *text, uint32_t *point)
{
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)*text;
    *point = first;
    if (first < 0x80)
        return 1;
    if (first < 0xc0 || first >= 0xf8)
        return 0;
    size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    *point = first & (0x3fu >> more);
    for (size_t i = 1; i <= more; i++) {
        if (utf8_begins(text[i])) /* also the end */
            return 0;
        *point = *point << 6 | ((unsigned char)text[i] & 0x3f);
    }
    return *point >= smallest[more] && legal(*point) ? more + 1 : 0;
}

uint32_t utf8_next(const char **text)
{
    uint32_t point;
    size_t length = utf8_read(*text, &point);
    if (length && !point)
        return 0;
    *text += length ? length : 1;
    return length ? point : REPLACEMENT;
}

size_t utf8_write(uint32_t point, char bytes[UTF8_MAX])
{
    if (!legal(point))
        point = REPLACEMENT;
    if (point < 0x80) {
        bytes[0] = (char)point;
        return 1;
    }
    unsigned more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    bytes[0] = (char)(lead[more] | point >> (6 * more));
    for (unsigned i = 1; i <= more; i++)
        bytes[i] = (char)(0x80 | (point >> (6 * (more - i)) & 0x3f));
    return more + 1;
}

/* Created once and never freed; utf8_width switches the calling thread to it and back. */
static locale_t wide_locale;

static void make_locale(void)
{
    wide_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

int utf8_width(uint32_t point)
{
    /* wcwidth answers for the locale in force; tables look the same under LC_ALL=C. */
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (point < 0x7f)
        return 1;
    pthread_once(&once, make_locale);
    locale_t before = wide_locale ? uselocale(wide_locale) : (locale_t)0;
    int width = wcwidth((wchar_t)point);
    if (before)
        uselocale(before);
    return width < 0 ? 1 : width;
}

size_t utf8_columns(const char *text)
{
    size_t columns = 0;
    for (uint32_t point; (point = utf8_next(&text));)
        columns += (size_t)utf8_width(point);
    return columns;
}

size_t utf8_mark(const char *text, size_t size)
{
    return size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

bool utf16_seems(const char *text, size_t size)
{
    if (size >= 2 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2)))
        return true;
    return size >= 4 && !text[0] == !text[2] && !text[1] == !text[3] && !text[0] != !text[1];
}
