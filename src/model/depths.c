#include "model/depths.h"

#include "model/pass/pass.h"
#include "model/reuse/reuse.h"
#include "model/timing/timing.h"

const struct depth_model depth_models[DEPTH_COUNT] = {
    [DEPTH_FUNCTIONAL] = {.evaluate = functional_evaluate, .notes = functional_notes},
    [DEPTH_REUSE] = {.evaluate = reuse_evaluate,
                     .reduce = reuse_reduce,
                     .shared = reuse_shared,
                     .notes = reuse_notes},
    [DEPTH_TIMING] = {.evaluate = timing_evaluate, .notes = timing_notes},
};
