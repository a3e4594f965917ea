#include "ui/jobs/tile_job.h"

#include <stdio.h>
#include <stdlib.h>

#include "workload/workload.h"

struct shared_frame {
    atomic_uint users;
    struct trace_source *source; /* a scene */
    struct tile_frame frame;
};

static void leave_frame(struct shared_frame *frame)
{
    if (!frame || atomic_fetch_sub(&frame->users, 1) > 1)
        return;
    tile_frame_free(&frame->frame);
    trace_source_free(frame->source);
    free(frame);
}

static enum status make_frame(struct tile_drawing *drawing, const atomic_bool *cancel,
                              struct diagnostics *diagnostics)
{
    struct shared_frame *frame = calloc(1, sizeof *frame);
    const char *workload = drawing->question.workload;
    if (!frame)
        return STATUS_MEMORY;
    frame->users = 1;
    enum status status = workload_open(workload, &frame->source, diagnostics);
    if (!status && !frame->source->tiles)
        status = diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                   "%s is no scene that could be drawn; :open tile-gpu brings one",
                                   workload);
    if (!status)
        status = tile_frame_run(&drawing->machine, frame->source->tiles, cancel, &frame->frame,
                                diagnostics);
    if (status)
        leave_frame(frame);
    else
        drawing->frame = frame;
    return status;
}

static enum status drawing_draw(struct tile_drawing *drawing, struct diagnostics *diagnostics)
{
    const struct tile_question *question = &drawing->question;
    struct tile_sight sight = {.frame = &drawing->frame->frame,
                               .stream = drawing->frame->source->tiles,
                               .view = question->map,
                               .surface = question->surface,
                               .glyphs = question->glyphs};
    drawing->surfaces = sight.stream->surface_count;
    enum status status = STATUS_OK;
    if (question->surface >= drawing->surfaces)
        status = tile_surface_find(sight.stream, NULL, &sight.surface, diagnostics);
    drawing->surface = sight.surface;
    if (!status)
        status = cells_init(&drawing->cells, question->rows, question->columns);
    return status
               ? status
               : tile_view_draw(&sight, &drawing->cells, 0, 0, question->rows, question->columns);
}

static void drawing_run(void *answer, const atomic_bool *cancel)
{
    struct tile_drawing *drawing = answer;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = drawing->frame ? STATUS_OK : make_frame(drawing, cancel, &diagnostics);
    if (!status)
        status = drawing_draw(drawing, &diagnostics);
    answer_end(&drawing->answer, status, &diagnostics);
}

static void drawing_free(void *answer)
{
    struct tile_drawing *drawing = answer;
    leave_frame(drawing->frame);
    cells_free(&drawing->cells);
    free(drawing);
}

const struct job_kind tile_job = {drawing_run, drawing_free};

struct tile_drawing *tile_drawing_new(const struct tile_question *question,
                                      const struct machine *machine, const struct tile_drawing *old)
{
    struct tile_drawing *drawing = calloc(1, sizeof *drawing);
    if (!drawing)
        return NULL;
    drawing->question = *question;
    drawing->machine = *machine;
    if (old && old->frame) {
        drawing->frame = old->frame;
        atomic_fetch_add(&old->frame->users, 1);
    }
    return drawing;
}

const char *tile_drawing_surface(const struct tile_drawing *drawing, uint32_t surface)
{
    return drawing->frame ? drawing->frame->source->tiles->surfaces[surface].name : "";
}
