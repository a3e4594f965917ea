#include "cli/sweep/slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/shared/process.h"
#include "explore/space/space.h"

#define CALL_SECONDS 30.0
enum { SUBMISSIONS_MAX = 3, LOOKS_MAX = 3 };
/* A dying controller loses what it was told in about the last second. Wait longer than that before
 * looking. */
static const struct timespec settle = {.tv_sec = 1, .tv_nsec = 500000000};

enum status slurm_busy(const char *comment, unsigned count, uint8_t *busy,
                       struct diagnostics *diagnostics)
{
    static const char *const arguments[] = {"squeue", "-h", "-r", "-o", "%K|%k", NULL};
    char *output, *rest;
    enum status status = process_run(arguments, CALL_SECONDS, &output, diagnostics);
    if (status == STATUS_NOT_FOUND)
        diagnostics_add(
            diagnostics, SEVERITY_NOTE, NULL,
            "Slurm is not installed here: submit from a machine of the cluster, or share "
            "the work by hand with 'warpscape sweep --shard' and 'warpscape merge'");
    rest = output;
    for (char *line; !status && (line = strsep(&rest, "\n")) != NULL;) {
        char *separator = strchr(line, '|');
        unsigned long task = strtoul(line, NULL, 10);
        if (separator && !strcmp(separator + 1, comment) && task >= 1 && task <= count)
            bit_set(busy, task);
    }
    free(output);
    return status;
}

/* Whether the controller knows the job: pending, running or just ended. */
static bool is_known(const char *job, const char *comment)
{
    const char *const arguments[] = {"squeue", "-h", "-t", "all", "-j", job, "-o", "%k", NULL};
    char *output;
    bool known = false;
    if (!process_run(arguments, CALL_SECONDS, &output, NULL)) {
        output[strcspn(output, "\n")] = '\0';
        known = !strcmp(output, comment);
    }
    free(output);
    return known;
}

enum status slurm_submit(const char *const *arguments, const char *comment, char job[SLURM_JOB],
                         struct diagnostics *diagnostics)
{
    for (int submission = 0; submission < SUBMISSIONS_MAX; submission++) {
        char *output;
        enum status status = process_run(arguments, CALL_SECONDS, &output, diagnostics);
        /* "1234" or "1234;cluster" */
        snprintf(job, SLURM_JOB, "%.*s", output ? (int)strcspn(output, ";\n") : 0,
                 output ? output : "");
        free(output);
        if (status)
            return status;
        for (int look = 0; look < LOOKS_MAX; look++) {
            nanosleep(&settle, NULL);
            if (is_known(job, comment))
                return STATUS_OK;
        }
        fprintf(stderr, "job %s is not in the queue; submitting again\n", job);
    }
    return diagnostics_error(diagnostics, STATUS_IO,
                             "Slurm accepted the job %d times and did not keep it",
                             SUBMISSIONS_MAX);
}
