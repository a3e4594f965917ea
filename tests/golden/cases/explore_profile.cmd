# What a profile measured, in sentences; and what is no profile.
printf 'wait\nprofile README.md\nprofile off\nset l1d.size 32KiB\nwait\nquit\n' | warpscape explore --plain gtx480 -w 2DCONV:n=128 --threads 1 --profile tests/profiles/2dconv.csv | grep -v '^l1d.*size'
# What was measured of another kernel, on another GPU, is compared with a warning.
for profile in ncu-2025.csv nvprof-pascal.txt; do
    printf 'wait\nquit\n' | warpscape explore --plain gtx480 -w 2DCONV:n=128 --threads 1 --profile tests/profiles/$profile | grep -E 'profile|measured'
done
warpscape explore --plain --profile README.md gtx480 </dev/null; echo $?
