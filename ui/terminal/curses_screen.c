#include "ui/terminal/curses_screen.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/utf8.h"
#include "ui/terminal/keymap.h"
#include "ui/terminal/line_editor.h"
#include "ui/terminal/signals.h"
#include "ui/terminal/theme.h"

static struct {
    SCREEN *terminal;
    FILE *output; /* the terminal itself: stdout escapes control sequences */
    bool headless;
    bool brackets; /* the terminal marks the start and end of pasted text */
    bool mouse;
    char pasted[LINE_MAX_BYTES];
} screen;

enum { KEY_PASTED = KEY_MAX + 1 };
static const char paste_begin[] = "\033[200~", paste_end[] = "\033[201~";

/* Asks for marks around pastes, and for moves of a pressed button, which curses does not ask for.
 */
static void ask_terminal(bool on)
{
    if (!screen.brackets)
        return;
    fputs(on ? "\033[?2004h" : "\033[?2004l", screen.output);
    if (screen.mouse)
        fputs(on ? "\033[?1002h" : "\033[?1002l", screen.output);
    fflush(screen.output);
}

static enum status open_headless(const struct explorer_options *options,
                                 struct diagnostics *diagnostics)
{
    const char *name = getenv("TERM");
    screen.headless = true;
    screen.output = fopen("/dev/null", "r+");
    if (!screen.output)
        return diagnostics_error(diagnostics, STATUS_IO, "/dev/null: %s", strerror(errno));
    use_env(false);
    screen.terminal = newterm(name && *name ? name : "dumb", screen.output, screen.output);
    if (!screen.terminal)
        screen.terminal = newterm("dumb", screen.output, screen.output);
    if (!screen.terminal)
        return diagnostics_error(diagnostics, STATUS_IO, "the terminal '%s' is not known",
                                 name ? name : "");
    return resize_term(options->rows, options->columns) == OK ? STATUS_OK : STATUS_MEMORY;
}

static bool has_capability(const char *name)
{
    const char *text = tigetstr(name);
    return text && text != (char *)-1;
}

static enum status open_terminal(struct diagnostics *diagnostics)
{
    const char *name = getenv("TERM");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "the explorer needs a terminal; 'warpscape run' answers without");
    const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    screen.output = copy < 0 ? NULL : fdopen(copy, "w");
    if (!screen.output)
        return diagnostics_error(diagnostics, STATUS_IO, "the terminal: %s", strerror(errno));
    screen.terminal = newterm(NULL, screen.output, stdin);
    if (!screen.terminal)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "the terminal '%s' is not known here; TERM=xterm may do",
                                 name ? name : "");
    if (!has_capability("cup")) {
        screen_close();
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "the terminal '%s' cannot move its cursor", name ? name : "");
    }
    return STATUS_OK;
}

enum status screen_open(const struct explorer_options *options, struct diagnostics *diagnostics)
{
    memset(&screen, 0, sizeof screen);
    signals_remember_terminal();
    enum status status =
        options->rows > 0 ? open_headless(options, diagnostics) : open_terminal(diagnostics);
    if (status)
        return status;
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    leaveok(stdscr, FALSE);
    set_escdelay(25);
    theme_init(options->color);
    screen.mouse = options->mouse && !screen.headless;
    if (screen.mouse)
        mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED |
                      REPORT_MOUSE_POSITION,
                  NULL);
    mouseinterval(0);
    if (!screen.headless) {
        signals_install(tigetstr("rmcup"), tigetstr("cnorm"));
        screen.brackets = !strncmp(tigetstr("cup"), "\033[", 2);
        define_key(paste_begin, KEY_PASTED);
        ask_terminal(true);
    }
    return STATUS_OK;
}

void screen_close(void)
{
    if (!screen.terminal)
        return;
    const bool stays = !screen.headless && !has_capability("rmcup");
    ask_terminal(false);
    endwin();
    if (stays) { /* the last picture stays, so put the prompt below it, not over its last row */
        fputc('\n', screen.output);
        fflush(screen.output);
    }
    if (!screen.headless)
        signals_remove();
    delscreen(screen.terminal);
    if (screen.output)
        fclose(screen.output);
    memset(&screen, 0, sizeof screen);
}

void screen_size(int *rows, int *columns)
{
    getmaxyx(stdscr, *rows, *columns);
}

int screen_fd(void)
{
    return signals_resize_fd();
}

void screen_follow(void)
{
    uint64_t count;
    struct winsize size;
    (void)!read(signals_resize_fd(), &count, sizeof count);
    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col)
        resize_term(size.ws_row, size.ws_col);
    screen_forget();
}

