#!/bin/sh
# `warpscape submit` against a real Slurm with four imitated nodes on this machine. While the array
# runs, the sweep of one task is killed, another task is asked to leave its node, and a whole node
# dies; later one meets its time limit. The merged result must be that of a single run. $WARPSCAPE
# is the program.
#
# Needs root and Debian's packages, which it installs where they are missing; else it is skipped.
set -u
: "${WARPSCAPE:=$(dirname "$0")/../../build/release/warpscape}"
program=$(cd "$(dirname "$WARPSCAPE")" && pwd)/$(basename "$WARPSCAPE")
[ -x "$program" ] || { echo "no program at $program" >&2; exit 1; }
nodes=4
packages='munge slurmctld slurmd slurm-client slurm-wlm-basic-plugins'

skip() {
    echo "skipped: $1"
    exit 77
}

[ "$(id -u)" -eq 0 ] || skip 'starting Slurm takes root'
host=$(hostname -s)
getent hosts "$host" >/dev/null || skip "the name of this machine, $host, has no address"
if ! { command -v slurmctld && command -v slurmd && command -v sbatch && command -v munged; } >/dev/null; then
    # shellcheck disable=SC2086 # a list of words
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $packages; } >/dev/null 2>&1 ||
        skip 'Slurm is not installed and could not be'
fi

work=$(mktemp -d)
own_munge=false
export SLURM_CONF="$work/slurm.conf" XDG_CACHE_HOME="$work/cache"
# Every process of a task inherits this, so that only they can be met by a kill.
export WARPSCAPE_SLURM_TEST="$work"

