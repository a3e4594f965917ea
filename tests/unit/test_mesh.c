/* Meshes: what files mean, where they are wrong, that no file crashes the readers; and our shapes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "support/temporary.h"
#include "workload/raster/mesh.h"

static void assert_sound(const struct mesh *mesh)
{
    assert_true(mesh->index_count >= 3 && mesh->index_count % 3 == 0);
    for (size_t i = 0; i < mesh->index_count; i++)
        assert_true(mesh->indices[i] < mesh->vertex_count);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const struct vector3 p = mesh->vertices[i].position;
        assert_true(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
    }
}

static void read_text(const char *name, const char *text, struct mesh *mesh)
{
    char path[TEMPORARY_PATH];
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    temporary_file(temporary_folder, name, text, 0, path);
    assert_int_equal(mesh_read(path, false, mesh, &diagnostics), STATUS_OK);
    assert_int_equal(diagnostics.count, 0);
    assert_sound(mesh);
}

static void faces_of_obj(void **state)
{
    (void)state;
    struct mesh mesh;
    read_text("quad.obj",
              "# a comment\no thing\nv 0 0 0\nv 1 0 0 1\nv 1 1 0\n\tv\t0 1 0\r\n"
              "vt 0.5\nvt 1 0.25\nvn 0 0 2\ns off\nf 1/1/1 2/2/1 -2/2/1 -1//1\n",
              &mesh);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.index_count, 6);
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(mesh.indices, indices, sizeof indices);
    assert_true(mesh.vertices[1].u == 1 && mesh.vertices[1].v == 0.25f);
    assert_true(mesh.vertices[0].u == 0.5f && mesh.vertices[0].v == 0);
    assert_true(mesh.vertices[3].position.y == 1 && mesh.vertices[3].u == 0);
    assert_true(mesh.vertices[2].normal.z == 1);
    mesh_free(&mesh);
    read_text("more.obj",
              "v 0 0 0 # a corner\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0.5 # half\n"
              "f 1 2 3 \\\n 4 # a quad\n",
              &mesh);
    assert_int_equal(mesh.index_count, 6);
    mesh_free(&mesh);
    /* A corner with other coordinates is another vertex; normals that lack are made. */
    read_text("two.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 1\nf 1/1 2 3\nf 1/2 2 3\n",
              &mesh);
    assert_int_equal(mesh.vertex_count, 4);
    assert_true(mesh.vertices[3].normal.z == 1);
    mesh_free(&mesh);
}

static void indices_of_jobj(void **state)
{
    (void)state;
    struct mesh mesh;
    read_text("a.jobj",
              "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 1 0 0\nvn 1 0 0\nvn 1 0 0\nvc 0 0 7\nvt 0.5 0.5 0\n"
              "i 2\ni 1\ni 0\n",
              &mesh);
    assert_int_equal(mesh.vertex_count, 3);
    assert_int_equal(mesh.indices[0], 2);
    assert_true(mesh.vertices[0].sway.z == 7 && mesh.vertices[1].sway.z == 0);
    assert_true(mesh.vertices[2].normal.x == 1 && mesh.vertices[0].u == 0.5f);
    mesh_free(&mesh);
}

/* Normals and texture coordinates that faces name and the file does not have: one warning of each,
 * at the first, and the normals are made. */
static void names_of_what_is_not_there(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned warnings, line;
    } rows[] = {
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//2 3//3\nf 3//1 2//2 1//3\n", 1, 4},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 -1\n\nf 1//1 2//-2 3//0\n", 1, 6},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/7/1 2/8/2 3/9/99999999999999999999\n", 2, 4},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 1 1\nf 1/1/ 2/1 3/1/\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[TEMPORARY_PATH];
        struct mesh mesh;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        temporary_file(temporary_folder, "absent.obj", rows[i].text, 0, path);
        assert_int_equal(mesh_read(path, false, &mesh, &diagnostics), STATUS_OK);
        assert_int_equal(diagnostics.count, rows[i].warnings);
        assert_int_equal(diagnostics.errors, 0);
        if (rows[i].warnings)
            assert_int_equal(diagnostics.items[0].line, rows[i].line);
        for (size_t k = 0; k < mesh.vertex_count; k++)
            assert_true(fabsf(mesh.vertices[k].normal.z) == 1 || i == 0);
        assert_true(mesh.vertices[0].u == (i == 3 ? 1 : 0));
        mesh_free(&mesh);
        diagnostics_free(&diagnostics);
    }
}

