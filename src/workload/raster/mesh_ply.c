/* Reads .ply: a header in words that lists elements ("vertex", "face", any others) and their
 * properties, and then their values, as text or in binary of either byte order. Of vertices
 * positions, normals and texture coordinates are read, of faces the list of their vertices, which
 * is a fan of triangles, of "tristrips" the list of vertices of strips, which -1 ends; all else is
 * skipped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "workload/raster/mesh.h"
#include "workload/raster/mesh_file.h"

/* The types of the format under both of their names. */
static const struct type {
    const char *name, *other;
    unsigned bytes;
    bool real, is_signed;
} types[] = {{"char", "int8", 1, false, true},    {"uchar", "uint8", 1, false, false},
             {"short", "int16", 2, false, true},  {"ushort", "uint16", 2, false, false},
             {"int", "int32", 4, false, true},    {"uint", "uint32", 4, false, false},
             {"float", "float32", 4, true, true}, {"double", "float64", 8, true, true}};

/* What a property is to a mesh. The order up to T is that of struct corner. */
enum role { X, Y, Z, NX, NY, NZ, S, T, ROLES, CORNERS = ROLES, NOTHING };

static const struct {
    const char *name;
    enum role role;
} names[] = {{"x", X},
             {"y", Y},
             {"z", Z},
             {"nx", NX},
             {"ny", NY},
             {"nz", NZ},
             {"s", S},
             {"t", T},
             {"u", S},
             {"v", T},
             {"texture_u", S},
             {"texture_v", T},
             {"vertex_index", CORNERS},
             {"vertex_indices", CORNERS}};

struct property {
    const struct type *type, *count; /* `count`: of a list; else NULL */
    enum role role;
};

struct element {
    uint64_t count;
    size_t first, properties; /* in ply.properties */
    bool vertex, face, strips;
};

/* The triangles that a list of vertices makes: of a fan all have its first vertex, of a strip each
 * has the last two before it, and every other one is turned. */
struct outline {
    bool strip;
    uint64_t count; /* of vertices so far */
    uint32_t first, last;
};

struct ply {
    struct mesh_file file;
    struct mesh *mesh;
    struct element *elements;
    size_t element_count, element_capacity;
    struct property *properties;
    size_t property_count, property_capacity;
    bool text, big, normals; /* `normals`: every vertex has one */
};

/* ---- header ---- */

static bool is_word(const char *word, size_t length, const char *other)
{
    return word && strlen(other) == length && !strncmp(word, other, length);
}

static const struct type *type_named(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_word(word, length, types[i].name) || is_word(word, length, types[i].other))
            return &types[i];
    return NULL;
}

static enum role role_named(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_word(word, length, names[i].name))
            return names[i].role;
    return NOTHING;
}

/* "format ascii 1.0" */
static enum status read_format(struct ply *ply)
{
    struct mesh_file *file = &ply->file;
    size_t length, at;
    const char *word = mesh_file_word(file, &length);
    at = file->at - length;
    ply->text = is_word(word, length, "ascii");
    ply->big = is_word(word, length, "binary_big_endian");
    if (!ply->text && !ply->big && !is_word(word, length, "binary_little_endian"))
        return mesh_file_expected(file, at, "ascii, binary_little_endian or binary_big_endian");
    (void)mesh_file_word(file, &length); /* the version, which was never another */
    return STATUS_OK;
}

static enum status read_element(struct ply *ply)
{
    struct mesh_file *file = &ply->file;
    size_t length;
    double count;
    const char *word = mesh_file_word(file, &length);
    struct element element = {.first = ply->property_count,
                              .vertex = is_word(word, length, "vertex"),
                              .face = is_word(word, length, "face"),
                              .strips = is_word(word, length, "tristrips")};
    if (!word || !mesh_file_number(file, &count) || count < 0 || count > 0x1p40)
        return mesh_file_expected(file, file->at, "the name of an element and its count");
    element.count = (uint64_t)count;
    if (array_reserve(&ply->elements, &ply->element_capacity, ply->element_count + 1))
        return STATUS_MEMORY;
    ply->elements[ply->element_count++] = element;
    return STATUS_OK;
}

/* "property float x", "property list uchar int vertex_indices" */
static enum status read_property(struct ply *ply)
{
    struct mesh_file *file = &ply->file;
    struct property property = {0};
    size_t length;
    const char *word = mesh_file_word(file, &length);
    const bool list = is_word(word, length, "list");
    if (list) {
        word = mesh_file_word(file, &length);
        property.count = type_named(word, length);
        if (property.count && property.count->real)
            property.count = NULL;
        word = mesh_file_word(file, &length);
    }
    property.type = type_named(word, length);
    if (!property.type || (list && !property.count) || !ply->element_count)
        return mesh_file_expected(file, file->at - length,
                                  "a type (char, uchar, short, ushort, int, uint, float, double) "
                                  "of a property of an element");
    word = mesh_file_word(file, &length);
    property.role = role_named(word, length);
    if ((property.role == CORNERS) != list)
        property.role = NOTHING;
    if (array_reserve(&ply->properties, &ply->property_capacity, ply->property_count + 1))
        return STATUS_MEMORY;
    ply->properties[ply->property_count++] = property;
    ply->elements[ply->element_count - 1].properties++;
    return STATUS_OK;
}

static void skip_line(struct mesh_file *file)
{
    file->at += strcspn(file->bytes + file->at, "\n");
}

