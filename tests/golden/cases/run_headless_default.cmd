# Without a terminal and without arguments: the report of the default machine and workload.
warpscape | grep -e machine: -e l1d.accesses -e miss_rate
