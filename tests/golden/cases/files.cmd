# Whatever writes a file keeps what is there: without --force, on a full disk, through links, on devices.
here=$PWD
cd "$WORK" || exit
ln -s file link
printf '0x100\n0x200\n' >list.txt
raster() { warpscape raster effect2d:width=16,height=16 -o "$@"; }
tile() { warpscape tile -w effect2d:width=16,height=16 --map reads -o "$@"; }
assemble() { warpscape simt asm "$here/tests/simt/every.s" -o "$@"; }
import() { warpscape trace import list.txt --format-in addresses -o "$@"; }
convert() { warpscape convert gtx480 -o "$@"; }
page() { warpscape run gtx480 -w GEMM:ni=16,nj=16,nk=16 --report "$@"; }
for writer in raster tile assemble import convert page; do
    echo "== $writer"
    echo kept >file
    $writer file >/dev/null
    (ulimit -f 0; trap '' XFSZ; $writer file --force 2>&1 >/dev/null) | cat
    cat file
    $writer /dev/full --force >/dev/null
    stat -c '%n is a %F' /dev/full
    $writer /dev/null >/dev/null && echo written to a device
    chmod 640 file
    $writer link --force >/dev/null && stat -c '%n is a %F, %a' link file
    cmp -s file list.txt && echo not written
    $writer none/file >/dev/null
    $writer . --force >/dev/null
    $writer /dev/stdout >out && [ "$(wc -c <out)" -ge "$(wc -c <file)" ] && echo written to standard output
done 2>&1 | grep -v "^note:"
ls -A
