#include "ui/jobs/census_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/space/budget.h"

enum { EXPLAINED_MAX = 1 << 16 }; /* machines that are looked at for reasons */

const char *census_reason(const struct census_result *result, const char *rule)
{
    for (size_t i = 0; i < result->reason_count; i++)
        if (!strcmp(result->reasons[i].rule, rule))
            return result->reasons[i].text;
    return NULL;
}

static void census_explain(const struct space *space, struct census_result *result,
                           const atomic_bool *cancel)
{
    uint64_t end = space->machines < EXPLAINED_MAX ? space->machines : EXPLAINED_MAX;
    for (uint64_t index = 0; index < end && !atomic_load(cancel); index++) {
        struct machine machine;
        struct violation found[VIOLATION_MAX];
        space_machine(space, index, &machine);
        if (!machine_check(&machine, found) || census_reason(result, found[0].rule))
            continue;
        struct census_reason *reason = &result->reasons[result->reason_count++];
        reason->rule = found[0].rule;
        snprintf(reason->text, sizeof reason->text, "%s", found[0].message);
        if (result->reason_count == CENSUS_REASONS)
            return;
    }
}

static void census_run(void *answer, const atomic_bool *cancel)
{
    struct census_result *result = answer;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct space space;
    result->axis_count = result->study.axis_count;
    answer_end(&result->answer, budgets_solve(&result->study, &diagnostics), &diagnostics);
    enum status *status = &result->answer.status;
    if (!*status)
        *status = space_open(&result->study, &space, NULL);
    if (*status)
        return;
    space.cancel = cancel;
    result->points = space.points;
    *status = space_census(&space, &result->census, NULL);
    if (!*status)
        census_explain(&space, result, cancel);
}

static void census_result_free(void *answer)
{
    struct census_result *result = answer;
    census_free(&result->census);
    study_free(&result->study);
    free(result);
}

const struct job_kind census_job = {census_run, census_result_free};

struct census_result *census_result_new(struct study *study)
{
    struct census_result *result = calloc(1, sizeof *result);
    if (!result) {
        study_free(study);
        return NULL;
    }
    result->study = *study;
    return result;
}
