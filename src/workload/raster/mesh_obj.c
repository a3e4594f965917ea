/* Reads Wavefront .obj: v, vn, vt and f, of which faces may have any number of corners and negative
 * indices, and everything else is ignored. glmark2's .jobj has vc besides, a vector a vertex by
 * which it sways, and i, an index from 0 on a line; three make a triangle, and the attributes of a
 * vertex share its index. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/key_table.h"
#include "base/memory.h"
#include "trace/text.h"
#include "workload/raster/mesh.h"

struct vectors {
    struct vector3 *items;
    size_t count, capacity;
};

struct reader {
    struct text_reader text;
    struct mesh *mesh;
    struct vectors positions, normals, textures, sways;
    uint32_t pending[3]; /* indices of lines "i" that are no triangle yet */
    unsigned pending_count;
    bool normals_missing; /* of a corner */
    enum status status;
};

static void fail(struct reader *reader, const char *at, const char *expected)
{
    text_problem(&reader->text, SEVERITY_ERROR, at, "expected %s", expected);
    reader->status = STATUS_INVALID;
}

/* A number of C's locale, which is the program's; finite. */
static bool scan_float(const char **at, float *value)
{
    char *end;
    while (**at == ' ' || **at == '\t')
        ++*at;
    *value = strtof(*at, &end);
    if (end == *at || !isfinite(*value) || (*end && !isspace((unsigned char)*end)))
        return false;
    *at = end;
    return true;
}

static void take_vector(struct reader *reader, const char *at, unsigned least,
                        struct vectors *vectors)
{
    float v[3] = {0, 0, 0};
    for (unsigned i = 0; i < 3; i++) {
        if (i >= least && scan_end(&at))
            break;
        if (!scan_float(&at, &v[i])) {
            fail(reader, at, "a number");
            return;
        }
    }
    if (vectors->count == MESH_VERTICES_MAX)
        reader->status = STATUS_UNSUPPORTED;
    else if (array_reserve(&vectors->items, &vectors->capacity, vectors->count + 1))
        reader->status = STATUS_MEMORY;
    else
        vectors->items[vectors->count++] = (struct vector3){v[0], v[1], v[2]};
}

/* An index from 1 on, or from -1 back; `count` are there. Sets it from 0 on. */
static bool scan_index(const char **at, size_t count, uint64_t *index)
{
    const char *from = *at;
    const bool back = *from == '-';
    uint64_t value = 0;
    for (*at += back; isdigit((unsigned char)**at) && value <= count; ++*at)
        value = 10 * value + (uint64_t)(**at - '0');
    if (!value || value > count) {
        *at = from;
        return false;
    }
    *index = back ? count - value : value - 1;
    return true;
}

/* Reads "v", "v/vt", "v//vn" or "v/vt/vn" and makes the vertex of the mesh that it names, once. */
static bool take_corner(struct reader *reader, const char **at, struct key_table *corners,
                        uint32_t *vertex)
{
    uint64_t position = 0, texture = 0, normal = 0;
    bool has_texture = false, has_normal = false;
    while (**at == ' ' || **at == '\t')
        ++*at;
    bool good = scan_index(at, reader->positions.count, &position);
    if (good && **at == '/') {
        ++*at;
        if (**at != '/')
            good = has_texture = scan_index(at, reader->textures.count, &texture);
        if (good && **at == '/') {
            ++*at;
            good = has_normal = scan_index(at, reader->normals.count, &normal);
        }
    }
    if (!good || (**at && !isspace((unsigned char)**at))) {
        fail(reader, *at, "the number of a vertex, texture coordinate or normal above");
        return false;
    }
    const uint64_t key = position | (has_texture ? texture + 1 : 0) << MESH_VERTEX_BITS |
                         (has_normal ? normal + 1 : 0) << (2 * MESH_VERTEX_BITS);
    const uint32_t before = corners->count;
    if (key_table_number(corners, key, vertex)) {
        reader->status = STATUS_MEMORY;
        return false;
    }
    reader->normals_missing |= !has_normal;
    if (corners->count == before)
        return true;
    struct mesh_vertex made = {.position = reader->positions.items[position]};
    if (has_texture) {
        made.u = reader->textures.items[texture].x;
        made.v = reader->textures.items[texture].y;
    }
    if (has_normal)
        made.normal = vector_unit(reader->normals.items[normal]);
    reader->status = mesh_add_vertex(reader->mesh, &made);
    return !reader->status;
}

