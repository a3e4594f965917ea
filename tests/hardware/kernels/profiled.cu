/* Kernels that GPUs were profiled with (docs/WORKLOADS.md), written anew from their access patterns, to see
 * what nvcc makes of them (polybench.cu). Lengths are known at run time only, but for sizes of filters. */

#define KERNEL extern "C" __global__ void

KERNEL row_sums(const float *a, float *sums, size_t ds)
{
    size_t index = threadIdx.x + blockDim.x * blockIdx.x;
    if (index < ds) {
        float sum = 0.0f;
        for (size_t i = 0; i < ds; i++)
            sum += a[index * ds + i];
        sums[index] = sum;
    }
}

KERNEL column_sums(const float *a, float *sums, size_t ds)
{
    size_t index = threadIdx.x + blockDim.x * blockIdx.x;
    if (index < ds) {
        float sum = 0.0f;
        for (size_t i = 0; i < ds; i++)
            sum += a[index + ds * i];
        sums[index] = sum;
    }
}

KERNEL matmul_naive(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && column < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + column];
        c[row * n + column] = sum;
    }
}

template <int size>
__device__ void filter(const float *__restrict__ image, const float *__restrict__ weights,
                       float *__restrict__ out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width - size + 1 && y < height - size + 1) {
        float sum = 0.0f;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                sum += image[(y + i) * width + x + j] * weights[i * size + j];
        out[y * width + x] = sum;
    }
}

KERNEL filter_3(const float *__restrict__ image, const float *__restrict__ weights, float *__restrict__ out,
                int width, int height)
{
    filter<3>(image, weights, out, width, height);
}

KERNEL filter_7(const float *__restrict__ image, const float *__restrict__ weights, float *__restrict__ out,
                int width, int height)
{
    filter<7>(image, weights, out, width, height);
}

KERNEL matmul_tiled(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    enum { TILE = 32 };
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += TILE) {
        left[y][x] = row < n && k + threadIdx.x < n ? a[row * n + k + x] : 0.0f;
        right[y][x] = k + threadIdx.y < n && column < n ? b[(k + y) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += left[y][i] * right[i][x];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

/* Half of the lanes add up a constant times a counter: an addition, a conversion, a multiply-add. */
KERNEL vector_divergent(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                        int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i % 2 == 0) {
        float sum = 0.0f;
#pragma unroll 16
        for (int k = 0; k < 128; k++)
            sum += 0.0001f * k;
        c[i] = a[i] + b[i] + sum;
    } else {
        c[i] = a[i] + b[i];
    }
}

/* Each thread adds up words that lie a grid apart, in shared memory as far as the source says. */
KERNEL reduce_strides(const float *words, float *sum, size_t n)
{
    __shared__ float sums[256];
    sums[threadIdx.x] = 0.0f;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sums[threadIdx.x] += words[i];
    for (unsigned distance = blockDim.x / 2; distance; distance /= 2) {
        __syncthreads();
        if (threadIdx.x < distance)
            sums[threadIdx.x] += sums[threadIdx.x + distance];
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, sums[0]);
}
