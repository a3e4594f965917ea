#include "cli/run/accelsim_traces.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data_files.h"
#include "cli/shared/process.h"

enum { WORDS_MAX = 32, NAME_LENGTH_MAX = 200 };
static const double seconds_max = 600; /* for one trace */

static const char list_name[] = "kernelslist.g", in_shared[] = "shared/";

/* ---- places ---- */

static enum status find_shared(char **shared, struct diagnostics *diagnostics)
{
    const char *named = getenv("WARPSCAPE_SHARED");
    *shared = strdup(named && *named ? named : "../shared");
    if (!*shared)
        return STATUS_MEMORY;
    if (!access(*shared, R_OK | X_OK))
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                             "no reference data in %s: set WARPSCAPE_SHARED to the folder that has "
                             "reference/accelsim/runs.csv and tools/gen_kernels.py",
                             *shared);
}

void accelsim_traces_free(struct accelsim_traces *traces)
{
    free(traces->shared);
    free(traces->folder);
    *traces = (struct accelsim_traces){0};
}

enum status accelsim_traces_init(struct accelsim_traces *traces, const char *folder,
                                 struct diagnostics *diagnostics)
{
    *traces = (struct accelsim_traces){
        .folder = folder ? strdup(folder) : home_file("XDG_CACHE_HOME", ".cache", "accelsim")};
    if (!traces->folder)
        return folder ? STATUS_MEMORY
                      : diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                          "no home folder for traces: name one with --traces");
    enum status status = find_shared(&traces->shared, diagnostics);
    if (status)
        accelsim_traces_free(traces);
    return status;
}

/* ---- commands ---- */

/* A command that makes a trace. */
struct maker {
    char *text;                  /* the words stand in it */
    const char *argv[WORDS_MAX]; /* "python3", the script, arguments */
    char *script;                /* with its folder */
    char *folder;                /* of the trace: the words, joined, name it */
    char *list;                  /* the file of it that the script writes last */
};

static void maker_free(struct maker *maker)
{
    free(maker->text);
    free(maker->script);
    free(maker->folder);
    free(maker->list);
}

