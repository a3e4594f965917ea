/* The folder of a study that runs on a cluster: the study as it was submitted, the scripts of the
 * array and of the merge, one store for each shard and attempt, logs. */
#pragma once

#include "schema/study.h"

struct submission {
    const struct study *study;
    const char *program; /* path of this program */
    const char *folder;  /* absolute */
    const char *store;   /* absolute; where the merged results go */
    const char *comment; /* by which its jobs are known */
    unsigned shards;
    const char *partition, *time, *memory; /* of sbatch; NULL: not said */
    unsigned cpus;                         /* of a task; 0: not said */
};

/* The texts of the files, malloc'ed; NULL: no memory. */
char *submission_study_path(const struct submission *submission);
char *submission_array_script(const struct submission *submission);
char *submission_merge_script(const struct submission *submission);

/* Makes the folder and writes all files. Where it holds another study or another number of shards:
 * STATUS_CONFLICT, for its stores would not fit. */
enum status submission_write(const struct submission *submission, struct diagnostics *diagnostics);

/* The number of shards that the folder was made for, 0 = there is none yet. */
unsigned submission_shards(const char *folder);
