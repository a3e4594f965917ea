warpscape machines
warpscape machines -f csv | head -3
printf 'about: {sizes: mesured, color: red}\ngpu: {sms: 2}\n' >"$WORK/wrong.yaml"
warpscape check "$WORK/wrong.yaml"
