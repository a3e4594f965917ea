#include "ui/terminal/theme.h"

#include <curses.h>
#include <stdlib.h>

enum { ROLE_COUNT = ROLE_RAMP_8 + 1, OWN = -1 }; /* OWN: the default colour of the terminal */

struct look {
    short many[THEME_MONO];       /* foreground with 256 colours, of every theme that has any */
    short few;                    /* with 8 colours */
    attr_t few_attributes, plain; /* attributes with 8 colours; attributes without colours */
    short behind;                 /* background with 256 colours; 0: that of the terminal */
};

/* clang-format off */
static const struct look looks[ROLE_COUNT] = {
    [ROLE_TEXT] =     {{OWN, OWN, OWN, OWN}, OWN, A_NORMAL, A_NORMAL, 0},
    [ROLE_DIM] =      {{245, 242, OWN, 245}, OWN, A_DIM, A_DIM, 0},
    [ROLE_AXIS] =     {{245, 242, OWN, 245}, OWN, A_DIM, A_NORMAL, 0},
    [ROLE_SERIES_1] = {{74, 25, 51, 74}, COLOR_CYAN, A_NORMAL, A_NORMAL, 0},
    [ROLE_SERIES_2] = {{214, 130, 226, 214}, COLOR_YELLOW, A_NORMAL, A_BOLD, 0},
    [ROLE_SERIES_3] = {{175, 127, 213, 175}, COLOR_MAGENTA, A_NORMAL, A_NORMAL, 0},
    [ROLE_SERIES_4] = {{36, 29, 46, 36}, COLOR_GREEN, A_NORMAL, A_NORMAL, 0},
    [ROLE_SERIES_5] = {{227, 94, 229, 227}, COLOR_YELLOW, A_BOLD, A_NORMAL, 0},
    [ROLE_SERIES_6] = {{32, 19, 45, 32}, COLOR_BLUE, A_NORMAL, A_NORMAL, 0},
    [ROLE_SERIES_7] = {{141, 91, 177, 141}, COLOR_MAGENTA, A_BOLD, A_NORMAL, 0},
    [ROLE_SERIES_8] = {{180, 240, 231, 180}, COLOR_WHITE, A_NORMAL, A_NORMAL, 0},
    [ROLE_CURSOR] =   {{227, 88, 226, 227}, COLOR_YELLOW, A_BOLD, A_BOLD, 0},
    [ROLE_FRONT] =    {{214, 130, 214, 214}, COLOR_YELLOW, A_NORMAL, A_BOLD, 0},
    [ROLE_GOOD] =     {{36, 28, 46, 75}, COLOR_GREEN, A_NORMAL, A_NORMAL, 0},
    [ROLE_BAD] =      {{166, 160, 203, 208}, COLOR_RED, A_NORMAL, A_BOLD, 0},
    [ROLE_ACCENT] =   {{74, 25, 51, 74}, COLOR_CYAN, A_NORMAL, A_BOLD, 0},
    [ROLE_RAMP_1] =   {{255, 255, 255, 255}, COLOR_BLUE, A_BOLD, A_NORMAL, 17},
    [ROLE_RAMP_2] =   {{255, 255, 255, 255}, COLOR_BLUE, A_BOLD, A_NORMAL, 53},
    [ROLE_RAMP_3] =   {{255, 255, 255, 255}, COLOR_CYAN, A_NORMAL, A_NORMAL, 24},
    [ROLE_RAMP_4] =   {{255, 255, 255, 255}, COLOR_CYAN, A_NORMAL, A_NORMAL, 30},
    [ROLE_RAMP_5] =   {{16, 16, 16, 16}, COLOR_GREEN, A_NORMAL, A_NORMAL, 36},
    [ROLE_RAMP_6] =   {{16, 16, 16, 16}, COLOR_GREEN, A_NORMAL, A_NORMAL, 42},
    [ROLE_RAMP_7] =   {{16, 16, 16, 16}, COLOR_YELLOW, A_NORMAL, A_NORMAL, 184},
    [ROLE_RAMP_8] =   {{16, 16, 16, 16}, COLOR_YELLOW, A_BOLD, A_NORMAL, 226},
};
/* clang-format on */

