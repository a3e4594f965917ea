#!/bin/sh
# Screens without a terminal, compared with tests/ui/golden/*.txt. The text must be the same with
# 256, 8 and no colours ($TERMS), in each locale of a case ($LOCALES), but for pictures: 256 colours
# make half blocks of two pixels, without them they are characters, some bright and some dark.
# UPDATE_GOLDEN=1 writes the files anew: look at every difference. Arguments are the cases to run;
# without any, all.
#
# shards: 8
# cost: 15
set -u
# shellcheck source=tests/support/shard.sh
. "$(dirname "$0")/../support/shard.sh"
golden=tests/ui/golden
work=$(mktemp -d) || exit 1
export XDG_CACHE_HOME="$work/cache"
trap 'rm -rf "$work"' EXIT
export HOME="$work/home"
unset XDG_CONFIG_HOME XDG_STATE_HOME NO_COLOR
mkdir -p "$HOME"
failed=0

# screen CASE SIZE LOCALE TERM: the text of a case on standard output
screen() {
    { cat; echo "save-screen $work/screen"; } >"$work/script"
    rm -f "$work/screen"
    LC_ALL=$3 TERM=$4 "$WARPSCAPE" explore --size "$2" --script "$work/script" \
        --threads 1 gtx480 -w 2DCONV:n=128 >"$work/output" 2>&1 ||
        { echo "FAIL $1 $2 $3 $4:"; cat "$work/output"; failed=1; }
    [ -f "$work/screen" ] || echo "no screen" >"$work/screen"
    # A store's name ends in a digest of the space, which every new parameter changes.
    # How many experiments an explanation takes is no matter of screens.
    sed -i 's/exact, [0-9]* exp/exact, 600 exp/; s/-[0-9a-f]\{8\}\.sqlite/-01234567.sqlite/; s/ in [0-9.]* s / in 0.0 s /; s/20[0-9-]*T[0-9:]*Z/2026-01-01T00:00:00Z/' "$work/screen"
}

wanted=" $* "

# check CASE SIZES LOCALES [picture]: the commands of the case are read from standard input
check() {
    cat >"$work/commands"
    in_shard || return 0
    case $wanted in "  " | *" $1 "*) ;; *) return 0 ;; esac
    for size in $2; do
        for locale in ${LOCALES:-$3}; do
            case $locale in C) tier=ascii ;; *) tier=utf8 ;; esac
            for term in ${TERMS:-xterm-256color xterm vt100}; do
                file="$golden/$1-$size-$tier.txt"
                case ${4-}$term$tier in picturexterm-256colorutf8) file="$golden/$1-$size-colour.txt" ;; esac
                screen "$1" "$size" "$locale" "$term" <"$work/commands"
                if [ -n "${UPDATE_GOLDEN:-}" ]; then
                    cp "$work/screen" "$file"
                elif ! diff -u "$file" "$work/screen"; then
                    echo "FAIL $1 at $size, $locale, $term"
                    failed=1
                fi
            done
        done
    done
}

all_sizes="24x80 40x120 60x200 10x40"
check workspace "$all_sizes" "C.UTF-8 C" <<'END'
wait
keys j l k l
wait
END
# A machine's file names what it is explored with; what it lacks is not there.
check settings "24x80" "C.UTF-8 C" <<'END'
settings theme light
settings
keys j l
settings theme dark
settings glyphs auto
END
# Each step waits for its command, and messages stand above it.
check tour "24x80 10x40" "C.UTF-8" <<'END'
tour
wait
END
check tour-pinned "24x80" "C.UTF-8" <<'END'
tour
keys l
pin
pin larger
wait
END
check tour-front "24x80" "C.UTF-8" <<END
tour
keys l
pin larger
explain
keys Escape
axis l1d.size 16KiB 32KiB
sweep
wait sweep
front
wait
END
# The machine beside its pins, and a point of a curve for each.
check pins "24x80 60x200" "C.UTF-8 C" <<'END'
pin small
set l1d.size 32KiB
pin index
set l1d.index linear l1d.ways 8
wait
view pins
keys l
wait
END
check pins-enter "24x80" "C.UTF-8" <<'END'
pin small
set l1d.size 32KiB
wait
view pins
keys Enter
wait
END
check pins-curve "24x80" "C.UTF-8" <<'END'
set l1d.ways 2
pin few
set l1d.ways 8 l1d.size 32KiB
wait
select l1d.size
wait
END
check pins-return "24x80" "C.UTF-8" <<'END'
set l1d.size 32KiB
pin large
set l1d.index linear
return file
wait
END
for machine in tile-gpu simt-processor cpwc-gtx480 bypass-gtx480 reuse-gtx470-16k; do
    check "family-$machine" "24x80" "C.UTF-8" <<END
