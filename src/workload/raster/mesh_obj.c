/* Reads Wavefront .obj: v, vn, vt and f, of which faces may have any number of corners and negative
 * indices, and everything else is ignored. glmark2's .jobj has vc besides, a vector a vertex by
 * which it sways, and i, an index from 0 on a line; three make a triangle, and the attributes of a
 * vertex share its index. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/key_table.h"
#include "base/memory.h"
#include "trace/text.h"
#include "workload/raster/mesh.h"

struct vectors {
    double (*items)[3];
    size_t count, capacity;
};

struct reader {
    struct text_reader text;
    struct mesh *mesh;
    struct vectors positions, normals, textures, sways;
    uint32_t pending[3]; /* indices of lines "i" that are no triangle yet */
    unsigned pending_count;
    bool said[2]; /* that texture coordinates, that normals are not there */
    enum status status;
};

static void obj_fail(struct reader *reader, const char *at, const char *expected)
{
    text_problem(&reader->text, SEVERITY_ERROR, at, "expected %s", expected);
    reader->status = STATUS_INVALID;
}

/* Whether nothing follows, or only a comment. */
static bool line_ends(const char **at)
{
    return scan_end(at) || **at == '#';
}

/* A number of C's locale, which is the program's; finite. */
static bool scan_number(const char **at, double *value)
{
    char *end;
    while (**at == ' ' || **at == '\t')
        ++*at;
    *value = strtod(*at, &end);
    if (end == *at || !isfinite(*value) || (*end && !isspace((unsigned char)*end)))
        return false;
    *at = end;
    return true;
}

static void take_vector(struct reader *reader, const char *at, unsigned least,
                        struct vectors *vectors)
{
    double v[3] = {0, 0, 0};
    for (unsigned i = 0; i < 3; i++) {
        if (i >= least && line_ends(&at))
            break;
        if (!scan_number(&at, &v[i])) {
            obj_fail(reader, at, "a number");
            return;
        }
    }
    if (vectors->count == MESH_VERTICES_MAX)
        reader->status = STATUS_UNSUPPORTED;
    else if (array_reserve(&vectors->items, &vectors->capacity, vectors->count + 1))
        reader->status = STATUS_MEMORY;
    else
        memcpy(vectors->items[vectors->count++], v, sizeof v);
}

/* As a vector of length 1, whatever its own; zero of zero. */
static struct vector3 direction_of(const double v[3])
{
    const double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    if (!(most > 0))
        return (struct vector3){0, 0, 0};
    const double x = v[0] / most, y = v[1] / most, z = v[2] / most;
    const double length = sqrt(x * x + y * y + z * z);
    return (struct vector3){(float)(x / length), (float)(y / length), (float)(z / length)};
}

/* Only the fraction of a texture coordinate matters to who looks up; of one that single precision
 * has no fraction for there is none. */
static float coordinate_of(double value)
{
    return fabs(value) < 0x1p24 ? (float)value : 0;
}

/* An index from 1 on, or from -1 back; `count` are there. Sets it from 0 on; *there: whether it is
 * one of them. False if it is no index. */
static bool scan_index(const char **at, size_t count, uint64_t *index, bool *there)
{
    const bool back = **at == '-';
    const char *digits = *at + back;
    uint64_t value = 0;
    for (*at = digits; isdigit((unsigned char)**at); ++*at)
        value = value > count ? value : 10 * value + (uint64_t)(**at - '0');
    *there = value && value <= count;
    if (*there)
        *index = back ? count - value : value - 1;
    return *at != digits;
}

/* The "/vt" or "/vn" of a corner, which may be left out, with its slash or without. Exporters that
 * leave normals or texture coordinates out of a file name them all the same: that is said once. */
static bool take_part(struct reader *reader, const char **at, const struct vectors *vectors,
                      uint64_t *index, bool *there)
{
    const bool normals = vectors == &reader->normals;
    *there = false;
    if (**at != '/')
        return true;
    const char *from = ++*at;
    if (!**at || **at == '/' || isspace((unsigned char)**at))
        return true;
    if (!scan_index(at, vectors->count, index, there))
        return false;
    if (!*there && !reader->said[normals]) {
        reader->said[normals] = true;
        text_problem(&reader->text, SEVERITY_WARNING, from,
                     normals ? "it names a normal that is not above; all normals are computed"
                             : "it names texture coordinates that are not above; they are 0, as "
                               "further ones are");
    }
    return true;
}

