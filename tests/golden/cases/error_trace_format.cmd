warpscape trace import --format-in lakey traces/README.md -o "$WORK/x.wtr"
