# shellcheck shell=sh
# Sourced by the tests of tests/*.py at the root of the tree: a scratch folder that goes when the
# test ends, and a message for what fails.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}
