#include "trace/kernel_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last of the words of "_ZN4math5scaleEPf" that make up the name; false if it is none. */
static bool mangled_name(const char *text, const char **word, size_t *length)
{
    if (strncmp(text, "_Z", 2) != 0)
        return false;
    text += 2;
    const bool nested = *text == 'N';
    text += nested;
    *length = 0;
    while (isdigit((unsigned char)*text)) {
        char *end;
        const unsigned long size = strtoul(text, &end, 10);
        if (!size || size > strlen(end))
            return false;
        *word = end;
        *length = size;
        text = end + size;
        if (!nested)
            break;
    }
    return *length > 0;
}

const char *kernel_name(const char *text, char name[KERNEL_NAME])
{
    static const char *const unnamed[] = {"(anonymous namespace)::", "<unnamed>::"};
    const char *word;
    size_t length;
    if (mangled_name(text, &word, &length)) {
        snprintf(name, KERNEL_NAME, "%.*s", (int)(length < KERNEL_NAME ? length : KERNEL_NAME),
                 word);
        return name;
    }
    text += strncmp(text, "void ", strlen("void ")) ? 0 : strlen("void ");
    for (size_t i = 0; i < sizeof unnamed / sizeof *unnamed; i++) {
        const char *at = strstr(text, unnamed[i]);
        text = at ? at + strlen(unnamed[i]) : text;
    }
    length = strcspn(text, "(< [");
    for (size_t i = 0; i + 1 < length; i++)
        if (text[i] == ':' && text[i + 1] == ':') {
            text += i + 2;
            length -= i + 2;
            i = (size_t)-1;
        }
    snprintf(name, KERNEL_NAME, "%.*s", (int)(length < KERNEL_NAME ? length : KERNEL_NAME), text);
    return name;
}
