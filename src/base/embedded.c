#include "base/embedded.h"

#include <stdio.h>
#include <string.h>

#include "base/data_files.h"
#include "base/diag.h"

const struct embedded_file *embedded_find(const struct embedded_file *files, const char *name)
{
    for (; files->name; files++)
        if (!strcmp(files->name, name))
            return files;
    return NULL;
}

enum status embedded_missing(const struct embedded_file *files, const char *what, const char *name,
                             struct diagnostics *diagnostics)
{
    const char *names[64];
    size_t count = 0;
    if (folder_exists(name))
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s: a directory, not a %s", name,
                                 what);
    for (; files->name && count < 64; files++)
        names[count++] = files->name;
    const char *nearest = nearest_name(name, names, count);
    char hint[SUGGESTION_TEXT];
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "no %s and no file '%s'%s", what, name,
                             suggestion(nearest, hint));
}

const char *embedded_comment(const struct embedded_file *file, char text[EMBEDDED_COMMENT])
{
    const char *comment = file->text[0] == '#' ? file->text + 1 + strspn(file->text + 1, " ") : "";
    snprintf(text, EMBEDDED_COMMENT, "%.*s", (int)strcspn(comment, "\n"), comment);
    return text;
}
