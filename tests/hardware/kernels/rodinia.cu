/* Kernels of Rodinia 3.1 and Parboil 2.5, written anew from what they compute, to see what nvcc makes of
 * them (polybench.cu). */

#define KERNEL extern "C" __global__ void

struct Node {
    int starting, no_of_edges;
};

KERNEL Kernel(Node *nodes, int *edges, bool *mask, bool *updating, bool *visited, int *cost, int count)
{
    int tid = blockIdx.x * 512 + threadIdx.x;
    if (tid < count && mask[tid]) {
        mask[tid] = false;
        for (int i = nodes[tid].starting; i < nodes[tid].no_of_edges + nodes[tid].starting; i++) {
            int id = edges[i];
            if (!visited[id]) {
                cost[id] = cost[tid] + 1;
                updating[id] = true;
            }
        }
    }
}

KERNEL Kernel2(bool *mask, bool *updating, bool *visited, bool *over, int count)
{
    int tid = blockIdx.x * 512 + threadIdx.x;
    if (tid < count && updating[tid]) {
        mask[tid] = true;
        visited[tid] = true;
        *over = true;
        updating[tid] = false;
    }
}

enum { UNITS = 16 };

KERNEL bpnn_layerforward_CUDA(float *input, float *output, float *weights, float *partial, int in, int hid)
{
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = (hid + 1) * UNITS * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_in = UNITS * by + ty + 1;
    __shared__ float node[UNITS];
    __shared__ float matrix[UNITS][UNITS];
    if (tx == 0)
        node[ty] = input[index_in];
    __syncthreads();
    matrix[ty][tx] = weights[index];
    __syncthreads();
    matrix[ty][tx] = matrix[ty][tx] * node[ty];
    __syncthreads();
    for (int i = 1; i <= __log2f(UNITS); i++) {
        int power = __powf(2, i);
        if (ty % power == 0)
            matrix[ty][tx] = matrix[ty][tx] + matrix[ty + power / 2][tx];
        __syncthreads();
    }
    weights[index] = matrix[ty][tx];
    __syncthreads();
    if (tx == 0)
        partial[by * hid + ty] = matrix[tx][ty];
}

KERNEL bpnn_adjust_weights_cuda(float *delta, int hid, float *ly, int in, float *w, float *oldw)
{
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = (hid + 1) * UNITS * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_y = UNITS * by + ty + 1, index_x = tx + 1;
    w[index] += ((0.3 * delta[index_x] * ly[index_y]) + (0.3 * oldw[index]));
    oldw[index] = ((0.3 * delta[index_x] * ly[index_y]) + (0.3 * oldw[index]));
    __syncthreads();
    if (ty == 0 && by == 0) {
        w[index_x] += ((0.3 * delta[index_x]) + (0.3 * oldw[index_x]));
        oldw[index_x] = ((0.3 * delta[index_x]) + (0.3 * oldw[index_x]));
    }
}

enum { TILE = 16 };
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))

