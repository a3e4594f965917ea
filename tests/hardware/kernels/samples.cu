/* Kernels after those of CUDA's samples, for registers and machine code: MERGESORT. */
#define SHARED 1024
#define SAMPLE 128
typedef unsigned int uint;

template <bool INCLUSIVE>
static __device__ uint find(uint key, const uint *data, uint length, uint step)
{
    uint at = 0;
    if (length == 0)
        return 0;
    for (; step > 0; step >>= 1) {
        const uint next = umin(at + step, length);
        const uint found = data[next - 1];
        if (INCLUSIVE ? found <= key : found < key)
            at = next;
    }
    return at;
}

static __device__ uint power_of_two(uint x)
{
    return 1U << (32 - __clz(x - 1));
}

extern "C" __global__ void mergeSortSharedKernel(uint *to_key, uint *to_value, const uint *key,
                                                 const uint *value, uint length)
{
    __shared__ uint keys[SHARED], values[SHARED];
    const uint base = blockIdx.x * SHARED + threadIdx.x;
    keys[threadIdx.x] = key[base];
    values[threadIdx.x] = value[base];
    keys[threadIdx.x + SHARED / 2] = key[base + SHARED / 2];
    values[threadIdx.x + SHARED / 2] = value[base + SHARED / 2];
    for (uint stride = 1; stride < length; stride <<= 1) {
        const uint place = threadIdx.x & (stride - 1);
        uint *run = keys + 2 * (threadIdx.x - place),
             *run_values = values + 2 * (threadIdx.x - place);
        __syncthreads();
        const uint a = run[place], va = run_values[place], b = run[place + stride],
                   vb = run_values[place + stride];
        const uint at_a = find<false>(a, run + stride, stride, stride) + place;
        const uint at_b = find<true>(b, run, stride, stride) + place;
        __syncthreads();
        run[at_a] = a;
        run_values[at_a] = va;
        run[at_b] = b;
        run_values[at_b] = vb;
    }
    __syncthreads();
    to_key[base] = keys[threadIdx.x];
    to_value[base] = values[threadIdx.x];
    to_key[base + SHARED / 2] = keys[threadIdx.x + SHARED / 2];
    to_value[base + SHARED / 2] = values[threadIdx.x + SHARED / 2];
}

extern "C" __global__ void generateSampleRanksKernel(uint *ranks_a, uint *ranks_b, const uint *key,
                                                     uint stride, uint n, uint threads)
{
    const uint thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= threads)
        return;
    const uint i = thread & (stride / SAMPLE - 1), segment = (thread - i) * (2 * SAMPLE);
    key += segment;
    ranks_a += segment / SAMPLE;
    ranks_b += segment / SAMPLE;
    const uint length_a = stride, length_b = umin(stride, n - segment - stride);
    const uint samples_a = (length_a + SAMPLE - 1) / SAMPLE,
               samples_b = (length_b + SAMPLE - 1) / SAMPLE;
    if (i < samples_a) {
        ranks_a[i] = i * SAMPLE;
        ranks_b[i] = find<false>(key[i * SAMPLE], key + stride, length_b, power_of_two(length_b));
    }
    if (i < samples_b) {
        ranks_b[stride / SAMPLE + i] = i * SAMPLE;
        ranks_a[stride / SAMPLE + i] =
            find<true>(key[stride + i * SAMPLE], key, length_a, power_of_two(length_a));
    }
}

extern "C" __global__ void mergeRanksAndIndicesKernel(uint *limits, const uint *ranks, uint stride,
                                                      uint n, uint threads)
{
    const uint thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= threads)
        return;
    const uint i = thread & (stride / SAMPLE - 1), segment = (thread - i) * (2 * SAMPLE);
    ranks += (thread - i) * 2;
    limits += (thread - i) * 2;
    const uint length_a = stride, length_b = umin(stride, n - segment - stride);
    const uint samples_a = (length_a + SAMPLE - 1) / SAMPLE,
               samples_b = (length_b + SAMPLE - 1) / SAMPLE;
    if (i < samples_a)
        limits[find<false>(ranks[i], ranks + samples_a, samples_b, power_of_two(samples_b)) + i] =
            ranks[i];
    if (i < samples_b)
        limits[find<true>(ranks[samples_a + i], ranks, samples_a, power_of_two(samples_a)) + i] =
            ranks[samples_a + i];
}

extern "C" __global__ void mergeElementaryIntervalsKernel(uint *to_key, uint *to_value,
                                                          const uint *key, const uint *value,
                                                          const uint *limits_a,
                                                          const uint *limits_b, uint stride, uint n)
{
    __shared__ uint keys[2 * SAMPLE], values[2 * SAMPLE];
    const uint interval = blockIdx.x & (2 * stride / SAMPLE - 1),
               segment = (blockIdx.x - interval) * SAMPLE;
    __shared__ uint from_a, from_b, count_a, count_b, to_a, to_b;
    key += segment;
    value += segment;
    to_key += segment;
    to_value += segment;
    if (threadIdx.x == 0) {
        const uint length_a = stride, length_b = umin(stride, n - segment - stride);
        const uint samples = (length_a + SAMPLE - 1) / SAMPLE + (length_b + SAMPLE - 1) / SAMPLE;
        from_a = limits_a[blockIdx.x];
        from_b = limits_b[blockIdx.x];
        const uint end_a = interval + 1 < samples ? limits_a[blockIdx.x + 1] : length_a;
        const uint end_b = interval + 1 < samples ? limits_b[blockIdx.x + 1] : length_b;
        count_a = end_a - from_a;
        count_b = end_b - from_b;
        to_a = from_a + from_b;
        to_b = to_a + count_a;
    }
    __syncthreads();
    if (threadIdx.x < count_a) {
        keys[threadIdx.x] = key[from_a + threadIdx.x];
        values[threadIdx.x] = value[from_a + threadIdx.x];
    }
    if (threadIdx.x < count_b) {
        keys[threadIdx.x + SAMPLE] = key[stride + from_b + threadIdx.x];
        values[threadIdx.x + SAMPLE] = value[stride + from_b + threadIdx.x];
    }
    __syncthreads();
    uint a = 0, b = 0, va = 0, vb = 0, at_a = 0, at_b = 0;
    if (threadIdx.x < count_a) {
        a = keys[threadIdx.x];
        va = values[threadIdx.x];
        at_a = find<false>(a, keys + SAMPLE, count_b, SAMPLE) + threadIdx.x;
    }
    if (threadIdx.x < count_b) {
        b = keys[SAMPLE + threadIdx.x];
        vb = values[SAMPLE + threadIdx.x];
        at_b = find<true>(b, keys, count_a, SAMPLE) + threadIdx.x;
    }
    __syncthreads();
    if (threadIdx.x < count_a) {
        keys[at_a] = a;
        values[at_a] = va;
    }
    if (threadIdx.x < count_b) {
        keys[at_b] = b;
        values[at_b] = vb;
    }
    __syncthreads();
    if (threadIdx.x < count_a) {
        to_key[to_a + threadIdx.x] = keys[threadIdx.x];
        to_value[to_a + threadIdx.x] = values[threadIdx.x];
    }
    if (threadIdx.x < count_b) {
        to_key[to_b + threadIdx.x] = keys[count_a + threadIdx.x];
        to_value[to_b + threadIdx.x] = values[count_a + threadIdx.x];
    }
}