# stop_task_processes [NODE]: kills what tasks (of one node) run, and the daemon above each.
stop_task_processes() {
    for entry in /proc/[0-9]*; do
        pid=${entry#/proc/}
        environment=$( (tr '\0' '\n' <"$entry/environ") 2>/dev/null) || continue
        echo "$environment" | grep -qx "WARPSCAPE_SLURM_TEST=$work" || continue
        echo "$environment" | grep -q '^SLURM_JOB_ID=' || continue
        [ $# -eq 0 ] || echo "$environment" | grep -qx "SLURMD_NODENAME=$1" || continue
        parent=$(awk '/^PPid:/ { print $2 }' "$entry/status" 2>/dev/null)
        case $(cat "/proc/$parent/comm" 2>/dev/null) in
        slurmstepd*) kill -9 "$parent" 2>/dev/null ;;
        esac
        kill -9 "$pid" 2>/dev/null
    done
}

stop_pid_file() {
    [ -s "$1" ] && kill "-$2" "$(cat "$1")" 2>/dev/null
}

clean_up() {
    for node in $(seq $nodes); do
        stop_pid_file "$work/slurmd.n$node.pid" 9
    done
    stop_pid_file "$work/slurmctld.pid" 9
    stop_task_processes
    $own_munge && stop_pid_file /run/munge/munged.pid 15
    cd /
    sleep 0.3
    rm -rf "$work" 2>/dev/null || { sleep 1; rm -rf "$work"; }
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1

fail() {
    echo "FAILED: $1"
    squeue -t all -r -o '%i %K %T %N %r' 2>&1 | head -20
    for log in cells.shards/*.log; do
        [ -f "$log" ] && {
            echo "--- $log"
            grep -v -e '^best' -e '^warpscape' -e '^$' "$log" | tail -n 5
        }
    done
    exit 1
}

# wait_until SECONDS COMMAND...
wait_until() {
    end=$(($(date +%s) + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt $end ] || return 1
        sleep 0.1
    done
}

# ---- Slurm --------------------------------------------------------------------------------------
if ! munge -n >/dev/null 2>&1; then
    mkdir -p /run/munge && chown munge:munge /run/munge && chmod 755 /run/munge
    runuser -u munge -- /usr/sbin/munged 2>/dev/null || skip 'munged does not start'
    own_munge=true
fi
port=$((20000 + $$ % 10000))
cat >slurm.conf <<CONF
ClusterName=imitated
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=cred_expire=5
SlurmctldPort=$port
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=6
InactiveLimit=0
KillWait=2
MinJobAge=300
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
CONF
for node in $(seq $nodes); do
    echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + node)) CPUs=1 Sockets=1" \
        "CoresPerSocket=1 ThreadsPerCore=1 RealMemory=1000 State=UNKNOWN"
done >>slurm.conf
echo "PartitionName=main Nodes=n[1-$nodes] Default=YES MaxTime=INFINITE State=UP" >>slurm.conf
mkdir state
slurmctld -f slurm.conf >start.log 2>&1 || { cat start.log; skip 'slurmctld does not start'; }
for node in $(seq $nodes); do
    slurmd -f slurm.conf -N "n$node" >>start.log 2>&1
done
all_idle() { [ "$(sinfo -h -N -t idle -o %N | wc -l)" -eq $nodes ]; }
wait_until 15 all_idle || { cat start.log; sinfo; skip 'the imitated nodes do not come up'; }

# ---- a study of half a minute; a sanitized program takes smaller workloads ----------------------
cat >cells.yaml <<YAML
machine: gtx480
set: {tlb.ways: 16}
workloads: ['GEMM:n=${GEMM_N:-320}', 'ATAX:n=${ATAX_N:-1024}']
axes:
  l1d.size: {from: 4KiB, to: 128KiB, factor: 2}
  l1d.ways: [2, 4, 8]
  l1d.index: [linear, xor]
  l1d.replacement: [lru, fifo, plru, rr]
  l2.size: {from: 384KiB, to: 3MiB, factor: 2}
  l2.ways: [4, 8]
  tlb.entries: [16, 32, 64, 128]
objectives: [l1d.miss_rate, walk.memory_accesses, total.area]
metrics: [l2.misses]
YAML
"$program" submit cells.yaml --dry-run --shards 8 --cpus 1 >log 2>&1 || { cat log; fail 'dry run'; }
grep -q 'sbatch --parsable .*--array=1-8 .*--cpus-per-task=1' log || fail 'the command of the dry run'
[ ! -e cells.shards ] || fail 'a dry run made a folder'
# Held, so that nothing ends before it is looked at.
"$program" submit cells.yaml --shards 8 --cpus 1 --partition main --sbatch=--hold >log 2>&1 || { cat log; fail 'submit'; }
grep -q 'shards 1-8' log || fail 'what was submitted'
"$program" submit cells.yaml --shards 9 >log 2>&1 && fail 'the number of shards is fixed'
grep -q 'was submitted in 8 shards, not 9' log || { cat log; fail 'why the number is fixed'; }
"$program" submit cells.yaml >log 2>&1 || { cat log; fail 'submit again'; }
grep -q 'not complete: 8, of these in the queue: 8' log || { cat log; fail 'what is in the queue'; }
sed 's/4, 8]/4, 16]/' cells.yaml >other.yaml
mkdir elsewhere && mv other.yaml elsewhere/cells.yaml
"$program" submit elsewhere/cells.yaml >log 2>&1 && fail 'another study in the same folder'
grep -q 'is another study than was submitted there before' log || fail 'why another study is refused'

release_jobs() {
    for job in $(squeue -h -o %F | sort -u); do
        scontrol release "$job"
    done
}
release_jobs

# ---- trouble ------------------------------------------------------------------------------------
makes_points() { grep -qs '"done": [1-9]' cells.shards/shard-"$1"-a*.status; }
node_of() { squeue -h -r -t R -o '%K %N' | awk -v task="$1" '$1 == task { print $2 }'; }
pid_of() { sed -n 's/.*"pid": \([0-9]*\).*/\1/p' cells.shards/shard-"$1"-a*.status | head -1; }
# Where the machine is fast a shard ends soon after its first points: it is held there.
held=' '
hold_three() {
    for shard in 1 2 3; do
        case $held in *" $shard "*) continue ;; esac
        makes_points $shard && kill -STOP "$(pid_of $shard)" && held="$held$shard "
    done
    [ ${#held} -eq 7 ]
}
wait_until 60 hold_three || fail "only shards$held make points"
node=$(node_of 3)
[ -n "$node" ] || fail 'shard 3 is not running'
stop_pid_file "$work/slurmd.$node.pid" 9
stop_task_processes "$node"
kill -9 "$(pid_of 1)" || fail 'the sweep of shard 1 is not there to be killed'
job=$(squeue -h -r -t R -o '%K %F' | awk '$1 == 2 { print $2 }')
[ -n "$job" ] || fail 'shard 2 is not there to be warned'
# Bit 9 of a mask of signals is USR1, number 10.
warned() { grep -q '^ShdPnd:.*[2367abef]..$' "/proc/$sweep/status"; }
sweep=$(pid_of 2)
scancel --signal=USR1 --batch "${job}_2" >scancel.log 2>&1 & # takes its time
wait_until 30 warned || fail 'shard 2 is not warned'
kill -CONT "$sweep" || fail 'the sweep of shard 2 did not stay'

# ---- meanwhile, the single run; then what came of the array ---------------------------------------
"$program" sweep cells.yaml --store single.db --threads 1 >single.log 2>&1 || fail 'the single run'
merged() { [ -s cells.shards/merge.log ] && ! squeue -h -o %i | grep -q .; }
wait_until 100 merged || fail 'the jobs do not end'
grep -q 'the study is complete' cells.shards/merge.log || fail 'the merge found points missing'
"$program" show single.db --format csv >single.csv
"$program" show cells.db --format csv | cmp - single.csv || fail 'the merged rows are others'
grep -q 'ended with 137; back into the queue' cells.shards/shard-1.log || fail 'shard 1 was not killed'
grep -q 'ended with 75; back into the queue' cells.shards/shard-2.log || fail 'shard 2 was not warned'
for shard in 1 2 3; do
    grep -q "start 1, on .* 1 attempts before" cells.shards/shard-$shard.log ||
        fail "shard $shard was not started again with what it had"
done

# ---- a shard that got lost is submitted again, alone, and comes to its time limit ------------------
# Slurm's least limit is a minute and its controller looks at limits twice a minute: the warning, a
# minute before the limit, comes within half a minute. Until then the sweep is held.
rm -r cells.db cells.shards/shard-5* cells.shards/merge.log
"$program" submit cells.yaml --cpus 1 --time 1 --sbatch=--hold >log 2>&1 ||
    { cat log; fail 'submit of what is missing'; }
grep -q ': shards 5$' log || { cat log; fail 'only shard 5 is missing'; }
release_jobs
hold() { # the sweep's own process: its status file comes too late where the machine is fast
    sweep=$(grep -las 'shard-5-[a].*db' /proc/[0-9]*/cmdline | sed -n '1s/[^0-9]//gp')
    [ -n "$sweep" ] && kill -STOP "$sweep"
}
wait_until 30 hold || fail 'the sweep of shard 5 is not there to be held'
wait_until 50 warned
warned=$?
kill -CONT "$sweep" || fail 'the sweep of shard 5 did not stay'
[ $warned -eq 0 ] || fail 'no warning came before the time limit'
wait_until 90 merged || fail 'the second jobs do not end'
grep -q 'ended with 75; back into the queue' cells.shards/shard-5.log || fail 'shard 5 did not heed the warning'
grep -q 'start 1, on' cells.shards/shard-5.log || fail 'shard 5 was not started again'
"$program" show cells.db --format csv | cmp - single.csv || fail 'the rows after a second submission'
rm cells.db
"$program" submit cells.yaml >log 2>&1 || { cat log; fail 'submit of a complete study'; }
grep -q 'every shard is complete' log || fail 'nothing is left to submit'
"$program" show cells.db --format csv | cmp - single.csv || fail 'the rows merged at once'
echo "a task killed, a task moved, a node lost, a shard lost, a time limit met:" \
    "$(($(wc -l <single.csv) - 1)) equal rows"
