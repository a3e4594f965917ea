#include "support/osmesa.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

/* Constants of OpenGL and OSMesa, whose headers need not be installed. */
enum {
    GL_TRIANGLES = 4,
    GL_DEPTH_BUFFER_BIT = 0x100,
    GL_LEQUAL = 0x203,
    GL_SRC_ALPHA = 0x302,
    GL_ONE_MINUS_SRC_ALPHA = 0x303,
    GL_FRONT = 0x404,
    GL_BACK = 0x405,
    GL_CULL_FACE = 0xb44,
    GL_DEPTH_TEST = 0xb71,
    GL_BLEND = 0xbe2,
    GL_TEXTURE_2D = 0xde1,
    GL_UNSIGNED_BYTE = 0x1401,
    GL_UNSIGNED_INT = 0x1405,
    GL_FLOAT = 0x1406,
    GL_DEPTH_COMPONENT = 0x1902,
    GL_RGBA = 0x1908,
    GL_RENDERER = 0x1f01,
    GL_VERSION = 0x1f02,
    GL_NEAREST = 0x2600,
    GL_TEXTURE_MAG_FILTER = 0x2800,
    GL_TEXTURE_MIN_FILTER = 0x2801,
    GL_TEXTURE_WRAP_S = 0x2802,
    GL_TEXTURE_WRAP_T = 0x2803,
    GL_COLOR_BUFFER_BIT = 0x4000,
    GL_RGBA8 = 0x8058,
    GL_CLAMP_TO_EDGE = 0x812f,
    GL_DEPTH_COMPONENT24 = 0x81a6,
    GL_TEXTURE0 = 0x84c0,
    GL_RGBA32F = 0x8814,
    GL_FRAGMENT_SHADER = 0x8b30,
    GL_VERTEX_SHADER = 0x8b31,
    GL_LINK_STATUS = 0x8b82,
    GL_FRAMEBUFFER_COMPLETE = 0x8cd5,
    GL_COLOR_ATTACHMENT0 = 0x8ce0,
    GL_DEPTH_ATTACHMENT = 0x8d00,
    GL_FRAMEBUFFER = 0x8d40,
    ATTRIBUTES = 3
};

/* X(result, name, parameters) */
#define GL_LIST(X)                                                                                 \
    X(const unsigned char *, GetString, (unsigned name))                                           \
    X(void, Viewport, (int x, int y, int width, int height))                                       \
    X(void, Enable, (unsigned what))                                                               \
    X(void, Disable, (unsigned what))                                                              \
    X(void, DepthFunc, (unsigned function))                                                        \
    X(void, CullFace, (unsigned face))                                                             \
    X(void, BlendFunc, (unsigned source, unsigned destination))                                    \
    X(void, ClearColor, (float red, float green, float blue, float alpha))                         \
    X(void, Clear, (unsigned mask))                                                                \
    X(void, Finish, (void))                                                                        \
    X(void, ReadPixels,                                                                            \
      (int x, int y, int width, int height, unsigned format, unsigned type, void *out))            \
    X(void, GenTextures, (int count, unsigned *names))                                             \
    X(void, DeleteTextures, (int count, const unsigned *names))                                    \
    X(void, ActiveTexture, (unsigned unit))                                                        \
    X(void, BindTexture, (unsigned target, unsigned name))                                         \
    X(void, TexParameteri, (unsigned target, unsigned name, int value))                            \
    X(void, TexImage2D,                                                                            \
      (unsigned target, int level, int internal, int width, int height, int border,                \
       unsigned format, unsigned type, const void *pixels))                                        \
    X(void, GenFramebuffers, (int count, unsigned *names))                                         \
    X(void, DeleteFramebuffers, (int count, const unsigned *names))                                \
    X(void, BindFramebuffer, (unsigned target, unsigned name))                                     \
    X(void, FramebufferTexture2D,                                                                  \
      (unsigned target, unsigned attachment, unsigned of, unsigned name, int level))               \
    X(unsigned, CheckFramebufferStatus, (unsigned target))                                         \
    X(void, DrawBuffer, (unsigned buffer))                                                         \
    X(unsigned, CreateShader, (unsigned kind))                                                     \
    X(void, ShaderSource,                                                                          \
      (unsigned shader, int count, const char *const *text, const int *lengths))                   \
    X(void, CompileShader, (unsigned shader))                                                      \
    X(void, DeleteShader, (unsigned shader))                                                       \
    X(unsigned, CreateProgram, (void))                                                             \
    X(void, AttachShader, (unsigned program, unsigned shader))                                     \
    X(void, BindAttribLocation, (unsigned program, unsigned index, const char *name))              \
    X(void, LinkProgram, (unsigned program))                                                       \
    X(void, GetProgramiv, (unsigned program, unsigned name, int *value))                           \
    X(void, GetProgramInfoLog, (unsigned program, int room, int *length, char *text))              \
    X(void, UseProgram, (unsigned program))                                                        \
    X(void, DeleteProgram, (unsigned program))                                                     \
    X(int, GetUniformLocation, (unsigned program, const char *name))                               \
    X(void, Uniform1i, (int location, int value))                                                  \
    X(void, Uniform1fv, (int location, int count, const float *values))                            \
    X(void, EnableVertexAttribArray, (unsigned index))                                             \
    X(void, VertexAttribPointer,                                                                   \
      (unsigned index, int size, unsigned type, unsigned char normalized, int stride,              \
       const void *pointer))                                                                       \
    X(void, DrawElements, (unsigned mode, int count, unsigned type, const void *indices))

