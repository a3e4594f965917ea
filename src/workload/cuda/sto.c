/* STO: a fingerprint of every window of a file, from StoreGPU's overlapping SHA-1 in ISPASS-2009.
 *
 * Thread t hashes the 52 bytes that begin at byte 4 t and stores the first word of their SHA-1, one
 * byte per instruction, the highest byte first. Neighbouring threads have 12 of their 13 words in
 * common, and each load of a warp is one run of 128 B. The padded message block is in shared
 * memory, everything else in registers. */
#include <string.h>

#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { THREADS };
enum { BLOCK = 128, CHUNK_WORDS = 13, ROUNDS = 80 };
enum { ARRAY_INPUT, ARRAY_OUTPUT };

static const struct workload_parameter parameters_sto[] = {
    {"threads", 49152, 1, 1 << 26, "windows of 52 bytes, 4 bytes apart; a thread each"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct messages {
    uint8_t bytes[WARP_SIZE][CHUNK_WORDS][4];
};

static uint32_t rotate(uint32_t value, int bits)
{
    return value << bits | value >> (32 - bits);
}

/* FIPS-180 section 6.1 for one message of 52 bytes, which fills one block; the digest's first
 * word. */
static uint32_t hash_message(uint8_t message[CHUNK_WORDS][4])
{
    static const uint32_t keys[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t words[16] = {[CHUNK_WORDS] = 0x80000000, [15] = 32 * CHUNK_WORDS};
    uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;
    for (int i = 0; i < CHUNK_WORDS; i++)
        words[i] = (uint32_t)message[i][0] << 24 | (uint32_t)message[i][1] << 16 |
                   (uint32_t)message[i][2] << 8 | message[i][3];
    uint32_t first = a;
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t *word = &words[t % 16];
        if (t >= 16)
            *word =
                rotate(words[(t + 13) % 16] ^ words[(t + 8) % 16] ^ words[(t + 2) % 16] ^ *word, 1);
        uint32_t choice = t < 20              ? (b & c) | (~b & d)
                          : t >= 40 && t < 60 ? (b & c) | (b & d) | (c & d)
                                              : b ^ c ^ d;
        uint32_t next = rotate(a, 5) + choice + e + keys[t / 20] + *word;
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    return first + a;
}

/* Stages: the words, then the digests. */
static enum stage_end run_sto(struct stage *stage)
{
    const struct program *program = &stage->program->program;
    struct messages *messages = stage->state;
    uint64_t addresses[WARP_SIZE], first = stage_thread(stage);
    uint32_t mask = lanes_below(first, program->arrays[ARRAY_OUTPUT].bytes / 4) & stage->lanes;
    uint8_t bytes[4][WARP_SIZE] = {{0}};
    if (!mask)
        return STAGE_DONE;
    if (stage->number == 0) {
        for (uint8_t word = 0; word < CHUNK_WORDS; word++) {
            uint8_t words[WARP_SIZE][4] = {{0}};
            for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
                addresses[lane] = array_base(stage, ARRAY_INPUT) + 4 * (first + lane + word);
            stage_load(stage, word_site(word), mask, addresses, words);
            stage_mix(stage, 1, (struct work){.stores = 1});
            for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
                memcpy(messages->bytes[lane][word], words[lane], 4);
        }
        return STAGE_NEXT;
    }
    for (uint32_t lane = 0; stage->device && lane < WARP_SIZE; lane++) {
        uint32_t digest = hash_message(messages->bytes[lane]);
        for (int b = 0; b < 4; b++)
            bytes[b][lane] = (uint8_t)(digest >> (24 - 8 * b));
    }
    stage_mix(stage, 16, (struct work){.loads = 1, .integers = 6, .stores = 1}); /* bytes turned */
    stage_work(stage, 64 * 6 + ROUNDS * 10); /* schedule, rounds */
    for (uint8_t b = 0; b < 4; b++) {
        for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
            addresses[lane] = array_base(stage, ARRAY_OUTPUT) + 4 * (first + lane) + b;
        stage_work(stage, 1);
        stage_store(stage, (struct site){(uint8_t)(CHUNK_WORDS + b), SPACE_GLOBAL, 1}, mask,
                    addresses, bytes[b]);
    }
    return STAGE_DONE;
}

static void sto_upload(const struct staged_program *program, struct device *device)
{
    const struct trace_array *input = &program->program.arrays[ARRAY_INPUT];
    uint8_t *bytes = device_at(device, input->base, input->bytes);
    for (uint64_t i = 0; i < input->bytes; i++)
        bytes[i] = (uint8_t)random_at(1, i);
}

static const struct staged_kernel kernel = {
    .name = "sha1_overlap",
    .shared_bytes = 4 * (4 * 1024 - 32),
    .code = {.sites = "L L L L L L L L L L L L L S S S S", .prologue = 16},
    .state_bytes = sizeof(struct messages),
    .run = run_sto,
};

static enum status open_sto(const uint64_t *values, struct trace_source **source,
                            struct diagnostics *diagnostics)
{
    struct staged_program *program = staged_create(sizeof *program, &workload_sto, values);
    if (!program)
        return STATUS_MEMORY;
    uint64_t threads = values[THREADS];
    program->upload = sto_upload;
    program_array(&program->program, "input", 4 * (threads + CHUNK_WORDS - 1));
    program_array(&program->program, "output", 4 * threads);
    staged_launch(program, &kernel, (threads + BLOCK - 1) / BLOCK, 1, BLOCK, 1, 0);
    return staged_finish(program, source, diagnostics);
}

CUDA_PROGRAM(sto, "STO", ISPASS_SUITE,
             .help = "SHA-1 of every window of a file; overlapping loads, stores of single bytes");
