/* What cacti.c knows of CACTI 7. Made by cacti_fit.py, which says how; do not edit.
 *
 * Nodes are rows: 90, 65, 45, 32, 22 nm. Areas are in squares of the feature size, times in ns,
 * energies in nJ, leakages in mW. The tables are cacti_KIND.csv: for each node and metric a line
 * per point of the first axis, the last axis fastest. A code is a number with a mantissa of ten
 * bits and an exponent of six (cacti.c, decode). */
#pragma once

/* clang-format off */

#include <stdint.h>

enum { NODES = 5 };
static const double node_nm[NODES] = {90, 65, 45, 32, 22};
static const double tag_bits_of_table = 32;

/* ---- data ---- */

static const double data_bits[] = {512, 1024, 2048, 4096, 8192, 16384, 24576, 32768, 49152, 65536, 98304, 131072, 196608, 262144, 393216, 524288, 786432, 1048576, 1572864, 2097152, 3145728, 4194304, 6291456, 8388608, 12582912, 16777216, 25165824, 33554432};
static const double data_ways[] = {1, 2, 4, 8, 16};
static const double data_ports[] = {0, 1, 3};
static const double data_width[] = {8, 16, 32, 64, 128, 256, 512, 1024, 2048};
static const double data_area_terms[] = {1.22552, 283.32, 62.0819, 29.5235, 65.9269, 25.1702, 11.3739, 0, 2.69656};
static const double data_time_terms[NODES][5] = {
    {0.341421, 0, 0.000232821, 0.00282662, 0.000655389},
    {0.20815, 0, 0.000245833, 0.00302513, 0.000723485},
    {0.111056, 0, 0.000288118, 0.00325719, 0.000686124},
    {0.0733629, 0, 0.000338981, 0.0037219, 0.000741812},
    {0.030435, 0, 0.000587275, 0.00462388, 0.000609238}};
static const double data_energy_terms[NODES][7] = {
    {2.33509e-07, 0, 4.26826e-08, 2.86601e-05, 6.34238e-07, 6.07995e-08, 4.49336e-09},
    {1.88358e-07, 0, 3.40812e-08, 1.45836e-05, 5.36864e-07, 2.60076e-08, 2.7598e-09},
    {1.51647e-07, 0, 2.82386e-08, 9.23126e-06, 2.56584e-07, 1.41383e-08, 8.65054e-10},
    {1.2486e-07, 0, 2.20459e-08, 4.4827e-06, 1.74826e-07, 6.61251e-09, 5.51855e-10},
    {1.02481e-07, 0, 1.84898e-08, 2.11745e-06, 4.98891e-08, 3.62266e-09, 3.49171e-10}};
static const double data_leakage_terms[NODES][5] = {
    {43.926, 9.0598, 1.25132, 0.23192, 0.195072},
    {129.796, 27.9995, 3.81078, 0.672876, 0.860695},
    {118.898, 24.145, 2.72498, 0.542069, 0.507424},
    {38.603, 8.07986, 1.15575, 0.203182, 0.17954},
    {16.7985, 3.65815, 0.431997, 0.104482, 0.128554}};
enum { data_metrics = 5, data_points = 3780 };
static const uint16_t data_table[NODES * data_metrics * data_points] = {
#include "model/area/cacti_data.csv"
};

/* ---- tag ---- */

static const double tag_lines[] = {4, 8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152, 65536, 131072};
static const double tag_ways[] = {1, 2, 4, 8, 16};
static const double tag_ports[] = {0, 1, 3};
static const double tag_area_terms[] = {1.26949, 210.965, 46.1635, 0, 16.0005, 9.40471, 0, 0, 1.90141};
static const double tag_time_terms[NODES][5] = {
    {0.312868, 0.0314388, 0, 0, 0.000875242},
    {0.204944, 0.0184136, 0, 0, 0.000964962},
    {0.115155, 0.0101312, 0, 0, 0.000990901},
    {0.0774351, 0.00795119, 0, 0, 0.00106578},
    {0.0404055, 0.00393308, 0, 0, 0.00123375}};
static const double tag_energy_terms[NODES][7] = {
    {2.54207e-07, 0, 4.94475e-08, 2.50668e-05, 0, 7.16627e-08, 8.68008e-10},
    {2.05457e-07, 0, 3.8833e-08, 1.34255e-05, 0, 8.96343e-09, 0},
    {2.18301e-07, 1.04755e-06, 2.77779e-08, 6.20637e-06, 0, 0, 0},
    {1.97527e-07, 3.54637e-07, 2.099e-08, 2.36948e-06, 0, 0, 0},
    {1.49869e-07, 1.33154e-08, 1.56236e-08, 9.76794e-07, 0, 0, 0}};
static const double tag_leakage_terms[NODES][5] = {
    {53.0802, 10.05, 0, 0.316197, 22.5702},
    {161.475, 30.3271, 0, 1.02307, 66.5756},
    {144.145, 27.2903, 0, 0.764983, 56.5037},
    {49.1584, 8.85921, 0, 0.301308, 17.9006},
    {22.3205, 3.79015, 0, 0.135781, 7.79333}};
