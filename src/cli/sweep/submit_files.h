/* The folder of a study on a cluster: the study as it was submitted, the scripts of the job array
 * and of the merge, one store for each shard and attempt, logs.
 *
 * Invariant: the study and the number of shards never change in a folder, because the stores in it
 * belong to them. Scripts are rewritten with each submission. */
#pragma once

#include "schema/study.h"

struct submission {
    const struct study *study;
    const char *program; /* path of the warpscape executable */
    const char *folder;  /* absolute */
    const char *store;   /* absolute; the store with the merged results */
    const char *comment; /* identifies its jobs in the queue */
    unsigned shards;
    const char *partition, *time, *memory; /* for sbatch; NULL: not given */
    unsigned cpus;                         /* CPUs of a task; 0: not given */
};

/* The contents of the scripts, malloc'ed; NULL: no memory. */
char *submission_array_script(const struct submission *submission);
char *submission_merge_script(const struct submission *submission);

/* Makes the folder and writes all files. STATUS_CONFLICT if the folder holds another study or
 * another number of shards. STATUS_IO. */
enum status submission_write(const struct submission *submission, struct diagnostics *diagnostics);

/* The number of shards that the folder was made for; 0 if there is none yet. */
unsigned submission_shards(const char *folder);