/* A face of n corners is n - 2 triangles. */
static void take_face(struct reader *reader, const char *at, struct key_table *corners)
{
    uint32_t first = 0, last = 0, vertex = 0;
    unsigned count = 0;
    for (; !scan_end(&at); count++) {
        if (!take_corner(reader, &at, corners, &vertex))
            return;
        if (!count)
            first = vertex;
        else if (count > 1)
            reader->status = mesh_add_triangle(reader->mesh, first, last, vertex);
        if (reader->status)
            return;
        last = vertex;
    }
    if (count < 3)
        fail(reader, at, "three corners or more");
}

static void take_index(struct reader *reader, const char *at)
{
    uint64_t index;
    if (!reader->positions.count || !scan_up_to(&at, reader->positions.count - 1, &index) ||
        !scan_end(&at)) {
        fail(reader, at, "the number of a vertex above, from 0 on");
        return;
    }
    reader->pending[reader->pending_count++] = (uint32_t)index;
    if (reader->pending_count < 3)
        return;
    reader->pending_count = 0;
    reader->status =
        mesh_add_triangle(reader->mesh, reader->pending[0], reader->pending[1], reader->pending[2]);
}

static void take_line(struct reader *reader, struct key_table *corners)
{
    const char *at = reader->text.line, *word;
    size_t length;
    if (!scan_word(&at, &word, &length))
        return;
    if (length == 1 && *word == 'v')
        take_vector(reader, at, 3, &reader->positions);
    else if (length == 2 && !strncmp(word, "vn", 2))
        take_vector(reader, at, 3, &reader->normals);
    else if (length == 2 && !strncmp(word, "vt", 2))
        take_vector(reader, at, 1, &reader->textures);
    else if (length == 2 && !strncmp(word, "vc", 2))
        take_vector(reader, at, 3, &reader->sways);
    else if (length == 1 && *word == 'f')
        take_face(reader, at, corners);
    else if (length == 1 && *word == 'i')
        take_index(reader, at);
}

/* Of a .jobj: each vertex with what has its index. */
static void join_attributes(struct reader *reader)
{
    for (size_t i = 0; i < reader->positions.count && !reader->status; i++) {
        struct mesh_vertex vertex = {.position = reader->positions.items[i]};
        if (i < reader->normals.count)
            vertex.normal = vector_unit(reader->normals.items[i]);
        if (i < reader->textures.count) {
            vertex.u = reader->textures.items[i].x;
            vertex.v = reader->textures.items[i].y;
        }
        if (i < reader->sways.count)
            vertex.sway = reader->sways.items[i];
        reader->status = mesh_add_vertex(reader->mesh, &vertex);
    }
    reader->normals_missing = reader->normals.count < reader->positions.count;
}

/* Faces and indices cannot be told apart afterwards, so a file has one of them. */
static void finish(struct reader *reader)
{
    if (!reader->mesh->index_count || reader->pending_count)
        fail(reader, NULL, reader->pending_count ? "three indices a triangle" : "a triangle");
    else if (!reader->mesh->vertex_count)
        join_attributes(reader);
    else
        for (size_t i = 0; i < reader->mesh->index_count && !reader->status; i++)
            if (reader->mesh->indices[i] >= reader->mesh->vertex_count)
                fail(reader, NULL, "either faces or indices");
    if (!reader->status && reader->normals_missing)
        mesh_make_normals(reader->mesh);
}

enum status mesh_read_obj(const char *path, struct mesh *mesh, struct diagnostics *diagnostics)
{
    struct reader reader = {.mesh = mesh};
    struct key_table corners = {0};
    enum status status = text_open(path, &reader.text, diagnostics);
    *mesh = (struct mesh){0};
    if (status)
        return status;
    while (!reader.status && text_line(&reader.text))
        take_line(&reader, &corners);
    if (!reader.status)
        reader.status = reader.text.status;
    if (!reader.status)
        finish(&reader);
    text_close(&reader.text);
    key_table_free(&corners);
    free(reader.positions.items);
    free(reader.normals.items);
    free(reader.textures.items);
    free(reader.sways.items);
    if (reader.status)
        mesh_free(mesh);
    if (reader.status == STATUS_UNSUPPORTED)
        return diagnostics_error(diagnostics, reader.status,
                                 "%s: more than %d vertices or %d indices", path, MESH_VERTICES_MAX,
                                 MESH_INDICES_MAX);
    return reader.status;
}
