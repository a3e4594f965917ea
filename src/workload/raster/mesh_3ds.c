/* Reads Autodesk's .3ds: nested chunks of u16 kind and u32 length. A triangle mesh (0x4100) has
 * positions (0x4110), faces (0x4120) and texture coordinates (0x4140); meshes of a file are joined.
 * A reader goes through the file once, within a copy of bounded size. */
#include "workload/raster/mesh.h"
#include "workload/raster/mesh_file.h"

enum {
    CHUNK_MAIN = 0x4d4d,
    CHUNK_EDITOR = 0x3d3d,
    CHUNK_OBJECT = 0x4000,
    CHUNK_MESH = 0x4100,
    CHUNK_POSITIONS = 0x4110,
    CHUNK_FACES = 0x4120,
    CHUNK_TEXTURE = 0x4140,
    CHUNK_HEAD = 6,
    DEPTH_MOST = 8 /* of chunks in chunks */
};

struct reader {
    struct mesh_file file;
    struct mesh *mesh;
    size_t first; /* vertex of the mesh chunk that is being read */
};

static uint32_t number_at(const struct reader *reader, size_t at, unsigned bytes)
{
    return (uint32_t)mesh_file_integer(&reader->file, at, bytes, false);
}

static float float_at(const struct reader *reader, size_t at)
{
    return (float)mesh_file_real(&reader->file, at, 4, false);
}

static enum status mesh_3ds_fail(const struct reader *reader, size_t at, const char *what)
{
    const struct place place = {.file = reader->file.path, .offset = at, .has_offset = true};
    diagnostics_add(reader->file.diagnostics, SEVERITY_ERROR, &place, "%s", what);
    return STATUS_INVALID;
}

/* The u16 count at the head of a list, of which each item has `bytes`; the list must fit. */
static enum status list_count(const struct reader *reader, size_t at, size_t end, size_t bytes,
                              size_t *count)
{
    *count = 0;
    if (at + 2 > end)
        return mesh_3ds_fail(reader, at, "expected a count, found the end of the chunk");
    *count = number_at(reader, at, 2);
    if (*count * bytes > end - (at + 2))
        return mesh_3ds_fail(reader, at, "the list is longer than its chunk");
    return STATUS_OK;
}

static enum status read_positions(struct reader *reader, size_t at, size_t end)
{
    size_t count;
    enum status status = list_count(reader, at, end, 12, &count);
    reader->first = reader->mesh->vertex_count;
    for (size_t i = 0; i < count && !status; i++) {
        const size_t from = at + 2 + 12 * i;
        const struct mesh_vertex vertex = {0};
        double position[3];
        for (size_t k = 0; k < 3; k++)
            position[k] = (double)float_at(reader, from + 4 * k);
        if (!isfinite(position[0]) || !isfinite(position[1]) || !isfinite(position[2]))
            return mesh_3ds_fail(reader, from, "expected a finite position");
        status = mesh_add_exact(reader->mesh, &vertex, position);
    }
    return status;
}

static enum status read_faces(struct reader *reader, size_t at, size_t end)
{
    size_t count;
    enum status status = list_count(reader, at, end, 8, &count);
    const size_t vertices = reader->mesh->vertex_count - reader->first;
    for (size_t i = 0; i < count && !status; i++) {
        const size_t from = at + 2 + 8 * i;
        uint32_t corners[3];
        for (unsigned k = 0; k < 3; k++) {
            corners[k] = number_at(reader, from + 2 * k, 2);
            if (corners[k] >= vertices)
                return mesh_3ds_fail(reader, from + 2 * k, "the vertex does not exist");
            corners[k] += (uint32_t)reader->first;
        }
        status = mesh_add_triangle(reader->mesh, corners[0], corners[1], corners[2]);
    }
    return status;
}

static enum status read_texture(struct reader *reader, size_t at, size_t end)
{
    size_t count;
    const enum status status = list_count(reader, at, end, 8, &count);
    for (size_t i = 0; i < count && !status; i++) {
        if (reader->first + i >= reader->mesh->vertex_count)
            return mesh_3ds_fail(reader, at, "more texture coordinates than vertices");
        struct mesh_vertex *vertex = &reader->mesh->vertices[reader->first + i];
        const size_t from = at + 2 + 8 * i;
        vertex->u = float_at(reader, from);
        vertex->v = float_at(reader, from + 4);
        if (!isfinite(vertex->u) || !isfinite(vertex->v))
            return mesh_3ds_fail(reader, from, "expected finite texture coordinates");
    }
    return status;
}

static enum status read_chunks(struct reader *reader, size_t at, size_t end, unsigned depth);

static enum status read_chunk(struct reader *reader, uint32_t kind, size_t at, size_t end,
                              unsigned depth)
{
    switch (kind) {
    case CHUNK_OBJECT: /* begins with a name */
        while (at < end && reader->file.bytes[at])
            at++;
        if (at == end)
            return mesh_3ds_fail(reader, at, "expected a name that ends with a zero");
        return read_chunks(reader, at + 1, end, depth + 1);
    case CHUNK_MAIN:
    case CHUNK_EDITOR:
    case CHUNK_MESH:
        return read_chunks(reader, at, end, depth + 1);
    case CHUNK_POSITIONS:
        return read_positions(reader, at, end);
    case CHUNK_FACES:
        return read_faces(reader, at, end);
    case CHUNK_TEXTURE:
        return read_texture(reader, at, end);
    default:
        return STATUS_OK;
    }
}

static enum status read_chunks(struct reader *reader, size_t at, size_t end, unsigned depth)
{
    enum status status = STATUS_OK;
    if (depth > DEPTH_MOST)
        return mesh_3ds_fail(reader, at, "chunks are nested too deeply");
    while (!status && at < end) {
        if (end - at < CHUNK_HEAD)
            return mesh_3ds_fail(reader, at, "expected a chunk, found fewer than 6 bytes");
        const uint32_t kind = number_at(reader, at, 2), length = number_at(reader, at + 2, 4);
        if (length < CHUNK_HEAD || length > end - at)
            return mesh_3ds_fail(reader, at + 2, "a chunk of a length that does not fit");
        status = read_chunk(reader, kind, at + CHUNK_HEAD, at + length, depth);
        at += length;
    }
    return status;
}

enum status mesh_read_3ds(const char *path, struct mesh *mesh, struct diagnostics *diagnostics)
{
    struct reader reader = {.mesh = mesh};
    enum status status = mesh_file_load(path, &reader.file, diagnostics);
    const size_t size = reader.file.size;
    mesh->lacks_normals = true;
    if (status)
        return status;
    if (size < CHUNK_HEAD || number_at(&reader, 0, 2) != CHUNK_MAIN)
        status = mesh_3ds_fail(&reader, 0, "expected the main chunk of a .3ds file");
    else
        status = read_chunks(&reader, 0, size, 0);
    if (!status && !mesh->index_count)
        status = mesh_3ds_fail(&reader, size, "expected a triangle, found the end");
    mesh_file_free(&reader.file);
    return status;
}
