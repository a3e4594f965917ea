/* The fitted coefficients of array.c, from two sources:
 * - Area of every kind of array, and leakage of caches and RAMs: published coefficients of a closed
 *   form, fitted by non-negative least squares to about 13,000 runs of CACTI 7.0 (itrs-hp cells,
 *   350 K, no ECC, delay, energy and area balanced).
 * - Time and energy of everything, and leakage of associative arrays: fitted in the same way to the
 *   same runs (relative error, non-negative, one set of coefficients per node), with the features
 *   that array.c names.
 *
 * All coefficients are non-negative and every feature grows with capacity, so estimates never fall
 * as an array grows. Rows are nodes: 90, 65, 45, 32, 22 nm. The two errors given with each form are
 * the median and the 95th percentile on a random quarter of the runs that the fit did not see;
 * docs/MODELS.md lists them all. */
#pragma once

enum { NODES = 5 };
static const double node_nm[NODES] = {90, 65, 45, 32, 22};

/* The coefficients belong to sums over the listed features. N: bits; W: bits read per way, or
 * payload bits of an associative array; A: ways; x: extra ports; F: feature size in um; n: entries;
 * T: tag bits.
 *
 * um2 = F^2 x sum over N cell, sqrt(N cell), N/W, W^2 A, W^2 A x, W^2 A x^2, W^2 sqrt(A), W A (1 +
 * x), (W A)^2; 4.7 % and 20 % on caches, 4.3 % and 13 % on RAMs. */
enum { AREA_TERMS = 9 };
static const double data_area[AREA_TERMS] = {1.23145,  33.23851, 324.11021, 35.32307, 61.9355,
                                             20.99988, 7.7112,   1602.4429, 0.87978};
static const double tag_area[AREA_TERMS] = {1.26521,  196.58016, 130.13222, 8.84726, 50.01407,
                                            25.96478, 0,         0,         0};
static const double ram_area[AREA_TERMS] = {1.23994, 254.48221, 46.21842,  43.3604, 65.35375,
                                            20.5633, 0,         822.06242, 0};

/* um2 = F^2 x sum over n T 292, n W 146, n, W^2, W + T, sqrt(n T 292 + n W 146): one port, entries
 * with a searched tag; up to 128 entries 1.7 % and 13 %, above it CACTI itself is jagged. */
enum { FA_AREA_TERMS = 6 };
static const double fa_area_small[FA_AREA_TERMS] = {1.32558, 2.14328, 8809.91, 130.867, 18394.5, 0};
static const double fa_area_large[FA_AREA_TERMS] = {1.29339, 3.04436, 27878.1, 130.634, 15501.4, 0};

/* um2 = F^2 x sum over n T 292, n, T^2, T, 1: tags alone; 0.9 % and 2.7 %. */
enum { CAM_AREA_TERMS = 5 };
static const double cam_area[CAM_AREA_TERMS] = {1.08436, 12386.9, 125.119, 8847.21, 29944.6};

/* ns, sum over 1, log2 N - 9, s, W A F, side (s: square root of the area in um; side: that of the
 * cells alone); caches 10.7 % and 35 %, RAMs 7.8 % and 25 %. */
enum { TIME_TERMS = 5 };
static const double cache_time[NODES][TIME_TERMS] = {
    {0.301991, 0, 0.000564768, 0.00266322, 0.000270163},
    {0.184117, 0, 0.000551568, 0.00282531, 0.000360727},
    {0.0707452, 0.000827621, 0.000665225, 0.00325456, 0.0002498},
    {0.0292184, 0.00175892, 0.000701071, 0.00379101, 0.000331752},
    {0, 0.00142219, 0.000953199, 0.00446315, 0.00020268}};
static const double ram_time[NODES][TIME_TERMS] = {
    {0.368773, 0.0179588, 0, 0, 0.00089868},
    {0.242349, 0.00918376, 0, 0, 0.000995841},
    {0.13926, 0.00383572, 8.26979e-06, 0, 0.00100551},
    {0.0949635, 0.00318526, 5.5539e-05, 0, 0.00105158},
    {0.0509313, 0.00126365, 0.00017289, 0, 0.0010796}};

