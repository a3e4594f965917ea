# The metric that a curve has when none is named: what the parameter decides.
for parameter in l1d.ways l2.ways l2tlb.entries tlb.entries page.size pwc.entries walker.count \
    l1d.mshr.entries tech.node gpu.sms
do
    warpscape run -w 2DCONV:n=16 -s l2tlb.enabled=yes -f csv --curve $parameter | head -n 1
done
for parameter in l1d.ways l1d.mshr.entries page.size
do
    warpscape run -w 2DCONV:n=16 --depth reuse -f csv --curve $parameter | head -n 1
done
# What has no effect at a depth is said.
warpscape run -w 2DCONV:n=16 --depth reuse --curve walker.count=4..8 | grep effect
warpscape run -w 2DCONV:n=16 --curve l1d.reuse.latency=4..8 | grep effect
