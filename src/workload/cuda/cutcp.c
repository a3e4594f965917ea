/* CUTCP: the electric potential of atoms within a cutoff, on the points of a lattice, after the
 * CUDA version of Parboil 2.5.
 *
 * Atoms are sorted into bins, cubes of 4 Angstroms with room for 8 atoms of 16 B; the host handles
 * those that do not fit. A block of 8 x 2 x 8 threads computes a region of 8^3 points, four per
 * thread; a launch computes the regions of a plane. The bins that the cutoff can reach from a
 * region are a table of offsets, the same for all regions. A block fetches 32 bins at a time into
 * shared memory, one bin per half warp in two loads of 64 B. Then every thread adds up the
 * potential of all atoms of these bins at its points.
 *
 * The table is in constant memory, where the two halves of a warp read at different places; these
 * reads count as instructions and make no records. Order, registers and gaps are those of the PTX
 * for sm_75, which follow the source; the gaps assume that a warp takes the
 * branches of all four points for every atom. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { LENGTH, CUTOFF, SEED };
enum { BIN_ATOMS = 8, BIN_LENGTH = 4, BIN_WORDS = 4 * BIN_ATOMS, CACHED_BINS = 32 };
enum { EDGE = 8, BLOCK_Y = 2, POINTS = 4, HALF_WARP = 16, CUTOFF_MAX = 20 };
enum { OFFSETS_MAX = 11 * 11 * 11, FETCHES = 4, WARPS = 4 };
enum { ARRAY_REGIONS, ARRAY_BINS };

static const struct workload_parameter parameters_cutcp[] = {
    {"length", 40, 4, 200, "of the box in Angstroms; the suite has 40 and 100"},
    {"cutoff", 12, 1, CUTOFF_MAX, "distance in Angstroms up to which an atom counts"},
    {"seed", 1, 0, UINT32_MAX, "of the atoms, one in every 10 cubic Angstroms"},
    PROGRAM_DEVICE_PARAMETERS,
};

static const float spacing = 0.5f; /* of the lattice */

struct atom {
    float at[3], charge;
};

struct cutcp {
    struct staged_program staged; /* first */
    uint64_t seed;
    uint32_t atoms_edge; /* atoms along an edge of the box */
    float cutoff;
    float low[3];       /* corner of the lattice */
    int64_t regions[3]; /* along each axis */
    int64_t bins[3],
        rim;         /* bins along each axis, of which `rim` are around the lattice at either end */
    uint8_t *filled; /* atoms of each bin */
    uint32_t offset_count;
    int64_t offsets[OFFSETS_MAX]; /* from a region's own bin to those that it sees */
};

/* An atom somewhere in its own cube of 10 cubic Angstroms, of the charges of water. */
static struct atom make_atom(const struct cutcp *cutcp, uint64_t number)
{
    const float cube = 2.1544347f;
    uint64_t edge = cutcp->atoms_edge;
    uint64_t place[3] = {number % edge, number / edge % edge, number / edge / edge};
    struct atom atom = {.charge = number % 3 ? 0.417f : -0.834f};
    for (uint64_t axis = 0; axis < 3; axis++)
        atom.at[axis] =
            ((float)place[axis] + random_unit(random_at(cutcp->seed, 3 * number + axis))) * cube;
    return atom;
}

static uint64_t atom_count(const struct cutcp *cutcp)
{
    uint64_t edge = cutcp->atoms_edge;
    return edge * edge * edge;
}

/* The lattice covers the atoms and half an Angstrom more, the bins the lattice and the cutoff. */
static void fit_lattice(struct cutcp *cutcp)
{
    const float padding = 0.5f;
    float high[3] = {0};
    for (uint64_t i = 0; i < atom_count(cutcp); i++) {
        struct atom atom = make_atom(cutcp, i);
        for (int axis = 0; axis < 3; axis++) {
            float at = atom.at[axis];
            cutcp->low[axis] = i && cutcp->low[axis] < at ? cutcp->low[axis] : at;
            high[axis] = i && high[axis] > at ? high[axis] : at;
        }
    }
    cutcp->rim = (int64_t)ceilf(cutcp->cutoff / BIN_LENGTH);
    for (int axis = 0; axis < 3; axis++) {
        cutcp->low[axis] -= padding;
        int64_t points = (int64_t)floorf((high[axis] + padding - cutcp->low[axis]) / spacing) + 1;
        cutcp->regions[axis] = (points + EDGE - 1) / EDGE;
        float length = (float)(EDGE * cutcp->regions[axis]) * spacing;
        cutcp->bins[axis] = (int64_t)ceilf(length / BIN_LENGTH) + 2 * cutcp->rim;
    }
}