/* A mesh of radius 1 around the origin, whatever the unit of length and the place of its file. */
static void any_unit_is_one(void **state)
{
    (void)state;
    static const double units[] = {1e-300, 1e-15, 1e-5, 0.0254, 1, 3.7, 1e3, 1e20, 1e300};
    struct mesh first = {0};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char path[TEMPORARY_PATH], text[512];
        size_t used = 0;
        struct mesh mesh;
        static const double corners[5][3] = {
            {1, 1, 1}, {3.3, 1.2, 1}, {1.5, 4.1, 0.7}, {1.1, 1.7, 2.9}, {-99, 0, 0}};
        for (unsigned k = 0; k < 5; k++) /* the last one belongs to no triangle */
            used += (size_t)snprintf(text + used, sizeof text - used, "v %.12g %.12g %.12g\n",
                                     corners[k][0] * units[i], corners[k][1] * units[i],
                                     corners[k][2] * units[i]);
        snprintf(text + used, sizeof text - used, "vn 0 0 %g\nf 1//1 2//1 3//1\nf 1 3 4\n",
                 units[i]);
        temporary_file(temporary_folder, "unit.obj", text, 0, path);
        assert_int_equal(mesh_read(path, true, &mesh, NULL), STATUS_OK);
        assert_sound(&mesh);
        if (i) {
            for (size_t k = 0; k < mesh.vertex_count; k++) {
                const struct vector3 apart =
                    vector_subtract(mesh.vertices[k].position, first.vertices[k].position);
                assert_true(vector_dot(apart, apart) < 1e-13f);
            }
            mesh_free(&mesh);
        } else {
            first = mesh;
        }
    }
    struct vector3 least, most;
    mesh_bounds(&first, &least, &most);
    const struct vector3 extent = vector_subtract(most, least);
    assert_true(fabsf(vector_dot(extent, extent) - 4) < 1e-5f);
    assert_true(fabsf(least.x + most.x) < 1e-6f && fabsf(least.z + most.z) < 1e-6f);
    mesh_free(&first);
}

/* What cannot be drawn is refused. */
static void nothing_to_draw(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
        bool unit;
    } rows[] = {
        {"v 2 2 2\nf 1 1 1\n", "all its triangles lie in one point", true},
        {"v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n", "none of its triangles has an area", true},
        {"v 0 0 0\nv 1e60 0 0\nv 0 1 0\nf 1 2 3\n", "too large for single precision", false},
        {"v 0 0 0\nv 1e-320 0 0\nv 0 1e-320 0\nf 1 2 3\n", "too small or too large", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[TEMPORARY_PATH];
        struct mesh mesh;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        temporary_file(temporary_folder, "nothing.obj", rows[i].text, 0, path);
        assert_int_equal(mesh_read(path, rows[i].unit, &mesh, &diagnostics), STATUS_INVALID);
        assert_int_equal(diagnostics.errors, 1);
        assert_non_null(strstr(diagnostics.items[0].message, rows[i].says));
        diagnostics_free(&diagnostics);
    }
}

