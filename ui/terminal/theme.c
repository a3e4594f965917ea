#include "ui/terminal/theme.h"

#include <curses.h>
#include <stdlib.h>

enum { ROLE_COUNT = ROLE_RAMP_8 + 1, OWN = -1 }; /* OWN: the default colour of the terminal */

struct look {
    short many, few;              /* foreground with 256 colours, with 8 */
    attr_t few_attributes, plain; /* attributes with 8 colours; attributes without colours */
    short behind;                 /* background with 256 colours; 0: that of the terminal */
};

/* Colours that colour-blind users can tell apart. */
static const struct look looks[ROLE_COUNT] = {
    [ROLE_TEXT] = {OWN, OWN, A_NORMAL, A_NORMAL, 0},
    [ROLE_DIM] = {245, OWN, A_DIM, A_DIM, 0},
    [ROLE_AXIS] = {245, OWN, A_DIM, A_NORMAL, 0},
    [ROLE_SERIES_1] = {74, COLOR_CYAN, A_NORMAL, A_NORMAL, 0},
    [ROLE_SERIES_2] = {214, COLOR_YELLOW, A_NORMAL, A_BOLD, 0},
    [ROLE_SERIES_3] = {175, COLOR_MAGENTA, A_NORMAL, A_NORMAL, 0},
    [ROLE_SERIES_4] = {36, COLOR_GREEN, A_NORMAL, A_NORMAL, 0},
    [ROLE_SERIES_5] = {227, COLOR_YELLOW, A_BOLD, A_NORMAL, 0},
    [ROLE_SERIES_6] = {32, COLOR_BLUE, A_NORMAL, A_NORMAL, 0},
    [ROLE_SERIES_7] = {141, COLOR_MAGENTA, A_BOLD, A_NORMAL, 0},
    [ROLE_SERIES_8] = {180, COLOR_WHITE, A_NORMAL, A_NORMAL, 0},
    [ROLE_CURSOR] = {227, COLOR_YELLOW, A_BOLD, A_BOLD, 0},
    [ROLE_FRONT] = {214, COLOR_YELLOW, A_NORMAL, A_BOLD, 0},
    [ROLE_GOOD] = {36, COLOR_GREEN, A_NORMAL, A_NORMAL, 0},
    [ROLE_BAD] = {166, COLOR_RED, A_NORMAL, A_BOLD, 0},
    [ROLE_ACCENT] = {74, COLOR_CYAN, A_NORMAL, A_BOLD, 0},
    [ROLE_RAMP_1] = {255, COLOR_BLUE, A_BOLD, A_NORMAL, 17},
    [ROLE_RAMP_2] = {255, COLOR_BLUE, A_BOLD, A_NORMAL, 53},
    [ROLE_RAMP_3] = {255, COLOR_CYAN, A_NORMAL, A_NORMAL, 24},
    [ROLE_RAMP_4] = {255, COLOR_CYAN, A_NORMAL, A_NORMAL, 30},
    [ROLE_RAMP_5] = {16, COLOR_GREEN, A_NORMAL, A_NORMAL, 36},
    [ROLE_RAMP_6] = {16, COLOR_GREEN, A_NORMAL, A_NORMAL, 42},
    [ROLE_RAMP_7] = {16, COLOR_YELLOW, A_NORMAL, A_NORMAL, 184},
    [ROLE_RAMP_8] = {16, COLOR_YELLOW, A_BOLD, A_NORMAL, 226},
};

static bool colored;
static bool many;

void theme_init(bool color)
{
    const char *refused = getenv("NO_COLOR");
    colored = color && !(refused && *refused) && has_colors() && start_color() == OK &&
              use_default_colors() == OK;
    many = colored && COLORS >= 256;
    for (short role = 0; colored && role < ROLE_COUNT; role++)
        init_pair((short)(role + 1), many ? looks[role].many : looks[role].few,
                  many && looks[role].behind ? looks[role].behind : OWN);
}

struct theme_style theme_style(enum role role, bool bold, bool reverse)
{
    const struct look *look = &looks[(int)role < ROLE_COUNT ? role : ROLE_TEXT];
    struct theme_style style = {bold ? A_BOLD : A_NORMAL, 0};
    if (colored)
        style.pair = (short)(look - looks + 1);
    if (!many)
        style.attributes |= colored ? look->few_attributes : look->plain;
    if (reverse) /* dim reverse text is unreadable on many terminals */
        style.attributes = (style.attributes & ~(unsigned long)A_DIM) | A_REVERSE;
    return style;
}

static int theme_distance(int a, int b)
{
    return (a - b) * (a - b);
}

/* Of the 256 colours those that every terminal shows alike: a cube of 6 x 6 x 6, and 24 greys. */
static int theme_nearest(int red, int green, int blue)
{
    enum { CUBE = 16, GREYS = 232, STEPS = 6, GREY_COUNT = 24 };
    static const int levels[STEPS] = {0, 95, 135, 175, 215, 255};
    const int channels[3] = {red, green, blue};
    int index = 0, error = 0;
    for (int i = 0; i < 3; i++) {
        int best = 0;
        for (int k = 1; k < STEPS; k++)
            if (theme_distance(levels[k], channels[i]) < theme_distance(levels[best], channels[i]))
                best = k;
        index = index * STEPS + best;
        error += theme_distance(levels[best], channels[i]);
    }
    int grey = ((red + green + blue) / 3 - 3) / 10;
    grey = grey < 0 ? 0 : grey >= GREY_COUNT ? GREY_COUNT - 1 : grey;
    const int level = 8 + 10 * grey;
    const int of_grey =
        theme_distance(level, red) + theme_distance(level, green) + theme_distance(level, blue);
    return of_grey < error ? GREYS + grey : CUBE + index;
}

static int colour_number(uint32_t colour)
{
    enum { DIRECT = 1 << 24 };
    const int rgb = (int)(colour & 0xffffff);
    if (COLORS >= DIRECT)
        return rgb;
    return theme_nearest(rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
}

int theme_colours(uint32_t ink, uint32_t paper)
{
    const int pair = many ? alloc_pair(colour_number(ink), paper ? colour_number(paper) : OWN) : 0;
    return pair > 0 ? pair : 0;
}
