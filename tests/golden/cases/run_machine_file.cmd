cat >"$WORK/machine.yaml" <<'EOF'
l1d: {size: 48KiB, ways: 6, index: xor}
EOF
warpscape run "$WORK/machine.yaml" -w 2DCONV:n=64 -f csv | grep l1d.miss_rate
