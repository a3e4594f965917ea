#include "workload/raster/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data_files.h"
#include "base/memory.h"
#include "base/text_ends.h"

void mesh_free(struct mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    free(mesh->exact);
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

enum status mesh_add_exact(struct mesh *mesh, const struct mesh_vertex *vertex,
                           const double position[3])
{
    if (array_reserve(&mesh->exact, &mesh->exact_capacity, mesh->vertex_count + 1))
        return STATUS_MEMORY;
    memcpy(mesh->exact[mesh->vertex_count], position, sizeof *mesh->exact);
    return mesh_add_vertex(mesh, vertex);
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

typedef enum status mesh_reader(const char *path, struct mesh *mesh,
                                struct diagnostics *diagnostics);

/* The reader of a file by the end of its name, before that of its packing. NULL: it is no mesh. */
static mesh_reader *find_reader(const char *path)
{
    static const struct {
        const char *ending;
        mesh_reader *read;
    } rows[] = {{".obj", mesh_read_obj},
                {".jobj", mesh_read_obj},
                {".3ds", mesh_read_3ds},
                {".ply", mesh_read_ply},
                {".stl", mesh_read_stl}};
    static const char *const packings[] = {"", ".gz", ".xz", ".zst", ".bz2"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof packings / sizeof *packings; k++) {
            char ending[16];
            snprintf(ending, sizeof ending, "%s%s", rows[i].ending, packings[k]);
            if (text_ends_any_case(path, ending))
                return rows[i].read;
        }
    return NULL;
}

bool mesh_recognise(const char *path)
{
    return find_reader(path) != NULL;
}

/* The centre of the box around all triangles, and half of its diagonal. Halves are subtracted, as
 * the difference of the largest numbers is none. */
static double find_ball(const struct mesh *mesh, double centre[3])
{
    double half[3];
    for (unsigned k = 0; k < 3; k++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < mesh->index_count; i++) {
            const double at = mesh->exact[mesh->indices[i]][k];
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        centre[k] = least / 2 + most / 2;
        half[k] = most / 2 - least / 2;
    }
    return hypot(hypot(half[0], half[1]), half[2]);
}

/* Gives vertices their positions: those of the file, or around the origin within a radius of 1.
 * Vertices of no triangle may lie anywhere, and become 0. Returns what is wrong; NULL: nothing. */
static const char *place_vertices(struct mesh *mesh, bool unit)
{
    double centre[3];
    const double radius = find_ball(mesh, centre);
    const double shift = unit ? 1 : 0, scale = unit ? 1 / radius : 1;
    if (!(radius > 0) || !isfinite(1 / radius) || !isfinite(radius))
        return radius > 0 ? "its triangles are too small or too large for numbers"
                          : "all its triangles lie in one point";
    for (size_t i = 0; i < mesh->vertex_count; i++)
        mesh->vertices[i].position = (struct vector3){0, 0, 0};
    for (size_t i = 0; i < mesh->index_count; i++) {
        const double *at = mesh->exact[mesh->indices[i]];
        const struct vector3 p = {(float)((at[0] - shift * centre[0]) * scale),
                                  (float)((at[1] - shift * centre[1]) * scale),
                                  (float)((at[2] - shift * centre[2]) * scale)};
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return "its coordinates are too large for single precision";
        mesh->vertices[mesh->indices[i]].position = p;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        struct vector3 *sway = &mesh->vertices[i].sway;
        *sway = (struct vector3){(float)((double)sway->x * scale), (float)((double)sway->y * scale),
                                 (float)((double)sway->z * scale)};
        if (!isfinite(sway->x) || !isfinite(sway->y) || !isfinite(sway->z))
            return "its coordinates are too large for single precision";
    }
    return NULL;
}

static bool has_area(const struct mesh *mesh)
{
    for (size_t i = 0; i < mesh->index_count; i += 3) {
        const struct vector3 a = mesh->vertices[mesh->indices[i]].position;
        const struct vector3 b = mesh->vertices[mesh->indices[i + 1]].position;
        const struct vector3 c = mesh->vertices[mesh->indices[i + 2]].position;
        const struct vector3 n = vector_cross(vector_subtract(b, a), vector_subtract(c, a));
        if (n.x != 0 || n.y != 0 || n.z != 0)
            return true;
    }
    return false;
}

enum status mesh_read(const char *path, bool unit, struct mesh *mesh,
                      struct diagnostics *diagnostics)
{
    mesh_reader *read = find_reader(path);
    *mesh = (struct mesh){0};
    enum status status = read ? read(path, mesh, diagnostics)
                              : diagnostics_error(diagnostics, STATUS_INVALID,
                                                  "%s: expected a name that ends with .obj, .jobj, "
                                                  ".3ds, .ply or .stl",
                                                  path);
    if (status == STATUS_UNSUPPORTED)
        diagnostics_error(diagnostics, status, "%s: more than %d vertices or %d indices", path,
                          MESH_VERTICES_MAX, MESH_INDICES_MAX);
    if (status) {
        mesh_free(mesh);
        return status;
    }
    const char *wrong = place_vertices(mesh, unit);
    if (!wrong && !has_area(mesh))
        wrong = "none of its triangles has an area";
    if (wrong) {
        const struct place place = {.file = path};
        diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s, so there is nothing to draw",
                        wrong);
        mesh_free(mesh);
        return STATUS_INVALID;
    }
    free(mesh->exact);
    mesh->exact = NULL;
    if (mesh->lacks_normals)
        mesh_make_normals(mesh);
    return STATUS_OK;
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
