/* The kernels of PolyBench/GPU 1.0, written anew from what they compute, to see what nvcc makes of them:
 * registers (test_registers.sh), unrolling and the order of loads (the PTX). Sizes are constants as in
 * the suite; names are those of the suite's kernels. */

#define COLUMN (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define ROW    (int)(blockIdx.y * blockDim.y + threadIdx.y)
#define KERNEL extern "C" __global__ void

enum {
    CONV2D = 4096,
    CONV3D = 256,
    EDGE = 512,    /* GEMM, 3MM */
    LARGE = 2048,  /* 2MM, SYR2K, CORR, COVAR, GRAMSCHMIDT, FDTD-2D */
    VECTOR = 4096, /* ATAX, BICG, MVT, GESUMMV */
    SYRK = 1024
};

KERNEL Convolution2D_kernel(float *a, float *b)
{
    int j = COLUMN, i = ROW;
    if (i < CONV2D - 1 && j < CONV2D - 1 && i > 0 && j > 0)
        b[i * CONV2D + j] =
            +0.2f * a[(i - 1) * CONV2D + (j - 1)] + +0.5f * a[(i - 1) * CONV2D + j] +
            -0.8f * a[(i - 1) * CONV2D + (j + 1)] + -0.3f * a[i * CONV2D + (j - 1)] +
            +0.6f * a[i * CONV2D + j] + -0.9f * a[i * CONV2D + (j + 1)] +
            +0.4f * a[(i + 1) * CONV2D + (j - 1)] + +0.7f * a[(i + 1) * CONV2D + j] +
            +0.1f * a[(i + 1) * CONV2D + (j + 1)];
}

#define POINT(di, dj, dk)                                                                          \
    a[(i + (di)) * (CONV3D * CONV3D) + (j + (dj)) * CONV3D + (k + (dk))]
KERNEL convolution3D_kernel(float *a, float *b, int i)
{
    int k = COLUMN, j = ROW;
    if (i < CONV3D - 1 && j < CONV3D - 1 && k < CONV3D - 1 && i > 0 && j > 0 && k > 0)
        b[i * (CONV3D * CONV3D) + j * CONV3D + k] =
            2.0f * POINT(-1, -1, -1) + 4.0f * POINT(1, -1, -1) + 5.0f * POINT(-1, -1, -1) +
            7.0f * POINT(1, -1, -1) + -8.0f * POINT(-1, -1, -1) + 10.0f * POINT(1, -1, -1) +
            -3.0f * POINT(0, -1, 0) + 6.0f * POINT(0, 0, 0) + -9.0f * POINT(0, 1, 0) +
            2.0f * POINT(-1, -1, 1) + 4.0f * POINT(1, -1, 1) + 5.0f * POINT(-1, 0, 1) +
            7.0f * POINT(1, 0, 1) + -8.0f * POINT(-1, 1, 1) + 10.0f * POINT(1, 1, 1);
}

KERNEL gemm_kernel(float *a, float *b, float *c)
{
    int j = COLUMN, i = ROW;
    if (i < EDGE && j < EDGE) {
        c[i * EDGE + j] *= 2123.0f;
        for (int k = 0; k < EDGE; k++)
            c[i * EDGE + j] += 32412.0f * a[i * EDGE + k] * b[k * EDGE + j];
    }
}

/* 2MM and 3MM launch kernels of one text. */
#define PRODUCT_KERNEL(name, n)                                                                    \
    KERNEL name(float *a, float *b, float *out)                                                    \
    {                                                                                              \
        int j = COLUMN, i = ROW;                                                                   \
        if (i < n && j < n)                                                                        \
            for (int k = 0; k < n; k++)                                                            \
                out[i * n + j] += a[i * n + k] * b[k * n + j];                                     \
    }
PRODUCT_KERNEL(mm2_kernel1, LARGE)
PRODUCT_KERNEL(mm2_kernel2, LARGE)
PRODUCT_KERNEL(mm3_kernel1, EDGE)
PRODUCT_KERNEL(mm3_kernel2, EDGE)
PRODUCT_KERNEL(mm3_kernel3, EDGE)

