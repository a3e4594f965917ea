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
