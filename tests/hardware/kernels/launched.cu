/* Launches kernels for a profiler: empty ones, additions of vectors from 1,000 floats on, and some
 * thirty of the built-in programs. `measured/` holds what an H100 and an H200 made of them.
 *
 *   nvcc -std=c++17 -O3 -arch=sm_90 launched.cu -o launched
 *   ncu --csv --page raw --metrics ... ./launched all     or tiny; `./launched launch` times empty
 * launches itself */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "polybench.cu"
#undef KERNEL
#include "profiled.cu"
#define CHECK(x)                                                                                   \
    do {                                                                                           \
        cudaError_t e_ = (x);                                                                      \
        if (e_ != cudaSuccess) {                                                                   \
            printf("%s: %s\n", #x, cudaGetErrorString(e_));                                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
extern "C" __global__ void empty_kernel()
{
}
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
extern "C" __global__ void copy_stride(const float *a, float *b, int n, int stride)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    if (i < n)
        b[i] = a[i];
}
extern "C" __global__ void copy_offset(const float *a, float *b, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
    if (i < n)
        b[i] = a[i];
}
extern "C" __global__ void gather(const float *a, const int *index, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[index[i]];
}
extern "C" __global__ void transpose_naive(const float *a, float *b, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        b[x * n + y + j] = a[(y + j) * n + x];
}
extern "C" __global__ void transpose_tiled(const float *a, float *b, int n)
{
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        t[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        b[(y + j) * n + x] = t[threadIdx.x][threadIdx.y + j];
}
extern "C" __global__ void histogram_global(const unsigned char *in, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1u);
}
extern "C" __global__ void histogram_shared(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[in[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
extern "C" __global__ void atomics_one(unsigned *word, int times)
{
    for (int k = 0; k < times; k++)
        atomicAdd(word, 1u);
}
extern "C" __global__ void atomics_apart(unsigned *word, int times)
{
    for (int k = 0; k < times; k++)
        atomicAdd(&word[(blockIdx.x * blockDim.x + threadIdx.x) & 0xffff], 1u);
}

static float *f(size_t n)
{
    float *p;
    CHECK(cudaMalloc(&p, n * sizeof(float)));
    CHECK(cudaMemset(p, 0, n * sizeof(float)));
    return p;
}

static void launch_times()
{
    int clocks;
    CHECK(cudaDeviceGetAttribute(&clocks, cudaDevAttrClockRate, 0));
    printf("clock kHz %d\n", clocks);
    cudaEvent_t a, b;
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    int grids[] = {1, 132, 1320, 13200, 132000};
    for (int g : grids)
        for (int threads : {32, 256, 1024}) {
            for (int i = 0; i < 100; i++)
                empty_kernel<<<g, threads>>>();
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaEventRecord(a));
            for (int i = 0; i < 2000; i++)
                empty_kernel<<<g, threads>>>();
            CHECK(cudaEventRecord(b));
            CHECK(cudaEventSynchronize(b));
            float ms;
            CHECK(cudaEventElapsedTime(&ms, a, b));
            printf("back_to_back grid %d threads %d us %.3f\n", g, threads, ms * 1e3 / 2000);
            /* the same in a CUDA graph: no host in between */
            cudaStream_t s;
            CHECK(cudaStreamCreate(&s));
            cudaGraph_t graph;
            cudaGraphExec_t exec;
            CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
            for (int i = 0; i < 500; i++)
                empty_kernel<<<g, threads, 0, s>>>();
            CHECK(cudaStreamEndCapture(s, &graph));
            CHECK(cudaGraphInstantiate(&exec, graph, 0));
            CHECK(cudaGraphLaunch(exec, s));
            CHECK(cudaStreamSynchronize(s));
            CHECK(cudaEventRecord(a, s));
            CHECK(cudaGraphLaunch(exec, s));
            CHECK(cudaEventRecord(b, s));
            CHECK(cudaEventSynchronize(b));
            CHECK(cudaEventElapsedTime(&ms, a, b));
            printf("graph grid %d threads %d us %.3f\n", g, threads, ms * 1e3 / 500);
        }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "all";
    bool all = !strcmp(what, "all");
    if (!strcmp(what, "launch")) {
        launch_times();
        return 0;
    }
    if (all || !strcmp(what, "tiny")) {
        float *a = f(1 << 24), *b = f(1 << 24), *c = f(1 << 24);
        for (int g : {1, 132, 1320, 13200})
            for (int t : {32, 256, 1024})
                empty_kernel<<<g, t>>>();
        for (int n : {1000, 10000, 100000, 1000000, 10000000})
            vector_add<<<(n + 255) / 256, 256>>>(a, b, c, n);
        CHECK(cudaDeviceSynchronize());
        if (!all)
            return 0;
    }
    if (!strcmp(what, "few")) {
        float *a = f(1 << 24), *b = f(1 << 24), *c = f(1 << 24);
        vector_add<<<256, 256>>>(a, b, c, 65536);
        vector_add<<<4096, 256>>>(a, b, c, 1 << 20);
        matmul_naive<<<dim3(8, 8), dim3(32, 32)>>>(a, b, c, 256);
        copy_stride<<<1024, 256>>>(a, b, 1 << 20, 4);
        CHECK(cudaDeviceSynchronize());
        return 0;
    }
    size_t m = 4096ull * 4096;
    float *a = f(m), *b = f(m), *c = f(m), *x = f(65536), *y = f(65536), *t = f(65536);
    unsigned *bins;
    CHECK(cudaMalloc(&bins, 65536 * 4));
    CHECK(cudaMemset(bins, 0, 65536 * 4));
    unsigned char *bytes;
    CHECK(cudaMalloc(&bytes, 1 << 24));
    int *index;
    CHECK(cudaMalloc(&index, 4 << 20));
    {
        unsigned char *h = (unsigned char *)malloc(1 << 24);
        unsigned long long r = 1;
        for (int i = 0; i < 1 << 24; i++) {
            r = r * 6364136223846793005ull + 1442695040888963407ull;
            h[i] = r >> 56;
        }
        CHECK(cudaMemcpy(bytes, h, 1 << 24, cudaMemcpyHostToDevice));
        int *hi = (int *)h;
        for (int i = 0; i < 1 << 20; i++) {
            r = r * 6364136223846793005ull + 1442695040888963407ull;
            hi[i] = (r >> 40) & ((1 << 20) - 1);
        }
        CHECK(cudaMemcpy(index, hi, 4 << 20, cudaMemcpyHostToDevice));
    }
    vector_add<<<65536, 256>>>(a, b, c, 1 << 24);
    row_sums<<<16, 256>>>(a, x, 4096);
    column_sums<<<16, 256>>>(a, x, 4096);
    matmul_naive<<<dim3(32, 32), dim3(32, 32)>>>(a, b, c, 1024);
    matmul_naive<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, 1024);
    matmul_tiled<<<dim3(32, 32), dim3(32, 32)>>>(a, b, c, 1024);
    filter_3<<<dim3(64, 64), dim3(16, 16)>>>(a, x, b, 1024, 1024);
    filter_7<<<dim3(64, 64), dim3(16, 16)>>>(a, x, b, 1024, 1024);
    vector_divergent<<<4096, 256>>>(a, b, c, 1 << 20);
    reduce_strides<<<1024, 256>>>(a, x, 1 << 23);
    for (int s : {1, 2, 4, 8, 16, 32})
        copy_stride<<<4096, 256>>>(a, b, 1 << 20, s);
    for (int o : {0, 1, 8, 16})
        copy_offset<<<4096, 256>>>(a, b, 1 << 20, o);
    gather<<<4096, 256>>>(a, index, b, 1 << 20);
    transpose_naive<<<dim3(128, 128), dim3(32, 8)>>>(a, b, 4096);
    transpose_tiled<<<dim3(128, 128), dim3(32, 8)>>>(a, b, 4096);
    histogram_global<<<264, 256>>>(bytes, bins, 1 << 20);
    histogram_shared<<<264, 256>>>(bytes, bins, 1 << 20);
    atomics_one<<<1024, 256>>>(bins, 50);
    atomics_apart<<<1024, 256>>>(bins, 50);
    Convolution2D_kernel<<<dim3(128, 512), dim3(32, 8)>>>(a, b);
    convolution3D_kernel<<<dim3(8, 32), dim3(32, 8)>>>(a, b, 5);
    gemm_kernel<<<dim3(16, 64), dim3(32, 8)>>>(a, b, c);
    atax_kernel1<<<16, 256>>>(a, x, t);
    atax_kernel2<<<16, 256>>>(a, y, t);
    bicg_kernel1<<<16, 256>>>(a, x, t);
    bicg_kernel2<<<16, 256>>>(a, x, t);
    mvt_kernel1<<<16, 256>>>(a, x, t);
    mvt_kernel2<<<16, 256>>>(a, x, t);
    gesummv_kernel<<<16, 256>>>(a, b, x, y, t);
    syrk_kernel<<<dim3(32, 128), dim3(32, 8)>>>(a, c);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
