/* Slurm through its own commands sbatch and squeue: submit a job, and find out which tasks are in
 * the queue.
 *
 * Every call has a time limit, because the commands hang while the controller is down. A controller
 * that dies can lose a job that it acknowledged less than about a second ago and give the number to
 * another job. Jobs are therefore identified by their comment, and a submission is verified after a
 * delay. */
#pragma once

#include <stdint.h>

#include "base/diag.h"

/* Sets bit n of `busy` for each array task n, 1 to `count`, with this comment that is pending or
 * running. STATUS_NOT_FOUND: Slurm is not installed. STATUS_IO. */
enum status slurm_busy(const char *comment, unsigned count, uint8_t *busy,
                       struct diagnostics *diagnostics);

/* Runs sbatch with these arguments (ended by NULL; they must contain --parsable and the comment),
 * waits until the job is in the queue, and submits again if it does not appear. `job` gets its
 * number. Takes 1.5 s at least. */
enum { SLURM_JOB = 64 };
enum status slurm_submit(const char *const *arguments, const char *comment, char job[SLURM_JOB],
                         struct diagnostics *diagnostics);