enum { tag_metrics = 4, tag_points = 405 };
static const uint16_t tag_table[NODES * tag_metrics * tag_points] = {
#include "model/area/cacti_tag.csv"
};

/* ---- fa ---- */

static const double fa_entries[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
static const double fa_payload[] = {64, 128, 256, 512, 1024, 2048};
static const double fa_area_terms[] = {1.09682, 4.38302, 12287.3, 127.315, 10763.5, 0, 107.974, 0};
static const double fa_time_terms[NODES][3] = {
    {0, 0.0633685, 0.00124931},
    {0, 0.0399997, 0.0013131},
    {0, 0.0207455, 0.00128717},
    {0, 0.0140903, 0.00140382},
    {0, 0.00623044, 0.00154924}};
static const double fa_energy_terms[NODES][7] = {
    {6.76662e-05, 6.2815e-05, 4.20761e-05, 3.54627e-07, 2.31623e-05, 4.75882e-08, 2.59537e-08},
    {7.59859e-05, 2.93342e-05, 3.14192e-05, 2.78646e-07, 1.56802e-05, 3.72449e-08, 1.90601e-08},
    {4.42094e-05, 1.94958e-05, 2.5368e-05, 2.13456e-07, 1.21696e-05, 2.5764e-08, 3.03004e-08},
    {0, 8.07181e-06, 1.93702e-05, 1.67621e-07, 1.02241e-05, 2.3362e-08, 6.88537e-09},
    {0, 3.25082e-06, 1.35474e-05, 1.33583e-07, 6.5231e-06, 1.78659e-08, 3.18625e-09}};
static const double fa_leakage_terms[NODES][7] = {
    {0, 0.00150823, 0.00118722, 0.001021, 3.2027e-06, 0.000119673, 5.87337e-05},
    {0, 0.00409215, 0.00341465, 0.00299516, 1.01181e-05, 0.000360641, 0.000175987},
    {0, 0.00337571, 0.00287202, 0.00261889, 8.64296e-06, 0.000298125, 0.000152932},
    {0, 0.00134074, 0.0010834, 0.000960932, 3.25701e-06, 0.000112166, 5.28279e-05},
    {0, 0.00046501, 0.000482297, 0.000451881, 2.16293e-06, 4.65878e-05, 2.43709e-05}};
enum { fa_metrics = 4, fa_points = 72 };
static const uint16_t fa_table[NODES * fa_metrics * fa_points] = {
#include "model/area/cacti_fa.csv"
};

/* ---- cam ---- */

static const double cam_entries[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
static const double cam_tag[] = {16, 24, 32, 40, 48, 56, 64, 128};
static const double cam_area_terms[] = {1.1127, 0, 12179.5, 0, 8504.15, 0, 126.012, 41706};
static const double cam_time_terms[NODES][3] = {
    {0, 0.0664267, 0.000926296},
    {0, 0.044266, 0.000914399},
    {0, 0.0265187, 0.000752544},
    {0, 0.0179873, 0.00089035},
    {0, 0.00974016, 0.000947415}};
static const double cam_energy_terms[NODES][7] = {
    {0, 7.51061e-05, 4.39465e-05, 0, 1.94487e-05, 0, 4.88096e-08},
    {0, 3.61003e-05, 3.28139e-05, 0, 1.34916e-05, 0, 3.43651e-08},
    {0, 2.28929e-05, 2.62493e-05, 0, 1.03578e-05, 7.2272e-10, 4.36514e-08},
    {0, 1.02971e-05, 2.01168e-05, 0, 7.88998e-06, 0, 2.15787e-08},
    {0, 4.40178e-06, 1.41335e-05, 0, 4.79447e-06, 0, 1.41215e-08}};
static const double cam_leakage_terms[NODES][7] = {
    {0, 0.00154655, 0.00126244, 0, 0, 0.000114027, 0},
    {0, 0.00421001, 0.0036397, 0, 0, 0.000343782, 0},
    {0, 0.00347426, 0.00306245, 0, 0, 0.000284209, 0},
    {0, 0.00137996, 0.0011602, 0, 0, 0.00010655, 0},
    {0, 0.000477251, 0.000509091, 0, 0, 4.4782e-05, 0}};
enum { cam_metrics = 4, cam_points = 80 };
static const uint16_t cam_table[NODES * cam_metrics * cam_points] = {
#include "model/area/cacti_cam.csv"
};

/* ---- wires between banks: F^2 a level of the tree and squared bit of width, ns a um, nJ a
 * bit and um ---- */

static const double bank_tree_area = 449.647;
static const double bank_wire_time[NODES] = {0.000594076, 0.000648325, 0.000651619, 0.000722885, 0.000800283};
static const double bank_wire_energy[NODES] = {5.83433e-07, 4.7062e-07, 3.78898e-07, 3.11967e-07, 2.56055e-07};
