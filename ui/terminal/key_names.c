/* Names of keys: parsing and printing (keymap.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/terminal/keymap.h"

struct key_name {
    const char *name;
    uint32_t key;
};

static const struct key_name names[] = {
    {"Tab", KEY_TAB},
    {"Enter", KEY_RETURN},
    {"Escape", KEY_ESCAPE},
    {"Backspace", KEY_ERASE},
    {"Space", ' '},
    {"Up", KEY_ARROW_UP},
    {"Down", KEY_ARROW_DOWN},
    {"Left", KEY_ARROW_LEFT},
    {"Right", KEY_ARROW_RIGHT},
    {"PageUp", KEY_PAGE_UP},
    {"PageDown", KEY_PAGE_DOWN},
    {"Home", KEY_FIRST},
    {"End", KEY_LAST},
    {"BackTab", KEY_BACK_TAB},
    {"Delete", KEY_DELETE},
    {"Insert", KEY_INSERT},
};

uint32_t key_parse(const char *text)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, text))
            return names[i].key;
    if (text[0] == 'C' && text[1] == '-' && text[2] >= 'a' && text[2] <= 'z' && !text[3])
        return (uint32_t)(text[2] - 'a' + 1);
    if (text[0] == 'F' && text[1] >= '1' && text[1] <= '9') {
        char *end;
        unsigned long number = strtoul(text + 1, &end, 10);
        return !*end && number <= 12 ? (uint32_t)(KEY_FUNCTION + number) : 0;
    }
    const char *rest = text;
    uint32_t point = utf8_next(&rest);
    return !*rest && point > ' ' && point != KEY_ERASE ? point : 0;
}

const char *key_print(uint32_t key, char text[KEY_TEXT])
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].key == key) {
            snprintf(text, KEY_TEXT, "%s", names[i].name);
            return text;
        }
    if (key > KEY_FUNCTION && key < KEY_NAMED_END)
        snprintf(text, KEY_TEXT, "F%u", key - KEY_FUNCTION);
    else if (key < ' ')
        snprintf(text, KEY_TEXT, "C-%c", (int)(key + 'a' - 1));
    else
        text[utf8_write(key, text)] = '\0';
    return text;
}