/* The number of a bin; the coordinates are those of the lattice's bins and may be in the rim. */
static int64_t bin_number(const struct cutcp *cutcp, int64_t x, int64_t y, int64_t z)
{
    int64_t rim = cutcp->rim;
    return ((z + rim) * cutcp->bins[1] + y + rim) * cutcp->bins[0] + x + rim;
}

/* The bins that a point of a region can see an atom in, z slowest. */
static void list_offsets(struct cutcp *cutcp)
{
    int64_t rim = cutcp->rim, own = bin_number(cutcp, 0, 0, 0);
    float reach = cutcp->cutoff + sqrtf(3) * BIN_LENGTH;
    for (int64_t z = -rim; z <= rim; z++)
        for (int64_t y = -rim; y <= rim; y++)
            for (int64_t x = -rim; x <= rim; x++)
                if ((float)((x * x + y * y + z * z) * BIN_LENGTH * BIN_LENGTH) < reach * reach)
                    cutcp->offsets[cutcp->offset_count++] = bin_number(cutcp, x, y, z) - own;
}

static int64_t bin_count(const struct cutcp *cutcp)
{
    return cutcp->bins[0] * cutcp->bins[1] * cutcp->bins[2];
}

/* Moves an atom so that the lattice starts at 0; returns the number of its bin. */
static int64_t place_atom(const struct cutcp *cutcp, struct atom *atom)
{
    int64_t at[3];
    for (int axis = 0; axis < 3; axis++) {
        atom->at[axis] -= cutcp->low[axis];
        at[axis] = (int64_t)floorf(atom->at[axis] / BIN_LENGTH);
    }
    return bin_number(cutcp, at[0], at[1], at[2]);
}

static void count_atoms(struct cutcp *cutcp)
{
    for (uint64_t i = 0; i < atom_count(cutcp); i++) {
        struct atom atom = make_atom(cutcp, i);
        uint8_t *filled = &cutcp->filled[place_atom(cutcp, &atom)];
        *filled += *filled < BIN_ATOMS;
    }
}

/* The bin of the block's region, which is as large as a bin. */
static int64_t own_bin(const struct cutcp *cutcp, const struct stage *stage)
{
    return bin_number(cutcp, stage->block[0], stage->block[1], stage->argument);
}

struct shared_bins {
    float words[CACHED_BINS][BIN_WORDS];
};

struct energies {
    float at[POINTS][WARP_SIZE];
};

/* The addresses of the first words of two bins, a half warp each; returns the lanes whose bin there
 * is. */
static uint32_t find_bins(const struct stage *stage, const struct cutcp *cutcp, uint32_t first,
                          uint64_t addresses[WARP_SIZE])
{
    uint32_t mask = 0;
    int64_t own = own_bin(cutcp, stage);
    for (uint32_t half = 0; half < 2 && first + half < cutcp->offset_count; half++) {
        int64_t bin = own + cutcp->offsets[first + half];
        uint64_t at = array_base(stage, ARRAY_BINS) + 4 * (uint64_t)bin * BIN_WORDS;
        for (uint32_t lane = 0; lane < HALF_WARP; lane++)
            addresses[half * HALF_WARP + lane] = at + 4 * (uint64_t)lane;
        mask |= UINT32_C(0xffff) << half * HALF_WARP;
    }
    return mask;
}

/* Half a warp fetches every eighth bin from its own on, up to four of a round. */
static void fetch_bins(struct stage *stage, const struct cutcp *cutcp, uint32_t round)
{
    struct shared_bins *shared = stage->device ? (void *)stage->device->shared : NULL;
    for (uint32_t fetch = 0; fetch < FETCHES; fetch++) {
        uint64_t addresses[WARP_SIZE] = {0};
        uint32_t slot = fetch * 2 * WARPS + stage->first_thread / HALF_WARP;
        uint32_t mask = find_bins(stage, cutcp, round * CACHED_BINS + slot, addresses);
        if (!mask)
            break;
        stage_mix(stage, 1, (struct work){.addresses = 2 + 1 + 2 + 2 + 9}); /* three of the table */
        for (uint8_t piece = 0; piece < 2; piece++) {
            float words[WARP_SIZE] = {0};
            stage_load(stage, word_site(piece), mask, addresses, words);
            stage_mix(stage, 1, (struct work){.addresses = piece ? 0 : 5, .stores = 1});
            for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
                addresses[lane] += 4 * HALF_WARP;
                if (shared && mask >> lane & 1)
                    shared->words[slot + lane / HALF_WARP][piece * HALF_WARP + lane % HALF_WARP] =
                        words[lane];
            }
        }
        stage_work(stage, 6);
    }
}