struct osmesa {
    void *library, *context;
    unsigned char *window; /* a context needs one */
    char name[200];
    unsigned cells; /* texture of the discs of picture_at */
    void (*destroy)(void *context);
#define GL_MEMBER(result, name, parameters) result(*name) parameters;
    GL_LIST(GL_MEMBER)
#undef GL_MEMBER
};

typedef void (*function)(void);

/* ---- opening ----------------------------------------------------------------------------------
 */

static bool find_functions(struct osmesa *mesa)
{
    function (*find)(const char *name);
    bool found = true;
    *(void **)&find = dlsym(mesa->library, "OSMesaGetProcAddress");
    if (!find)
        return false;
#define GL_FIND(result, name, parameters)                                                          \
    mesa->name = (result(*) parameters)find("gl" #name);                                           \
    found = found && mesa->name;
    GL_LIST(GL_FIND)
#undef GL_FIND
    return found;
}

static bool open_context(struct osmesa *mesa, uint32_t width, uint32_t height)
{
    void *(*create)(unsigned format, int depth, int stencil, int accumulation, void *share);
    unsigned char (*use)(void *context, void *buffer, unsigned type, int w, int h);
    *(void **)&create = dlsym(mesa->library, "OSMesaCreateContextExt");
    *(void **)&use = dlsym(mesa->library, "OSMesaMakeCurrent");
    *(void **)&mesa->destroy = dlsym(mesa->library, "OSMesaDestroyContext");
    mesa->window = calloc((size_t)width * height, 4);
    if (!create || !use || !mesa->destroy || !mesa->window)
        return false;
    mesa->context = create(GL_RGBA, 24, 0, 0, NULL);
    return mesa->context &&
           use(mesa->context, mesa->window, GL_UNSIGNED_BYTE, (int)width, (int)height);
}

static unsigned make_texture(struct osmesa *mesa, int internal, int width, int height,
                             unsigned format, unsigned type, const void *pixels)
{
    static const struct {
        unsigned name;
        int value;
    } parameters[] = {{GL_TEXTURE_MIN_FILTER, GL_NEAREST},
                      {GL_TEXTURE_MAG_FILTER, GL_NEAREST},
                      {GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE},
                      {GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE}};
    unsigned name;
    mesa->GenTextures(1, &name);
    mesa->BindTexture(GL_TEXTURE_2D, name);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        mesa->TexParameteri(GL_TEXTURE_2D, parameters[i].name, parameters[i].value);
    mesa->TexImage2D(GL_TEXTURE_2D, 0, internal, width, height, 0, format, type, pixels);
    return name;
}

/* The discs of scene.h's picture_at: colour and radius of each cell. */
static void make_cells(struct osmesa *mesa)
{
    enum { CELLS = 12 };
    float cells[CELLS * CELLS][4];
    for (unsigned i = 0; i < CELLS * CELLS; i++) {
        const uint64_t bits = random_at(1, i);
        for (unsigned k = 0; k < 3; k++)
            cells[i][k] = (float)(bits >> (8 * k) & 0xff) / 255;
        cells[i][3] = 0.15f + 0.3f * random_unit(bits);
    }
    mesa->cells = make_texture(mesa, GL_RGBA32F, CELLS, CELLS, GL_RGBA, GL_FLOAT, cells);
}

struct osmesa *osmesa_open(uint32_t width, uint32_t height, const char **why)
{
    struct osmesa *mesa = calloc(1, sizeof *mesa);
    if (!mesa)
        return NULL;
    mesa->library = dlopen("libOSMesa.so.8", RTLD_NOW | RTLD_LOCAL);
    *why = mesa->library ? "libOSMesa.so.8 is too old, or makes no context"
                         : "there is no libOSMesa.so.8 (Debian: libosmesa6)";
    if (!mesa->library || !open_context(mesa, width, height) || !find_functions(mesa)) {
        osmesa_close(mesa);
        return NULL;
    }
    snprintf(mesa->name, sizeof mesa->name, "%s, %s", (const char *)mesa->GetString(GL_VERSION),
             (const char *)mesa->GetString(GL_RENDERER));
    make_cells(mesa);
    return mesa;
}

void osmesa_close(struct osmesa *mesa)
{
    if (mesa->context)
        mesa->destroy(mesa->context);
    if (mesa->library)
        dlclose(mesa->library);
    free(mesa->window);
    free(mesa);
}

const char *osmesa_name(const struct osmesa *mesa)
{
    return mesa->name;
}

/* ---- shaders ----------------------------------------------------------------------------------
 */

static const char vertex_text[] = "#version 130\n"
                                  "in vec4 position, low, high;\n"
                                  "out vec4 a, b;\n"
                                  "void main() { gl_Position = position; a = low; b = high; }\n";

/* Before each fragment shader. */
static const char common_text[] =
    "#version 130\n"
    "in vec4 a, b;\n"
    "uniform float f[16];\n"
    "uniform sampler2D cells, first, second;\n"
    "vec3 picture(vec2 at) {\n"
    "    vec2 p = fract(at) * 12.0;\n"
    "    ivec2 cell = ivec2(p);\n"
    "    vec4 disc = texelFetch(cells, cell, 0);\n"
    "    vec2 d = p - vec2(cell) - 0.5;\n"
    "    float shade = (cell.x + cell.y) % 2 == 1 ? 0.8 : 1.0;\n"
    "    if (dot(d, d) < disc.a * disc.a) return disc.rgb;\n"
    "    return vec3(0.25, 0.3 + 0.04 * p.y, 0.5 + 0.04 * p.x) * shade;\n"
    "}\n";

/* The fragment shaders of the scenes, by scene, pass and draw. */
static const struct {
    const char *scene;
    unsigned pass, draw;
    const char *text;
} shaders[] = {
    {"effect2d", 0, 0,
     "void main() {\n"
     "    vec3 sum = vec3(0.0);\n"
     "    for (int y = -1; y <= 1; y++)\n"
     "        for (int x = -1; x <= 1; x++)\n"
     "            sum += picture(a.xy + vec2(f[2] + float(x) / f[0], float(y) / f[1]));\n"
     "    gl_FragColor = vec4(sum / 9.0, 1.0);\n"
     "}\n"},
    {"shadow", 0, 0, "void main() { gl_FragColor = vec4(1.0); }\n"},
    {"shadow", 1, 0,
     "void main() {\n"
     "    vec3 p = a.xyz / a.w;\n"
     "    float light = 0.6;\n"
     "    if (a.w > 0.0 && abs(p.x) < 1.0 && abs(p.y) < 1.0 &&\n"
     "        texture(first, p.xy * 0.5 + 0.5).r + 0.002 < p.z * 0.5 + 0.5) light = 0.25;\n"
     "    gl_FragColor = vec4(light * vec3(0.8, 1.0, 0.7), 1.0);\n"
     "}\n"},
    {"shadow", 1, 1,
     "void main() {\n"
     "    float light = 0.15 + 0.85 * a.x;\n"
     "    gl_FragColor = vec4(light * vec3(1.0, 0.95, 0.85), 1.0);\n"
     "}\n"},
    {"refract", 0, 0, "void main() { gl_FragColor = vec4(normalize(a.xyz) * 0.5 + 0.5, 1.0); }\n"},
    {"refract", 1, 0,
     "vec2 project(vec3 p) {\n"
     "    return vec2(f[0], f[1]) * p.xy / (p.z < 0.0 ? -p.z : 1.0) * 0.5 + 0.5;\n"
     "}\n"
     "void main() {\n"
     "    vec3 n = normalize(a.xyz), at = vec3(a.w, b.xy), ray = normalize(at);\n"
     "    float z = texture(second, project(at)).r * 2.0 - 1.0;\n"
     "    float far = 2.0 * f[3] * f[2] / (f[3] + f[2] - z * (f[3] - f[2]));\n"
     "    vec3 inside = refract(ray, n, 1.0 / 1.2);\n"
     "    vec2 uv = project(at + inside * max(far + at.z, 0.0));\n"
     "    vec3 leaving = -normalize(texture(first, uv).rgb * 2.0 - 1.0);\n"
     "    vec3 o = refract(inside, leaving, 1.2);\n"
     "    if (dot(o, o) == 0.0) o = reflect(inside, leaving);\n"
     "    float glint = pow(max(dot(reflect(ray, n), vec3(0.408, 0.408, 0.816)), 0.0), 100.0);\n"
     "    gl_FragColor = vec4(picture(o.xy * 0.5 + 0.5) + 0.8 * glint, 1.0);\n"
     "}\n"},
    {"jellyfish", 0, 0,
     "void main() {\n"
     "    float t = a.x * a.x;\n"
     "    gl_FragColor = vec4(mix(vec3(0.36, 0.58, 1.0), vec3(0.075, 0.157, 0.62), t), 1.0);\n"
     "}\n"},
    {"jellyfish", 0, 1,
     "void main() {\n"
     "    vec3 ripple = picture(vec2(b.y, b.z) + vec2(f[0] / 20.0, f[0] / 40.0));\n"
     "    float caustics = 0.3 * (ripple.r + ripple.g + ripple.b), glow = 0.88 * a.y;\n"
     "    vec3 light = vec3(0.8, 1.3, 1.1) * a.x + vec3(0.3, 0.2, 1.0) * a.z + caustics;\n"
     "    float stripe = 0.12 * sin(50.0 * a.w) * b.x;\n"
     "    gl_FragColor = vec4(light * vec3(0.75, 0.6, 0.9), clamp(0.25 + glow * glow + stripe, "
     "0.0, 1.0));\n"
     "}\n"},
};

static const char *shader_of(const struct scene *scene, unsigned pass, unsigned draw)
{
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++)
        if (!strcmp(shaders[i].scene, scene->kind->name) && shaders[i].pass == pass &&
            shaders[i].draw == draw)
            return shaders[i].text;
    return NULL;
}

