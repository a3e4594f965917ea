/* The settings, machines and workloads of the reuse-distance study, as tables
 * (explore/papers/reuse_study.h). */
#include "explore/papers/reuse_study.h"

#define SMALL "reuse-gtx470-16k"
#define LARGE "reuse-gtx470-48k"

/* The figure's other caches have numbers of sets for which no Fermi hash exists. So all points of
 * its axes use the exclusive-or of the two lowest groups of bits instead. */
#define HASHED "l1d.index=xor "

#define BASE(mode, machine, name)                                                                  \
    {                                                                                              \
        REUSE_BASE, mode, true, machine, name, ""                                                  \
    }
#define WITHOUT(mode, name, sets)                                                                  \
    {                                                                                              \
        REUSE_ABLATION, mode, false, SMALL, name, sets                                             \
    }
#define POINT(experiment, value, sets)                                                             \
    {                                                                                              \
        experiment, REUSE_TEXTBOOK, false, SMALL, value, sets                                      \
    }
#define MSHRS(mode, value)                                                                         \
    {                                                                                              \
        REUSE_MSHRS, mode, false, SMALL, #value, "l1d.mshr.entries=" #value                        \
    }
#define ABLATION(mode)                                                                             \
    WITHOUT(mode, "hierarchy", "l1d.reuse.model.hierarchy=off"),                                   \
        WITHOUT(mode, "latency", "l1d.reuse.model.latency=off"),                                   \
        WITHOUT(mode, "associativity", "l1d.reuse.model.associativity=off"),                       \
        WITHOUT(mode, "mshr", "l1d.reuse.model.mshr=off"),                                         \
        WITHOUT(mode, "divergence", "l1d.reuse.model.divergence=off"),                             \
        WITHOUT(mode, "all",                                                                       \
                "l1d.reuse.model.hierarchy=off l1d.reuse.model.latency=off "                       \
                "l1d.reuse.model.associativity=off l1d.reuse.model.mshr=off "                      \
                "l1d.reuse.model.divergence=off")
#define MSHR_AXIS(mode)                                                                            \
    MSHRS(mode, 1), MSHRS(mode, 2), MSHRS(mode, 4), MSHRS(mode, 8), MSHRS(mode, 16),               \
        MSHRS(mode, 32), MSHRS(mode, 64), MSHRS(mode, 128), MSHRS(mode, 256)

const struct reuse_setting reuse_settings[] = {
    BASE(REUSE_TEXTBOOK, SMALL, "16KiB"),
    BASE(REUSE_TEXTBOOK, LARGE, "48KiB"),
    BASE(REUSE_PUBLISHED, SMALL, "16KiB"),
    BASE(REUSE_PUBLISHED, LARGE, "48KiB"),
    ABLATION(REUSE_TEXTBOOK),
    ABLATION(REUSE_PUBLISHED),
    POINT(REUSE_WAYS, "1", HASHED "l1d.ways=1"),
    POINT(REUSE_WAYS, "2", HASHED "l1d.ways=2"),
    POINT(REUSE_WAYS, "4", HASHED "l1d.ways=4"),
    POINT(REUSE_WAYS, "8", HASHED "l1d.ways=8"),
    POINT(REUSE_WAYS, "16", HASHED "l1d.ways=16"),
    POINT(REUSE_WAYS, "128", HASHED "l1d.ways=128"),
    POINT(REUSE_SIZE, "4KiB", HASHED "l1d.size=4KiB"),
    POINT(REUSE_SIZE, "8KiB", HASHED "l1d.size=8KiB"),
    POINT(REUSE_SIZE, "16KiB", HASHED "l1d.size=16KiB"),
    POINT(REUSE_SIZE, "32KiB", HASHED "l1d.size=32KiB"),
    POINT(REUSE_SIZE, "64KiB", HASHED "l1d.size=64KiB"),
    POINT(REUSE_SIZE, "128KiB", HASHED "l1d.size=128KiB"),
    POINT(REUSE_LINE, "32B", HASHED "l1d.line=32B l1d.sector=32B"),
    POINT(REUSE_LINE, "64B", HASHED "l1d.line=64B l1d.sector=64B"),
    POINT(REUSE_LINE, "128B", HASHED "l1d.line=128B l1d.sector=128B"),
    POINT(REUSE_LINE, "256B", HASHED "l1d.line=256B l1d.sector=256B"),
    MSHR_AXIS(REUSE_TEXTBOOK),
    MSHR_AXIS(REUSE_PUBLISHED),
    POINT(REUSE_LATENCY, "0", "l1d.reuse.model.latency=off"),
    POINT(REUSE_LATENCY, "25", "l1d.reuse.latency=25"),
    POINT(REUSE_LATENCY, "50", "l1d.reuse.latency=50"),
    POINT(REUSE_LATENCY, "100", "l1d.reuse.latency=100"),
    POINT(REUSE_LATENCY, "200", "l1d.reuse.latency=200"),
    POINT(REUSE_LATENCY, "400", "l1d.reuse.latency=400"),
    {.value = NULL},
};