/* What an atom does to the four points of a thread, which are two rows of the lattice apart. */
static void add_atom(const struct cutcp *cutcp, const float atom[4], const float point[3], int lane,
                     struct energies *energies)
{
    float square = cutcp->cutoff * cutcp->cutoff, inverse = 1.0f / square;
    float dx = atom[0] - point[0], dz = atom[2] - point[2], across = dx * dx + dz * dz;
    float dy = atom[1] - point[1];
    for (int i = 0; i < POINTS; i++) {
        float distance = dy * dy + across;
        if (distance < square) {
            float share = 1.0f - distance * inverse;
            energies->at[i][lane] += atom[3] * (1.0f / sqrtf(distance)) * share * share;
        }
        dy -= 2.0f * spacing;
    }
}

static void add_bins(const struct stage *stage, const struct cutcp *cutcp, uint32_t bins,
                     struct energies *energies)
{
    const struct shared_bins *shared = (const void *)stage->device->shared;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t thread = stage->first_thread + lane;
        const uint32_t place[3] = {EDGE * stage->block[0] + thread % EDGE,
                                   EDGE * stage->block[1] + thread / EDGE % BLOCK_Y,
                                   EDGE * stage->argument + thread / HALF_WARP};
        const float point[3] = {(float)place[0] * spacing, (float)place[1] * spacing,
                                (float)place[2] * spacing};
        for (uint32_t bin = 0; bin < bins; bin++)
            for (int i = 0; i < BIN_ATOMS && shared->words[bin][4 * i + 3] != 0; i++)
                add_atom(cutcp, &shared->words[bin][4 * i], point, (int)lane, energies);
    }
}

/* What the atoms of a round's bins cost: a square root and a branch a point. All lanes read the
 * same atom. A bin that is not full ends with one more test. */
static void count_atoms_of_round(struct stage *stage, const struct cutcp *cutcp, uint32_t first,
                                 uint32_t bins)
{
    const struct work atom = {
        .integers = 6, .loads = 4, .singles = 33, .specials = POINTS, .branches = POINTS + 1};
    const uint8_t *filled = cutcp->filled + own_bin(cutcp, stage);
    stage_work(stage, 8);
    for (uint32_t bin = first; bin < first + bins; bin++) {
        uint32_t atoms = filled[cutcp->offsets[bin]];
        stage_mix(stage, atoms, atom);
        stage_mix(stage, 1, (struct work){.integers = 4, .branches = 1});
        stage_mix(stage, atoms < BIN_ATOMS ? 1 : 0, (struct work){.loads = 1, .integers = 1});
    }
}

static void store_energies(struct stage *stage, const struct cutcp *cutcp,
                           const struct energies *energies)
{
    uint64_t region = ((uint64_t)stage->argument * (uint64_t)cutcp->regions[1] + stage->block[1]) *
                          (uint64_t)cutcp->regions[0] +
                      stage->block[0];
    for (uint8_t i = 0; i < POINTS; i++) {
        uint64_t addresses[WARP_SIZE];
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
            uint32_t plane = (stage->first_thread + lane) / HALF_WARP;
            uint64_t point = plane * EDGE * EDGE + lane % HALF_WARP + i * HALF_WARP;
            addresses[lane] =
                array_base(stage, ARRAY_REGIONS) + 4 * (region * EDGE * EDGE * EDGE + point);
        }
        stage_mix(stage, 1, (struct work){.addresses = i ? 4 : 6});
        stage_store(stage, word_site((uint8_t)(2 + i)), UINT32_MAX, addresses, energies->at[i]);
    }
}

