/* AES: encryption of a file with AES-128, block by block (ECB), after ISPASS-2009.
 *
 * A thread holds a word, which is a column of the 4 x 4 bytes of FIPS-197. Four threads make a
 * cipher block, and a thread block of 256 encrypts 1 KiB. Global memory is accessed only twice: the
 * word is loaded at the start and stored at the end. The tables are copied from constant memory to
 * shared memory; the words of the key schedule come through the texture unit, one a round. A round
 * reads bytes of the four columns of a cipher block, whose lanes are neighbours in a warp. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { BYTES };
enum { BLOCK = 256, ROUNDS = 10, KEY_BYTES = 16, SCHEDULE_BYTES = KEY_BYTES * (ROUNDS + 1) };
enum { TABLE_BANKS = 3 };
enum { ARRAY_INPUT, ARRAY_KEY, ARRAY_RESULT };

static const struct workload_parameter parameters_aes[] = {
    {"bytes", 262198, 1, UINT64_C(1) << 32, "of the file; encrypted in pieces of 1 KiB"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct aes {
    struct staged_program staged; /* first */
    uint8_t substitution[256];
    uint8_t schedule[SCHEDULE_BYTES];
};

/* In the field of FIPS-197 section 4.2. */
static uint8_t twice(uint8_t value)
{
    return (uint8_t)(value << 1 ^ (value & 0x80 ? 0x1b : 0));
}

static uint8_t rotate(uint8_t value, int bits)
{
    return (uint8_t)(value << bits | value >> (8 - bits));
}

/* The S-box of section 5.1.1: walks the field by the generator 3 and its inverse. */
static void make_substitution(uint8_t substitution[256])
{
    uint8_t value = 1, inverse = 1;
    do {
        value ^= twice(value);
        inverse ^= (uint8_t)(inverse << 1); /* division by 3 */
        inverse ^= (uint8_t)(inverse << 2);
        inverse ^= (uint8_t)(inverse << 4);
        inverse ^= inverse & 0x80 ? 0x09 : 0;
        substitution[value] = (uint8_t)(inverse ^ rotate(inverse, 1) ^ rotate(inverse, 2) ^
                                        rotate(inverse, 3) ^ rotate(inverse, 4) ^ 0x63);
    } while (value != 1);
    substitution[0] = 0x63;
}

/* Section 5.2. */
static void expand_key(const uint8_t substitution[256], const uint8_t key[KEY_BYTES],
                       uint8_t schedule[SCHEDULE_BYTES])
{
    uint8_t round = 1;
    memcpy(schedule, key, KEY_BYTES);
    for (int i = KEY_BYTES; i < SCHEDULE_BYTES; i += 4) {
        uint8_t word[4];
        memcpy(word, schedule + i - 4, 4);
        if (i % KEY_BYTES == 0) {
            const uint8_t turned[4] = {word[1], word[2], word[3], word[0]};
            for (int b = 0; b < 4; b++)
                word[b] = substitution[turned[b]];
            word[0] ^= round;
            round = twice(round);
        }
        for (int b = 0; b < 4; b++)
            schedule[i + b] = schedule[i + b - KEY_BYTES] ^ word[b];
    }
}

/* The columns of a warp's eight blocks. */
struct columns {
    uint8_t bytes[WARP_SIZE][4];
};

/* SubBytes and ShiftRows, and MixColumns but in the last round. */
static void make_round(const struct aes *aes, struct columns *columns, bool mix)
{
    struct columns from = *columns;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t first = lane / 4 * 4;
        uint8_t column[4], all = 0;
        for (uint32_t row = 0; row < 4; row++) {
            column[row] = aes->substitution[from.bytes[first + (lane + row) % 4][row]];
            all ^= column[row];
        }
        for (uint32_t row = 0; row < 4; row++) {
            uint8_t mixed = all ^ column[row] ^ twice(column[row] ^ column[(row + 1) % 4]);
            columns->bytes[lane][row] = mix ? mixed : column[row];
        }
    }
}

