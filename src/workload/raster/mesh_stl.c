/* Reads .stl, binary or text: triangles of three vertices each. Vertices that triangles share are
 * there several times, and stay so: shading is flat, as the format is. Its normals are not read,
 * because programs leave them out or wrong. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "workload/raster/mesh.h"
#include "workload/raster/mesh_file.h"

enum { HEAD = 80, COUNT = 4, TRIANGLE = 50, NORMAL = 12, VERTEX = 12 };

static enum status add_corner(const struct mesh_file *file, size_t at, const double position[3],
                              struct mesh *mesh)
{
    const struct mesh_vertex vertex = {0};
    for (unsigned k = 0; k < 3; k++)
        if (!isfinite(position[k]))
            return mesh_file_expected(file, at, "a finite position");
    const enum status status = mesh_add_exact(mesh, &vertex, position);
    const uint32_t last = (uint32_t)mesh->vertex_count - 1;
    if (status || mesh->vertex_count % 3)
        return status;
    return mesh_add_triangle(mesh, last - 2, last - 1, last);
}

/* After 80 bytes of anything the count of triangles: a normal, three vertices and two bytes each.
 */
static enum status read_binary(const struct mesh_file *file, struct mesh *mesh)
{
    enum status status = STATUS_OK;
    for (size_t at = HEAD + COUNT; at < file->size && !status; at += TRIANGLE)
        for (size_t corner = 0; corner < 3 && !status; corner++) {
            const size_t from = at + NORMAL + corner * VERTEX;
            double position[3];
            for (size_t k = 0; k < 3; k++)
                position[k] = mesh_file_real(file, from + 4 * k, 4, false);
            status = add_corner(file, from, position, mesh);
        }
    return status;
}

/* "vertex x y z"; of the other words only the end of a loop says something. */
static enum status stl_read_text(struct mesh_file *file, struct mesh *mesh)
{
    enum status status = STATUS_OK;
    size_t length;
    for (const char *word; !status && (word = mesh_file_word(file, &length)) != NULL;) {
        const size_t at = (size_t)(word - file->bytes);
        double position[3];
        if (length == 7 && !strncmp(word, "endloop", 7) && mesh->vertex_count % 3)
            return mesh_file_expected(file, at, "three vertices a loop");
        if (length != 6 || strncmp(word, "vertex", 6) != 0)
            continue;
        for (unsigned k = 0; k < 3; k++)
            if (!mesh_file_number(file, &position[k]))
                return mesh_file_expected(file, file->at, "a number");
        status = add_corner(file, at, position, mesh);
    }
    if (!status && mesh->vertex_count % 3)
        return mesh_file_expected(file, file->size, "three vertices a loop");
    return status;
}

/* Binary files may begin with "solid", too, so their size decides. */
static bool is_binary(const struct mesh_file *file)
{
    return file->size >= HEAD + COUNT && (file->size - HEAD - COUNT) % TRIANGLE == 0 &&
           (file->size - HEAD - COUNT) / TRIANGLE == mesh_file_integer(file, HEAD, COUNT, false);
}

enum status mesh_read_stl(const char *path, struct mesh *mesh, struct diagnostics *diagnostics)
{
    struct mesh_file file;
    size_t length;
    mesh->lacks_normals = true;
    enum status status = mesh_file_load(path, &file, diagnostics);
    if (status)
        return status;
    if (is_binary(&file)) {
        status = read_binary(&file, mesh);
    } else {
        const char *word = mesh_file_word(&file, &length);
        if (!word || length != 5 || strncasecmp(word, "solid", 5) != 0) {
            status =
                mesh_file_expected(&file, 0,
                                   "the word solid, or 84 bytes and 50 for each triangle, whose "
                                   "count stands at offset 80");
        } else {
            file.text = true;
            status = stl_read_text(&file, mesh);
        }
    }
    if (!status && !mesh->index_count)
        status = mesh_file_expected(&file, file.size, "a triangle");
    mesh_file_free(&file);
    return status;
}