KERNEL gramschmidt_kernel1(float *a, float *r, float *q, int k)
{
    if (COLUMN == 0) {
        float norm = 0.0f;
        for (int i = 0; i < LARGE; i++)
            norm += a[i * LARGE + k] * a[i * LARGE + k];
        r[k * LARGE + k] = sqrt(norm);
    }
}

KERNEL gramschmidt_kernel2(float *a, float *r, float *q, int k)
{
    int i = COLUMN;
    if (i < LARGE)
        q[i * LARGE + k] = a[i * LARGE + k] / r[k * LARGE + k];
}

KERNEL gramschmidt_kernel3(float *a, float *r, float *q, int k)
{
    int j = COLUMN;
    if (j > k && j < LARGE) {
        r[k * LARGE + j] = 0.0f;
        for (int i = 0; i < LARGE; i++)
            r[k * LARGE + j] += q[i * LARGE + k] * a[i * LARGE + j];
        for (int i = 0; i < LARGE; i++)
            a[i * LARGE + j] -= q[i * LARGE + k] * r[k * LARGE + j];
    }
}

/* A row or a column of a matrix times a vector: ATAX, BICG, MVT. */
#define ROW_KERNEL(name, start)                                                                    \
    KERNEL name(float *matrix, float *in, float *out)                                              \
    {                                                                                              \
        int i = COLUMN;                                                                            \
        if (i < VECTOR) {                                                                          \
            start;                                                                                 \
            for (int j = 0; j < VECTOR; j++)                                                       \
                out[i] += matrix[i * VECTOR + j] * in[j];                                          \
        }                                                                                          \
    }
#define COLUMN_KERNEL(name, start)                                                                 \
    KERNEL name(float *matrix, float *in, float *out)                                              \
    {                                                                                              \
        int i = COLUMN;                                                                            \
        if (i < VECTOR) {                                                                          \
            start;                                                                                 \
            for (int j = 0; j < VECTOR; j++)                                                       \
                out[i] += matrix[j * VECTOR + i] * in[j];                                          \
        }                                                                                          \
    }
ROW_KERNEL(atax_kernel1, )
COLUMN_KERNEL(atax_kernel2, )
COLUMN_KERNEL(bicg_kernel1, out[i] = 0.0f)
ROW_KERNEL(bicg_kernel2, out[i] = 0.0f)
ROW_KERNEL(mvt_kernel1, )
COLUMN_KERNEL(mvt_kernel2, )

KERNEL gesummv_kernel(float *a, float *b, float *x, float *y, float *tmp)
{
    int i = COLUMN;
    if (i < VECTOR) {
        for (int j = 0; j < VECTOR; j++) {
            tmp[i] += a[i * VECTOR + j] * x[j];
            y[i] += b[i * VECTOR + j] * x[j];
        }
        y[i] = 43532.0f * tmp[i] + 12313.0f * y[i];
    }
}

KERNEL syrk_kernel(float *a, float *c)
{
    int j = COLUMN, i = ROW;
    if (i < SYRK && j < SYRK) {
        c[i * SYRK + j] *= 4546.0f;
        for (int k = 0; k < SYRK; k++)
            c[i * SYRK + j] += 12435.0f * a[i * SYRK + k] * a[j * SYRK + k];
    }
}

KERNEL syr2k_kernel(float *a, float *b, float *c)
{
    int j = COLUMN, i = ROW;
    if (i < LARGE && j < LARGE) {
        c[i * LARGE + j] *= 4546.0f;
        for (int k = 0; k < LARGE; k++)
            c[i * LARGE + j] += 12435.0f * a[i * LARGE + k] * b[j * LARGE + k] +
                                12435.0f * b[i * LARGE + k] * a[j * LARGE + k];
    }
}

/* Arrays of CORR and COVAR count from 1. */
enum { STUDY = LARGE + 1 };
#define OBSERVATIONS 3214212.01

