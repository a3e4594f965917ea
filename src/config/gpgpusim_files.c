/* The trace.config beside a gpgpusim.config. */
#include "config/gpgpusim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/document.h"
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

/* Reads the trace.config in the folder of `path`; *text is NULL if there is none. */
static enum status read_second(const char *path, char **name, char **text,
                               struct diagnostics *diagnostics)
{
    const char *slash = strrchr(path, '/');
    size_t size;
    if (asprintf(name, "%.*strace.config", slash ? (int)(slash - path) + 1 : 0, path) < 0) {
        *name = NULL;
        return STATUS_MEMORY;
    }
    if (access(*name, R_OK))
        return STATUS_OK;
    enum status status = file_read(*name, text, &size, diagnostics);
    if (!status && !gpgpusim_recognize(*text)) {
        free(*text);
        *text = NULL;
    }
    return status;
}

enum status gpgpusim_read_beside(const char *text, const char *path, bool nearest,
                                 struct machine *machine, struct diagnostics *diagnostics)
{
    struct gpgpusim_text files[2] = {{text, path, true}};
    char *name = NULL, *second = NULL;
    bool latencies;
    enum status status = has_latencies(text, &latencies);
    if (!status && !latencies)
        status = read_second(path, &name, &second, diagnostics);
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