static void add_shader(struct osmesa *mesa, unsigned program, unsigned kind, const char *first,
                       const char *second)
{
    const char *const texts[] = {first, second};
    const unsigned shader = mesa->CreateShader(kind);
    mesa->ShaderSource(shader, 2, texts, NULL);
    mesa->CompileShader(shader);
    mesa->AttachShader(program, shader);
    mesa->DeleteShader(shader);
}

/* 0: a shader is missing or wrong. */
static unsigned make_program(struct osmesa *mesa, const char *fragment)
{
    static const char *const names[ATTRIBUTES] = {"position", "low", "high"};
    int linked = 0;
    if (!fragment)
        return 0;
    const unsigned program = mesa->CreateProgram();
    add_shader(mesa, program, GL_VERTEX_SHADER, "", vertex_text);
    add_shader(mesa, program, GL_FRAGMENT_SHADER, common_text, fragment);
    for (unsigned i = 0; i < ATTRIBUTES; i++)
        mesa->BindAttribLocation(program, i, names[i]);
    mesa->LinkProgram(program);
    mesa->GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return program;
    char text[1000] = "";
    mesa->GetProgramInfoLog(program, sizeof text, NULL, text);
    fprintf(stderr, "%s\n%s\n", fragment, text);
    mesa->DeleteProgram(program);
    return 0;
}

