/* Slurm, through its own commands: submitting, and knowing what is there.
 *
 * Every call has a time limit, because the commands hang while the controller is away. A job that
 * was acknowledged may be lost where the controller dies within the next second, and its number
 * given to the next job; so a job is known by its comment, and a submission is verified. */
#pragma once

#include <stdint.h>

#include "base/diag.h"

/* One bit for each array task, 1 to `count`, with this comment that waits or runs. */
enum status slurm_busy(const char *comment, unsigned count, uint8_t *busy,
                       struct diagnostics *diagnostics);

/* Runs sbatch with these arguments (ended by NULL), which must have --parsable and the comment, and
 * sees that the job is there; tries again where it is not. `job` gets its number. */
enum { SLURM_JOB = 64 };
enum status slurm_submit(const char *const *arguments, const char *comment, char job[SLURM_JOB],
                         struct diagnostics *diagnostics);
