#include "cli/sweep/submit_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/counts.h"
#include "base/output_file.h"
#include "base/text_stream.h"
#include "cli/shared/shell_words.h"
#include "config/machine_file.h"
#include "config/study_file.h"

/* A task is requeued at most this often; after that something is wrong with it. */
enum { RESTARTS_MAX = 20, FILE_MAX = 1 << 22 };

static void assign(const char *name, const char *value, FILE *out)
{
    fprintf(out, "%s=", name);
    shell_quote(value, out);
    fputc('\n', out);
}

static char *submit_path(const char *folder, const char *name, const char *suffix)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s%s", folder, name, suffix) < 0 ? NULL : path;
}

/* Where the study of the jobs lies; malloc'ed, NULL: no memory. */
static char *submission_study_path(const struct submission *submission)
{
    return submit_path(submission->folder, submission->study->name, ".yaml");
}

/* The common start of both scripts. It changes to the folder of the submission, because the paths
 * of workloads are relative to it. */
static void write_head(const struct submission *submission, FILE *out)
{
    char *study = submission_study_path(submission);
    char here[4096] = "/";
    if (!getcwd(here, sizeof here))
        here[0] = '/';
    fputs("#!/bin/sh\n# Written by warpscape submit.\n", out);
    assign("program", submission->program, out);
    assign("study", study ? study : "", out);
    assign("folder", submission->folder, out);
    assign("store", submission->store, out);
    fputs("cd ", out);
    shell_quote(here, out);
    fputs(" || exit 1\n"
          "# A store whose maker was killed at once is no store yet.\n"
          "readable() { [ -s \"$1\" ] && \"$program\" show \"$1\" --limit 1 >/dev/null 2>&1; }\n",
          out);
    free(study);
}

char *submission_array_script(const struct submission *submission)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    write_head(submission, out);
    fprintf(out, "shards=%u restarts_max=%d\n", submission->shards, RESTARTS_MAX);
    /* --no-cache: the stage cache uses a write-ahead log in the home folder, which does not work on
     * a network file system. */
    /* Every attempt has a store of its own, because an orphan of an earlier attempt may still be
     * writing. */
    fputs("shard=$SLURM_ARRAY_TASK_ID restart=${SLURM_RESTART_COUNT:-0}\n"
          "own=$folder/shard-$shard-a$SLURM_ARRAY_JOB_ID.$restart.db\n"
          "set --\n"
          "for old in \"$folder/shard-$shard-a\"*.db; do\n"
          "    [ \"$old\" != \"$own\" ] && readable \"$old\" && set -- \"$@\" --take \"$old\"\n"
          "done\n"
          "echo \"shard $shard/$shards, start $restart, on $(hostname), $(($# / 2)) attempts "
          "before\"\n"
          "again=no\n"
          "\"$program\" sweep \"$study\" --shard \"$shard/$shards\" --store \"$own\" --plain "
          "--no-cache \\\n"
          "    --threads \"${SLURM_CPUS_PER_TASK:-0}\" \"$@\" &\n"
          "child=$!\n"
          "# USR1: the time is nearly up, or somebody wants the node. TERM: the job is cancelled.\n"
          "trap 'again=yes; kill -USR1 $child 2>/dev/null' USR1\n"
          "trap 'again=never; kill -TERM $child 2>/dev/null' TERM\n"
          "wait $child\n"
          "status=$?\n"
          "while kill -0 $child 2>/dev/null; do\n"
          "    wait $child\n"
          "    status=$?\n"
          "done\n"
          "[ $status -eq 0 ] && exit 0\n"
          "# Killed, for example for its memory: Slurm would not start it again by itself.\n"
          "[ $status -gt 128 ] && [ $again = no ] && again=yes\n"
          "if [ $again = yes ] && [ \"$restart\" -lt $restarts_max ]; then\n"
          "    echo \"ended with $status; back into the queue\"\n"
          "    scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$shard\"\n"
          "fi\n"
          "exit $status\n",
          out);
    return text_stream_take(&stream);
}