/* Reads "v", "v/vt", "v//vn" or "v/vt/vn" and makes the vertex of the mesh that it names, once. */
static bool take_corner(struct reader *reader, const char **at, struct key_table *corners,
                        uint32_t *vertex)
{
    uint64_t position = 0, texture = 0, normal = 0;
    bool has_position = false, has_texture = false, has_normal = false;
    while (**at == ' ' || **at == '\t')
        ++*at;
    const char *from = *at;
    if (!scan_index(at, reader->positions.count, &position, &has_position) || !has_position) {
        obj_fail(reader, from, "the number of a vertex above");
        return false;
    }
    if (!take_part(reader, at, &reader->textures, &texture, &has_texture) ||
        !take_part(reader, at, &reader->normals, &normal, &has_normal) ||
        (**at && !isspace((unsigned char)**at))) {
        obj_fail(reader, *at, "the number of a texture coordinate or normal");
        return false;
    }
    const uint64_t key = position | (has_texture ? texture + 1 : 0) << MESH_VERTEX_BITS |
                         (has_normal ? normal + 1 : 0) << (2 * MESH_VERTEX_BITS);
    const uint32_t before = corners->count;
    if (key_table_number(corners, key, vertex)) {
        reader->status = STATUS_MEMORY;
        return false;
    }
    reader->mesh->lacks_normals |= !has_normal;
    if (corners->count == before)
        return true;
    struct mesh_vertex made = {0};
    if (has_texture) {
        made.u = coordinate_of(reader->textures.items[texture][0]);
        made.v = coordinate_of(reader->textures.items[texture][1]);
    }
    if (has_normal)
        made.normal = direction_of(reader->normals.items[normal]);
    reader->status = mesh_add_exact(reader->mesh, &made, reader->positions.items[position]);
    return !reader->status;
}

/* Whether a line has further words, or the one that follows it if a backslash ends it. */
static bool goes_on(struct reader *reader, const char **at)
{
    for (;;) {
        if (line_ends(at))
            return false;
        const char *behind = *at + 1;
        if (**at != '\\' || !scan_end(&behind))
            return true;
        if (!text_line(&reader->text))
            return false;
        *at = reader->text.line;
    }
}

/* A face of n corners is n - 2 triangles. */
static void take_face(struct reader *reader, const char *at, struct key_table *corners)
{
    uint32_t first = 0, last = 0, vertex = 0;
    unsigned count = 0;
    for (; goes_on(reader, &at); count++) {
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
        obj_fail(reader, at, "three corners or more");
}

static void take_index(struct reader *reader, const char *at)
{
    uint64_t index;
    if (!reader->positions.count || !scan_up_to(&at, reader->positions.count - 1, &index) ||
        !line_ends(&at)) {
        obj_fail(reader, at, "the number of a vertex above, from 0 on");
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
        struct mesh_vertex vertex = {0};
        if (i < reader->normals.count)
            vertex.normal = direction_of(reader->normals.items[i]);
        if (i < reader->textures.count) {
            vertex.u = coordinate_of(reader->textures.items[i][0]);
            vertex.v = coordinate_of(reader->textures.items[i][1]);
        }
        if (i < reader->sways.count)
            vertex.sway =
                (struct vector3){(float)reader->sways.items[i][0], (float)reader->sways.items[i][1],
                                 (float)reader->sways.items[i][2]};
        reader->status = mesh_add_exact(reader->mesh, &vertex, reader->positions.items[i]);
    }
    reader->mesh->lacks_normals = reader->normals.count < reader->positions.count;
}

/* Faces and indices cannot be told apart afterwards, so a file has one of them. */
static void obj_finish(struct reader *reader)
{
    if (!reader->mesh->index_count || reader->pending_count)
        obj_fail(reader, NULL, reader->pending_count ? "three indices a triangle" : "a triangle");
    else if (!reader->mesh->vertex_count)
        join_attributes(reader);
    else
        for (size_t i = 0; i < reader->mesh->index_count && !reader->status; i++)
            if (reader->mesh->indices[i] >= reader->mesh->vertex_count)
                obj_fail(reader, NULL, "either faces or indices");
}

enum status mesh_read_obj(const char *path, struct mesh *mesh, struct diagnostics *diagnostics)
{
    struct reader reader = {.mesh = mesh};
    struct key_table corners = {0};
    enum status status = text_open(path, &reader.text, diagnostics);
    if (status)
        return status;
    while (!reader.status && text_line(&reader.text))
        take_line(&reader, &corners);
    if (!reader.status)
        reader.status = reader.text.status;
    if (!reader.status)
        obj_finish(&reader);
    text_close(&reader.text);
    key_table_free(&corners);
    free(reader.positions.items);
    free(reader.normals.items);
    free(reader.textures.items);
    free(reader.sways.items);
    return reader.status;
}