/* Of a picture: two colours, or a character that is as bright. */
static void screen_put_colours(int row, int column, const struct cell *cell)
{
    int pair = theme_colours(cell->ink, cell->paper);
    const wchar_t text[2] = {pair ? (wchar_t)cell->glyph : (wchar_t)cell_shade(cell), 0};
    cchar_t complex;
    setcchar(&complex, text, A_NORMAL, 0, pair ? &pair : NULL);
    mvadd_wch(row, column, &complex);
}

static void screen_put_cell(int row, int column, const struct cell *cell)
{
    wchar_t text[2] = {cell->glyph ? (wchar_t)cell->glyph : L' ', 0};
    cchar_t complex;
    struct theme_style style = theme_style((enum role)cell->role, cell->bold, cell->reverse);
    setcchar(&complex, text, (attr_t)style.attributes, style.pair, NULL);
    mvadd_wch(row, column, &complex);
}

/* Whether a cell looks the same whatever its ink is. */
static bool is_blank(const struct cell *cell)
{
    return !cell->ink && !cell->reverse && cell->role < ROLE_RAMP_1 &&
           (!cell->glyph || cell->glyph == ' ');
}

/* Blanks between words are drawn as what stands before them, so that a line of one look is one run
 * of bytes, not two changes of look a word. Longer gaps stay, for they often need not be sent. */
static const struct cell *before_gap(const struct cell *line, int column, int columns)
{
    enum { GAP = 2 };
    int first = column, end = column;
    while (first > 0 && column - first < GAP && is_blank(&line[first - 1]))
        first--;
    while (end < columns && end - first <= GAP && is_blank(&line[end]))
        end++;
    const struct cell *before = &line[first ? first - 1 : 0];
    const bool fits = first > 0 && end < columns && end - first <= GAP;
    return fits && !is_blank(before) && !before->ink && !before->reverse &&
                   before->role < ROLE_RAMP_1
               ? before
               : NULL;
}

/* Draws every cell anew: curses compares with what the terminal shows and sends only the
 * difference, so the model needs to record no changes. */
void screen_draw(const struct cells *cells, struct spot cursor)
{
    erase();
    for (int row = 0; row < cells->rows; row++)
        for (int column = 0; column < cells->columns; column++) {
            const struct cell *line = &cells->items[row * cells->columns], *cell = &line[column],
                              *before = NULL;
            if (cell->ink)
                screen_put_colours(row, column, cell);
            else if (!is_blank(cell))
                screen_put_cell(row, column, cell);
            else if ((before = before_gap(line, column, cells->columns)) != NULL)
                screen_put_cell(row, column,
                                &(struct cell){.role = before->role, .bold = before->bold});
        }
    curs_set(cursor.row >= 0);
    if (cursor.row >= 0)
        move(cursor.row, cursor.column);
    refresh();
}

void screen_forget(void)
{
    clearok(curscr, TRUE);
}

enum status screen_save(FILE *file)
{
    int rows, columns;
    screen_size(&rows, &columns);
    for (int row = 0; row < rows; row++) {
        int blanks = 0;
        for (int column = 0; column < columns; column++) {
            cchar_t complex;
            wchar_t text[CCHARW_MAX + 1] = {0};
            attr_t attributes;
            short pair;
            if (mvin_wch(row, column, &complex) == ERR ||
                getcchar(&complex, text, &attributes, &pair, NULL) == ERR)
                text[0] = L' ';
            if (text[0] == L' ' || !text[0]) {
                blanks++;
                continue;
            }
            char bytes[UTF8_MAX];
            for (; blanks; blanks--)
                fputc(' ', file);
            fwrite(bytes, 1, utf8_write((uint32_t)text[0], bytes), file);
        }
        fputc('\n', file);
    }
    return ferror(file) ? STATUS_IO : STATUS_OK;
}

/* Translates the keys of curses to those of the key map. */
static uint32_t named_key(wint_t code)
{
    static const struct {
        wint_t code;
        uint32_t key;
    } names[] = {
        {KEY_UP, KEY_ARROW_UP},       {KEY_DOWN, KEY_ARROW_DOWN}, {KEY_LEFT, KEY_ARROW_LEFT},
        {KEY_RIGHT, KEY_ARROW_RIGHT}, {KEY_PPAGE, KEY_PAGE_UP},   {KEY_NPAGE, KEY_PAGE_DOWN},
        {KEY_HOME, KEY_FIRST},        {KEY_END, KEY_LAST},        {KEY_BTAB, KEY_BACK_TAB},
        {KEY_DC, KEY_DELETE},         {KEY_IC, KEY_INSERT},       {KEY_BACKSPACE, KEY_ERASE},
        {KEY_ENTER, KEY_RETURN}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code)
            return names[i].key;
    if (code > KEY_F0 && code <= KEY_F(12))
        return KEY_FUNCTION + (uint32_t)(code - KEY_F0);
    return 0;
}

