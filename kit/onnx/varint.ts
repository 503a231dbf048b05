/** Returns an integer as protobuf writes it: 7 bits a byte, lowest first. Exact up to 2^53; a
 *  negative one is its complement in 64 bits. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Uint8Array.of(...bytes, Number(rest))
}
