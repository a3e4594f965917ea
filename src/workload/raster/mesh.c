#include "workload/raster/mesh.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data_files.h"
#include "base/memory.h"

void mesh_free(struct mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    *mesh = (struct mesh){0};
}

enum status mesh_add_vertex(struct mesh *mesh, const struct mesh_vertex *vertex)
{
    if (mesh->vertex_count == MESH_VERTICES_MAX)
        return STATUS_UNSUPPORTED;
    if (array_reserve(&mesh->vertices, &mesh->vertex_capacity, mesh->vertex_count + 1))
        return STATUS_MEMORY;
    mesh->vertices[mesh->vertex_count++] = *vertex;
    return STATUS_OK;
}

enum status mesh_add_triangle(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    if (mesh->index_count == MESH_INDICES_MAX)
        return STATUS_UNSUPPORTED;
    if (array_reserve(&mesh->indices, &mesh->index_capacity, mesh->index_count + 3))
        return STATUS_MEMORY;
    mesh->indices[mesh->index_count++] = a;
    mesh->indices[mesh->index_count++] = b;
    mesh->indices[mesh->index_count++] = c;
    return STATUS_OK;
}

void mesh_make_normals(struct mesh *mesh)
{
    for (size_t i = 0; i < mesh->vertex_count; i++)
        mesh->vertices[i].normal = (struct vector3){0, 0, 0};
    for (size_t i = 0; i < mesh->index_count; i += 3) {
        struct mesh_vertex *a = &mesh->vertices[mesh->indices[i]];
        struct mesh_vertex *b = &mesh->vertices[mesh->indices[i + 1]];
        struct mesh_vertex *c = &mesh->vertices[mesh->indices[i + 2]];
        const struct vector3 normal = vector_cross(vector_subtract(b->position, a->position),
                                                   vector_subtract(c->position, a->position));
        a->normal = vector_add(a->normal, normal);
        b->normal = vector_add(b->normal, normal);
        c->normal = vector_add(c->normal, normal);
    }
    for (size_t i = 0; i < mesh->vertex_count; i++)
        mesh->vertices[i].normal = vector_unit(mesh->vertices[i].normal);
}

void mesh_bounds(const struct mesh *mesh, struct vector3 *least, struct vector3 *most)
{
    *least = *most = mesh->vertices[0].position;
    for (size_t i = 1; i < mesh->vertex_count; i++) {
        const struct vector3 p = mesh->vertices[i].position;
        *least = (struct vector3){fminf(least->x, p.x), fminf(least->y, p.y), fminf(least->z, p.z)};
        *most = (struct vector3){fmaxf(most->x, p.x), fmaxf(most->y, p.y), fmaxf(most->z, p.z)};
    }
}

static bool ends_with(const char *path, const char *end)
{
    const size_t length = strlen(path), tail = strlen(end);
    return length > tail && !strcasecmp(path + length - tail, end);
}

static const char *const text_ends[] = {".obj", ".jobj", ".obj.gz", ".obj.xz", ".obj.zst", NULL};

static bool is_text(const char *path)
{
    for (size_t i = 0; text_ends[i]; i++)
        if (ends_with(path, text_ends[i]))
            return true;
    return false;
}

bool mesh_recognise(const char *path)
{
    return is_text(path) || ends_with(path, ".3ds");
}

enum status mesh_read(const char *path, struct mesh *mesh, struct diagnostics *diagnostics)
{
    return is_text(path) ? mesh_read_obj(path, mesh, diagnostics)
                         : mesh_read_3ds(path, mesh, diagnostics);
}

/* The first of the data folders, which colons separate, that has the file. */
static enum status find_installed(const char *file, char **path)
{
    const char *set = getenv("XDG_DATA_DIRS");
    char *folders = strdup(set && *set ? set : "/usr/local/share:/usr/share"), *rest = folders;
    enum status status = folders ? STATUS_OK : STATUS_MEMORY;
    for (char *folder; !status && !*path && (folder = strsep(&rest, ":"));) {
        if (asprintf(path, "%s/glmark2/models/%s", folder, file) < 0) {
            *path = NULL;
            status = STATUS_MEMORY;
        } else if (access(*path, R_OK)) {
            free(*path);
            *path = NULL;
        }
    }
    free(folders);
    return status;
}

enum status mesh_find(const char *file, char **path, struct diagnostics *diagnostics)
{
    enum status status = data_file_find(DATA_TRACES, DATA_ALL, file, path);
    if (!status && !*path)
        status = find_installed(file, path);
    if (!status && !*path)
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                   "no %s in the trace folders or in glmark2/models of "
                                   "$XDG_DATA_DIRS; Debian's package glmark2-data has it, and "
                                   "mesh=own needs no file",
                                   file);
    return status;
}
