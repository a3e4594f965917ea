#include "model/depth_models.h"

#include "model/pass/pass.h"
#include "model/reuse/reuse.h"
#include "model/sample.h"
#include "model/timing/run_proof.h"
#include "model/timing/timing.h"
#include "model/timing/timing_check.h"
#include "model/timing_estimate.h"
#include "model/windows.h"

const struct depth_model depth_models[DEPTH_COUNT] = {
    [DEPTH_FUNCTIONAL] = {.evaluate = functional_evaluate,
                          .samples = windows_worthwhile,
                          .sample = functional_sample,
                          .notes = functional_notes},
    [DEPTH_REUSE] = {.evaluate = reuse_evaluate,
                     .reduce = reuse_reduce,
                     .shared = reuse_shared,
                     .notes = reuse_notes},
    [DEPTH_TIMING] = {.evaluate = timing_evaluate,
                      .check = timing_check,
                      .widen = run_proof_widen,
                      .covers = run_proof_covers,
                      .samples = timing_samples,
                      .sample = timing_sample,
                      .notes = timing_notes},
};
