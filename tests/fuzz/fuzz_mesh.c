/* Any bytes as a mesh, by the first one as any format: reading never crashes or hangs, and
 * what is accepted keeps the promises of mesh.h. Built by `./dev fuzz`. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "workload/raster/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct mesh *mesh)
{
    if (!mesh->index_count || mesh->index_count % 3)
        abort();
    for (size_t i = 0; i < mesh->index_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count)
            abort();
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const struct mesh_vertex *vertex = &mesh->vertices[i];
        const float numbers[] = {vertex->position.x, vertex->position.y, vertex->position.z,
                                 vertex->normal.x,   vertex->normal.y,   vertex->normal.z,
                                 vertex->u,          vertex->v};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (!isfinite(numbers[k]))
                abort();
    }
}

/* The end of the name decides how a file is read, so the file needs one. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ends[] = {"obj", "jobj", "3ds", "ply", "stl"};
    char path[64];
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct mesh mesh = {0};
    if (!size)
        return 0;
    snprintf(path, sizeof path, "/dev/shm/fuzz-mesh-%d.%s", (int)getpid(), ends[*data % 5]);
    FILE *file = fopen(path, "w");
    if (!file)
        return 0;
    const bool written = fwrite(data + 1, 1, size - 1, file) == size - 1;
    if (!fclose(file) && written && !mesh_read(path, size & 1, &mesh, &diagnostics)) {
        check(&mesh);
        mesh_free(&mesh);
    }
    unlink(path);
    diagnostics_free(&diagnostics);
    return 0;
}
