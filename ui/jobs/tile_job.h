/* Draws a scene on the tile cache of a machine in the background, and what the Tile view shows of
 * it into cells. Drawings of one frame share it, so another map or size takes no second run. */
#pragma once

#include "report/runs/tile_view.h"
#include "ui/jobs/worker.h"

struct shared_frame; /* counted by those who use it */

enum { TILE_SURFACE_DEFAULT = UINT32_MAX }; /* the colour */

struct tile_question {
    char workload[256];
    enum tile_view map;
    uint32_t surface;
    int rows, columns;
    enum glyphs glyphs;
};

struct tile_drawing {
    struct answer answer;
    struct tile_question question;
    struct machine machine;
    struct shared_frame *frame; /* NULL: the run failed */
    uint32_t surface;           /* that was drawn */
    uint32_t surfaces;          /* of the scene */
    struct cells cells;
};

extern const struct job_kind tile_job;
/* `old`: a drawing of the same workload on the same machine, whose frame serves again; or NULL.
 * NULL: no memory. */
struct tile_drawing *tile_drawing_new(const struct tile_question *question,
                                      const struct machine *machine,
                                      const struct tile_drawing *old);
/* The name of a surface of the scene. */
const char *tile_drawing_surface(const struct tile_drawing *drawing, uint32_t surface);
