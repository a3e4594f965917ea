#include "support/study_builder.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "config/study_file.h"

void study_from_text(const char *text, struct study *study)
{
    struct document *document;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = document_parse(text, strlen(text), "study.yaml", &document, &diagnostics);
    if (!status) {
        status = study_from_document(document, NULL, study, &diagnostics);
        document_free(document);
    }
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    diagnostics_free(&diagnostics);
}

enum { SCRATCH_MAX = 256 };
static char scratch[SCRATCH_MAX][256];
static int scratch_count;

static void remove_scratch(void)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal", ".lock"};
    for (int i = 0; i < scratch_count; i++)
        for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
            char *path;
            if (asprintf(&path, "%s%s", scratch[i], suffixes[k]) < 0)
                continue;
            unlink(path);
            free(path);
        }
}

const char *scratch_store(void)
{
    assert_true(scratch_count < SCRATCH_MAX);
    if (!scratch_count)
        atexit(remove_scratch);
    const char *folder = getenv("TMPDIR");
    snprintf(scratch[scratch_count], sizeof scratch[0], "%s/warpscape-test-%d-%d.db",
             folder ? folder : "/tmp", (int)getpid(), scratch_count);
    return scratch[scratch_count++];
}

void sweep_into(const struct study *study, const char *store, int threads,
                struct sweep_progress *progress)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const struct sweep_options options = {.store = store, .threads = threads};
    enum status status = sweep_run(study, &options, progress, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    diagnostics_free(&diagnostics);
}

struct dump {
    FILE *out;
    size_t columns;
};

static enum status dump_row(void *argument, const struct store_row *row)
{
    struct dump *dump = argument;
    fprintf(dump->out, "%" PRIu64, row->point);
    for (size_t i = 0; i < dump->columns; i++)
        fprintf(dump->out, " %a", row->values[i]);
    fputc('\n', dump->out);
    return STATUS_OK;
}

char *store_dump(const char *path)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct store *store;
    const struct study *study;
    char *text = NULL;
    size_t size = 0;
    enum status status = store_open(path, &store, &study, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    const struct metric *const *columns;
    struct dump dump = {open_memstream(&text, &size), store_columns(store, &columns)};
    const struct query everything = {0};
    assert_int_equal(store_query(store, &everything, dump_row, &dump, &diagnostics), STATUS_OK);
    fclose(dump.out);
    store_close(store);
    diagnostics_free(&diagnostics);
    return text;
}

bool diagnostics_mention(const struct diagnostics *diagnostics, const char *text)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        if (strstr(diagnostics->items[i].message, text))
            return true;
    return false;
}
