#include "ui/terminal/glyphs.h"

#include <langinfo.h>
#include <string.h>

static const char *const glyph_texts[GLYPH_COUNT][2] = {
#define GLYPH_ROW(constant, utf8, ascii) {ascii, utf8},
    GLYPH_LIST(GLYPH_ROW)
#undef GLYPH_ROW
};

const char *glyph_text(enum glyphs tier, enum glyph glyph)
{
    return glyph_texts[glyph][tier != GLYPHS_ASCII];
}

const char *const glyph_names[] = {"auto", "braille", "block", "ascii", NULL};

enum status glyphs_parse(const char *text, enum glyphs *tier)
{
    if (!strcmp(text, "auto"))
        *tier = !strcmp(nl_langinfo(CODESET), "UTF-8") ? GLYPHS_BRAILLE : GLYPHS_ASCII;
    else if (!strcmp(text, "braille"))
        *tier = GLYPHS_BRAILLE;
    else if (!strcmp(text, "block"))
        *tier = GLYPHS_BLOCK;
    else if (!strcmp(text, "ascii"))
        *tier = GLYPHS_ASCII;
    else
        return STATUS_INVALID;
    return STATUS_OK;
}
