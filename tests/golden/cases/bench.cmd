warpscape bench --seconds 0s --workload 2DCONV:n=64 --threads 2 --format csv | cut -d, -f1-2 | sed 's/,[0-9.]*$//'
warpscape bench share -w 2DCONV:n=64 --seconds 0.01s | awk '{ print (NF > 5 ? "a row" : $0) }'
