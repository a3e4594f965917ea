cd "$WORK"
printf '0 1000\n1 1004\n2 40\n' > small.din
warpscape trace import small.din -o small.wtr && warpscape trace info small.wtr
printf '0 1000\n9 1004\n' > wrong.din
warpscape trace import wrong.din -o wrong.wtr
ls
head -c 200 small.wtr > cut.wtr
warpscape trace stats cut.wtr