char *submission_merge_script(const struct submission *submission)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    write_head(submission, out);
    fputs("set --\n"
          "for part in \"$folder\"/shard-*-a*.db; do\n"
          "    readable \"$part\" && set -- \"$@\" \"$part\"\n"
          "done\n"
          "[ $# -gt 0 ] || { echo 'no shard has a store'; exit 1; }\n"
          "\"$program\" merge \"$store\" \"$@\" || exit\n"
          "echo 'warpscape submit again submits the shards that are not complete'\n",
          out);
    return text_stream_take(&stream);
}

/* The contents of a file, malloc'ed, or NULL. */
static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = file ? calloc(1, FILE_MAX) : NULL;
    if (text && fread(text, 1, FILE_MAX - 1, file) == 0 && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

/* Writes a file. If it exists and `may_change` is false, its text must be the same. Frees the text.
 */
static enum status submit_put(const char *folder, const char *name, const char *suffix, char *text,
                              bool may_change, struct diagnostics *diagnostics)
{
    char *path = submit_path(folder, name, suffix), *kept = path ? read_whole(path) : NULL;
    enum status status = path && text ? STATUS_OK : STATUS_MEMORY;
    if (!status && kept && !may_change && strcmp(kept, text) != 0) {
        status = diagnostics_error(diagnostics, STATUS_CONFLICT,
                                   "%s is another study than was submitted there before: give "
                                   "another --folder, or remove %s",
                                   path, folder);
    } else if (!status) {
        status = output_file_write(path, text, strlen(text), OUTPUT_REPLACE | OUTPUT_FILES_ONLY,
                                   diagnostics);
    }
    free(path);
    free(kept);
    free(text);
    return status;
}

static bool is_file_name(const char *name)
{
    return name && (strchr(name, '/') || strstr(name, ".yaml") || strstr(name, ".config"));
}

/* Writes the study and the machine file that it refers to, so that later changes to the originals
 * have no effect. Workloads are not copied. */
static enum status put_study(const struct submission *submission, struct diagnostics *diagnostics)
{
    static char machine_name[] = "machine.yaml";
    struct study study = *submission->study; /* a shallow copy */
    char *text = NULL, *path = submission_study_path(submission);
    enum status status = path ? STATUS_OK : STATUS_MEMORY;
    if (!status && is_file_name(study.machine_name)) {
        status = machine_to_yaml(&study.machine, study.machine_name, &text);
        if (!status)
            status = submit_put(submission->folder, machine_name, "", text, false, diagnostics);
        study.machine_name = machine_name;
    }
    study.path = path;
    if (!status)
        status = study_to_yaml(&study, &text);
    if (!status)
        status = submit_put(submission->folder, study.name, ".yaml", text, false, diagnostics);
    free(path);
    return status;
}

unsigned submission_shards(const char *folder)
{
    char *path = submit_path(folder, "shards", ""), *text = path ? read_whole(path) : NULL;
    unsigned shards = text ? (unsigned)strtoul(text, NULL, 10) : 0;
    free(path);
    free(text);
    return shards;
}

enum status submission_write(const struct submission *submission, struct diagnostics *diagnostics)
{
    const char *folder = submission->folder;
    unsigned before = submission_shards(folder);
    char *shards = NULL, count[COUNT_TEXT];
    if (before && before != submission->shards)
        return diagnostics_error(diagnostics, STATUS_CONFLICT,
                                 "%s was submitted in %s, not %u: the number is fixed", folder,
                                 counted_print(before, "shard", count), submission->shards);
    if (mkdir(folder, 0777) && errno != EEXIST)
        return diagnostics_error(diagnostics, STATUS_IO, "%s: %s", folder, strerror(errno));
    enum status status = put_study(submission, diagnostics);
    if (!status && asprintf(&shards, "%u\n", submission->shards) < 0)
        status = STATUS_MEMORY;
    if (!status)
        status = submit_put(folder, "shards", "", shards, false, diagnostics);
    if (!status)
        status = submit_put(folder, "array.sh", "", submission_array_script(submission), true,
                            diagnostics);
    if (!status)
        status = submit_put(folder, "merge.sh", "", submission_merge_script(submission), true,
                            diagnostics);
    return status;
}