static bool is_plain(const char *word)
{
    return !word[strspn(word,
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789=,.-_")];
}

/* Splits maker->text into maker->argv. False unless it is a generator with plain arguments, one of
 * which is OUT. */
static bool split_command(struct maker *maker, size_t *out)
{
    size_t count = 0;
    char *rest = maker->text;
    for (char *word; (word = strsep(&rest, " "));) {
        if (!*word)
            continue;
        if (count + 1 == WORDS_MAX || !is_plain(word))
            return false;
        if (!strcmp(word, "OUT"))
            *out = count;
        maker->argv[count++] = word;
    }
    return count > 2 && *out > 1 && !strcmp(maker->argv[0], "python3") &&
           (!strcmp(maker->argv[1], "gen_kernels.py") || !strcmp(maker->argv[1], "gen_traceg.py"));
}

static enum status maker_init(const struct accelsim_traces *traces, const char *command,
                              struct maker *maker, struct diagnostics *diagnostics)
{
    size_t out = 0, length = 0;
    char name[NAME_LENGTH_MAX + 1] = "";
    *maker = (struct maker){.text = strdup(command)};
    if (!maker->text)
        return STATUS_MEMORY;
    if (!split_command(maker, &out) || strlen(command) > NAME_LENGTH_MAX)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "expected python3 gen_kernels.py or gen_traceg.py with plain "
                                 "arguments and OUT, found '%s'",
                                 command);
    for (size_t i = 1; maker->argv[i]; i++)
        if (i != out)
            length += (size_t)sprintf(name + length, "%s%s", length ? "+" : "", maker->argv[i]);
    if (asprintf(&maker->script, "%s/tools/%s", traces->shared, maker->argv[1]) < 0)
        maker->script = NULL;
    if (asprintf(&maker->folder, "%s/%s", traces->folder, name) < 0)
        maker->folder = NULL;
    if (asprintf(&maker->list, "%s/%s/%s", traces->folder, name, list_name) < 0)
        maker->list = NULL;
    maker->argv[1] = maker->script;
    maker->argv[out] = maker->folder;
    return maker->script && maker->folder && maker->list ? STATUS_OK : STATUS_MEMORY;
}

/* A trace is complete once its list is there, and stale when its generator is newer. */
static bool is_made(const struct maker *maker)
{
    struct stat list, script;
    assert(maker->list && maker->script); /* maker_init succeeded */
    if (stat(maker->list, &list))
        return false;
    return stat(maker->script, &script) || script.st_mtime <= list.st_mtime;
}

static bool is_command(const char *workload)
{
    return strncmp(workload, in_shared, sizeof in_shared - 1) != 0;
}

/* ---- making ---- */

/* Others that make this trace, in this process or another, wait. Returns a file to close; -1: no
 * lock, which the generator will explain. */
static int lock_trace(const struct maker *maker)
{
    char *path;
    if (asprintf(&path, "%s/lock", maker->folder) < 0)
        return -1;
    folders_make(path);
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    while (file >= 0 && flock(file, LOCK_EX) && errno == EINTR)
        ;
    free(path);
    return file;
}

static enum status make_traces(const struct maker *maker, struct diagnostics *diagnostics)
{
    const int lock = lock_trace(maker);
    enum status status = STATUS_OK;
    if (!is_made(maker)) {
        char *output = NULL;
        (void)unlink(maker->list);
        status = process_run(maker->argv, seconds_max, &output, diagnostics);
        if (status)
            (void)unlink(maker->list);
        free(output);
    }
    if (lock >= 0)
        close(lock);
    return status;
}

enum status accelsim_traces_path(void *context, const char *workload, char **path,
                                 struct diagnostics *diagnostics)
{
    const struct accelsim_traces *traces = context;
    struct maker maker = {0};
    *path = NULL;
    if (!is_command(workload))
        return asprintf(path, "%s/%s", traces->shared, workload + sizeof in_shared - 1) < 0
                   ? STATUS_MEMORY
                   : STATUS_OK;
    enum status status = maker_init(traces, workload, &maker, diagnostics);
    if (!status && !is_made(&maker))
        status = make_traces(&maker, diagnostics);
    if (!status && !(*path = strdup(maker.list)))
        status = STATUS_MEMORY;
    maker_free(&maker);
    return status;
}

/* What making a trace needs: python3 and the generator. */
static enum status check_workload(const struct accelsim_traces *traces, const char *workload,
                                  bool *needed)
{
    struct maker maker = {0};
    enum status status = maker_init(traces, workload, &maker, NULL);
    *needed = !status && !is_made(&maker);
    if (*needed && access(maker.script, R_OK))
        status = STATUS_NOT_FOUND;
    maker_free(&maker);
    return status;
}

enum status accelsim_traces_check(const struct accelsim_traces *traces, const struct row_file *rows,
                                  struct diagnostics *diagnostics)
{
    static const char *const python[] = {"python3", "--version", NULL};
    bool needed = false;
    for (size_t i = 0; i < rows->count && !needed; i++) {
        const char *workload = row_cell(rows, i, ROW_WORKLOAD);
        if (is_command(workload) && check_workload(traces, workload, &needed) == STATUS_NOT_FOUND)
            return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                     "no generators of traces in %s/tools (gen_kernels.py, "
                                     "gen_traceg.py): set WARPSCAPE_SHARED",
                                     traces->shared);
    }
    if (!needed)
        return STATUS_OK;
    char *output = NULL;
    enum status status = process_run(python, 10, &output, NULL);
    free(output);
    return status ? diagnostics_error(diagnostics, status,
                                      "the traces of the runs are made by Python scripts, and "
                                      "python3 does not run here")
                  : STATUS_OK;
}
