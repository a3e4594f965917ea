/* The kernels that GPUs were profiled with (docs/WORKLOADS.md), written anew from their access patterns, to
 * see what nvcc makes of them (polybench.cu). Lengths are known at run time only. */

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

KERNEL vector_kernel(const float *a, const float *b, float *c, int n)
{
    for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}

KERNEL matrix_add_2D(const unsigned *a, const unsigned *b, unsigned *c, size_t width, size_t height)
{
    size_t x = threadIdx.x + blockDim.x * blockIdx.x, y = threadIdx.y + blockDim.y * blockIdx.y;
    if (x < width && y < height)
        c[y * width + x] = a[y * width + x] + b[y * width + x];
}

KERNEL matmul_naive(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && column < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + column];
        c[row * n + column] = sum;
    }
}

KERNEL matmul_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[32][32], right[32][32];
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n / 32; t++) {
        left[threadIdx.y][threadIdx.x] = a[row * n + t * 32 + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(t * 32 + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < 32; k++)
            sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

KERNEL filter_kernel(const float *image, const float *weights, float *out, int n, int size)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int width = n + size - 1;
    if (x < n && y < n) {
        float sum = 0.0f;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                sum += image[(y + i) * width + x + j] * weights[i * size + j];
        out[y * n + x] = sum;
    }
}

template <int size>
__device__ void filter(const float *image, const float *weights, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width - size + 1 && y < height - size + 1) {
        float sum = 0.0f;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                sum += image[(y + i) * width + x + j] * weights[i * size + j];
        out[y * (width - size + 1) + x] = sum;
    }
}
KERNEL filter_3(const float *image, const float *weights, float *out, int width, int height)
{
    filter<3>(image, weights, out, width, height);
}
KERNEL filter_7(const float *image, const float *weights, float *out, int width, int height)
{
    filter<7>(image, weights, out, width, height);
}

KERNEL transpose_direct(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

KERNEL transpose_tile(const float *in, float *out, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    if (x < height && y < width)
        out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

KERNEL reduce_kernel(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned sums[256];
    int t = threadIdx.x;
    sums[t] = 0;
    for (int i = t + blockDim.x * blockIdx.x; i < n; i += gridDim.x * blockDim.x)
        sums[t] += in[i];
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        __syncthreads();
        if (t < s)
            sums[t] += sums[t + s];
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

KERNEL histogram_kernel(const unsigned *data, unsigned *bins, int n)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&own[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

KERNEL gather_kernel(const int *index, const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[index[i]];
}

KERNEL chase_kernel(const unsigned *ring, unsigned *last, int steps)
{
    unsigned at = 0;
    for (int i = 0; i < steps; i++)
        at = ring[at];
    *last = at;
}
