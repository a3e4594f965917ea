/* Meshes of triangles: from files, or made by code so that every scene works without files.
 *
 * Invariant: every index is below the count of vertices, every number is finite, and a mesh has a
 * triangle with an area at least. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "workload/raster/vector3.h"

struct mesh_vertex {
    struct vector3 position, normal; /* normals: of unit length, or zero where nothing is known */
    struct vector3 sway;             /* how far it moves with time (jellyfish); else zero */
    float u, v;                      /* texture coordinates */
};

struct mesh { /* zero-initialized: empty */
    struct mesh_vertex *vertices;
    size_t vertex_count, vertex_capacity;
    uint32_t *indices; /* three a triangle */
    size_t index_count, index_capacity;
    /* Of readers: the positions as the file has them, until mesh_read makes those of vertices. */
    double (*exact)[3];
    size_t exact_capacity;
    bool lacks_normals; /* of some vertex */
};
void mesh_free(struct mesh *mesh);

enum {
    MESH_VERTEX_BITS = 21,
    MESH_VERTICES_MAX = (1 << MESH_VERTEX_BITS) - 1,
    MESH_INDICES_MAX = 3 << 22
};
/* For those who make meshes. */
enum status mesh_add_vertex(struct mesh *mesh, const struct mesh_vertex *vertex);
enum status mesh_add_exact(struct mesh *mesh, const struct mesh_vertex *vertex,
                           const double position[3]); /* for readers */
enum status mesh_add_triangle(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c);
/* Gives vertices the mean normal of their triangles, weighted by area. */
void mesh_make_normals(struct mesh *mesh);

/* The smallest box around it. */
void mesh_bounds(const struct mesh *mesh, struct vector3 *least, struct vector3 *most);

/* Shapes. `detail`: each is about 16 * detail^2 triangles. */
enum { MESH_DETAIL_MAX = 512 };
enum status mesh_make_knot(struct mesh *mesh, uint32_t detail);  /* a torus knot, closed */
enum status mesh_make_jelly(struct mesh *mesh, uint32_t detail); /* a bell with tentacles */
enum status mesh_make_square(struct mesh *mesh);                 /* from (-1, -1, 0) to (1, 1, 0) */

/* Reads Wavefront .obj, glmark2's .jobj, .3ds, .ply or .stl, by the end of the name; also
 * compressed.
 * `unit`: moves it to the origin and gives it a radius of 1, so that a drawing depends neither on
 * the unit of length nor on where the file has its origin. Reports what is wrong with file and
 * line, or offset, and what cannot be drawn. */
enum status mesh_read(const char *path, bool unit, struct mesh *mesh,
                      struct diagnostics *diagnostics);
bool mesh_recognise(const char *path); /* by the end of the name */
/* For mesh_read: the readers. Each begins with an empty mesh, which mesh_read frees after a
 * failure; STATUS_UNSUPPORTED: too many vertices or indices, which it reports. */
enum status mesh_read_obj(const char *path, struct mesh *mesh, struct diagnostics *diagnostics);
enum status mesh_read_3ds(const char *path, struct mesh *mesh, struct diagnostics *diagnostics);
enum status mesh_read_ply(const char *path, struct mesh *mesh, struct diagnostics *diagnostics);
enum status mesh_read_stl(const char *path, struct mesh *mesh, struct diagnostics *diagnostics);

/* Finds a model of Debian's glmark2-data ("bunny.obj"): in the folders of traces, or in
 * glmark2/models below the folders of $XDG_DATA_DIRS. STATUS_NOT_FOUND says which package has it.
 */
enum status mesh_find(const char *file, char **path, struct diagnostics *diagnostics);
