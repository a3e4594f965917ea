/* The steps of a block on processors with AVX2, for which CMakeLists.txt has this file compiled
 * (processor_lanes.h). */
#include "workload/simt/processor_lanes.h"

size_t simt_run_vectors(struct simt_block *block, struct simt_step *steps, size_t count,
                        enum simt_result *result, bool in_turn)
{
    return run(block, steps, count, result, in_turn);
}
