/* warpscape submit: runs a study on a cluster as a Slurm job array, one task for each shard,
 * followed by a job that merges their stores. Running the same command again submits only the
 * shards that still miss points and are not in the queue, so it is also the way to resume. */
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text_stream.h"
#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/sweep/slurm.h"
#include "cli/sweep/submit_files.h"
#include "config/study_file.h"
#include "explore/space/budget.h"
#include "explore/space/shard.h"
#include "explore/store/store_merge.h"

enum {
    SHARDS_MAX = 1000 /* fits the usual MaxArraySize of Slurm, 1001 */,
    ARGUMENTS_MAX = 64,
    CPUS_MAX = 4096
};

struct submit_arguments {
    const char *study, *store, *folder, *partition, *time, *memory;
    uint64_t shards, cpus; /* 0: not given */
    bool dry_run;
    struct options_list extra; /* --sbatch */
};

static void check_count(const char *option, uint64_t count, uint64_t max)
{
    if (!count || count > max)
        usage_error("--%s: expected a number from 1 to %" PRIu64 ", got %" PRIu64, option, max,
                    count);
}

static void read_shards(const struct option_row *row, const char *text)
{
    option_count(row, text);
    check_count(row->name, *(uint64_t *)row->slot, SHARDS_MAX);
}

static void read_cpus(const struct option_row *row, const char *text)
{
    option_count(row, text);
    check_count(row->name, *(uint64_t *)row->slot, CPUS_MAX);
}

static void cmd_submit_parse(int argc, char **argv, struct submit_arguments *arguments)
{
    const struct option_row options[] = {
        {"shards", 'N', "COUNT", "number of array tasks, a shard each; fixed from then on",
         read_shards, &arguments->shards, NULL},
        {"store", 'o', "FILE", "where the merged results go (default: the study's name + .db)",
         option_text, &arguments->store, NULL},
        {"folder", 0, "FOLDER",
         "for shards, scripts and logs; every node must see it (default: the study's name + "
         ".shards)",
         option_text, &arguments->folder, NULL},
        {"partition", 'p', "NAME", "the partition of the cluster", option_text,
         &arguments->partition, NULL},
        {"cpus", 0, "COUNT", "cores, and threads, of each task", read_cpus, &arguments->cpus, NULL},
        {"time", 0, "TIME", "time limit of a task, as sbatch has it, for example 4:00:00",
         option_text, &arguments->time, NULL},
        {"memory", 0, "SIZE", "memory of a task, as sbatch has it, for example 8G", option_text,
         &arguments->memory, NULL},
        {"sbatch", 0, "ARGUMENT", "one more argument for sbatch; may be repeated", option_list,
         &arguments->extra, NULL},
        {"dry-run", 0, NULL, "print the scripts and the commands, do nothing", option_flag,
         &arguments->dry_run, NULL},
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "STUDY",
        .help = "Run a study on a cluster: a Slurm job array with one shard of the points in each "
                "task, and a job that merges them.\v"
                "STUDY is a YAML file or the name of a study that comes with the program. Tasks "
                "that lose their node, or that are killed, are started again and go on where they "
                "stopped. The same command later submits what is missing and not in the queue, and "
                "merges when all is there. Take few shards that run for half an hour and more.",
        .operand = OPERAND_STUDY(&arguments->study)};
    options_parse(&line, argc, argv);
    if (arguments->extra.count > ARGUMENTS_MAX / 4)
        usage_error("too many --sbatch");
}

/* The work left: how many points each shard misses, and which shards are in the queue. */
struct state {
    uint64_t missing[SHARDS_MAX];
    uint8_t busy[SHARDS_MAX / 8 + 1];
    uint64_t points;
    unsigned incomplete, waiting; /* numbers of shards */
};

/* Marks the points in the store of one shard as done. A store that cannot be read counts as empty.
 */
