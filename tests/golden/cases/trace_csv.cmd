cd "$WORK"
printf 'Time,address,op,lane,size,sm,note\n1,0x100,load,0,8,0,x\n2,0x900,load,0,8,1,x\n3,0x108,load,1,8,0,x\n4,0x110,load,2,8,0,x\n' >lanes.csv
warpscape trace list lanes.csv
printf 'address,op,space\n16,load,colour_tile\n' >tile.csv
warpscape run tile-gpu -w tile.csv
for row in 0x10,frob,4,global 0x10,load,64,global 0x10,load,4,everywhere 0x10,load,4,global,7 0x10,load 0x10,load,4,global,; do
    printf 'address,op,bytes,space\n%s\n' "$row" >cells.csv
    warpscape trace list cells.csv
done
printf 'address,flags\n0x10,fast\n0x10,\n' >flags.csv
warpscape trace list flags.csv
warpscape trace import cells.csv -o cells.wtr --force && gzip cells.wtr
warpscape run -w cells.wtr.gz