static void wrong_text_names_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } rows[] = {
        {"v 0 0 0\nv 1 x 0\n", 2, "expected a number"},
        {"v 0 0\n", 1, "expected a number"},
        {"v 0 0 nan\n", 1, "expected a number"},
        {"v 0 0 1e999\n", 1, "expected a number"},
        {"v 0 0 0\n\nf 1 1 2\n", 3, "number of a vertex"},
        {"v 0 0 0\nf 1 1 0\n", 2, "number of a vertex"},
        {"v 0 0 0\nf 1 1 -2\n", 2, "number of a vertex"},
        {"v 0 0 0\nf 1/x 1 1\n", 2, "number of a texture coordinate or normal"},
        {"v 0 0 0\nf 1//- 1 1\n", 2, "number of a texture coordinate or normal"},
        {"v 0 0 0\nvt 0\nvn 0 0 1\nf 1/1/1/1 1 1\n", 4, "number of a texture coordinate or normal"},
        {"v 0 0 0\nf 1 1\n", 2, "three corners"},
        {"v 0 0 0\nf 1 1 1x\n", 2, "number of a texture coordinate or normal"},
        {"v 0 0 0\ni 1\n", 2, "from 0 on"},
        {"i 0\n", 1, "from 0 on"},
        {"v 0 0 0\ni 0\ni 0\n", 3, "three indices"},
        {"v 0 0 0\n", 1, "expected a triangle"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[TEMPORARY_PATH];
        struct mesh mesh;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        temporary_file(temporary_folder, "wrong.obj", rows[i].text, 0, path);
        assert_int_equal(mesh_read(path, false, &mesh, &diagnostics), STATUS_INVALID);
        assert_int_equal(diagnostics.errors, 1);
        assert_int_equal(diagnostics.items[0].line, rows[i].line);
        assert_non_null(strstr(diagnostics.items[0].message, rows[i].says));
        diagnostics_free(&diagnostics);
    }
}

/* Builds chunks from the inside out. */
struct bytes {
    unsigned char items[512];
    size_t count;
};

static void put(struct bytes *bytes, uint32_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        bytes->items[bytes->count++] = (unsigned char)(value >> (8 * i));
}

static void put_float(struct bytes *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(bytes, bits, 4);
}

static struct bytes chunk(uint32_t kind, const struct bytes *body)
{
    struct bytes result = {.count = 0};
    put(&result, kind, 2);
    put(&result, (uint32_t)body->count + 6, 4);
    memcpy(result.items + result.count, body->items, body->count);
    result.count += body->count;
    return result;
}

static void join(struct bytes *to, const struct bytes *from)
{
    memcpy(to->items + to->count, from->items, from->count);
    to->count += from->count;
}

static struct bytes triangle_3ds(uint32_t last_corner)
{
    struct bytes positions = {.count = 0}, faces = {.count = 0}, textures = {.count = 0};
    struct bytes mesh = {.count = 0}, object = {.items = "name", .count = 5};
    put(&positions, 3, 2);
    for (unsigned i = 0; i < 9; i++)
        put_float(&positions, i == 3 || i == 7 ? 2 : 0);
    put(&faces, 1, 2);
    put(&faces, 0, 2);
    put(&faces, 1, 2);
    put(&faces, last_corner, 2);
    put(&faces, 7, 2);
    put(&textures, 1, 2);
    put_float(&textures, 0.5f);
    put_float(&textures, 0.75f);
    const struct bytes inner[] = {chunk(0x4110, &positions), chunk(0x4120, &faces),
                                  chunk(0x4140, &textures), chunk(0x4160, &positions)};
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        join(&mesh, &inner[i]);
    mesh = chunk(0x4100, &mesh);
    join(&object, &mesh);
    object = chunk(0x4000, &object);
    struct bytes twice = object;
    join(&twice, &object);
    twice = chunk(0x3d3d, &twice);
    return chunk(0x4d4d, &twice);
}

static enum status read_bytes(const char *name, const void *bytes, size_t size, struct mesh *mesh,
                              struct diagnostics *diagnostics)
{
    char path[TEMPORARY_PATH];
    temporary_file(temporary_folder, name, bytes, size, path);
    return mesh_read(path, false, mesh, diagnostics);
}

static void chunks_of_3ds(void **state)
{
    (void)state;
    const struct bytes good = triangle_3ds(2), bad = triangle_3ds(3);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct mesh mesh;
    assert_int_equal(read_bytes("a.3ds", good.items, good.count, &mesh, NULL), STATUS_OK);
    assert_sound(&mesh);
    assert_int_equal(mesh.vertex_count, 6);
    static const uint32_t indices[] = {0, 1, 2, 3, 4, 5}; /* two objects */
    assert_int_equal(mesh.index_count, 6);
    assert_memory_equal(mesh.indices, indices, sizeof indices);
    assert_true(mesh.vertices[4].position.x == 2 && mesh.vertices[3].v == 0.75f);
    assert_true(mesh.vertices[0].normal.z == 1);
    mesh_free(&mesh);
    assert_int_equal(read_bytes("b.3ds", bad.items, bad.count, &mesh, &diagnostics),
                     STATUS_INVALID);
    assert_int_equal(diagnostics.errors, 1);
    assert_true(diagnostics.items[0].has_offset);
    diagnostics_free(&diagnostics);
    for (size_t length = 1; length < good.count; length++) /* a file that ends too early */
        assert_int_equal(read_bytes("c.3ds", good.items, length, &mesh, NULL), STATUS_INVALID);
}