/* Stages: for every 32 bins the fetch and the sum; after the last the energies. */
static enum stage_end run_cutcp(struct stage *stage)
{
    const struct cutcp *cutcp = (const struct cutcp *)stage->program;
    struct energies *energies = stage->state;
    uint32_t round = stage->number / 2, first = round * CACHED_BINS;
    if (stage->number % 2 == 0) {
        stage_work(stage, 14);
        fetch_bins(stage, cutcp, round);
        return STAGE_BARRIER;
    }
    uint32_t left = cutcp->offset_count - first, bins = left < CACHED_BINS ? left : CACHED_BINS;
    if (stage->device)
        add_bins(stage, cutcp, bins, energies);
    count_atoms_of_round(stage, cutcp, first, bins);
    if (left > CACHED_BINS)
        return STAGE_BARRIER;
    store_energies(stage, cutcp, energies);
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "cuda_cutoff_potential_lattice6overlap",
    .shared_bytes = sizeof(struct shared_bins) + 32, /* and where the region is */
    .code = {.sites = "L L S S S S", .prologue = 54},
    .state_bytes = sizeof(struct energies),
    .run = run_cutcp,
};

static void cutcp_upload(const struct staged_program *program, struct device *device)
{
    const struct cutcp *cutcp = (const struct cutcp *)program;
    const struct trace_array *regions = &program->program.arrays[ARRAY_REGIONS],
                             *bins = &program->program.arrays[ARRAY_BINS];
    float *words = device_at(device, regions->base, regions->bytes);
    struct atom *atoms = device_at(device, bins->base, bins->bytes);
    for (uint64_t i = 0; i < regions->bytes / 4; i++)
        words[i] = 0;
    for (uint64_t i = 0; i < bins->bytes / sizeof *atoms; i++)
        atoms[i] = (struct atom){0};
    for (uint64_t i = 0; i < atom_count(cutcp); i++) {
        struct atom atom = make_atom(cutcp, i), *bin = &atoms[place_atom(cutcp, &atom) * BIN_ATOMS];
        int slot = 0;
        while (slot < BIN_ATOMS && bin[slot].charge != 0)
            slot++;
        if (slot < BIN_ATOMS)
            bin[slot] = atom;
    }
}

static void cutcp_release(struct staged_program *program)
{
    free(((struct cutcp *)program)->filled);
}

/* A launch for each plane of regions, in blocks of 8 x 2 x 8. */
static void launch_planes(struct cutcp *cutcp)
{
    struct staged_program *program = &cutcp->staged;
    struct trace_source *source = &program->program.source;
    for (uint32_t plane = 0; plane < cutcp->regions[2]; plane++) {
        staged_launch(program, &kernel, (uint64_t)cutcp->regions[0], (uint64_t)cutcp->regions[1],
                      EDGE, BLOCK_Y * EDGE, plane);
        if (program->program.status)
            return;
        source->launches[plane].block[1] = BLOCK_Y;
        source->launches[plane].block[2] = EDGE;
    }
}

static enum status open_cutcp(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    struct cutcp *cutcp = staged_create(sizeof *cutcp, &workload_cutcp, values);
    if (!cutcp)
        return STATUS_MEMORY;
    struct staged_program *program = &cutcp->staged;
    const float atoms_per_length = 0.46415888f; /* the cube root of 1 / 10 */
    cutcp->seed = values[SEED];
    cutcp->cutoff = (float)values[CUTOFF];
    cutcp->atoms_edge = (uint32_t)((float)values[LENGTH] * atoms_per_length);
    program->upload = cutcp_upload;
    program->release = cutcp_release;
    fit_lattice(cutcp);
    list_offsets(cutcp);
    cutcp->filled = calloc((size_t)bin_count(cutcp), 1);
    if (!cutcp->filled) {
        program->program.status = STATUS_MEMORY;
        return staged_finish(program, source, diagnostics);
    }
    count_atoms(cutcp);
    uint64_t regions = (uint64_t)(cutcp->regions[0] * cutcp->regions[1] * cutcp->regions[2]);
    program_array(&program->program, "regions", 4 * regions * EDGE * EDGE * EDGE);
    program_array(&program->program, "bins", 4 * (uint64_t)bin_count(cutcp) * BIN_WORDS);
    launch_planes(cutcp);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    cutcp, "CUTCP", PARBOIL_SUITE,
    .help = "potential of atoms within a cutoff; neighbouring regions fetch mostly the same bins");
