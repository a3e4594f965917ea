/* How addresses are spread over the slices of an L2. */
#pragma once

#include "model/gpu/request.h"
#include "schema/machine.h"

/* out[i] is requests[i] with `unit` = its slice and the address with the slice's bits taken out, so
 * that a slice's own set index sees them densely (GPGPU-Sim: "channel bits removed"). One to one:
 * no two lines of a slice collide. */
void partition_requests(const struct cache_config *l2, const struct request *requests,
                        size_t count, struct request *out);