/* A square of two triangles in both forms of .stl; either may begin with the word solid. */
static struct bytes square_stl(const char *head)
{
    static const float corners[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},
                                        {0, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    struct bytes bytes = {.count = 80};
    memcpy(bytes.items, head, strlen(head));
    put(&bytes, 2, 4);
    for (size_t i = 0; i < 6; i++) {
        for (unsigned k = 0; k < 3 && i % 3 == 0; k++)
            put_float(&bytes, 0); /* the normal, left out */
        for (unsigned k = 0; k < 3; k++)
            put_float(&bytes, corners[i][k]);
        if (i % 3 == 2)
            put(&bytes, 0xffff, 2);
    }
    return bytes;
}

static void triangles_of_stl(void **state)
{
    (void)state;
    static const char text[] =
        "solid square\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
        "   vertex 1.0e+000 1 0\n  endloop\n endfacet\nfacet normal 0 0 0 outer loop\r\n"
        "vertex 0 0 0 vertex 1 1 0\tvertex 0 1 0\nendloop endfacet\nendsolid square";
    const struct bytes forms[] = {square_stl("made by hand"), square_stl("solid square")};
    for (int i = 0; i < 3; i++) {
        struct mesh mesh;
        assert_int_equal(i < 2 ? read_bytes("a.stl", forms[i].items, forms[i].count, &mesh, NULL)
                               : read_bytes("a.STL", text, sizeof text - 1, &mesh, NULL),
                         STATUS_OK);
        assert_sound(&mesh);
        assert_int_equal(mesh.vertex_count, 6);
        assert_int_equal(mesh.index_count, 6);
        assert_true(mesh.vertices[2].position.x == 1 && mesh.vertices[5].position.y == 1);
        assert_true(mesh.vertices[0].normal.z == 1);
        mesh_free(&mesh);
    }
}

/* The same square in each of the formats of .ply, with what a reader has to skip. */
static void faces_of_ply(void **state)
{
    (void)state;
    static const char header[] =
        "ply\nformat %s 1.0\ncomment element face 7\nobj_info made by hand\n"
        "element vertex 4\nproperty float x\nproperty float32 y\nproperty double z\n"
        "property list uchar short others\nproperty uchar red\nproperty float u\n"
        "element face 1\nproperty uchar flags\nproperty list uint8 int vertex_indices\n"
        "element edge 0\nproperty int vertex1\nend_header\n";
    static const char *const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int i = 0; i < 3; i++) {
        struct bytes file = {.count = 0};
        struct mesh mesh;
        file.count = (size_t)snprintf((char *)file.items, sizeof file.items, header, formats[i]);
        if (!i)
            file.count += (size_t)snprintf(
                (char *)file.items + file.count, sizeof file.items - file.count,
                "0 0 0 0 255 0.5\n1 0 0 2 -1 7 255 0\n1 1 0 0 255 0\n0 1 0 0 255 0 7 4 0 1 2 3");
        for (uint32_t v = 0; v < 4 && i; v++) {
            const float numbers[] = {v == 1 || v == 2, v >= 2, 0, 0, v ? 0 : 0.5f};
            for (unsigned k = 0; k < 5; k++) {
                uint32_t bits;
                memcpy(&bits, &numbers[k], sizeof bits);
                if (k == 4)
                    put(&file, 0xff00, 2); /* no others, and red */
                put(&file, i == 2 ? __builtin_bswap32(bits) : bits, 4);
            }
        }
        if (i)
            put(&file, 0x0407, 2);
        for (uint32_t v = 0; v < 4 && i; v++)
            put(&file, i == 2 ? __builtin_bswap32(v) : v, 4);
        assert_int_equal(read_bytes("a.ply", file.items, file.count, &mesh, NULL), STATUS_OK);
        assert_sound(&mesh);
        static const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
        assert_int_equal(mesh.vertex_count, 4);
        assert_int_equal(mesh.index_count, 6);
        assert_memory_equal(mesh.indices, indices, sizeof indices);
        assert_true(mesh.vertices[2].position.y == 1 && mesh.vertices[0].u == 0.5f);
        assert_true(mesh.vertices[3].normal.z == 1);
        mesh_free(&mesh);
        for (size_t length = 1; length < file.count - 1; length++)
            assert_int_equal(read_bytes("b.ply", file.items, length, &mesh, NULL), STATUS_INVALID);
    }
}

