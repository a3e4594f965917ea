#!/bin/sh
# Micro-benchmarks of a real GPU: builds them with nvcc, measures, and writes into FOLDER what they
# found (results.csv), a machine with it (machine.yaml) and, where Nsight Compute is, what it counted
# of a pointer chase (PROFILE.csv), for `warpscape silicon PROFILE.csv`. Without a GPU the same
# patterns run on a model: `warpscape probe`.
#
#   tests/hardware/run.sh [FOLDER]        default: build/hardware
#   tests/hardware/run.sh --compile       only compiles the kernels, for every architecture
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${BUILD:-$root/build/release}
folder=${1:-$root/build/hardware}
architectures="70 75 80 86 89 90"
chase="65536 128 16384"
counters=gpu__time_duration.sum,sm__cycles_elapsed.max,smsp__inst_executed.sum
counters=$counters,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
counters=$counters,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum
counters=$counters,l1tex__t_sector_hit_rate.pct,lts__t_sectors_op_read.sum
counters=$counters,lts__t_sector_hit_rate.pct,dram__bytes_read.sum

need_nvcc() {
    command -v nvcc >/dev/null || { echo "run.sh: no nvcc: CUDA builds the benchmarks" >&2; exit 77; }
}

# compile ARCHITECTURE OBJECT
compile() {
    nvcc -std=c++17 -O2 -arch="sm_$1" -Xcompiler -Wall,-Wextra -c "$here/real_gpu.cu" -o "$2"
}

if [ "$folder" = --compile ]; then
    need_nvcc
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    known=$(nvcc --list-gpu-arch)
    for architecture in $architectures; do
        case $known in
        *compute_$architecture*) compile "$architecture" "$work/gpu.o" && echo "sm_$architecture: compiles" ;;
        *) echo "sm_$architecture: this nvcc does not know it" ;;
        esac
    done
    exit
fi

if ! command -v nvidia-smi >/dev/null || ! nvidia-smi >/dev/null 2>&1; then
    echo "run.sh: no GPU here; the same patterns on a model:" >&2
    "$build/warpscape" probe "${MACHINE:-reuse-gtx470-16k}"
    exit
fi
need_nvcc
mkdir -p "$folder"
architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
compile "$architecture" "$folder/gpu.o"
cuda=$(dirname "$(dirname "$(command -v nvcc)")")
# shellcheck disable=SC2046 # words of pkg-config
cc -std=c11 -D_GNU_SOURCE -O2 -I"$root/src" -I"$here" "$here/measure.c" "$folder/gpu.o" \
    "$build/libexplore.a" "$build/libmodel.a" "$build/libworkload.a" "$build/libconfig.a" \
    "$build/libtrace.a" "$build/libschema.a" "$build/libbase.a" -L"$cuda/lib64" -lcudart_static \
    $(pkg-config --libs yaml-0.1 sqlite3 libzstd libarchive libxxhash) \
    -lstdc++ -lm -ldl -lrt -lpthread -fopenmp -o "$folder/measure"
"$folder/measure" "$folder/results.csv" "$folder/machine.yaml"
"$build/warpscape" check "$folder/machine.yaml"
echo "wrote $folder/results.csv and $folder/machine.yaml"
if command -v ncu >/dev/null; then
    # shellcheck disable=SC2086 # three words
    ncu --csv --page raw --kernel-name chase_kernel --metrics "$counters" \
        "$folder/measure" chase $chase >"$folder/PROFILE.csv"
    # shellcheck disable=SC2086
    set -- $chase
    "$build/warpscape" silicon "$folder/PROFILE.csv" "$folder/machine.yaml" \
        -w "CHASE:bytes=$1,stride=$2,steps=$3"
else
    echo "no ncu: no PROFILE.csv"
fi