#define THEME_NAME(constant, name, background, help) name,
#define THEME_HELP(constant, name, background, help) help,
const char *const theme_names[THEME_COUNT + 1] = {THEME_LIST(THEME_NAME) NULL};
const char *const theme_helps[THEME_COUNT] = {THEME_LIST(THEME_HELP)};

static bool terminal_colored;
static bool colored; /* the terminal, and the theme */
static bool many;
static enum theme chosen;

void theme_choose(enum theme theme)
{
    chosen = theme;
    colored = terminal_colored && theme != THEME_MONO;
    many = colored && COLORS >= 256;
    for (short role = 0; colored && role < ROLE_COUNT; role++)
        init_pair((short)(role + 1), many ? looks[role].many[theme] : looks[role].few,
                  many && looks[role].behind ? looks[role].behind : OWN);
}

void theme_init(bool color)
{
    const char *refused = getenv("NO_COLOR");
    terminal_colored = color && !(refused && *refused) && has_colors() && start_color() == OK &&
                       use_default_colors() == OK;
    theme_choose(chosen);
}

struct theme_style theme_style(enum role role, bool bold, bool reverse)
{
    const struct look *look = &looks[(int)role < ROLE_COUNT ? role : ROLE_TEXT];
    struct theme_style style = {bold ? A_BOLD : A_NORMAL, 0};
    /* Text in the terminal's own colours has those of the blanks around it: pair 0, or each blank
     * would take two changes of colour. */
    const bool own = look->behind == 0 && (many ? look->many[chosen] : look->few) == OWN;
    if (colored && !own)
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

/* ---- pictures ---- */

/* The colour with a number of the 256, as terminals that were not told otherwise show it. */
static uint32_t colour_of_number(int number)
{
    enum { CUBE = 16, GREYS = 232 };
    static const uint8_t levels[] = {0, 95, 135, 175, 215, 255};
    if (number >= GREYS)
        return (uint32_t)(8 + 10 * (number - GREYS)) * 0x10101;
    const int place = number - CUBE;
    return (uint32_t)levels[place / 36] << 16 | (uint32_t)levels[place / 6 % 6] << 8 |
           levels[place % 6];
}

/* Half as far from the paper. */
static uint32_t dimmed(uint32_t ink, uint32_t paper)
{
    return (ink >> 1 & 0x7f7f7f) + (paper >> 1 & 0x7f7f7f);
}

struct cell_colours theme_picture(const struct cell *cell)
{
#define THEME_BACKGROUND(constant, name, background, help) background,
    static const uint32_t backgrounds[THEME_COUNT] = {THEME_LIST(THEME_BACKGROUND)};
#undef THEME_BACKGROUND
    const uint32_t paper = backgrounds[chosen], text = paper == 0xffffff ? 0x262626 : 0xe4e4e4;
    struct cell_colours colours = {text, paper};
    if (!cell)
        return colours;
    if (cell->ink && chosen != THEME_MONO) {
        colours.ink = cell->ink & 0xffffff;
        colours.paper = cell->paper ? cell->paper & 0xffffff : paper;
        return colours;
    }
    const struct look *look = &looks[cell->role < ROLE_COUNT ? cell->role : ROLE_TEXT];
    const int number = chosen == THEME_MONO ? OWN : look->many[chosen];
    if (number != OWN)
        colours.ink = colour_of_number(number);
    else if (look->plain & A_DIM && chosen == THEME_MONO)
        colours.ink = dimmed(text, paper);
    if (look->behind && chosen != THEME_MONO)
        colours.paper = colour_of_number(look->behind);
    return cell->reverse ? (struct cell_colours){colours.paper, colours.ink} : colours;
}
