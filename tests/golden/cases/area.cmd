# Memories of a machine, what they take and what the numbers rest on.
warpscape area
warpscape area qv100 -s tech.node=12nm -s pwc.organization=cpwc --explain
warpscape area -s l1d.bypass.policy=sampled -f csv
# Another node, a measured time, and an FPGA.
warpscape area --node 7nm --anchor pwc.access_time=147ps --explain
warpscape area simt-processor -s tech.target=fpga --explain
warpscape area --anchor pwc.acess_time=147ps
warpscape area --anchor l1d.bits=3bit
warpscape area --anchor l1d.area=3nm
warpscape area --node 2nm
