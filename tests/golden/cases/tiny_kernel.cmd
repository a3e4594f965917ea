# Vector addition of 1,000 floats: measured are 3,400 cycles on an RTX 3090, 3,726 on an A100 and 5,337 on an H100;
# the machine to the letter of Accel-Sim has its 5,000 cycles of launch latency.
for machine in rtx3080 a100 h100 rtx3070-accelsim; do
    echo "$machine $(warpscape run $machine -w VECTORS:n=1000,block_x=256 --depth timing | grep -m1 ' cycles')"
done
