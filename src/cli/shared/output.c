#include "cli/shared/output.h"

#include <stdio.h>
#include <string.h>

#include "base/output_file.h"

/* Begins to write the file and drops it. */
static enum status try(const char *path, unsigned options, struct diagnostics *diagnostics)
{
    struct output_file file;
    enum status status = output_file_open(path, options, &file, diagnostics);
    if (!status)
        output_file_drop(&file);
    return status;
}

enum status output_check(const char *path, bool force, struct diagnostics *diagnostics)
{
    if (!path || !strcmp(path, "-"))
        return STATUS_OK;
    if (!force && try(path, OUTPUT_NEW, NULL) == STATUS_CONFLICT)
        return diagnostics_error(diagnostics, STATUS_CONFLICT,
                                 "%s: exists already; --force overwrites it", path);
    return try(path, OUTPUT_REPLACE, diagnostics);
}

enum status output_check_store(const char *path, struct diagnostics *diagnostics)
{
    return try(path, OUTPUT_REPLACE | OUTPUT_FILES_ONLY, diagnostics);
}

unsigned output_options(bool force)
{
    return force ? OUTPUT_REPLACE : OUTPUT_NEW;
}

enum status output_write(const char *path, const char *text, bool force,
                         struct diagnostics *diagnostics)
{
    if (!path || !strcmp(path, "-"))
        return fputs(text, stdout) == EOF ? STATUS_IO : STATUS_OK;
    enum status status = output_check(path, force, diagnostics);
    return status ? status
                  : output_file_write(path, text, strlen(text), output_options(force), diagnostics);
}

bool output_lost(void)
{
    return ferror(stdout);
}

int output_finish(int exit_status)
{
    if (!fflush(stdout) && !output_lost())
        return exit_status;
    fputs("warpscape: standard output cannot be written\n", stderr);
    return exit_status ? exit_status : 1;
}
