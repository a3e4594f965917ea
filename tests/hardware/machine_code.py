#!/usr/bin/env python3
"""What stands in the machine code of kernels: registers are ptxas' affair, this is the order.

    machine_code.py CUBIN        a line a kernel: its loads and stores of global memory up to the
                                 first store, and of each loop how many it has, and how many accesses to
                                 shared memory of which predicates switch some off

A cubin of sm_75 to sm_90 has instructions of 16 bytes. Bits 0 to 11 are the opcode, 12 to 15 the
predicate, 24 to 31 the register that holds the address, 40 to 63 what is added to it; a branch counts
its bytes from the next instruction in bits 32 to 81. NVIDIA does not document this; it was found with
kernels whose accesses are known, and the accesses of all kernels here come out as their sources say.
"""
import struct
import sys

LOADS, STORES, BRANCH, NOTHING = (0x381, 0x981), (0x386, 0x986), 0x947, 0x918
SHARED, ALWAYS = (0x984, 0x388, 0x988), 7


def sections(data):
    table, = struct.unpack_from("<Q", data, 0x28)
    count, names = struct.unpack_from("<HH", data, 0x3C)
    headers = [struct.unpack_from("<IIQQQQ", data, table + 64 * i) for i in range(count)]
    for header in headers:
        at = headers[names][4] + header[0]
        yield data[at:data.index(b"\0", at)].decode(), data[header[4]:header[4] + header[5]]


def signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 else value


def describe(code):
    words = [struct.unpack_from("<QQ", code, at) for at in range(0, len(code), 16)]
    words = [word for word in words if word[0] & 0xFFF != NOTHING]
    first, loops = [], []
    for index, (low, high) in enumerate(words):
        opcode = low & 0xFFF
        if opcode in LOADS + STORES and not any(word.startswith("store") for word in first):
            what = "load" if opcode in LOADS else "store"
            first.append(f"{what}[R{low >> 24 & 255}{signed(low >> 40, 24):+d}]")
        if opcode == BRANCH:
            away = signed(low >> 32 | (high & 0x3FFFF) << 32, 50)
            body = [word[0] & 0xFFFF for word in words[max(0, index + 1 + away // 16):index + 1]]
            if away < -16:
                loads, stores = (sum(op & 0xFFF in ops for op in body) for ops in (LOADS, STORES))
                shared = [op >> 12 != ALWAYS for op in body if op & 0xFFF in SHARED]
                loops.append(f"loop of {loads} loads, {stores} stores")
                if shared:
                    loops[-1] += f", {sum(shared)} of {len(shared)} shared predicated"
    return " ".join(first + loops)


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    for name, code in sections(data):
        if name.startswith(".text."):
            print(f"{name[6:]}: {describe(code)}")


if __name__ == "__main__":
    main()
