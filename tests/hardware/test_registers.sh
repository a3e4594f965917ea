#!/bin/sh
# nvcc 13.0 gives the kernels of kernels/ the registers that the table of the programs has for each
# architecture from sm_75 on (`warpscape workloads --registers`), and for sm_75 the order of loads and the unrolling
# that the programs follow (kernels/machine_code.txt; --update writes it anew). Skipped without it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${WARPSCAPE:=$here/../../build/release/warpscape}"
command -v nvcc >/dev/null || { echo "no nvcc"; exit 77; }
nvcc --version | grep -q 'release 13[.]0' || { echo "not nvcc 13.0"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for arch in 75 80 86 89 90; do
    for file in polybench rodinia profiled samples; do
        nvcc -O3 -arch="sm_$arch" -cubin -Xptxas -v "$here/kernels/$file.cu" -o "$work/$file$arch" 2>&1
    done | awk -v arch="$arch" '
        /Compiling entry function/ { split($0, part, "\047"); kernel = part[2] }
        / registers/ { sub(/.*Used /, ""); print kernel, arch, $1 }'
done >"$work/compiled"

# Two programs have kernels of one name.
"$WARPSCAPE" workloads --registers --format=csv | awk -F, '
    NR == 1 { for (i = 4; i <= NF; i++) arch[i] = substr($i, 4); next }
    $3 == "nvcc 13.0" {
        kernel = $2 == "reduce_kernel" ? $2 "_" tolower($1) : $2
        for (i = 4; i <= NF; i++) if (arch[i] >= 75) print kernel, arch[i], $i
    }' >"$work/table"
[ "$(wc -l <"$work/table")" -gt 100 ]
result=0
while read -r kernel arch registers; do
    if ! grep -qx "$kernel $arch $registers" "$work/compiled"; then
        echo "$kernel: the table has $registers registers on sm_$arch, nvcc:" \
            "$(grep "^$kernel $arch " "$work/compiled" || echo "no such kernel")" >&2
        result=1
    fi
done <"$work/table"

command -v python3 >/dev/null || exit $result
for file in polybench rodinia profiled samples; do
    python3 "$here/machine_code.py" "$work/${file}75"
done | sort >"$work/code"
[ "${1-}" != --update ] || cp "$work/code" "$here/kernels/machine_code.txt"
diff -u "$here/kernels/machine_code.txt" "$work/code" || result=1
exit $result
