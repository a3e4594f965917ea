/* RAY: a ray-traced picture of three spheres over a plane, after ISPASS-2009.
 *
 * One thread per pixel, in blocks of 16 x 8. There are up to five bounces, and lanes that hit
 * nothing stop early, so the warps diverge as the scene does. A thread accesses global memory at
 * most four times: the pixel is first stored as 0, then loaded and stored again, as the source's +=
 * says. The colours of the bounces are in local memory, 16 B each, because the compiler does not
 * know their index. All are stored at the start, one per bounce; at the end they are added from the
 * last bounce to the first. Scene and view are uniform and in constant memory, so they are operands
 * of instructions.
 *
 * The path of a ray decides the accesses, so it is computed even without a device, in single
 * precision. */
#include <math.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { WIDTH, HEIGHT, LOCAL_BASE };
enum { BLOCK_X = 16, BLOCK_Y = 8, BOUNCES = 5, OBJECTS = 4, COLOUR_BYTES = 16 };
enum { ARRAY_OUTPUT };

#define LOCAL_THREADS (LOCAL_WORD_STRIDE / 4)

static const struct workload_parameter parameters_ray[] = {
    {"width", 256, 1, 16384, "columns of the picture"},
    {"height", 256, 1, 16384, "rows of the picture"},
    {"local_base", 0x3fc00000, 0, UINT64_C(1) << 46,
     "address of local memory, 20 MiB (GPGPU-Sim 3.2.2: 0x3fc00000; imported traces: 2^44)"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct ray {
    struct staged_program staged; /* first */
    uint32_t width, height;
    uint64_t local_base;
};

struct vector {
    float x, y, z;
};

struct colour {
    float red, green, blue, alpha;
};

struct object {
    bool plane; /* level, through `centre` */
    struct vector centre;
    float radius;
    struct colour colour;
};

static const struct object scene[OBJECTS] = {
    {true, {0, -1.5f, 0}, 0.5f, {0, 1, 1, 1}},
    {false, {-1, 0, -1}, 0.5f, {1, 0, 0, 1}},
    {false, {1, 0, -1}, 0.5f, {0, 0, 1, 1}},
    {false, {0, 0, -2}, 0.75f, {0, 1, 0, 1}},
};

static const struct vector eye = {0, 0.5f, 2}, light = {10, 10, 10}, upwards = {0, 1, 0};
static const float focal_length = 1.5696856f; /* 1 / tan(65 degrees / 2) */
static const float far_away = 10000;

/* Where the ray of a lane stands. */
struct path {
    struct vector from, direction;
    uint32_t hits;
    struct colour colours[BOUNCES];
};

struct tracer {
    uint32_t inside, flying; /* lanes in the picture; lanes whose ray has hit in every bounce yet */
    struct path paths[WARP_SIZE];
};

static struct vector ray_add(struct vector a, struct vector b)
{
    return (struct vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static struct vector subtract(struct vector a, struct vector b)
{
    return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static struct vector scale(struct vector a, float factor)
{
    return (struct vector){a.x * factor, a.y * factor, a.z * factor};
}

static float dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vector normalize(struct vector a)
{
    return scale(a, 1 / sqrtf(dot(a, a)));
}

static struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* How far along the ray it meets the sphere or the plane; 0 where it does not. */
static float meet_sphere(struct vector from, struct vector direction, const struct object *sphere)
{
    struct vector to = subtract(sphere->centre, from);
    float along = dot(to, direction), distance = dot(to, to);
    float square = sphere->radius * sphere->radius, past = distance - along * along;
    if ((along < 0 && distance > square) || past > square)
        return 0;
    float half = sqrtf(square - past);
    return distance > square ? along - half : along + half;
}

static float meet_plane(struct vector from, struct vector direction, const struct object *plane)
{
    if (fabsf(direction.y) < 0.0001f)
        return 0;
    float distance = -(from.y - plane->centre.y) / direction.y;
    return distance > 0 ? distance : 0;
}

static float meet(struct vector from, struct vector direction, const struct object *object)
{
    return object->plane ? meet_plane(from, direction, object)
                         : meet_sphere(from, direction, object);
}

static struct path start_path(const struct ray *ray, uint32_t x, uint32_t y)
{
    struct vector ahead = normalize(scale(eye, -1));
    struct vector up = normalize(subtract(upwards, scale(ahead, dot(ahead, upwards))));
    struct vector across = normalize(cross(ahead, up));
    float pixel = 2.0f / (float)(ray->width < ray->height ? ray->width : ray->height);
    float right = ((float)x - (float)ray->width * 0.5f) * pixel;
    float rise = ((float)y - (float)ray->height * 0.5f) * pixel;
    struct vector direction =
        ray_add(ray_add(scale(ahead, focal_length), scale(across, right)), scale(up, rise));
    return (struct path){.from = eye, .direction = normalize(direction)};
}

/* Whether nothing stands between a point and the light. */
static bool is_lit(struct vector point, struct vector to_light)
{
    struct vector from = ray_add(point, scale(to_light, 0.0001f)), way = subtract(light, point);
    for (int i = 0; i < OBJECTS; i++) {
        float distance = meet(from, to_light, &scene[i]);
        struct vector met = ray_add(point, scale(to_light, distance));
        /* The suite compares the square of the met point, not that of the way to it. */
        if (distance != 0 && !(distance > 0 && dot(met, met) > dot(way, way)))
            return false;
    }
    return true;
}

static float clamp(float value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static struct colour shade(const struct object *object, struct vector normal,
                           struct vector to_light, struct vector to_eye, bool lit)
{
    float facing = dot(normal, to_light), share = 0.05f, gleam = 0;
    struct colour colour = object->colour;
    if (lit) {
        struct vector between = normalize(ray_add(to_light, to_eye));
        share += 0.3f * (facing < 1 ? facing : 1);
        gleam = 0.8f * powf(clamp(dot(normal, between)), 50);
    }
    return (struct colour){colour.red * share + gleam, colour.green * share + gleam,
                           colour.blue * share + gleam, colour.alpha * share};
}

/* One bounce; false where the ray hits nothing. */
static bool bounce(struct path *path)
{
    float nearest = far_away;
    const struct object *object = NULL;
    for (int i = 0; i < OBJECTS; i++) {
        float distance = meet(path->from, path->direction, &scene[i]);
        if (distance > 0 && distance < nearest) {
            nearest = distance;
            object = &scene[i];
        }
    }
    if (!object)
        return false;
    struct vector point = ray_add(path->from, scale(path->direction, nearest));
    struct vector to_light = normalize(subtract(light, point));
    struct vector to_eye = normalize(subtract(path->from, point));
    struct vector normal = object->plane ? upwards : normalize(subtract(point, object->centre));
    struct vector front = dot(to_eye, normal) < 0 ? scale(normal, -1) : normal;
    bool lit = dot(front, to_light) > 0 && is_lit(point, to_light);
    path->colours[path->hits++] = shade(object, front, to_light, to_eye, lit);
    path->direction = normalize(subtract(scale(normal, 2 * dot(normal, to_eye)), to_eye));
    path->from = ray_add(point, scale(path->direction, 0.0001f));
    return true;
}

/* The pixel's number and where its colour lies. */
static uint64_t pixel_address(const struct stage *stage, uint32_t lane)
{
    const struct ray *ray = (const struct ray *)stage->program;
    uint32_t thread = stage->first_thread + lane;
    uint64_t x = (uint64_t)stage->block[0] * BLOCK_X + thread % BLOCK_X;
    uint64_t y = (uint64_t)stage->block[1] * BLOCK_Y + thread / BLOCK_X;
    return array_base(stage, ARRAY_OUTPUT) + 4 * (x + y * ray->width);
}

static void touch_colour(struct stage *stage, uint8_t number, enum memory_op op, uint32_t mask,
                         const uint32_t index[WARP_SIZE])
{
    const struct ray *ray = (const struct ray *)stage->program;
    uint64_t grid_x = ray->staged.program.source.launches[0].grid[0], addresses[WARP_SIZE];
    uint64_t block = stage->block[0] + grid_x * stage->block[1];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint64_t thread = block * stage->threads + stage->first_thread + lane;
        addresses[lane] = ray->local_base + index[lane] * (COLOUR_BYTES / 4) * LOCAL_WORD_STRIDE +
                          thread % LOCAL_THREADS * 4;
    }
    stage_touch(stage, (struct site){number, SPACE_LOCAL, COLOUR_BYTES}, op, mask, addresses);
}

static void start_warp(struct stage *stage, struct tracer *tracer)
{
    const struct ray *ray = (const struct ray *)stage->program;
    uint64_t addresses[WARP_SIZE];
    const uint32_t zeros[WARP_SIZE] = {0};
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t thread = stage->first_thread + lane;
        uint32_t x = stage->block[0] * BLOCK_X + thread % BLOCK_X;
        uint32_t y = stage->block[1] * BLOCK_Y + thread / BLOCK_X;
        addresses[lane] = pixel_address(stage, lane);
        if (x >= ray->width || y >= ray->height)
            continue;
        tracer->inside |= UINT32_C(1) << lane;
        tracer->paths[lane] = start_path(ray, x, y);
    }
    tracer->flying = tracer->inside;
    for (uint8_t i = 0; i < BOUNCES; i++) {
        uint32_t index[WARP_SIZE];
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            index[lane] = i;
        touch_colour(stage, i, OP_STORE, UINT32_MAX, index);
    }
    stage_work(stage, 4);
    stage_store(stage, word_site(BOUNCES), tracer->inside, addresses, zeros);
    /* The ray; its direction has length 1. */
    stage_mix(stage, 1, (struct work){.integers = 8, .singles = 30, .specials = 2});
}

static void run_bounce(struct stage *stage, struct tracer *tracer)
{
    uint32_t hit = 0, index[WARP_SIZE] = {0};
    for (uint32_t left = tracer->flying; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        index[lane] = tracer->paths[lane].hits;
        if (bounce(&tracer->paths[lane]))
            hit |= UINT32_C(1) << lane;
    }
    tracer->flying = hit;
    stage_mix(stage, OBJECTS,
              (struct work){.integers = 3, .singles = 20, .specials = 1, .branches = 1});
    stage_mix(stage, hit ? 1 : 0, (struct work){.integers = 20, .singles = 118, .specials = 12});
    touch_colour(stage, 6, OP_STORE, hit, index);
}

/* The last step: bounce `hits` - `step` is added to the one before it. */
static void add_colours(struct stage *stage, struct tracer *tracer, uint32_t step)
{
    uint32_t mask = 0, to[WARP_SIZE] = {0}, from[WARP_SIZE] = {0};
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        struct path *path = &tracer->paths[lane];
        if (path->hits <= step)
            continue;
        mask |= UINT32_C(1) << lane;
        from[lane] = path->hits - step;
        to[lane] = from[lane] - 1;
        struct colour *a = &path->colours[to[lane]], *b = &path->colours[from[lane]];
        *a = (struct colour){a->red + 0.8f * b->red, a->green + 0.8f * b->green,
                             a->blue + 0.8f * b->blue, a->alpha + 0.8f * b->alpha};
    }
    stage_mix(stage, mask ? 1 : 0, (struct work){.addresses = 2});
    touch_colour(stage, 7, OP_LOAD, mask, to);
    touch_colour(stage, 8, OP_LOAD, mask, from);
    stage_mix(stage, mask ? 1 : 0, (struct work){.singles = 4});
    touch_colour(stage, 9, OP_STORE, mask, to);
}

static uint32_t pack_colour(const struct path *path)
{
    struct colour colour = path->hits ? path->colours[0] : (struct colour){.alpha = 1};
    return (uint32_t)(clamp(colour.alpha) * 255) << 24 |
           (uint32_t)(clamp(colour.blue) * 255) << 16 | (uint32_t)(clamp(colour.green) * 255) << 8 |
           (uint32_t)(clamp(colour.red) * 255);
}

static void store_pixels(struct stage *stage, const struct tracer *tracer)
{
    uint64_t addresses[WARP_SIZE];
    uint32_t pixels[WARP_SIZE] = {0}, first[WARP_SIZE] = {0};
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = pixel_address(stage, lane);
    touch_colour(stage, 10, OP_LOAD, tracer->inside, first);
    stage_mix(stage, 1, (struct work){.singles = 12, .integers = 8});
    stage_load(stage, word_site(11), tracer->inside, addresses, pixels);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        pixels[lane] += pack_colour(&tracer->paths[lane]);
    stage_work(stage, 1);
    stage_store(stage, word_site(12), tracer->inside, addresses, pixels);
}

/* Stages: the rays, a bounce each, a sum each, the pixels. */
static enum stage_end run_ray(struct stage *stage)
{
    struct tracer *tracer = stage->state;
    if (stage->number == 0)
        start_warp(stage, tracer);
    else if (stage->number <= BOUNCES)
        run_bounce(stage, tracer);
    else if (stage->number < 2 * BOUNCES)
        add_colours(stage, tracer, stage->number - BOUNCES);
    else
        store_pixels(stage, tracer);
    return stage->number == 2 * BOUNCES ? STAGE_DONE : STAGE_NEXT;
}

static const struct staged_kernel kernel = {
    .name = "render",
    .code = {.sites = "SSSSS S S LL S L L S", .prologue = 12},
    .state_bytes = sizeof(struct tracer),
    .run = run_ray,
};

static enum status open_ray(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    enum { NODE_BYTES = 40, RAY_BYTES = 24, VECTOR_BYTES = 12 };
    struct ray *ray = staged_create(sizeof *ray, &workload_ray, values);
    if (!ray)
        return STATUS_MEMORY;
    struct staged_program *program = &ray->staged;
    uint64_t width = values[WIDTH], height = values[HEIGHT], pixels = width * height;
    ray->width = (uint32_t)width;
    ray->height = (uint32_t)height;
    ray->local_base = values[LOCAL_BASE];
    program_array(&program->program, "output", 4 * pixels);
    program_array(&program->program, "node", NODE_BYTES * OBJECTS); /* this one and all below: */
    program_array(&program->program, "temp", 4 * pixels);           /* no kernel touches them */
    program_array(&program->program, "object", 4 * pixels);
    program_array(&program->program, "depth", 4 * pixels);
    program_array(&program->program, "ray", RAY_BYTES * pixels);
    program_array(&program->program, "origin", VECTOR_BYTES * pixels);
    program_array(&program->program, "direction", VECTOR_BYTES * pixels);
    staged_launch(program, &kernel, (width + BLOCK_X - 1) / BLOCK_X,
                  (height + BLOCK_Y - 1) / BLOCK_Y, BLOCK_X, BLOCK_Y, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(ray, "RAY", ISPASS_SUITE,
             .help = "ray tracing with reflections; divergent warps, colours in local memory");
