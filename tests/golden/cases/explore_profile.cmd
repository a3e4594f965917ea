# What a profile measured, in sentences; and what is no profile.
printf 'wait\nprofile README.md\nprofile off\nset l1d.size 32KiB\nwait\nquit\n' | warpscape explore --plain gtx480 -w 2DCONV:n=128 --threads 1 --profile tests/profiles/2dconv.csv | grep -v '^l1d.*size'
warpscape explore --plain --profile README.md gtx480 </dev/null; echo $?
