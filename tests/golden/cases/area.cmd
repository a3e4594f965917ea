# Memories of a machine, what they take and what the numbers rest on.
warpscape area
warpscape area qv100 -s tech.node=12nm -s pwc.organization=cpwc --explain
warpscape area -s l1d.bypass.policy=sampled -f csv
