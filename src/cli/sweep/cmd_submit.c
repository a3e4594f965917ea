/* warpscape submit: a study as a Slurm job array, one shard a task, and a job that merges. */
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    OPTION_DRY_RUN = 256,
    OPTION_CPUS,
    OPTION_MEMORY,
    OPTION_TIME,
    OPTION_FOLDER,
    OPTION_SBATCH
};
enum { SHARDS_MAX = 1000 /* of Slurm's usual MaxArraySize, 1001 */, ARGUMENTS_MAX = 64 };

struct submit_arguments {
    const char *study, *store, *folder, *partition, *time, *memory;
    unsigned shards, cpus;
    bool dry_run;
    struct options_list extra; /* of --sbatch */
};

static const struct argp_option options[] = {
    {"shards", 'N', "COUNT", 0, "into how many array tasks the study is cut; fixed from then on",
     0},
    {"store", 'o', "FILE", 0, "where the merged results go (default: the study's name + .db)", 0},
    {"folder", OPTION_FOLDER, "FOLDER", 0,
     "for shards, scripts and logs; every node must see it (default: the study's name + .shards)",
     0},
    {"partition", 'p', "NAME", 0, "the partition of the cluster", 0},
    {"cpus", OPTION_CPUS, "COUNT", 0, "cores, and threads, of each task", 0},
    {"time", OPTION_TIME, "TIME", 0, "time limit of a task, as sbatch has it, for example 4:00:00",
     0},
    {"memory", OPTION_MEMORY, "SIZE", 0, "memory of a task, as sbatch has it, for example 8G", 0},
    {"sbatch", OPTION_SBATCH, "ARGUMENT", 0, "one more argument for sbatch; may be repeated", 0},
    {"dry-run", OPTION_DRY_RUN, NULL, 0, "print the scripts and the commands, do nothing", 0},
    {0}};

static unsigned parse_count(struct argp_state *state, const char *option, const char *text,
                            unsigned max)
{
    uint64_t count = 0;
    if (quantity_parse_uint(text, UNIT_NONE, &count) || !count || count > max)
        argp_error(state, "--%s: expected a number from 1 to %u, got '%s'", option, max, text);
    return (unsigned)count;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct submit_arguments *arguments = state->input;
    switch (key) {
    case 'N':
        arguments->shards = parse_count(state, "shards", text, SHARDS_MAX);
        return 0;
    case 'o':
        arguments->store = text;
        return 0;
    case 'p':
        arguments->partition = text;
        return 0;
    case OPTION_FOLDER:
        arguments->folder = text;
        return 0;
    case OPTION_CPUS:
        arguments->cpus = parse_count(state, "cpus", text, 4096);
        return 0;
    case OPTION_TIME:
        arguments->time = text;
        return 0;
    case OPTION_MEMORY:
        arguments->memory = text;
        return 0;
    case OPTION_SBATCH:
        if (arguments->extra.count == ARGUMENTS_MAX / 4)
            argp_error(state, "too many --sbatch");
        return options_append(&arguments->extra, text);
    case OPTION_DRY_RUN:
        arguments->dry_run = true;
        return 0;
    default:
        return options_take_study(key, text, state, &arguments->study);
    }
}

static const struct argp argp = {
    options,
    parse,
    "STUDY",
    "Run a study on a cluster: a Slurm job array with one shard of the points in each task, and a "
    "job "
    "that merges them.\v"
    "STUDY is a YAML file or the name of a study that comes with the program. "
    "Tasks that lose their node, or that are killed, are started again and go on where they "
    "stopped. "
    "The same command later submits what is missing and not in the queue, and merges when all is "
    "there. Take few shards that run for half an hour and more.",
    NULL,
    NULL,
    NULL};

/* What there is to do: the points that each shard misses, and the shards that are in the queue. */
struct state {
    uint64_t missing[SHARDS_MAX];
    uint8_t busy[SHARDS_MAX / 8 + 1];
    uint64_t points;
    unsigned incomplete, waiting; /* shards */
};

/* Adds the points of one shard's store; one that cannot be read has none. */
static void add_store(const char *path, const struct space *space, uint8_t *done)
{
    struct store *store;
    const struct study *kept;
    if (store_open(path, &store, &kept, NULL))
        return;
    if (store_space(store)->points == space->points)
        store_done(store, done, NULL, NULL);
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
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
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
    if (fclose(out)) {
        free(text);
        return NULL;
    }
    return text;
}

/* An argument vector whose texts are its own. */
struct command_line {
    const char *items[ARGUMENTS_MAX];
    char *owned[ARGUMENTS_MAX];
    size_t count;
    bool failed;
};

static void add_argument(struct command_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_argument(struct command_line *line, const char *format, ...)
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

static void free_line(struct command_line *line)
{
    for (size_t i = 0; i < line->count; i++)
        free(line->owned[i]);
}

static void common_arguments(const struct submission *submission, struct command_line *line)
{
    add_argument(line, "sbatch");
    add_argument(line, "--parsable");
    add_argument(line, "--job-name=%s", submission->study->name);
    add_argument(line, "--comment=%s", submission->comment);
    add_argument(line, "--open-mode=append");
    if (submission->partition)
        add_argument(line, "--partition=%s", submission->partition);
}

/* Behind all others: sbatch takes the last of two, so that the user's word counts. */
static void extra_arguments(const struct submit_arguments *arguments, struct command_line *line)
{
    for (size_t i = 0; i < arguments->extra.count; i++)
        add_argument(line, "%s", arguments->extra.items[i]);
}

static void array_line(const struct submission *submission,
                       const struct submit_arguments *arguments, const char *array,
                       struct command_line *line)
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

/* The merge waits until every task has ended in any way: after `afterok` it would wait for ever
 * where one fails. */
static void merge_line(const struct submission *submission,
                       const struct submit_arguments *arguments, const char *array_job,
                       struct command_line *line)
{
    common_arguments(submission, line);
    add_argument(line, "--dependency=afterany:%s", array_job);
    add_argument(line, "--output=%s/merge.log", submission->folder);
    extra_arguments(arguments, line);
    add_argument(line, "%s/merge.sh", submission->folder);
}

static void print_line(const struct command_line *line)
{
    for (size_t i = 0; i < line->count; i++)
        printf("%s%s", i ? " " : "$ ", line->items[i]);
    putchar('\n');
}

static enum status submit_array(const struct submission *submission,
                                const struct submit_arguments *arguments, const char *array,
                                struct diagnostics *diagnostics)
{
    struct command_line array_command = {.count = 0}, merge_command = {.count = 0};
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
            continue; /* its maker was killed at once */
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

/* `name`, or the study's name with `suffix`, from the root on; malloc'ed. */
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
                                          .shards = arguments->shards ? arguments->shards : before,
                                          .partition = arguments->partition,
                                          .time = arguments->time,
                                          .memory = arguments->memory,
                                          .cpus = arguments->cpus};
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
    options_parse(&argp, argc, argv, &arguments);
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
