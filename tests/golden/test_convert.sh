#!/bin/sh
# `warpscape convert`: there and back gives the same machine; nothing is overwritten unasked; files of
# other people are read, and a gpgpusim.config is a machine for every command.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$*" >&2; exit 1; }
convert() { "$WARPSCAPE" convert "$@"; }

for machine in gtx480 gtx480-48k gtx480-accelsim bypass-gtx480 qv100-accelsim \
    rtx2060-accelsim rtx3070-accelsim; do
    convert $machine -o "$folder/1.config" 2>/dev/null
    convert "$folder/1.config" -o "$folder/2.yaml" 2>"$folder/err"
    grep -q 'energies are those of 40nm (tech.node)' "$folder/err"
    convert "$folder/2.yaml" -o "$folder/3.config" 2>/dev/null
    diff -u "$folder/1.config" "$folder/3.config"
    "$WARPSCAPE" check -q "$folder/2.yaml"
    rm "$folder"/*
done

echo mine >"$folder/kept"
status=0
convert gtx480 -o "$folder/kept" 2>/dev/null || status=$?
{ [ $status = 1 ] && [ "$(cat "$folder/kept")" = mine ]; } || fail "a file was overwritten"
convert gtx480 --to yaml -o - | grep -q 'size: 16KiB'
convert gtx480 -o "$folder/ending.yaml"
grep -q 'size: 16KiB' "$folder/ending.yaml" || fail "a file's ending says nothing"
status=0
convert simt-processor 2>"$folder/err" || status=$?
[ $status = 1 ] && grep -q 'LRU or FIFO only' "$folder/err"
status=0
convert tile-gpu 2>"$folder/err" || status=$?
{ [ $status = 1 ] && grep -q 'kind graphics has no caches' "$folder/err"; } || fail "a tile cache is lost"

# ---- files of other people: each has one thing that was refused or misread ----

# config NAME LINE...: a small machine, and the lines.
config() {
    file=$folder/$1
    shift
    cat >"$file" <<'CONFIG'
-gpgpu_n_clusters 4
-gpgpu_n_cores_per_cluster 1
-gpgpu_n_mem 4
-gpgpu_n_sub_partition_per_mchannel 2
-gpgpu_clock_domains 1000:1000:1000:2000
-gpgpu_coalesce_arch 60
-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:256:8,16:0,32
-gpgpu_cache:dl2 S:32:128:16,L:B:m:L:L,A:192:4,32:0,32
CONFIG
    for line; do
        printf '%s\n' "$line" >>"$file"
    done
}

# holds FILE TEXT...: it converts, and every text stands in the YAML or in a message.
holds() {
    file=$folder/$1
    shift
    convert "$file" >"$folder/out" 2>&1 || fail "$file: $(cat "$folder/out")"
    for text; do
        grep -qF -e "$text" "$folder/out" || fail "$file: expected '$text' in $(cat "$folder/out")"
    done
}

config old.config '-gmem_skip_L1D 1' '-l1_latency 82' '-smem_latency 19' '-memory_partition_indexing 1'
holds old.config 'skip: yes' 'latency: 82' 'shared_latency: 19' 'partition: xor'

printf '%s\n' '-gpgpu_n_clusters 10' '-gpgpu_n_cores_per_cluster 3' '-gpgpu_clock_domains 325:650:650:800' \
    '-gpgpu_cache:dl2 N:16:256:8,L:B:m:W:L,A:16:4,4' >"$folder/absent.config"
holds absent.config 'sms: 30' 'arch: 13' 'latency: 85' 'defaults stand for' '-gpgpu_cache:dl1 none'
sed -n '/^l1d:/,/^$/p' "$folder/out" | grep -q 'enabled: no' || fail "absent.config has an L1D"

config silent.config '-gpgpu_scheduler caws' '-gpgpu_cache:dl2_texture_only 1' '-gpgpu_perfect_mem 1'
status=0
convert "$folder/silent.config" -o "$folder/silent.yaml" 2>"$folder/err" || status=$?
{ [ $status = 1 ] && [ ! -e "$folder/silent.yaml" ]; } || fail "perfect memory is converted"
{ grep -q 'dl2_texture_only 1' "$folder/err" && grep -q 'perfect_mem 1' "$folder/err"; } || fail "$(cat "$folder/err")"
convert --nearest "$folder/silent.config" 2>&1 >/dev/null | sed -n '/warning/{p;q;}' | grep -q 'dl2_texture_only 1' ||
    fail "what is not modelled does not come first"

config clocks.config '-gpgpu_clock_domains 700:1400:700:924'
holds clocks.config 'clock: 700MHz'
config kepler.config '-gpgpu_dual_issue_diff_exec_units 0' '-gpgpu_operand_collector_num_in_ports_sfu 2'
holds kepler.config 'sms: 4'
config titan.config '-dram_bnk_indexing_policy 1' '-dram_seperate_write_queue_enable 1' \
    '-gpgpu_memory_partition_indexing 4'
holds titan.config 'sms: 4'
config caws.config '-gpgpu_scheduler caws'
holds caws.config 'policy: gto' 'warning: -gpgpu_scheduler caws'
config ndp.config '-gpgpu_clock_domains 1000:1000:1000:2000:2000'
holds ndp.config 'warning: -gpgpu_clock_domains'
config uvm.config '-gpgpu_kernel_launch_latency 222150' '-enable_nvlink 1'
holds uvm.config 'launch_latency: 222150' 'GPGPU-Sim does not have' '-enable_nvlink'
config vulkan.config '-gpgpu_pipeline_widths 4,0,4,4,4,4,0,4,4,4,8,4,4,4,4'
holds vulkan.config 'after the thirteenth'

config gpu.config '-network_mode 1' '-inter_config_file islip.icnt'
holds gpu.config 'islip.icnt cannot be read'
printf '// fly\nflit_size = 36;\nvc_buf_size = 48;\ninput_buffer_size = 256;\nnum_vcs = 2;\n' >"$folder/islip.icnt"
holds gpu.config 'islip.icnt was read too' 'flit: 36B' 'queue: 48' 'inject: 256' 'cycles differ: num_vcs 2'

# There and back: what the first conversion does not keep it names, and the second one works.
config back.config '-gpgpu_num_sp_units 8' '-gpgpu_num_sfu_units 32' '-gpgpu_pipeline_widths 2,1,1,2,1,1,2' \
    '-gpgpu_cache:il1 N:64:128:16,L:R:f:N:L,S:2:48,4' '-gpgpu_perfect_inst_const_cache 1'
holds back.config 'as many latches' '-gpgpu_cache:il1 has no effect'
for name in old absent clocks uvm back; do
    convert "$folder/$name.config" -o "$folder/1.yaml" 2>/dev/null
    convert "$folder/1.yaml" -o "$folder/2.config" 2>/dev/null || fail "$name.config does not go back"
    convert "$folder/2.config" 2>/dev/null | sed 1d >"$folder/3.yaml"
    sed 1d "$folder/1.yaml" | diff -u - "$folder/3.yaml" || fail "$name.config differs after the way back"
    rm "$folder/1.yaml" "$folder/2.config"
done

# ---- a machine for every command, by content, with the trace.config beside it ----

mkdir "$folder/gpu"
config gpu/anything '-gpgpu_cache:dl2_texture_only 0'
printf '%s\n%s' '-trace_opcode_latency_initiation_int 2,2' '-trace_opcode_latency_initiation_dp 64,63' >"$folder/gpu/trace.config"
holds gpu/anything 'latency: 64' 'trace.config was read too'
convert "$folder/old.config" "$folder/gpu/trace.config" 2>/dev/null | grep -q 'interval: 63' || fail "two files"
cd "$folder/gpu"
"$WARPSCAPE" check anything 2>/dev/null | grep -q '^anything: machine, no errors' || fail "check"
"$WARPSCAPE" run anything -w GEMM:n=32 2>/dev/null | grep -q '^machine:  anything' || fail "run"
"$WARPSCAPE" run gtx480 --baseline anything -w GEMM:n=32 >/dev/null 2>&1 || fail "a baseline"
printf 'machine: anything\nworkloads: [GEMM:n=16]\naxes: {l1d.ways: [16, 64]}\nobjectives: [l1d.miss_rate]\n' >study.yaml
"$WARPSCAPE" sweep study.yaml --no-cache >/dev/null 2>&1 || fail "sweep"
status=0
"$WARPSCAPE" run "$folder/silent.config" -w GEMM:n=32 >/dev/null 2>"$folder/err" || status=$?
{ [ $status = 1 ] && grep -q 'convert --nearest' "$folder/err"; } || fail "run of what is not modelled"

# ---- the files that the simulator ships, where they are ----

for path in "${WARPSCAPE_SHARED:-$OLDPWD/../shared}"/configs/*/gpgpusim.config; do
    [ -e "$path" ] || continue
    convert --force "$path" -o "$folder/1.yaml" 2>/dev/null || fail "$path is not converted"
    convert --force "$folder/1.yaml" -o "$folder/2.config" 2>"$folder/err" || fail "$path does not go back"
    convert "$folder/2.config" 2>/dev/null >"$folder/3.yaml"
    # BookSim's file has no place in the other one.
    lost=$(sed -n 's/.*no words for.*network[.]\(inject\) .*/\1/p' "$folder/err")
    for side in 1 3; do
        sed -e 1d -e "/^  ${lost:-none}: /d" "$folder/$side.yaml" >"$folder/$side"
    done
    diff -u "$folder/1" "$folder/3" || fail "$path differs after the way back"
    "$WARPSCAPE" run "$path" -w 2DCONV:n=32 >/dev/null 2>&1 || fail "$path does not run"
done
