/* Actions that write what the screen shows (actions.h). */
#include <string.h>

#include "base/output_file.h"
#include "report/drawing/cell_picture.h"
#include "ui/actions/actions.h"
#include "ui/terminal/curses_screen.h"
#include "ui/terminal/theme.h"

enum { PICTURE_OPTIONS = OUTPUT_NEW | OUTPUT_FILES_ONLY };

/* Draws the screen as it is without the line that asked for it. */
static enum status draw_anew(struct explorer *explorer, struct cells *cells)
{
    struct spot cursor;
    explorer_settle(explorer);
    enum status status = explorer_draw(explorer);
    return status ? status : explorer_cells(explorer, cells, &cursor);
}

static enum status write_text(const struct cells *cells, FILE *out)
{
    (void)cells;
    return screen_save(out);
}

static enum status write_svg(const struct cells *cells, FILE *out)
{
    cell_picture_svg(cells, theme_picture, out);
    return STATUS_OK;
}

static enum status write_png(const struct cells *cells, const char *path,
                             struct diagnostics *diagnostics)
{
    struct picture picture;
    enum status status = cell_picture_pixels(cells, theme_picture, &picture);
    if (!status)
        status = picture_write(&picture, path, PICTURE_OPTIONS, diagnostics);
    picture_free(&picture);
    return status;
}

static enum status write_stream(const struct cells *cells, const char *path,
                                enum status (*write)(const struct cells *cells, FILE *out),
                                struct diagnostics *diagnostics)
{
    struct output_file file;
    enum status status = output_file_open(path, PICTURE_OPTIONS, &file, diagnostics);
    if (status)
        return status;
    if ((status = write(cells, file.stream)) || ferror(file.stream))
        output_file_drop(&file);
    else
        status = output_file_commit(&file, diagnostics);
    return status;
}

enum picture_kind { PICTURE_TEXT, PICTURE_SVG, PICTURE_PNG, PICTURE_KINDS };
static const char *const picture_ends[PICTURE_KINDS] = {".txt", ".svg", ".png"};

static bool write_screen(struct explorer *explorer, const char *path, enum picture_kind kind)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct cells cells = {0};
    if (explorer->options.plain)
        return refuse(explorer, "there is no screen to save");
    enum status status = draw_anew(explorer, &cells);
    if (!status && kind == PICTURE_PNG)
        status = write_png(&cells, path, &diagnostics);
    else if (!status)
        status =
            write_stream(&cells, path, kind == PICTURE_SVG ? write_svg : write_text, &diagnostics);
    cells_free(&cells);
    if (!finish_new(explorer, path, status, &diagnostics))
        return false;
    say(explorer, "wrote the screen to %s", path);
    return true;
}

bool action_picture(struct explorer *explorer, const char *arguments)
{
    const char *dot = strrchr(arguments, '.');
    int kind = 0;
    while (kind < PICTURE_KINDS && strcmp(dot ? dot : "", picture_ends[kind]) != 0)
        kind++;
    if (kind == PICTURE_KINDS)
        return refuse(explorer, "expected a name that ends in .svg, .png or .txt, got '%s'",
                      arguments);
    return write_screen(explorer, arguments, (enum picture_kind)kind);
}

bool action_save_screen(struct explorer *explorer, const char *arguments)
{
    if (!*arguments)
        return refuse(explorer, "expected a file name");
    return write_screen(explorer, arguments, PICTURE_TEXT);
}
