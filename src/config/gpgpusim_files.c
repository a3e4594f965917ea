#include "config/gpgpusim_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config/document.h"
#include "config/gpgpusim.h"
#include "config/gpgpusim_words.h"

/* Whether the text says how long instructions take, as a trace.config does. */
static enum status has_latencies(const char *text, bool *found)
{
    static const char prefix[] = "-trace_opcode_latency";
    struct gpgpusim_words words;
    struct gpgpusim_word word;
    enum status status = gpgpusim_words_init(&words, text, strlen(text));
    *found = false;
    while (!status && !*found && gpgpusim_words_next(&words, &word))
        *found = gpgpusim_words_option(&words, &word) &&
                 !strncmp(words.text + word.start, prefix, sizeof prefix - 1);
    gpgpusim_words_free(&words);
    return status;
}

enum status gpgpusim_read_neighbour(const char *path, const char *name, char **found, char **text)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(path, '/');
    struct stat information;
    size_t size;
    *text = NULL;
    if (asprintf(found, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, name) < 0) {
        *found = NULL;
        return STATUS_MEMORY;
    }
    /* Nobody asked for this file, so a pipe in its place must not be waited for. */
    if (stat(*found, &information) || !S_ISREG(information.st_mode))
        return STATUS_OK;
    struct diagnostics unread = DIAGNOSTICS_INIT;
    const enum status status = file_read(*found, text, &size, &unread);
    diagnostics_free(&unread);
    if (status)
        *text = NULL;
    return status == STATUS_MEMORY ? status : STATUS_OK;
}

enum status gpgpusim_read_beside(const char *text, const char *path, bool nearest,
                                 struct machine *machine, struct diagnostics *diagnostics)
{
    struct gpgpusim_text files[2] = {{text, path, true}};
    char *name = NULL, *second = NULL;
    bool latencies;
    enum status status = has_latencies(text, &latencies);
    if (!status && !latencies)
        status = gpgpusim_read_neighbour(path, "trace.config", &name, &second);
    if (second && !gpgpusim_recognize(second)) {
        free(second);
        second = NULL;
    }
    files[1] = (struct gpgpusim_text){second, name, true};
    if (!status)
        status = gpgpusim_read_texts(files, second ? 2 : 1, nearest, machine, diagnostics);
    if (!status && second)
        diagnostics_add(diagnostics, SEVERITY_NOTE, &(struct place){.file = path},
                        "%s was read too", name);
    free(name);
    free(second);
    return status;
}