/* ---- drawing ----------------------------------------------------------------------------------
 */

struct drawing {
    struct osmesa *mesa;
    const struct scene *scene;
    unsigned textures[TILE_SURFACES_MAX]; /* of its surfaces */
    unsigned frame;
};

static void make_surfaces(struct drawing *drawing)
{
    for (unsigned i = 0; i < drawing->scene->surface_count; i++) {
        const struct tile_surface *surface = &drawing->scene->surfaces[i];
        const bool depth = surface->kind == TILE_DEPTH;
        drawing->textures[i] = make_texture(drawing->mesa, depth ? GL_DEPTH_COMPONENT24 : GL_RGBA8,
                                            (int)surface->width, (int)surface->height,
                                            depth ? GL_DEPTH_COMPONENT : GL_RGBA,
                                            depth ? GL_UNSIGNED_INT : GL_UNSIGNED_BYTE, NULL);
    }
    drawing->mesa->GenFramebuffers(1, &drawing->frame);
    drawing->mesa->BindFramebuffer(GL_FRAMEBUFFER, drawing->frame);
}

/* Draws into the surfaces of a draw; false: Mesa cannot. */
static bool set_targets(struct drawing *drawing, const struct draw *draw)
{
    struct osmesa *mesa = drawing->mesa;
    const unsigned colour = draw->colour >= 0 ? drawing->textures[draw->colour] : 0;
    const unsigned depth = draw->depth >= 0 ? drawing->textures[draw->depth] : 0;
    const struct tile_surface *of =
        &drawing->scene->surfaces[draw->depth >= 0 ? draw->depth : draw->colour];
    mesa->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour, 0);
    mesa->FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    mesa->DrawBuffer(colour ? GL_COLOR_ATTACHMENT0 : 0);
    mesa->Viewport(0, 0, (int)of->width, (int)of->height);
    return mesa->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static void clear_targets(struct drawing *drawing, const struct draw *draw)
{
    struct osmesa *mesa = drawing->mesa;
    if (draw->colour >= 0) {
        const uint32_t clear = drawing->scene->surfaces[draw->colour].clear;
        mesa->ClearColor((float)(clear & 0xff) / 255, (float)(clear >> 8 & 0xff) / 255,
                         (float)(clear >> 16 & 0xff) / 255, (float)(clear >> 24) / 255);
    }
    mesa->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT); /* depth: to 1 */
}

