warpscape replace plru -w SYRK:n=64 --watch l1d:1:3 -n 12
warpscape replace plru_simt simt-processor -w simt-matmul --watch l1d:0:3 -n 6
warpscape replace -w atax --watch l2:1:3 -n 3 -f csv
warpscape replace lru -w SYRK:n=64 -f csv | wc -l
warpscape replace -w SYRK:n=64 --watch l1d:0:32
warpscape replace opt -w SYRK:n=64
warpscape replace plru -w SYRK:n=64 --watch l3
warpscape replace lruu -w SYRK:n=64
