# The design lesson of docs/VALIDATION.md: its commands, and the table that it prints.
lesson=$PWD/docs/VALIDATION.md
cd "$WORK" || exit
warpscape sweep schedulers -w naive-gemm.wtr -o lesson.db --no-cache >sweep.txt 2>&1 || cat sweep.txt
warpscape show lesson.db --where "scheduler.policy = 'gto'" --sort core.cycles >table.txt
cat table.txt
while IFS= read -r row; do
    grep -qxF "$row" "$lesson" || echo "not in docs/VALIDATION.md: $row"
done <table.txt
warpscape show lesson.db --sort core.cycles --where 'l1d.mshr.merge = 8' | sed -n '1,2p'
warpscape run gtx480-accelsim --depth timing -w naive-gemm.wtr | grep -A 5 '^cycles'
warpscape run gtx480-accelsim --depth timing -w naive-gemm.wtr --by-pc | sed -n '1,4p'
warpscape run gtx480-accelsim --depth timing -w naive-gemm.wtr --timeline | sed -n '1p'
warpscape run gtx480-accelsim --depth timing -w naive-gemm.wtr -s l1d.mshr.merge=32 --report lesson.html
grep -c '<svg' lesson.html