static void set_state(struct osmesa *mesa, const struct draw *draw)
{
    (draw->depth >= 0 ? mesa->Enable : mesa->Disable)(GL_DEPTH_TEST);
    (draw->cull != CULL_NONE ? mesa->Enable : mesa->Disable)(GL_CULL_FACE);
    (draw->blend ? mesa->Enable : mesa->Disable)(GL_BLEND);
    mesa->DepthFunc(GL_LEQUAL);
    mesa->CullFace(draw->cull == CULL_FRONT ? GL_FRONT : GL_BACK);
    mesa->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void set_textures(struct drawing *drawing, unsigned program, const struct draw *draw)
{
    static const char *const names[] = {"cells", "first", "second"};
    struct osmesa *mesa = drawing->mesa;
    for (unsigned i = 0; i < 3; i++) {
        const struct tile_surface *surface = i ? draw->targets[i - 1].surface : NULL;
        unsigned name = i ? 0 : mesa->cells;
        if (surface)
            name = drawing->textures[surface - drawing->scene->surfaces];
        mesa->ActiveTexture(GL_TEXTURE0 + i);
        mesa->BindTexture(GL_TEXTURE_2D, name);
        mesa->Uniform1i(mesa->GetUniformLocation(program, names[i]), (int)i);
    }
    mesa->Uniform1fv(mesa->GetUniformLocation(program, "f"), DRAW_FACTORS, draw->factors);
}

/* Clip coordinates and up to eight varyings of each vertex, four floats each. */
static float *shade_vertices(const struct draw *draw)
{
    float *all = calloc(draw->mesh->vertex_count, sizeof(float) * 4 * ATTRIBUTES);
    for (size_t i = 0; all && i < draw->mesh->vertex_count; i++) {
        struct vertex out = {0};
        draw->vertex(draw, &draw->mesh->vertices[i], &out);
        memcpy(all + 4 * ATTRIBUTES * i, out.clip, sizeof out.clip);
        memcpy(all + 4 * ATTRIBUTES * i + 4, out.varyings, sizeof(float) * 4 * (ATTRIBUTES - 1));
    }
    return all;
}

static bool draw_one(struct drawing *drawing, const struct draw *draw, const char *fragment)
{
    struct osmesa *mesa = drawing->mesa;
    float *vertices = shade_vertices(draw);
    const unsigned program = make_program(mesa, fragment);
    if (vertices && program && set_targets(drawing, draw)) {
        mesa->UseProgram(program);
        set_state(mesa, draw);
        set_textures(drawing, program, draw);
        for (unsigned i = 0; i < ATTRIBUTES; i++) {
            mesa->EnableVertexAttribArray(i);
            mesa->VertexAttribPointer(i, 4, GL_FLOAT, 0, 4 * ATTRIBUTES * sizeof(float),
                                      vertices + (size_t)4 * i);
        }
        mesa->DrawElements(GL_TRIANGLES, (int)draw->mesh->index_count, GL_UNSIGNED_INT,
                           draw->mesh->indices);
        mesa->Finish();
        mesa->UseProgram(0);
    }
    mesa->DeleteProgram(program);
    free(vertices);
    return vertices && program;
}

static bool draw_pass(struct drawing *drawing, unsigned pass)
{
    const struct scene *scene = drawing->scene;
    struct draw draws[DRAWS_MAX];
    uint32_t clears;
    const unsigned count = scene->kind->draws(scene, scene->setup.frame, pass, draws, &clears);
    bool drawn = set_targets(drawing, &draws[0]);
    if (drawn)
        clear_targets(drawing, &draws[0]);
    for (unsigned i = 0; i < count && drawn; i++)
        drawn = draw_one(drawing, &draws[i], shader_of(scene, pass, i));
    return drawn;
}

/* What the framebuffer holds, upside down. */
static uint32_t *read_colours(struct osmesa *mesa, uint32_t width, uint32_t height)
{
    uint32_t *from = calloc((size_t)width * height, sizeof *from);
    uint32_t *turned = calloc((size_t)width * height, sizeof *turned);
    if (from && turned) {
        mesa->ReadPixels(0, 0, (int)width, (int)height, GL_RGBA, GL_UNSIGNED_BYTE, from);
        for (uint32_t y = 0; y < height; y++)
            memcpy(turned + (size_t)y * width, from + (size_t)(height - 1 - y) * width,
                   width * sizeof *from);
    }
    free(from);
    return turned;
}

uint32_t *osmesa_draw(struct osmesa *mesa, const struct scene *scene)
{
    struct drawing drawing = {.mesa = mesa, .scene = scene};
    uint32_t *colours = NULL;
    bool drawn = true;
    make_surfaces(&drawing);
    for (unsigned pass = 0; pass < scene->kind->passes && drawn; pass++)
        drawn = draw_pass(&drawing, pass);
    if (drawn)
        colours = read_colours(mesa, scene->setup.width, scene->setup.height);
    mesa->BindFramebuffer(GL_FRAMEBUFFER, 0);
    mesa->DeleteFramebuffers(1, &drawing.frame);
    mesa->DeleteTextures((int)scene->surface_count, drawing.textures);
    return colours;
}