/* Reads up to the first byte of the values. */
static enum status read_header(struct ply *ply)
{
    struct mesh_file *file = &ply->file;
    enum status status = STATUS_OK;
    size_t length;
    const char *word = mesh_file_word(file, &length);
    bool format = false, ended = false;
    file->text = true;
    if (!is_word(word, length, "ply"))
        return mesh_file_expected(file, 0, "the word ply");
    while (!status && !ended && (word = mesh_file_word(file, &length)) != NULL) {
        const size_t at = file->at - length;
        ended = is_word(word, length, "end_header");
        if (is_word(word, length, "format")) {
            status = read_format(ply);
            format = true;
        } else if (is_word(word, length, "element")) {
            status = read_element(ply);
        } else if (is_word(word, length, "property")) {
            status = read_property(ply);
        } else if (is_word(word, length, "comment") || is_word(word, length, "obj_info")) {
            skip_line(file);
        } else if (!ended) {
            status =
                mesh_file_expected(file, at, "format, element, property, comment or end_header");
        }
    }
    if (!status && (!ended || !format))
        return mesh_file_expected(file, file->at, "end_header, and a format before it");
    skip_line(file);
    file->at += file->at < file->size;
    file->text = ply->text;
    return status;
}

/* ---- values ---- */

/* The next value of a type. */
static enum status read_value(struct ply *ply, const struct type *type, double *value)
{
    struct mesh_file *file = &ply->file;
    if (file->text)
        return mesh_file_number(file, value) ? STATUS_OK
                                             : mesh_file_expected(file, file->at, "a number");
    if (type->bytes > file->size - file->at)
        return mesh_file_expected(file, file->size, "as many values as the header says");
    if (type->real) {
        *value = mesh_file_real(file, file->at, type->bytes, ply->big);
    } else {
        const uint64_t bits = mesh_file_integer(file, file->at, type->bytes, ply->big);
        const uint64_t sign = type->is_signed ? (uint64_t)1 << (8 * type->bytes - 1) : 0;
        *value = (double)(int64_t)((bits ^ sign) - sign);
    }
    if (!isfinite(*value))
        return mesh_file_expected(file, file->at, "a finite number");
    file->at += type->bytes;
    return STATUS_OK;
}

static enum status add_corner(struct mesh *mesh, struct outline *outline, uint32_t corner)
{
    const uint32_t first = outline->first, last = outline->last;
    const uint64_t before = outline->count++;
    /* Strips are joined by triangles without an area. */
    const bool empty = first == last || last == corner || first == corner;
    outline->first = !before ? corner : outline->strip ? last : first;
    outline->last = corner;
    if (before < 2 || (outline->strip && empty))
        return STATUS_OK;
    return outline->strip && before % 2 ? mesh_add_triangle(mesh, last, first, corner)
                                        : mesh_add_triangle(mesh, first, last, corner);
}

/* `outline`: of the triangles that its values make, or NULL. */
static enum status read_list(struct ply *ply, const struct property *property,
                             struct outline *outline)
{
    const size_t at = ply->file.at;
    double count = 0, corner = 0;
    enum status status = read_value(ply, property->count, &count);
    if (!status && (count < 0 || floor(count) < count))
        return mesh_file_expected(&ply->file, at, "a count");
    for (double i = 0; i < count && !status; i++) {
        const size_t from = ply->file.at;
        status = read_value(ply, property->type, &corner);
        if (status || !outline)
            continue;
        if (outline->strip && corner < 0 && corner > -2)
            outline->count = 0;
        else if (corner < 0 || corner >= (double)ply->mesh->vertex_count || floor(corner) < corner)
            return mesh_file_expected(&ply->file, from, "the number of a vertex above, from 0 on");
        else
            status = add_corner(ply->mesh, outline, (uint32_t)corner);
    }
    return status;
}

static enum status read_item(struct ply *ply, const struct element *element)
{
    double values[ROLES + 2] = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < element->properties && !status; i++) {
        const struct property *property = &ply->properties[element->first + i];
        struct outline outline = {.strip = element->strips};
        const bool drawn = (element->face || element->strips) && property->role == CORNERS;
        double other;
        if (property->count)
            status = read_list(ply, property, drawn ? &outline : NULL);
        else
            status = read_value(ply, property->type,
                                property->role < ROLES ? &values[property->role] : &other);
    }
    if (status || !element->vertex)
        return status;
    const double square =
        values[NX] * values[NX] + values[NY] * values[NY] + values[NZ] * values[NZ];
    const double scale = square > 0 && isfinite(square) ? 1 / sqrt(square) : 0;
    const struct mesh_vertex vertex = {.normal = {(float)(values[NX] * scale),
                                                  (float)(values[NY] * scale),
                                                  (float)(values[NZ] * scale)},
                                       .u = fabs(values[S]) < 1e30 ? (float)values[S] : 0,
                                       .v = fabs(values[T]) < 1e30 ? (float)values[T] : 0};
    ply->normals &= scale > 0;
    return mesh_add_exact(ply->mesh, &vertex, values);
}

static enum status read_elements(struct ply *ply)
{
    enum status status = STATUS_OK;
    ply->normals = true;
    for (size_t e = 0; e < ply->element_count && !status; e++)
        for (uint64_t i = 0; i < ply->elements[e].count && !status && ply->elements[e].properties;
             i++)
            status = read_item(ply, &ply->elements[e]);
    if (!status && !ply->mesh->index_count)
        status = mesh_file_expected(
            &ply->file, ply->file.at,
            "a triangle (an element face or tristrips with a list vertex_indices)");
    return status;
}

enum status mesh_read_ply(const char *path, struct mesh *mesh, struct diagnostics *diagnostics)
{
    struct ply ply = {.mesh = mesh};
    enum status status = mesh_file_load(path, &ply.file, diagnostics);
    if (!status)
        status = read_header(&ply);
    if (!status)
        status = read_elements(&ply);
    mesh->lacks_normals = !ply.normals;
    mesh_file_free(&ply.file);
    free(ply.elements);
    free(ply.properties);
    return status;
}
