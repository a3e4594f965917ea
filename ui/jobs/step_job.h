/* Goes through a run at depth timing in the background (Step view), as `warpscape step` does
 * (report/runs/step_words.h): a question says where the cursor is and where it goes from there, its
 * answer is what there is to see. The cursor with its copies belongs to the run, which questions
 * and the view share; a question that a newer one cancels leaves the run as far as it has come.
 *
 * Invariant: only the job uses the cursor of a run. */
#pragma once

#include "report/runs/step_report.h"
#include "trace/assumed.h"
#include "ui/jobs/kept_bytes.h"
#include "ui/jobs/worker.h"

struct step_run; /* a machine with a workload, opened by the first question */

/* With one owner. NULL: no memory. */
struct step_run *step_run_new(const struct machine *machine, const char *workload,
                              enum assumed_dependences assumed);
void step_run_release(struct step_run *run); /* NULL is allowed */
bool step_run_is_of(const struct step_run *run, const struct machine *machine, const char *workload,
                    enum assumed_dependences assumed);

struct step_query {
    struct step_run *run;
    struct step_run *against; /* where both part is found, and gone to; NULL: `words` say where */
    uint64_t from;            /* the cycle that the cursor is in front of */
    char words[96];           /* where it goes; "": nowhere */
    struct cursor_wish narrow;
    uint32_t sm;          /* to show, unless an event of another one is found: */
    bool follow;          /* ... and this is set */
    struct set_place set; /* stage 0: none */
};

struct step_row { /* of a warp, or of a bank of a tile cache */
    uint32_t slot;
    uint8_t state;
    char marks[CURSOR_COLUMNS + 1];
    size_t why, chains; /* texts in what is kept; chains: of a bank */
};

struct step_result {
    struct answer answer;
    struct step_query query;
    char note[ANSWER_TEXT]; /* why the words lead nowhere; "": they did lead somewhere */
    uint64_t cycle, first;
    uint32_t columns, sm, sms;
    const struct strip_state *state_rows; /* of the rows' states */
    unsigned state_count;
    uint32_t slot; /* of the event that was found; CURSOR_ANY: none */
    bool ended;
    struct step_row *rows;
    size_t count, capacity;
    struct kept_bytes kept;
    bool compared;
    size_t difference;        /* text in what is kept, if they were compared */
    size_t parts[STEP_PARTS]; /* texts in what is kept */
};

extern const struct job_kind step_job;
/* Shares the runs. NULL: no memory. */
struct step_result *step_result_new(const struct step_query *query);
