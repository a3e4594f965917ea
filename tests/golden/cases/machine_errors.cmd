warpscape machine
warpscape machine old
warpscape machine new
warpscape machine new --card "RTX 4065"
warpscape machine new --card "Tesla K80"
warpscape machine new --from tests/cards/devicequery_two.txt
warpscape machine new --from tests/cards/devicequery_two.txt --gpu 1
warpscape machine new --from tests/cards/devicequery_two.txt --gpu 2
warpscape machine new --from README.md
warpscape machine new --from nosuch.txt
warpscape machine new --card T4 --like simt-processor
warpscape machine new --card T4 -s l2.size=5MB
warpscape machine new --card T4 -s l2.nosuch=5
warpscape machine new --card T4 -o "$WORK/t4.yaml" && warpscape machine new --card L4 -o "$WORK/t4.yaml"
warpscape machine new --card L4 -o "$WORK/t4.yaml" --force && grep -m1 card: "$WORK/t4.yaml"
nvidia_smi=tests/cards/nvidia_smi_h100.txt
warpscape machine new --from - <$nvidia_smi | grep -m1 like:
warpscape machine cards "RTX 4060 Ti"
warpscape machine cards "Voodoo 2"
warpscape machine new --card "RTX 9999"