/* nJ, sum over W s, W A, W A s, sqrt N, sqrt(W N), W^2 A, N; caches 18 % and 59 %, RAMs 23 % and
 * 62 %: the weakest of the forms. */
enum { ENERGY_TERMS = 7 };
static const double cache_energy[NODES][ENERGY_TERMS] = {
    {2.35136e-07, 1.1475e-05, 3.71815e-08, 4.25353e-05, 0, 6.94296e-08, 9.1073e-09},
    {1.88008e-07, 2.52388e-06, 3.18728e-08, 2.59371e-05, 0, 3.63966e-08, 4.63257e-09},
    {1.54582e-07, 2.97393e-06, 2.74829e-08, 1.42623e-05, 0, 1.37796e-08, 1.73089e-09},
    {1.26609e-07, 6.47979e-07, 2.24973e-08, 8.05874e-06, 0, 7.32311e-09, 9.66503e-10},
    {1.12708e-07, 0, 1.81483e-08, 4.10489e-06, 0, 2.72347e-09, 1.3282e-10}};
static const double ram_energy[NODES][ENERGY_TERMS] = {
    {2.27068e-07, 0, 4.32308e-08, 2.68322e-05, 8.90367e-07, 0, 1.00373e-08},
    {1.79408e-07, 0, 3.13794e-08, 1.3875e-05, 6.7528e-07, 0, 5.80551e-09},
    {1.38322e-07, 0, 2.78625e-08, 8.29089e-06, 4.81698e-07, 0, 2.44702e-09},
    {1.07899e-07, 0, 2.04713e-08, 3.93232e-06, 3.41263e-07, 0, 1.50409e-09},
    {8.72698e-08, 0, 1.33381e-08, 1.62081e-06, 1.94522e-07, 0, 8.62475e-10}};

/* mW, sum over N, N x, sqrt N, W A x / 1000, W^2 A / 1e6, N in millions of bits; caches 2.9 % and
 * 11 %, RAMs 5.2 % and 16 %. */
enum { LEAK_TERMS = 5 };
static const double cache_leak[NODES][LEAK_TERMS] = {
    {43.1105, 8.80602, 2.55865, 0.304535, 0.0869458},
    {128.112, 26.911, 7.79552, 0.936993, 0.170948},
    {116.541, 23.7224, 5.93795, 0.710688, 0.232367},
    {37.9429, 7.8951, 2.36715, 0.25517, 0.00361179},
    {16.5997, 3.60872, 1.00784, 0.12282, 0.0725921}};
static const double ram_leak[NODES][LEAK_TERMS] = {
    {45.7978, 8.1988, 1.12856, 0.287999, 0.385593},
    {134.199, 26.2511, 3.20915, 1.05983, 1.33504},
    {124.014, 22.017, 2.2869, 0.75597, 1.1037},
    {39.9773, 7.49385, 1.00281, 0.328189, 0.37583},
    {17.2439, 3.48213, 0.329312, 0.155325, 0.303287}};

/* Associative arrays. ns: 1, log2 n, s; 15 % and 31 %, tags alone 5.7 % and 20 %. */
enum { FA_TIME_TERMS = 3 };
static const double fa_time[NODES][FA_TIME_TERMS] = {{0.14801, 0.162962, 0.000820935},
                                                     {0.0662266, 0.115433, 0.00089694},
                                                     {0.0487032, 0.0542244, 0.00101268},
                                                     {0.0365678, 0.0344538, 0.00118186},
                                                     {0.0207391, 0.017769, 0.0013491}};
static const double cam_time[NODES][FA_TIME_TERMS] = {{0, 0.0725243, 0.000747033},
                                                      {0, 0.0460298, 0.000873188},
                                                      {0, 0.0278372, 0.000713256},
                                                      {0, 0.0179324, 0.000942619},
                                                      {0, 0.0097425, 0.000976905}};

