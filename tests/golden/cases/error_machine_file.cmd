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
printf '%s\n' 'pwc:' '  organization: cpwc' '  entries: 62' '  l4_entries: 3' >"$WORK/levels.yaml"
warpscape run "$WORK/levels.yaml"
sed -i s/3/8/ "$WORK/levels.yaml"
warpscape run "$WORK/levels.yaml"