#define POLYBENCH "PolyBench/GPU"
#define PARBOIL   "Parboil"

/* Quick sizes have at most 32768 threads per launch, which is the limit of the authors' program. */
const struct paper_subject reuse_subjects[] = {
    {"2dconv", POLYBENCH, "2DCONV:n=160", "2DCONV", 0},
    {"3dconv", POLYBENCH, "3DCONV:n=64", "3DCONV", 0},
    {"2mm", POLYBENCH, "2MM:n=128", "2MM", 0},
    {"3mm", POLYBENCH, "3MM:n=128", "3MM", 0},
    {"atax", POLYBENCH, "ATAX:n=768", "ATAX", 0},
    {"bicg", POLYBENCH, "BICG:n=768", "BICG", 0},
    {"gemm", POLYBENCH, "GEMM:n=128", "GEMM", 0},
    {"gesummv", POLYBENCH, "GESUMMV:n=512", "GESUMMV", 0},
    {"gramschm", POLYBENCH, "GRAMSCHMIDT:n=128", "GRAMSCHMIDT", 0},
    {"mvt", POLYBENCH, "MVT:n=768", "MVT", 0},
    {"syrk", POLYBENCH, "SYRK:n=96", "SYRK", 0},
    {"syr2k", POLYBENCH, "SYR2K:n=64", "SYR2K", 0},
    {"corr", POLYBENCH, "CORR:n=128", "CORR", 0},
    {"covar", POLYBENCH, "COVAR:n=128", "COVAR", 0},
    {"fdtd-2d", POLYBENCH, "FDTD-2D:n=160,steps=2", "FDTD-2D", 0},
    /* The paper does not say how LBM is laid out, on which everything depends: one array per
     * distribution, or the words of a cell together. So both are run. */
    {"cutcp", PARBOIL, "CUTCP:length=24", "CUTCP", 0},
    {"lbm", PARBOIL, "LBM:nx=64,ny=64,nz=8", "LBM", 0},
    {"lbm-cells", PARBOIL, "LBM:nx=64,ny=64,nz=8,layout=1", "LBM:layout=1", 0},
    {"spmv", PARBOIL, "SPMV:calls=1", "SPMV:calls=1", 0}, /* one of 50 equal launches */
    {"stencil", PARBOIL, "STENCIL:steps=2", "STENCIL", 0},
    {"sgemm", PARBOIL, "SGEMM:m=512,n=512,k=256", "SGEMM", 0},
    {"histo", PARBOIL, "HISTO:width=512,height=512,bins_y=1024", "HISTO", 0},
    {"mri-q", PARBOIL, "MRI-Q:voxels=32768,samples=512", "MRI-Q", 0},
    {.name = NULL},
};

size_t reuse_setting_count(void)
{
    return sizeof reuse_settings / sizeof *reuse_settings - 1;
}
