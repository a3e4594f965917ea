# The name of a trace file beside the recipes, without its folder.
warpscape run cpwc-example -w cpwc-example.addr --needs fast --format csv | head -3
cd "$WORK" && warpscape run cpwc-example -w cpwc-example.add --needs fast