/* nJ of a search: 1, n, n T F, W s, s, n s, T s; 4.4 % and 30 %, tags alone 3.2 % and 7 %. */
enum { FA_ENERGY_TERMS = 7 };
static const double fa_energy[NODES][FA_ENERGY_TERMS] = {
    {0.000695533, 3.36954e-05, 4.68158e-05, 3.84163e-07, 1.69018e-05, 6.58773e-08, 0},
    {0.000401375, 5.5069e-05, 2.00761e-05, 3.01111e-07, 1.12935e-05, 5.13786e-08, 0},
    {0.000221375, 0, 3.33785e-05, 2.29675e-07, 7.99667e-06, 3.63157e-08, 4.77757e-08},
    {2.091e-05, 3.51274e-05, 0, 1.79726e-07, 8.08065e-06, 2.87382e-08, 0},
    {1.5663e-05, 1.62124e-05, 0, 1.43331e-07, 4.67427e-06, 2.05112e-08, 0}};
static const double cam_energy[NODES][FA_ENERGY_TERMS] = {
    {0, 7.56731e-05, 4.40078e-05, 0, 1.87285e-05, 0, 5.20138e-08},
    {0, 3.63418e-05, 3.27553e-05, 0, 1.31231e-05, 0, 3.6131e-08},
    {0, 2.30388e-05, 2.63608e-05, 0, 1.00502e-05, 0, 4.5641e-08},
    {0, 1.04168e-05, 1.99321e-05, 0, 7.79497e-06, 0, 2.27806e-08},
    {0, 4.45389e-06, 1.40579e-05, 0, 4.68765e-06, 0, 1.49634e-08}};

/* mW: 1, n, T, W, W^2, n T, n W; 5.1 % and 21 %, tags alone 4.9 % and 11 %. */
enum { FA_LEAK_TERMS = 7 };
static const double fa_leak[NODES][FA_LEAK_TERMS] = {
    {0.0354738, 0.00757193, 0, 0.000940511, 3.49259e-06, 4.94181e-05, 4.94181e-05},
    {0.0951092, 0.0224279, 0, 0.00277672, 1.09895e-05, 0.00014767, 0.00014767},
    {0.0795701, 0.0188984, 0, 0.00241919, 9.37851e-06, 0.000127577, 0.000127577},
    {0.0287627, 0.00721505, 0, 0.000892965, 3.54789e-06, 4.43386e-05, 4.43386e-05},
    {0.0117396, 0.00268152, 0, 0.000432448, 2.31448e-06, 2.0922e-05, 2.0922e-05}};
static const double cam_leak[NODES][FA_LEAK_TERMS] = {
    {0, 0.00154782, 0.00123179, 0, 0, 0.000113006, 0},
    {0, 0.00407575, 0.00343929, 0, 0, 0.000348313, 0},
    {0, 0.00343852, 0.00289838, 0, 0, 0.000282452, 0},
    {0, 0.00133484, 0.0011073, 0, 0, 0.00010782, 0},
    {0, 0.000470691, 0.000457663, 0, 0, 4.59437e-05, 0}};

/* Below 22 nm a bit cell no longer has 146 F^2 of the drawn feature size. Real cells in um2 (16 to
 * 5 nm: as collected by WikiChip; 12 nm: that of 16 nm; 3 nm: N3B), with the 15 % that assist
 * circuits add. The first row is CACTI's own cell, so that the estimate is continuous. */
struct bit_cell {
    double nm, um2;
};
static const struct bit_cell bit_cells[] = {
    {22, 146 * 0.022 * 0.022}, {16, 0.074 * 1.15}, {14, 0.064 * 1.15}, {12, 0.074 * 1.15},
    {10, 0.042 * 1.15},        {7, 0.027 * 1.15},  {5, 0.021 * 1.15},  {3, 0.0199 * 1.15}};
enum { BIT_CELLS = sizeof bit_cells / sizeof *bit_cells };

/* The area of a flip-flop with its share of the read multiplexer, in bit cells (two open cell
 * libraries give 25 and 27), and the factor for a bit that is searched. */
static const double flop_cells = 25, flop_search = 1.35;