/* The key's word of a round, through the texture unit. */
static void add_key(struct stage *stage, uint32_t round, struct columns *columns)
{
    uint8_t words[WARP_SIZE][4] = {{0}};
    uint64_t addresses[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = array_base(stage, ARRAY_KEY) + 4 * (uint64_t)(lane % 4 + 4 * round);
    stage_load(stage, (struct site){(uint8_t)(16 + round), SPACE_TEXTURE, 4}, UINT32_MAX, addresses,
               words);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        for (int b = 0; b < 4; b++)
            columns->bytes[lane][b] ^= words[lane][b];
}

/* The four tables of 256 words each, one word a thread, out of constant memory. */
static void load_tables(struct stage *stage)
{
    uint64_t addresses[WARP_SIZE];
    for (uint8_t table = 0; table < 4; table++) {
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            addresses[lane] = 4 * (uint64_t)(BLOCK * table + stage->first_thread + lane);
        stage_touch(stage, (struct site){(uint8_t)(2 + table), SPACE_CONSTANT, 4}, OP_LOAD,
                    UINT32_MAX, addresses);
        stage_mix(stage, 1, (struct work){.stores = 1});
    }
}

/* Stages: the words and tables, the first key, then the rounds. */
static enum stage_end run_aes(struct stage *stage)
{
    const struct aes *aes = (const struct aes *)stage->program;
    struct columns *columns = stage->state;
    uint64_t addresses[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = 4 * (stage_thread(stage) + lane) +
                          array_base(stage, stage->number ? ARRAY_RESULT : ARRAY_INPUT);
    if (stage->number == 0) {
        stage_load(stage, word_site(0), UINT32_MAX, addresses, columns->bytes);
        stage_mix(stage, 1, (struct work){.integers = 1, .stores = 1});
        load_tables(stage);
        return STAGE_BARRIER;
    }
    uint32_t round = stage->number - 1;
    if (round && stage->device)
        make_round(aes, columns, round < ROUNDS);
    /* Four bytes of the columns, and for each a word of a table. Lanes have random words, of which
     * about TABLE_BANKS are in the busiest bank. */
    if (round) {
        stage_mix(stage, 1, (struct work){.loads = 4});
        stage_work(stage, 4);
        stage_mix(stage, 1, (struct work){.loads = 4, .banks = TABLE_BANKS});
        stage_work(stage, 12);
    } else {
        stage_work(stage, 2);
    }
    add_key(stage, round, columns);
    stage_mix(stage, 1, (struct work){.integers = 2, .stores = 1});
    if (round < ROUNDS)
        return STAGE_BARRIER;
    stage_store(stage, word_site(1), UINT32_MAX, addresses, columns->bytes);
    return STAGE_DONE;
}

/* Key and first block of FIPS-197 appendix C.1; the rest of the file is random. */
static void aes_upload(const struct staged_program *program, struct device *device)
{
    const struct aes *aes = (const struct aes *)program;
    const struct trace_array *arrays = program->program.arrays;
    memcpy(device_at(device, arrays[ARRAY_KEY].base, SCHEDULE_BYTES), aes->schedule,
           SCHEDULE_BYTES);
    uint8_t *input = device_at(device, arrays[ARRAY_INPUT].base, arrays[ARRAY_INPUT].bytes);
    for (uint64_t i = 0; i < arrays[ARRAY_INPUT].bytes; i++)
        input[i] = (uint8_t)(i < 16 ? i * 0x11 : random_at(1, i));
}

static const struct staged_kernel kernel = {
    .name = "aesEncrypt128",
    .shared_bytes = 4 * (2 + 4) * BLOCK, /* two states and four tables */
    .code = {.sites = "L S L L L L .......... T T T T T T T T T T T", .prologue = 12},
    .state_bytes = sizeof(struct columns),
    .run = run_aes,
};

static enum status open_aes(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    enum { PIECE = 4 * BLOCK };
    struct aes *aes = staged_create(sizeof *aes, &workload_aes, values);
    if (!aes)
        return STATUS_MEMORY;
    struct staged_program *program = &aes->staged;
    uint8_t key[KEY_BYTES];
    for (uint8_t i = 0; i < KEY_BYTES; i++)
        key[i] = i;
    make_substitution(aes->substitution);
    expand_key(aes->substitution, key, aes->schedule);
    program->upload = aes_upload;
    uint64_t pieces = (values[BYTES] + PIECE - 1) / PIECE;
    program_array(&program->program, "input", PIECE * pieces);
    program_array(&program->program, "key", SCHEDULE_BYTES);
    program_array(&program->program, "result", PIECE * pieces);
    staged_launch(program, &kernel, pieces, 1, BLOCK, 1, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(
    aes, "AES", ISPASS_SUITE,
    .help = "AES-128 encryption of a file; tables in shared memory, the key through textures",
    .sizes = 1u << 0);
