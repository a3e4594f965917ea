# Sourced by scripts that CTest runs as several tests, so that every processor has something to do until
# the end: the line `# shards: N` of such a script says how many. $SHARD is K/N; without it a script runs whole.
# shellcheck shell=sh
shard_case=0

# in_shard: whether the next case belongs to this shard. Cases are dealt in turn, because neighbours
# cost about the same.
in_shard() {
    shard_case=$((shard_case + 1))
    [ -z "${SHARD:-}" ] || [ $(((shard_case - 1) % ${SHARD#*/} + 1)) -eq "${SHARD%/*}" ]
}
