# The values of an enum have names; more threads give the same answer.
warpscape run --workload 2DCONV:n=128 --curve l1d.index --threads 1
warpscape run --workload 2DCONV:n=128 --curve l1d.index --threads 2 --format csv