static void add_store(const char *path, const struct space *space, uint8_t *done)
{
    struct store *store;
    const struct study *kept;
    if (store_open(path, &store, &kept, NULL))
        return;
    if (store_space(store)->points == space->points)
        (void)store_done(store, done, NULL, NULL);
    store_close(store);
}

static enum status find_stores(const char *folder, glob_t *found)
{
    char *pattern = NULL;
    *found = (glob_t){0};
    if (asprintf(&pattern, "%s/shard-*-a*.db", folder) < 0)
        return STATUS_MEMORY;
    int code = glob(pattern, 0, NULL, found);
    free(pattern);
    return code == GLOB_NOSPACE ? STATUS_MEMORY : STATUS_OK;
}

/* Finds what is missing by reading the stores of all attempts of all shards: their contents count,
 * not what Slurm says about its jobs. */
static enum status find_missing(const struct submission *submission, struct state *state,
                                struct diagnostics *diagnostics)
{
    struct space space;
    struct census census = {0};
    glob_t stores = {0};
    uint8_t *done = NULL;
    enum status status = space_open(submission->study, &space, diagnostics);
    if (!status)
        status = space_census(&space, &census, diagnostics);
    if (status)
        return status;
    done = calloc(space.points / 8 + 1, 1);
    status = done ? find_stores(submission->folder, &stores) : STATUS_MEMORY;
    for (size_t i = 0; !status && i < stores.gl_pathc; i++)
        add_store(stores.gl_pathv[i], &space, done);
    if (!status)
        status = shard_missing(&space, &census, submission->shards, done, state->missing);
    state->points = census.legal * submission->study->workload_count;
    globfree(&stores);
    census_free(&census);
    free(done);
    return status;
}

static enum status find_state(const struct submission *submission, bool ask_slurm,
                              struct state *state, struct diagnostics *diagnostics)
{
    *state = (struct state){0};
    enum status status = find_missing(submission, state, diagnostics);
    if (!status && ask_slurm)
        status = slurm_busy(submission->comment, submission->shards, state->busy, diagnostics);
    for (unsigned shard = 1; shard <= submission->shards; shard++) {
        state->incomplete += state->missing[shard - 1] != 0;
        state->waiting += state->missing[shard - 1] && bit_test(state->busy, shard);
    }
    return status;
}

/* "--array=1-3,7": the shards that miss points and are not in the queue; malloc'ed. */
static char *array_argument(const struct submission *submission, const struct state *state)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    const char *separator = "--array=";
    for (unsigned shard = 1; shard <= submission->shards; shard++) {
        unsigned last = shard;
        while (last <= submission->shards && state->missing[last - 1] &&
               !bit_test(state->busy, last))
            last++;
        if (last == shard)
            continue;
        fprintf(out, last == shard + 1 ? "%s%u" : "%s%u-%u", separator, shard, last - 1);
        separator = ",";
        shard = last;
    }
    return text_stream_take(&stream);
}

/* An argument vector that owns its strings. */
struct sbatch_line {
    const char *items[ARGUMENTS_MAX];
    char *owned[ARGUMENTS_MAX];
    size_t count;
    bool failed;
};

