# The values of an enum have names; more threads give the same answer.
warpscape run --workload 2DCONV:n=128 --curve l1d.index --threads 1
warpscape run --workload 2DCONV:n=128 --curve l1d.index --threads 2 --format csv
# A kind that cannot run the workload has no point, and the others keep theirs.
warpscape run -w 2DCONV:n=128 --curve machine.kind --format csv
warpscape run tile-gpu -w 2DCONV:n=128 --curve tile.size