/* What is wrong with them, where. */
/* Strips are the triangles that faces list one by one: the second of two is turned, one without an
 * area is left out, and -1 begins anew. */
static void strips_of_ply(void **state)
{
    (void)state;
    static const char vertices[] =
        "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\n"
        "property float z\n";
    static const char values[] = "end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n1 2 1\n";
    char strips[600], faces[600];
    struct mesh found, expected;
    snprintf(strips, sizeof strips,
             "%selement tristrips 1\nproperty list int int vertex_indices\n%s"
             "13 0 1 2 3 3 4 5 -1 -1 2 3 4 5\n",
             vertices, values);
    snprintf(faces, sizeof faces,
             "%selement face 5\nproperty list uchar int vertex_indices\n%s"
             "3 0 1 2\n3 2 1 3\n3 3 4 5\n3 2 3 4\n3 4 3 5\n",
             vertices, values);
    assert_int_equal(read_bytes("a.ply", strips, strlen(strips), &found, NULL), STATUS_OK);
    assert_int_equal(read_bytes("b.ply", faces, strlen(faces), &expected, NULL), STATUS_OK);
    assert_int_equal(found.index_count, expected.index_count);
    assert_memory_equal(found.indices, expected.indices, found.index_count * sizeof *found.indices);
    mesh_free(&found);
    mesh_free(&expected);
}

static void wrong_ply_and_stl(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        unsigned line;
        const char *says;
    } rows[] = {
        {"a.ply", "plx\n", 1, "the word ply"},
        {"a.ply", "ply\nformat text 1.0\n", 2, "ascii, binary_little_endian"},
        {"a.ply", "ply\nformat ascii 1.0\nproperty float x\n", 3, "of an element"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex many\n", 3, "and its count"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n", 4, "a type"},
        {"a.ply", "ply\nformat ascii 1.0\nelements\n", 3, "expected format, element"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\nx\n", 6,
         "a number"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n", 6,
         "a triangle"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nelement face 1\n"
         "property list uchar int vertex_index\nend_header\n1\n3 0 0 1\n",
         9, "the number of a vertex above"},
        {"a.stl", "cube\n", 0, "the word solid"},
        {"a.stl", "solid\nvertex 1 2 z\n", 2, "a number"},
        {"a.stl", "solid\nvertex 1 2 3\nvertex 1 2 3\nendloop\n", 4, "three vertices a loop"},
        {"a.stl", "solid nothing\nendsolid\n", 3, "a triangle"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mesh mesh;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        assert_int_equal(
            read_bytes(rows[i].name, rows[i].text, strlen(rows[i].text), &mesh, &diagnostics),
            STATUS_INVALID);
        assert_int_equal(diagnostics.errors, 1);
        if (!strstr(diagnostics.items[0].message, rows[i].says) ||
            diagnostics.items[0].line != rows[i].line)
            fail_msg("'%s': line %u: %s", rows[i].text, diagnostics.items[0].line,
                     diagnostics.items[0].message);
        diagnostics_free(&diagnostics);
    }
}

/* A file that is changed anywhere is a mesh or an error. */
static void any_changes(void **state)
{
    (void)state;
    static const char ply[] =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
        "float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0 1 0 0 0 1 0 3 0 1 2\n";
    const struct bytes stl = square_stl("");
    unsigned good = 0;
    for (uint64_t seed = 1; seed < 3000; seed++) {
        unsigned char changed[sizeof ply + sizeof stl];
        const bool is_ply = seed % 2;
        const size_t size = is_ply ? sizeof ply - 1 : stl.count;
        struct mesh mesh;
        memcpy(changed, is_ply ? (const void *)ply : stl.items, size);
        for (uint64_t k = 0; k < 1 + seed % 3; k++)
            changed[random_below(random_at(seed, 2 * k), size)] =
                (unsigned char)random_at(seed, 2 * k + 1);
        if (!read_bytes(is_ply ? "x.ply" : "x.stl", changed, size, &mesh, NULL)) {
            assert_sound(&mesh);
            mesh_free(&mesh);
            good++;
        }
    }
    assert_true(good > 100);
}

