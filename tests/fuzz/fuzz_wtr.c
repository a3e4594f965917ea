/* Any bytes as a .wtr file, and as the columns of a chunk whose checksum is right: opening and
 * reading never crash, hang or take more memory than the format allows. Built by `./dev fuzz`. */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/wtr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BLOCKS_READ = 64 };

static void read_block(const struct trace_source *source, uint32_t launch, uint64_t block)
{
    struct access_window window;
    struct instruction_window issued = {0};
    struct block_reader *reader;
    if (window_init(&window, 64) || instruction_window_init(&issued, 64))
        goto cleanup;
    if (!source->ops->open_block(source, launch, block, &reader, NULL)) {
        uint32_t warps = launch_warps(&source->launches[launch]);
        for (uint32_t warp = 0; warp < warps; warp++) {
            while (!source->ops->read(reader, warp, &window, NULL) && !window.end)
                continue;
            while (trace_launch_code(source, launch) &&
                   !source->ops->read_instructions(reader, warp, &issued, NULL) && !issued.end)
                continue;
        }
        source->ops->close_block(reader);
    }
cleanup:
    instruction_window_free(&issued);
    window_free(&window);
}

static void read_file(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", 0);
    struct trace_source *source;
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
        if (fd >= 0)
            close(fd);
        return;
    }
    if (wtr_open(fd, "fuzz.wtr", "fuzz", "fuzz", &source, NULL))
        return;
    for (uint32_t launch = 0; launch < source->launch_count && launch < 8; launch++) {
        uint64_t blocks = launch_blocks(&source->launches[launch]);
        for (uint64_t block = 0; block < blocks && block < BLOCKS_READ; block++)
            read_block(source, launch, block);
    }
    trace_source_free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_file(data, size);
    if (size >= 3) {
        struct instruction rows[4] = {{.class = CLASS_MEMORY}, {.pc = 16, .class = CLASS_MEMORY}};
        const struct trace_code code = {rows, 4};
        for (int known = 0; known < 2; known++) {
            struct wtr_chunk chunk = {0};
            const char *what;
            wtr_decode(data + 3, size - 3, data[0], data[1], data[2], known ? &code : NULL, &chunk,
                       &what);
            wtr_chunk_free(&chunk);
        }
    }
    return 0;
}