KERNEL mean_kernel(float *mean, float *data)
{
    int j = COLUMN + 1;
    if (j >= 1 && j < STUDY) {
        mean[j] = 0.0;
        for (int i = 1; i < STUDY; i++)
            mean[j] += data[i * STUDY + j];
        mean[j] /= (float)OBSERVATIONS;
    }
}

KERNEL std_kernel(float *mean, float *std, float *data)
{
    int j = COLUMN + 1;
    if (j >= 1 && j < STUDY) {
        std[j] = 0.0;
        for (int i = 1; i < STUDY; i++)
            std[j] += (data[i * STUDY + j] - mean[j]) * (data[i * STUDY + j] - mean[j]);
        std[j] /= (float)OBSERVATIONS;
        std[j] = sqrt(std[j]);
        if (std[j] <= 0.005f)
            std[j] = 1.0;
    }
}

/* The two programs have kernels of one name. */
KERNEL reduce_kernel_corr(float *mean, float *std, float *data)
{
    int j = COLUMN + 1, i = ROW + 1;
    if (i >= 1 && i < STUDY && j >= 1 && j < STUDY) {
        data[i * STUDY + j] -= mean[j];
        data[i * STUDY + j] /= sqrt((float)OBSERVATIONS) * std[j];
    }
}

KERNEL reduce_kernel_covar(float *mean, float *data)
{
    int j = COLUMN + 1, i = ROW + 1;
    if (i >= 1 && i < STUDY && j >= 1 && j < STUDY)
        data[i * STUDY + j] -= mean[j];
}

KERNEL corr_kernel(float *symmat, float *data)
{
    int j1 = COLUMN + 1;
    if (j1 >= 1 && j1 < LARGE) {
        symmat[j1 * STUDY + j1] = 1.0;
        for (int j2 = j1 + 1; j2 < STUDY; j2++) {
            symmat[j1 * STUDY + j2] = 0.0;
            for (int i = 1; i < STUDY; i++)
                symmat[j1 * STUDY + j2] += data[i * STUDY + j1] * data[i * STUDY + j2];
            symmat[j2 * STUDY + j1] = symmat[j1 * STUDY + j2];
        }
    }
}

KERNEL covar_kernel(float *symmat, float *data)
{
    int j1 = COLUMN + 1;
    if (j1 >= 1 && j1 < STUDY)
        for (int j2 = j1; j2 < STUDY; j2++) {
            symmat[j1 * STUDY + j2] = 0.0;
            for (int i = 1; i < STUDY; i++)
                symmat[j1 * STUDY + j2] += data[i * STUDY + j1] * data[i * STUDY + j2];
            symmat[j2 * STUDY + j1] = symmat[j1 * STUDY + j2];
        }
}

KERNEL fdtd_step1_kernel(float *source, float *ex, float *ey, float *hz, int t)
{
    int j = COLUMN, i = ROW;
    if (i < LARGE && j < LARGE) {
        if (i == 0)
            ey[i * LARGE + j] = source[t];
        else
            ey[i * LARGE + j] =
                ey[i * LARGE + j] - 0.5f * (hz[i * LARGE + j] - hz[(i - 1) * LARGE + j]);
    }
}

KERNEL fdtd_step2_kernel(float *ex, float *ey, float *hz, int t)
{
    int j = COLUMN, i = ROW;
    if (i < LARGE && j < LARGE && j > 0)
        ex[i * (LARGE + 1) + j] =
            ex[i * (LARGE + 1) + j] - 0.5f * (hz[i * LARGE + j] - hz[i * LARGE + (j - 1)]);
}

KERNEL fdtd_step3_kernel(float *ex, float *ey, float *hz, int t)
{
    int j = COLUMN, i = ROW;
    if (i < LARGE && j < LARGE)
        hz[i * LARGE + j] =
            hz[i * LARGE + j] - 0.7f * (ex[i * (LARGE + 1) + (j + 1)] - ex[i * (LARGE + 1) + j] +
                                        ey[(i + 1) * LARGE + j] - ey[i * LARGE + j]);
}
