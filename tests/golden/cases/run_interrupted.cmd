# A signal stops the run cleanly.
timeout --preserve-status -s TERM 1 warpscape run --workload 2DCONV:n=32768
