# All problems of a file at once, with their places.
cat >"$WORK/machine.yaml" <<'EOF'
# A machine with mistakes.
l1d:
  size: 16KiB
  asoc: 4
  line: four
l2:
  ways: 0
EOF
warpscape run "$WORK/machine.yaml" -w 2DCONV:n=16
