for card in devicequery_m60 devicequery_rtx5090 nvidia_smi_q_a6000 clinfo_rtx3090; do
    echo "== $card"
    warpscape machine new --from tests/cards/$card.txt -o "$WORK/$card.yaml"
    warpscape check "$WORK/$card.yaml"
    grep -v '# as ' "$WORK/$card.yaml" | grep -v '^ *[a-z0-9]*:$'
    warpscape run "$WORK/$card.yaml" -w VECTORS:n=1000 --depth timing | grep -m1 ' cycles'
done