static enum screen_event read_mouse(struct mouse_event *mouse)
{
    MEVENT event;
    if (getmouse(&event) != OK)
        return SCREEN_NOTHING;
    *mouse = (struct mouse_event){
        .row = event.y, .column = event.x, .drag = (event.bstate & REPORT_MOUSE_POSITION) != 0};
    if (event.bstate & BUTTON4_PRESSED)
        mouse->wheel = -1;
    else if (event.bstate & BUTTON5_PRESSED)
        mouse->wheel = 1;
    return SCREEN_MOUSE;
}

/* Reads pasted text directly, because curses is slow for each key. Gives input after the end mark
 * back to curses. Stops after a second if the end mark never comes. */
static enum screen_event read_paste(void)
{
    enum { PATIENCE_MS = 1000, PIECE = 64 /* curses can take back twice as much */ };
    const size_t end_length = sizeof paste_end - 1;
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    size_t used = 0, matched = 0;
    while (matched < end_length && poll(&input, 1, PATIENCE_MS) > 0) {
        char piece[PIECE];
        ssize_t length = read(STDIN_FILENO, piece, sizeof piece), at = 0;
        if (length <= 0)
            break;
        for (; at < length && matched < end_length; at++) {
            matched = piece[at] == paste_end[matched] ? matched + 1 : piece[at] == paste_end[0];
            if (used + 1 < sizeof screen.pasted)
                screen.pasted[used++] = piece[at];
        }
        while (length > at)
            ungetch((unsigned char)piece[--length]);
    }
    screen.pasted[used] = '\0';
    char *escape = strchr(screen.pasted, paste_end[0]); /* what fitted of the end mark */
    if (escape)
        *escape = '\0';
    return SCREEN_PASTE;
}

const char *screen_pasted(void)
{
    return screen.pasted;
}

enum screen_event screen_read(uint32_t *key, struct mouse_event *mouse)
{
    wint_t code;
    if (screen.headless)
        return SCREEN_NOTHING;
    switch (get_wch(&code)) {
    case KEY_CODE_YES:
        if (code == KEY_MOUSE)
            return read_mouse(mouse);
        if (code == KEY_PASTED)
            return read_paste();
        *key = named_key(code);
        return *key ? SCREEN_KEY : SCREEN_NOTHING;
    case OK:
        *key = code == '\n' ? KEY_RETURN : (uint32_t)code;
        return SCREEN_KEY;
    default:
        return SCREEN_NOTHING;
    }
}

void screen_suspend(void)
{
    if (screen.headless)
        return;
    /* The handler of curses restores the terminal, and takes it again when we continue. */
    ask_terminal(false);
    raise(SIGTSTP);
    ask_terminal(true);
}

static int run_line(const char *line, const char *first, const char *second)
{
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        execl("/bin/sh", "sh", "-c", line, "sh", first, second, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int screen_lend(const char *line, const char *first, const char *second)
{
    if (screen.headless)
        return run_line(line, first, second);
    /* Keys for the program that runs now must not end this one. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    ask_terminal(false);
    mmask_t mouse;
    mousemask(0, &mouse);
    endwin();
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    const int status = run_line(line, first, second);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    mousemask(mouse, NULL);
    ask_terminal(true);
    screen_forget();
    return status;
}

void screen_copy(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (screen.headless)
        return;
    fputs("\033]52;c;", screen.output);
    for (size_t left = strlen(text); left; left -= left < 3 ? left : 3, text += 3) {
        unsigned group = (unsigned)(unsigned char)text[0] << 16;
        group |= left > 1 ? (unsigned)(unsigned char)text[1] << 8 : 0;
        group |= left > 2 ? (unsigned)(unsigned char)text[2] : 0;
        fputc(digits[group >> 18], screen.output);
        fputc(digits[group >> 12 & 63], screen.output);
        fputc(left > 1 ? digits[group >> 6 & 63] : '=', screen.output);
        fputc(left > 2 ? digits[group & 63] : '=', screen.output);
    }
    fputs("\a", screen.output);
    fflush(screen.output);
}
