warpscape replace
warpscape replace plru_simt --ways 16 A B A C D
warpscape replace lru_stack A B C D A E A F
warpscape replace s3fifo A B C D A A E B E -f csv
warpscape replace lru_stack --reset zeros A
warpscape replace plru --ways 3 A
warpscape replace opt A
warpscape replace lruu A