static void add_argument(struct sbatch_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_argument(struct sbatch_line *line, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (line->count + 1 >= ARGUMENTS_MAX || vasprintf(&text, format, arguments) < 0)
        line->failed = true;
    else
        line->items[line->count] = line->owned[line->count] = text;
    line->count += !line->failed;
    va_end(arguments);
}

static void free_line(struct sbatch_line *line)
{
    for (size_t i = 0; i < line->count; i++)
        free(line->owned[i]);
}

static void common_arguments(const struct submission *submission, struct sbatch_line *line)
{
    add_argument(line, "sbatch");
    add_argument(line, "--parsable");
    add_argument(line, "--job-name=%s", submission->study->name);
    add_argument(line, "--comment=%s", submission->comment);
    add_argument(line, "--open-mode=append");
    if (submission->partition)
        add_argument(line, "--partition=%s", submission->partition);
}

/* Comes last: sbatch takes the last of two equal options, so the user can override ours. */
static void extra_arguments(const struct submit_arguments *arguments, struct sbatch_line *line)
{
    for (size_t i = 0; i < arguments->extra.count; i++)
        add_argument(line, "%s", arguments->extra.items[i]);
}

static void array_line(const struct submission *submission,
                       const struct submit_arguments *arguments, const char *array,
                       struct sbatch_line *line)
{
    common_arguments(submission, line);
    add_argument(line, "%s", array);
    add_argument(line, "--requeue");
    add_argument(line, "--signal=B:USR1@60");
    add_argument(line, "--output=%s/shard-%%a.log", submission->folder);
    if (submission->cpus)
        add_argument(line, "--cpus-per-task=%u", submission->cpus);
    if (submission->time)
        add_argument(line, "--time=%s", submission->time);
    if (submission->memory)
        add_argument(line, "--mem=%s", submission->memory);
    extra_arguments(arguments, line);
    add_argument(line, "%s/array.sh", submission->folder);
}

/* The merge waits for `afterany`, until every task has ended, successfully or not. With `afterok`
 * it would wait forever after a failed task. */
static void merge_line(const struct submission *submission,
                       const struct submit_arguments *arguments, const char *array_job,
                       struct sbatch_line *line)
{
    common_arguments(submission, line);
    add_argument(line, "--dependency=afterany:%s", array_job);
    add_argument(line, "--output=%s/merge.log", submission->folder);
    extra_arguments(arguments, line);
    add_argument(line, "%s/merge.sh", submission->folder);
}

static void print_line(const struct sbatch_line *line)
{
    for (size_t i = 0; i < line->count; i++)
        printf("%s%s", i ? " " : "$ ", line->items[i]);
    putchar('\n');
}

static enum status submit_array(const struct submission *submission,
                                const struct submit_arguments *arguments, const char *array,
                                struct diagnostics *diagnostics)
{
    struct sbatch_line array_command = {.count = 0}, merge_command = {.count = 0};
    char job[SLURM_JOB] = "ARRAY", merge[SLURM_JOB];
    array_line(submission, arguments, array, &array_command);
    enum status status = array_command.failed ? STATUS_MEMORY : STATUS_OK;
    if (!status && !arguments->dry_run)
        status = slurm_submit(array_command.items, submission->comment, job, diagnostics);
    merge_line(submission, arguments, job, &merge_command);
    if (!status && merge_command.failed)
        status = STATUS_MEMORY;
    if (!status && arguments->dry_run) {
        print_line(&array_command);
        print_line(&merge_command);
    } else if (!status) {
        status = slurm_submit(merge_command.items, submission->comment, merge, diagnostics);
        if (!status)
            printf("job %s: shards %s\njob %s: merge into %s\n", job, array + strlen("--array="),
                   merge, submission->store);
    }
    free_line(&array_command);
    free_line(&merge_command);
    return status;
}

static enum status merge_all(const struct submission *submission, struct diagnostics *diagnostics)
{
    glob_t stores;
    struct merge_result result;
    char points[COUNT_TEXT];
    enum status status = find_stores(submission->folder, &stores);
    const char **inputs = calloc(stores.gl_pathc + 1, sizeof *inputs);
    size_t count = 0;
    for (size_t i = 0; inputs && i < stores.gl_pathc; i++) {
        struct store *store;
        const struct study *study;
        if (store_open(stores.gl_pathv[i], &store, &study, NULL))
            continue; /* its task was killed before the store was complete */
        store_close(store);
        inputs[count++] = stores.gl_pathv[i];
    }
    if (!status)
        status = inputs ? store_merge(submission->store, inputs, count, &result, diagnostics)
                        : STATUS_MEMORY;
    if (!status)
        printf("every shard is complete: %s has %s\n", submission->store,
               counted_print(result.points, "point", points));
    free(inputs);
    globfree(&stores);
    return status;
}

static enum status print_scripts(const struct submission *submission)
{
    char *array = submission_array_script(submission), *merge = submission_merge_script(submission);
    enum status status = array && merge ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        printf("%s/array.sh:\n%s\n%s/merge.sh:\n%s\n", submission->folder, array,
               submission->folder, merge);
    free(array);
    free(merge);
    return status;
}

static enum status submit_missing(const struct submission *submission,
                                  const struct submit_arguments *arguments,
                                  struct diagnostics *diagnostics)
{
    struct state *state = calloc(1, sizeof *state);
    char count[COUNT_TEXT], shards[COUNT_TEXT];
    if (!state)
        return STATUS_MEMORY;
    enum status status = find_state(submission, !arguments->dry_run, state, diagnostics);
    char *array = status ? NULL : array_argument(submission, state);
    if (!status && !array)
        status = STATUS_MEMORY;
    if (!status)
        printf("%s: %s in %s; not complete: %u, of these in the queue: %u\n",
               submission->study->name, counted_print(state->points, "point", count),
               counted_print(submission->shards, "shard", shards), state->incomplete,
               state->waiting);
    if (!status && arguments->dry_run)
        status = print_scripts(submission);
    else if (!status)
        status = submission_write(submission, diagnostics);
    if (!status && *array)
        status = submit_array(submission, arguments, array, diagnostics);
    else if (!status && !state->incomplete && !arguments->dry_run)
        status = merge_all(submission, diagnostics);
    if (!status && state->incomplete && !arguments->dry_run)
        printf("\nwarpscape watch %s/shard-*.db\n", submission->folder);
    free(array);
    free(state);
    return status;
}

/* The absolute path of `name`, or of the name of the study with `suffix`; malloc'ed. */
static char *absolute(const char *name, const struct study *study, const char *suffix)
{
    char here[PATH_MAX], *path = NULL;
    if (!getcwd(here, sizeof here))
        return NULL;
    const char *before = name && *name == '/' ? "" : here, *slash = *before ? "/" : "";
    int length = name ? asprintf(&path, "%s%s%s", before, slash, name)
                      : asprintf(&path, "%s/%s%s", here, study->name, suffix);
    return length < 0 ? NULL : path;
}

static enum status submit_study(struct submit_arguments *arguments, const struct study *study,
                                struct diagnostics *diagnostics)
{
    char program[PATH_MAX] = "", *comment = NULL;
    char *folder = absolute(arguments->folder, study, ".shards");
    char *store = absolute(arguments->store, study, ".db");
    unsigned before = folder ? submission_shards(folder) : 0;
    enum status status = folder && store ? STATUS_OK : STATUS_MEMORY;
    if (!status && asprintf(&comment, "warpscape:%s", folder) < 0)
        status = STATUS_MEMORY;
    if (!status && readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        status = diagnostics_error(diagnostics, STATUS_IO, "/proc/self/exe: %s", strerror(errno));
    if (!status && !arguments->shards && !before)
        status = diagnostics_error(diagnostics, STATUS_INVALID, "--shards says how many");
    const struct submission submission = {.study = study,
                                          .program = program,
                                          .folder = folder,
                                          .store = store,
                                          .comment = comment,
                                          .shards = arguments->shards ? (unsigned)arguments->shards
                                                                      : before,
                                          .partition = arguments->partition,
                                          .time = arguments->time,
                                          .memory = arguments->memory,
                                          .cpus = (unsigned)arguments->cpus};
    if (!status)
        status = submit_missing(&submission, arguments, diagnostics);
    free(comment);
    free(folder);
    free(store);
    return status;
}

int command_submit(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct submit_arguments arguments = {0};
    struct study study;
    cmd_submit_parse(argc, argv, &arguments);
    enum status status = study_load(arguments.study, &study, &diagnostics);
    if (!status) {
        status = budgets_solve(&study, &diagnostics);
        if (!status)
            status = submit_study(&arguments, &study, &diagnostics);
        study_free(&study);
    }
    options_list_free(&arguments.extra);
    return command_finish(status, &diagnostics);
}
