#include "cli/shared/shell_words.h"

#include <string.h>

void shell_quote(const char *text, FILE *out)
{
    fputc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
}

void shell_word(const char *text, FILE *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=,+%@-";
    if (*text && text[strspn(text, plain)] == '\0')
        fputs(text, out);
    else
        shell_quote(text, out);
}