workload 2DCONV
open $machine
wait
END
done
check family-sweep "24x80 40x120" "C.UTF-8" <<'END'
open tile-gpu
axis tile.ways 1 2 4
sweep
wait sweep
view explore
wait
END
# What the user chose stays when another machine of the kind is opened.
check family-chosen "24x80" "C.UTF-8" <<'END'
open cpwc-gtx480
wait
END
# What can be explored, with the numbers of the families; a row opens.
check start "24x80 40x120 10x40" "C.UTF-8 C" <<'END'
start
wait
END
check start-opens "24x80" "C.UTF-8" <<'END'
start
wait
find tile
keys Enter
wait
END
check start-asks "24x80" "C.UTF-8" <<'END'
start
find my GPU
keys Enter R T X Space 4 0 7 0
wait
END
check card "24x80" "C.UTF-8" <<'END'
card tests/cards/nvidia_smi_q_a6000.txt
wait
END
# Words find names by what they mean; what was typed after ':' and is no command are words.
check palette "24x80 40x120" "C.UTF-8 C" <<'END'
wait
keys C-p c a c h e Space s i z e
END
check palette-words "24x80" "C.UTF-8" <<'END'
wait
keys : p a g e Space w a l k Enter
END
check palette-takes "24x80" "C.UTF-8" <<'END'
wait
palette tlb entries
keys Enter
wait
END
# A key that means nothing shows those that do.
check which-key "24x80 60x200" "C.UTF-8" <<'END'
wait
keys i
END
check help-pages "24x80" "C.UTF-8" <<'END'
help keys
keys Space Space C-b
END
# The machine's text with its comments, as it would be saved.
check text "24x80 40x120" "C.UTF-8 C" <<'END'
wait
set l1d.ways 8 l1d.size 32KiB
view text
wait
END
check area "24x80 40x120 10x40" "C.UTF-8 C" <<'END'
wait
view area
keys j j j j j j
END
check refusal "24x80 10x40" "C.UTF-8" <<'END'
keys : s e t Space l 1 d . s i z e Space 6 4 K i B Enter
wait
END
check profile "24x80 60x200" "C.UTF-8 C" <<'END'
wait
profile tests/profiles/2dconv.csv
focus live
wait
END
# Which launches of a profile stand for the workload's: the title of Live and the line of a row say it.
check profile-launches "24x80 40x120" "C.UTF-8 C" <<'END'
wait
workload ATAX:nx=192,ny=192
wait
profile tests/profiles/ncu-rounds.csv
launches mean
focus live
keys j j
wait
END
check picker "24x80" "C.UTF-8 C" <<'END'
wait
find index
wait
keys Enter
END
check command "24x80" "C.UTF-8" <<'END'
wait
keys : s e t Space l 1 d . m s h r . Tab
END
check completion "24x80" "C.UTF-8" <<'END'
wait
keys : v i e w Space Tab
END
check timing "24x80 60x200" "C.UTF-8 C" <<'END'
depth timing
wait
focus live
keys j j
wait
END
check timing-time "24x80 40x120" "C.UTF-8 C" <<'END'
depth timing
set tlb.enabled=no
chart time
wait
END
check timing-instructions "24x80 40x120" "C.UTF-8" <<'END'
depth timing
set tlb.enabled=no
chart instructions
wait
END
# Which loads take no lines of the L1D, why and since when.
check timing-verdicts "24x80 40x120 60x200" "C.UTF-8" <<'END'
depth timing
set tlb.enabled=no
set l1d.bypass.policy=sampled
set scheduler.policy=tb_priority
chart instructions
wait
focus chart
END
# An axis that nothing reads at the depth, also after the depth has changed.
check timing-dead-axis "24x80 40x120" "C.UTF-8" <<'END'
axis l1d.mshr.merge 4 8
depth timing
axis l1d.reuse.latency 0 100
wait
END
check timing-refused "24x80" "C.UTF-8" <<'END'
depth timing
workload cpwc-example.addr
wait
END
check timing-assumed "24x80" "C.UTF-8" <<'END'
depth timing
assume serial
workload cpwc-example.addr
wait
END
check reuse "24x80 40x120" "C.UTF-8 C" <<'END'
depth reuse
chart distances
wait
END
# A second sweep is waited for and shown, not the end of the first.
check sweeps "24x80" "C.UTF-8" <<'END'
axis l1d.ways 2 4
sweep
wait sweep
axis l1d.ways off
axis l2.ways 4 8 16
sweep
wait sweep
view log
END
check failure "24x80 10x40" "C.UTF-8" <<'END'
workload bfs-4096
set l1d.reuse.mode published
depth reuse
focus live
wait
END
check instructions "24x80 60x200" "C.UTF-8" <<'END'
depth reuse
chart instructions
focus chart
wait
END
check help "24x80 40x120" "C.UTF-8" <<'END'
help
END
check help-topic "24x80" "C.UTF-8" <<'END'
focus chart
help l1d.index
END
check help-chart "24x80" "C.UTF-8" <<'END'
focus chart
help
END
check trace "24x80 60x200" "C.UTF-8" <<'END'
view trace
wait
END
# More launches than rows: from the end back, and one that is searched for.
check trace-launches "24x80 10x40" "C.UTF-8" <<'END'
workload GRAMSCHMIDT:n=24
view trace
wait
keys G k k k
END
check trace-found "24x80" "C.UTF-8" <<'END'
workload GRAMSCHMIDT:n=24
view trace
wait
keys / 3 Enter n n
END
check walks "24x80 40x120 10x40" "C.UTF-8 C" <<'END'
open cpwc-example
workload traces/cpwc-example.addr
wait
view walks
wait
keys j j j j j
END
check walks-tpc "24x80" "C.UTF-8" <<'END'
workload traces/cpwc-example.addr
set tlb.entries 1 tlb.ways 1 pwc.entries 3
view walks
wait
keys G
END
check sets "24x80 40x120 10x40" "C.UTF-8 C" <<'END'
workload SYRK:n=128
wait
set l1d.replacement plru
watch l1d:1:3
wait
keys v
END
check sets-l2 "24x80" "C.UTF-8" <<'END'
workload SYRK:n=64
wait
set l2.replacement plru_simt l2.ways 16 l2.size 192KiB
watch l2:0:3
keys ]
wait
keys G M k h
find 8000
END
check sets-none "24x80" "C.UTF-8" <<'END'
set l1d.replacement opt
view sets
wait
END
check lanes "24x80 40x120 10x40" "C.UTF-8 C" <<'END'
workload simt-line
wait
view lanes
wait
find no_x
END
check lanes-none "24x80" "C.UTF-8" <<'END'
view lanes
wait
END
# A frame of a scene, and what a tile cache makes of it.
check tile-frame "24x80 40x120 10x40" "C.UTF-8 C" picture <<'END'
open tile-gpu
workload raster-shadow:width=320,height=240,frame=30
view tile
wait
END
check tile-map "24x80 40x120" "C.UTF-8 C" picture <<'END'
open tile-gpu
workload raster-shadow:width=320,height=240,frame=30
look overdraw
wait
keys k
wait
END
# Another scene while the first one is on the screen, and another map before it has come.
check tile-next "24x80" "C.UTF-8" <<'END'
open tile-gpu
workload raster-refract:width=320,height=240,detail=8
view tile
wait
workload raster-jellyfish:width=160,height=120
look overdraw
look banks
wait
END
check tile-banks "24x80 10x40" "C.UTF-8 C" <<'END'
open tile-gpu
workload raster-shadow:width=160,height=120
set tile.partition x+2y
view tile
keys l
wait
END
check tile-time "24x80 40x120" "C.UTF-8 C" <<'END'
open tile-gpu
workload raster-refract:width=160,height=120
look time
wait
END
check tile-chart "24x80" "C.UTF-8 C" <<'END'
open tile-gpu
workload raster-shadow:width=160,height=120
depth timing
chart time
focus chart
wait
keys l l l
END
check tile-none "24x80" "C.UTF-8" <<'END'
keys T
wait
END
check tile-cacheless "24x80" "C.UTF-8" <<'END'
workload raster-shadow:width=64,height=64
look misses
wait
END
check step "24x80 40x120 10x40" "C.UTF-8 C" <<'END'
workload GEMM:n=32
view step
wait
goto 5000
wait
previous l1d_hit
wait
keys l l
wait
keys h j
wait
look queues
END
check step-set "24x80" "C.UTF-8" <<'END'
workload GEMM:n=32
view step
wait
goto 5000
wait
watch l1d:0:3
sm next
wait
next issue warp
wait
END
check step-banks "24x80" "C.UTF-8" <<'END'
workload GEMM:n=32
view step
wait
goto 5000
wait
look banks
END
check step-edit "24x80" "C.UTF-8" <<'END'
workload GEMM:n=32
view step
wait
goto 5000
wait
set l1d.mshr.entries 2
wait
END
check step-line "24x80" "C.UTF-8" <<'END'
workload GEMM:n=32
view step
wait
next any 0x80001480
wait
keys ] ]
wait
END
check step-end "24x80" "C.UTF-8" <<'END'
workload GEMM:n=32
keys W
wait
goto launch:1
wait
keys End
wait
END
check step-diff "24x80" "C.UTF-8" <<'END'
workload GEMM:n=32
set l1d.mshr.entries 2
view step
wait
diff
wait
keys x
wait
END
check step-scene "24x80" "C.UTF-8" <<'END'
open tile-gpu
view step
wait
next refusal*900
wait
look chains
END
check step-scene-diff "24x80" "C.UTF-8" <<'END'
open tile-gpu
set tile.l2.size 64KiB
view step
wait
diff
wait
END
check step-bus "24x80 10x40" "C.UTF-8" <<'END'
open tile-gpu
workload raster-shadow:width=160,height=120
view step
wait
goto pass:1
wait
previous tile_write*40
wait
look bus
END
check queue "24x80 40x120 10x40" "C.UTF-8 C" <<'END'
open tile-gpu
workload raster-shadow:width=160,height=120
bank 0 1340
wait
next return
previous miss
goto 1365
keys l j
END
check queue-next "24x80" "C.UTF-8" <<'END'
open tile-gpu
workload raster-jellyfish:width=64,height=64
set tile.queue.kind mshr tile.queue.entries 2
keys Q ] ]
wait
keys G m M v V
END
check queue-none "24x80" "C.UTF-8" <<'END'
view queue
wait
END
# A small sweep that has ended.
swept='axis l1d.size 4KiB..32KiB
axis l1d.ways 1 2 4 8
set l1d.index linear
sweep
wait sweep'
# Backwards: what satisfies a wish, over the marked axes; then one of them applied.
wish='workload GEMM:n=16
depth timing
axis l1d.mshr.merge 1 4 8
axis l2.size 192KiB 384KiB 768KiB
want core.ipc >= 0.58 min total.area
wait'
check want "24x80 10x40 60x200" "C.UTF-8 C" <<END
$wish
END
check want-applied "24x80" "C.UTF-8" <<END
$wish
keys j Enter
wait
END
check want-none "24x80" "C.UTF-8" <<'END'
workload GEMM:n=16
depth timing
axis l1d.mshr.merge 1 8
want core.ipc >= 8 min total.area
wait
END
# What limits the machine: a page after the other; Live says it in a line.
explained='workload GEMM:n=16
set gpu.sms 2
depth timing
wait
explain
wait'
check explain "24x80 40x120 60x200 10x40" "C.UTF-8 C" <<END
$explained
END
check explain-ladder "24x80" "C.UTF-8" <<END
$explained
keys l
END
check explain-levers "24x80 40x120 60x200" "C.UTF-8 C" <<END
$explained
keys l l j
END
check explain-chart "24x80" "C.UTF-8 C" <<END
$explained
keys l l l
END
# A lever is applied; its stack stands beside the pinned one.
check explain-stack "24x80 40x120" "C.UTF-8 C" <<END
$explained
keys l l Enter
wait
keys l l j j
END
check explain-live "24x80 40x120 60x200" "C.UTF-8 C" <<END
$explained
keys l l Enter
wait
view workspace
focus live
END
check explain-knob "24x80" "C.UTF-8" <<END
$explained
find l2.latency
keys Enter
wait
END
# Without time it is misses; a key on a number of Live asks for that one.
check explain-functional "24x80" "C.UTF-8 C" <<'END'
workload ATAX:nx=192,ny=192
wait
focus live
find l1d.miss_rate
keys X
wait
END
check explain-refused "24x80" "C.UTF-8" <<'END'
wait
keys : e x p l a i n Space l 1 d . a c c e s s e s Enter
END
# What the hierarchy is made of; once the machine is explained, with what each box costs.
check memory "24x80 40x120 60x200 10x40" "C.UTF-8 C" <<END
$explained
view memory
keys l l l
END
check memory-functional "24x80" "C.UTF-8" <<'END'
wait
keys C
END
# No column of caches that a machine for scenes lacks.
check trace-scene "24x80" "C.UTF-8" <<'END'
open tile-gpu
workload raster-shadow:width=64,height=48
wait
view trace
wait
END
check memory-tile "24x80" "C.UTF-8 C" <<'END'
open tile-gpu
workload raster-shadow:width=160,height=120
depth timing
wait
view memory
END
check memory-knob "24x80" "C.UTF-8" <<'END'
wait
view memory
find TLB
keys Enter
END
check help-limit "24x80" "C.UTF-8" <<'END'
help core.stall.memory.l2
END
check report "24x80" "C.UTF-8 C" <<END
$swept
report
wait
END
# A budget: what it is solved for is an axis too.
check budget "24x80 40x120" "C.UTF-8" <<'END'
set l1d.index linear
axis l1d.ways 1 2 4 8
equal l1d.area 0.1mm2 l1d.size
focus sweep
wait
END
check budget-wrong "24x80 40x120" "C.UTF-8" <<'END'
set l1d.index linear
axis l1d.ways 1 2 4 8
equal l1d.area 0.1mm2 l1d.size
axis l1d.size
focus sweep
wait
END
check explore "24x80 40x120 60x200" "C.UTF-8 C" <<END
$swept
view explore
wait
END
# Without a store, with an order from the largest and a column further right, and with no point left.
check explore-empty "24x80" "C.UTF-8" <<'END'
view explore
END
check explore-sorted "24x80" "C.UTF-8 C" <<END
$swept
view explore
wait
sort -total.area
wait
keys l l j
END
check explore-none "24x80" "C.UTF-8" <<END
$swept
view explore
wait
filter l1d.ways = 3
wait
END
check front "24x80 60x200" "C.UTF-8 C" <<END
$swept
chart front
focus chart
zoom
wait
END
# Points of one depth and a machine at another: said, and the machine has no mark among them.
check front-depth "24x80 60x200" "C.UTF-8" <<END
$swept
chart front
focus chart
zoom
wait
depth reuse
wait
END
# The sweep's time varies.
check panels "60x200" "C.UTF-8 C" <<END
$swept
wait
END
check matrix "24x80 10x40" "C.UTF-8" <<END
$swept
chart matrix
focus chart
zoom
wait
END
check importance "24x80" "C.UTF-8 C" <<END
$swept
chart importance
focus chart
zoom
wait
END
check compare "24x80" "C.UTF-8" <<END
$swept
view explore
wait
keys Space j j j Space
wait
keys l
END
# Marks stay with their points, whatever the order and the filter.
check marks "24x80" "C.UTF-8" <<END
$swept
view explore
wait
keys Space j j Space Escape
sort l1d.size
wait
filter l1d.ways <= 4 and l1d.area < 0.2mm2
wait
END
check compare-hidden "24x80" "C.UTF-8" <<END
$swept
view explore
wait
keys Space
filter l1d.ways = 1
wait
keys j Space
wait
END
# A condition that is wrong leaves the table as it was.
check filter-wrong "24x80" "C.UTF-8" <<END
$swept
view explore
filter l1d.ways > 2
wait
filter l1d.ways >
wait
END
check filter-completion "24x80" "C.UTF-8" <<END
$swept
view explore
wait
filter
keys l 1 d . w Tab < Space 3 Space a n d Space ( l 1 d . Tab
END
check path-completion "24x80" "C.UTF-8" <<'END'
wait
keys : o p e n Space c o n f Tab m a Tab c p w c - e Tab
END
check filter-shown "24x80" "C.UTF-8" <<END
$swept
filter l1d.ways > 2
wait
chart matrix
END
# A sweep over two workloads, and its machines over both.
both="workloads ATAX:n=64
$swept
view explore
wait"
check workloads "24x80 60x200" "C.UTF-8" <<END
$both
END
check across "24x80" "C.UTF-8" <<END
$both
across geomean
wait
END
check workloads-plan "24x80" "C.UTF-8" <<'END'
workloads ATAX:n=64 MVT:n=64
axis l1d.size 4KiB..32KiB
axis l1d.ways 1 2 4 8
focus sweep
wait
END
# Sizes that the hash allows no cache of so many ways: the ways follow; and why points are none.
check followed "24x80" "C.UTF-8" <<'END'
axis l1d.size
sweep
wait sweep
view explore
wait
END
cat >"$work/own.yaml" <<'END'
paper: A small experiment
machine: gtx480
subjects:
  gather: {workload: "GATHER:n=512"}
variants:
  base: {name: as shipped}
  narrow: {name: two ways, set: {l1d.ways: 2}}
claims:
- {what: an L1D of GF100 has four ways, paper: "4", mark: text number, value: max(l1d.ways@base), number: 4, within: 1%, ours: "{value}"}
- {what: fewer ways never miss less, paper: "yes", holds: l1d.misses@narrow >= l1d.misses@base, ours: "in {holds} of {count}"}
- {what: fewer ways miss more, paper: "yes", holds: l1d.misses@narrow > l1d.misses@base, ours: "in {holds} of {count}", remark: no line is used twice}
- {what: what it costs on a wafer, paper: unknown, mark: unknown, ours: no silicon}
END
# What was never run waits for Enter.
check papers-listed "24x80" "C.UTF-8" <<'END'
view papers
wait
END
check papers "24x80 10x40" "C.UTF-8 C" <<END
paper $work/own.yaml
wait
keys j j
END
check paper-opened "24x80" "C.UTF-8" <<END
paper $work/own.yaml
wait
keys j j Enter
wait
END
check machine-of-card "24x80" "C.UTF-8" <<'END'
machine rtx3070
wait
END
check illegal "24x80 60x200" "C.UTF-8 C" <<'END'
axis l1d.size 4KiB..64KiB*2
axis l1d.ways
focus sweep
wait
END
check stepping "24x80" "C.UTF-8" <<'END'
set l1d.size 32KiB l1d.ways 8
keys l
wait
END
check search "24x80 60x200" "C.UTF-8 C" <<'END'
axis l1d.size 4KiB..32KiB
axis l1d.ways 1 2 4 8
search nsga2 population=16 evaluations=64
focus sweep
wait
END
check search-picker "24x80" "C.UTF-8" <<'END'
axis l1d.size 4KiB..32KiB
search random points=12
focus sweep
wait
search
END
check small "9x40 24x39 1x1" "C.UTF-8" <<'END'
wait
END

# A file that is asked for while a page is made takes its place: the page comes after it, and is of
# the store that was named last.
report_displaced() {
    sweeps="$HOME/.local/state/warpscape/sweeps"
    for ways in "1 2" "1 2 4"; do
        rm -f "$sweeps"/*.sqlite
        screen stores "24x80" C.UTF-8 xterm <<END
axis l1d.ways $ways
set l1d.index linear
sweep
wait sweep
END
        mv "$sweeps"/*.sqlite "$work/ways-${ways##* }.sqlite"
    done
    screen report-displaced "24x80" C.UTF-8 xterm <<END
report $work/ways-2.sqlite
wait
report $work/ways-4.sqlite
save-report $work/page.html
wait
END
    grep -q 'ways-4.sqlite: 3 points' "$work/screen" ||
        { echo "FAIL report-displaced"; cat "$work/screen"; failed=1; }
}
! in_shard || report_displaced

# fails COMMAND: what a script's last command begins in the background fails, and the script says so
fails() {
    { cat; echo "$1"; } >"$work/script"
    in_shard || return 0
    "$WARPSCAPE" explore --size 24x80 --script "$work/script" --threads 1 gtx480 \
        -w 2DCONV:n=128 >"$work/output" 2>&1 && { echo "FAIL $1: no failure"; failed=1; }
    grep -q "^$work/script:[0-9]*:1: ." "$work/output" || { cat "$work/output"; failed=1; }
}
fails 'workload nosuch' <<'END'
wait
END
# An export says what the machine scores, and only export! writes over a file.
check_exports() {
    rm -f "$work/mine.yaml" "$work/mine.config"
    screen exports "24x80" C.UTF-8 xterm <<END
wait
export $work/mine.yaml
set l1d.ways 2
wait
export! $work/mine.yaml
export! $work/mine.config
END
    for file in "$work/mine.yaml" "$work/mine.config"; do
        if ! grep -q '^# *l1d.miss_rate = [0-9.]*%$' "$file" ||
            ! "$WARPSCAPE" check "$file" >/dev/null 2>&1; then
            echo "FAIL exports: $file"
            head "$file"
            failed=1
        fi
    done
    grep -q '^  ways: 2 ' "$work/mine.yaml" || { echo "FAIL exports: not overwritten"; failed=1; }
}
! in_shard || check_exports
: >"$work/there.yaml"
fails "export $work/there.yaml" <<'END'
wait
END
fails 'export --best l1d.miss_rate /nonexistent/best.yaml' <<'END'
axis l1d.size 4KiB 16KiB
sweep
wait sweep
END
exit $failed