KERNEL calculate_temp(int iteration, float *power, float *temp_src, float *temp_dst, int cols, int rows,
                      int border_cols, int border_rows, float cap, float rx, float ry, float rz,
                      float step, float elapsed)
{
    __shared__ float temp_on_cuda[TILE][TILE];
    __shared__ float power_on_cuda[TILE][TILE];
    __shared__ float temp_t[TILE][TILE];
    float amb = 80.0;
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    float step_div_cap = step / cap, rx_1 = 1 / rx, ry_1 = 1 / ry, rz_1 = 1 / rz;
    int small_rows = TILE - iteration * 2, small_cols = TILE - iteration * 2;
    int blk_y = small_rows * by - border_rows, blk_x = small_cols * bx - border_cols;
    int blk_y_max = blk_y + TILE - 1, blk_x_max = blk_x + TILE - 1;
    int y = blk_y + ty, x = blk_x + tx;
    int index = cols * y + x;
    if (IN_RANGE(y, 0, rows - 1) && IN_RANGE(x, 0, cols - 1)) {
        temp_on_cuda[ty][tx] = temp_src[index];
        power_on_cuda[ty][tx] = power[index];
    }
    __syncthreads();
    int y_min = blk_y < 0 ? -blk_y : 0;
    int y_max = blk_y_max > rows - 1 ? TILE - 1 - (blk_y_max - rows + 1) : TILE - 1;
    int x_min = blk_x < 0 ? -blk_x : 0;
    int x_max = blk_x_max > cols - 1 ? TILE - 1 - (blk_x_max - cols + 1) : TILE - 1;
    int n = ty - 1, s = ty + 1, w = tx - 1, e = tx + 1;
    n = n < y_min ? y_min : n;
    s = s > y_max ? y_max : s;
    w = w < x_min ? x_min : w;
    e = e > x_max ? x_max : e;
    bool computed;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, TILE - i - 2) && IN_RANGE(ty, i + 1, TILE - i - 2) &&
            IN_RANGE(tx, x_min, x_max) && IN_RANGE(ty, y_min, y_max)) {
            computed = true;
            temp_t[ty][tx] =
                temp_on_cuda[ty][tx] +
                step_div_cap *
                    (power_on_cuda[ty][tx] +
                     (temp_on_cuda[s][tx] + temp_on_cuda[n][tx] - 2.0 * temp_on_cuda[ty][tx]) * ry_1 +
                     (temp_on_cuda[ty][e] + temp_on_cuda[ty][w] - 2.0 * temp_on_cuda[ty][tx]) * rx_1 +
                     (amb - temp_on_cuda[ty][tx]) * rz_1);
        }
        __syncthreads();
        if (i == iteration - 1)
            break;
        if (computed)
            temp_on_cuda[ty][tx] = temp_t[ty][tx];
        __syncthreads();
    }
    if (computed)
        temp_dst[index] = temp_t[ty][tx];
}

enum { PATH = 256 };
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

KERNEL dynproc_kernel(int iteration, int *wall, int *src, int *results, int cols, int rows, int start, int border)
{
    __shared__ int prev[PATH];
    __shared__ int result[PATH];
    int bx = blockIdx.x, tx = threadIdx.x;
    int small = PATH - iteration * 2;
    int blk = small * bx - border, blk_max = blk + PATH - 1;
    int x = blk + tx;
    int x_min = blk < 0 ? -blk : 0;
    int x_max = blk_max > cols - 1 ? PATH - 1 - (blk_max - cols + 1) : PATH - 1;
    int w = tx - 1, e = tx + 1;
    w = w < x_min ? x_min : w;
    e = e > x_max ? x_max : e;
    bool valid = IN_RANGE(tx, x_min, x_max);
    if (IN_RANGE(x, 0, cols - 1))
        prev[tx] = src[x];
    __syncthreads();
    bool computed;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, PATH - i - 2) && valid) {
            computed = true;
            int left = prev[w], up = prev[tx], right = prev[e];
            int shortest = MIN(left, up);
            shortest = MIN(shortest, right);
            int index = cols * (start + i) + x;
            result[tx] = shortest + wall[index];
        }
        __syncthreads();
        if (i == iteration - 1)
            break;
        if (computed)
            prev[tx] = result[tx];
        __syncthreads();
    }
    if (computed)
        results[x] = result[tx];
}

/* The lengths of rows and the starts of columns of SPMV lie in constant memory. */
__constant__ int jds_ptr_int[5000];
__constant__ int sh_zcnt_int[5000];

KERNEL spmv_jds(float *dst, const float *data, const int *index, const int *perm, const float *x, int dim,
                const int *pointers, const int *zero_counts)
{
    int ix = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = ix / 32;
    if (ix < dim) {
        float sum = 0.0f;
        int bound = sh_zcnt_int[warp];
        int j = jds_ptr_int[0] + ix;
        float d = data[j];
        int i = index[j];
        float t = x[i];
        if (bound > 1) {
            j = jds_ptr_int[1] + ix;
            i = index[j];
            for (int k = 2; k < bound; k++) {
                float dn = data[j];
                j = jds_ptr_int[k] + ix;
                int in = index[j];
                float tn = x[i];
                sum += d * t;
                i = in;
                d = dn;
                t = tn;
            }
            float dn = data[j], tn = x[i];
            sum += d * t;
            d = dn;
            t = tn;
        }
        sum += d * t;
        dst[perm[ix]] = sum;
    }
}