static void any_bytes(void **state)
{
    (void)state;
    static const char text[] =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2//1 3\nf 1 2 3\n"
        "vc 1 1 1\ni 0\ni 1\ni 2\n";
    static const char odd[] = "\0\n /-.19eivfntc#\xff";
    const struct bytes chunks = triangle_3ds(2);
    unsigned good = 0;
    for (uint64_t seed = 1; seed < 6000; seed++) {
        unsigned char changed[sizeof text + sizeof chunks];
        const bool is_text = seed % 2;
        const size_t size = is_text ? sizeof text - 1 : chunks.count;
        struct mesh mesh;
        memcpy(changed, is_text ? (const void *)text : chunks.items, size);
        for (uint64_t k = 0; k < 1 + seed % 5; k++) {
            const uint64_t at = random_below(random_at(seed, 2 * k), size);
            const uint64_t bits = random_at(seed, 2 * k + 1);
            changed[at] = is_text ? (unsigned char)odd[random_below(bits, sizeof odd - 1)]
                                  : (unsigned char)bits;
        }
        if (!read_bytes(is_text ? "x.obj" : "x.3ds", changed, size, &mesh, NULL)) {
            assert_sound(&mesh);
            mesh_free(&mesh);
            good++;
        }
    }
    assert_true(good > 100);
}

/* Closed shapes: each edge belongs to two triangles, in opposite directions. */
static void the_knot_is_closed(void **state)
{
    (void)state;
    struct mesh mesh = {0};
    assert_int_equal(mesh_make_knot(&mesh, 6), STATUS_OK);
    assert_sound(&mesh);
    assert_int_equal(mesh.index_count / 3, 16 * 6 * 6);
    const size_t n = mesh.vertex_count;
    int *edges = calloc(n * n, sizeof *edges);
    double inside = 0;
    for (size_t i = 0; i < mesh.index_count; i += 3) {
        const uint32_t *t = mesh.indices + i;
        for (unsigned k = 0; k < 3; k++) {
            edges[t[k] * n + t[(k + 1) % 3]]++;
            edges[t[(k + 1) % 3] * n + t[k]]--;
        }
        inside += (double)vector_dot(
            mesh.vertices[t[0]].position,
            vector_cross(mesh.vertices[t[1]].position, mesh.vertices[t[2]].position));
    }
    for (size_t i = 0; i < n * n; i++)
        assert_int_equal(edges[i], 0);
    assert_true(inside > 0); /* six times the volume: faces look outwards */
    free(edges);
    mesh_free(&mesh);
}

static void shapes_are_sound(void **state)
{
    (void)state;
    for (uint32_t detail = 1; detail < 40; detail += 3) {
        struct mesh knot = {0}, jelly = {0};
        struct vector3 least, most;
        assert_int_equal(mesh_make_knot(&knot, detail), STATUS_OK);
        assert_int_equal(mesh_make_jelly(&jelly, detail), STATUS_OK);
        assert_sound(&knot);
        assert_sound(&jelly);
        mesh_bounds(&jelly, &least, &most);
        assert_true(most.y > 1.5f && least.y < -6 && most.x < 3);
        mesh_free(&knot);
        mesh_free(&jelly);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_of_obj),
        cmocka_unit_test(indices_of_jobj),
        cmocka_unit_test(names_of_what_is_not_there),
        cmocka_unit_test(any_unit_is_one),
        cmocka_unit_test(nothing_to_draw),
        cmocka_unit_test(wrong_text_names_its_line),
        cmocka_unit_test(chunks_of_3ds),
        cmocka_unit_test(triangles_of_stl),
        cmocka_unit_test(faces_of_ply),
        cmocka_unit_test(strips_of_ply),
        cmocka_unit_test(wrong_ply_and_stl),
        cmocka_unit_test(any_changes),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(the_knot_is_closed),
        cmocka_unit_test(shapes_are_sound),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
