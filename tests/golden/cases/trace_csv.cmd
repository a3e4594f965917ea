cd "$WORK"
printf 'Time,address,op,lane,size,sm,note\n1,0x100,load,0,8,0,x\n2,0x900,load,0,8,1,x\n3,0x108,load,1,8,0,x\n4,0x110,load,2,8,0,x\n' >lanes.csv
warpscape trace list lanes.csv
printf 'address,op,space\n16,load,colour_tile\n' >tile.csv
warpscape run tile-gpu -w tile.csv
