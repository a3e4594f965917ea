/* The scenes as workloads, named raster-SCENE. */
#pragma once

#include "workload/raster/scene.h"
#include "workload/workload.h"

#define SCENE_WORKLOAD(name) extern const struct workload workload_raster_##name;
SCENE_LIST(SCENE_WORKLOAD)
#undef SCENE_WORKLOAD
