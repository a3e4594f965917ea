# A run as a document: Markdown by its headings, HTML by its pictures; nothing is overwritten unasked.
cd "$WORK" || exit
warpscape run gtx480-accelsim --depth timing -w BACKPROP:n=1024 --report run.md &&
    grep '^[#*]' run.md && grep -c '█.*issued' run.md
warpscape run gtx480-accelsim --depth timing -w BACKPROP:n=1024 --report run.html &&
    grep -o '<figcaption>.*</figcaption>\|class="stack [a-z0-9]*"' run.html | sort | uniq -c
warpscape run gtx480-accelsim --depth timing -w BACKPROP:n=1024 --report run.md
warpscape run gtx480-accelsim -w 2DCONV:n=64 --report run.md --force && grep '^#' run.md
warpscape run gtx480-accelsim -w 2DCONV:n=64 --report none/run.md
warpscape run --report run.md --by-pc
# With what explains the run.
warpscape run gtx480 -w GEMM:n=16 -s gpu.sms=1 --depth timing --report why.md --why && grep '^#' why.md
warpscape run gtx480 -w GEMM:n=16 --why
warpscape run gtx480 -w GEMM:n=16 --depth timing --report why.md --force --why --ideal launch
