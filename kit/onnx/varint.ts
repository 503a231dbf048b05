/** Returns an integer in protobuf's encoding: 7 bits per byte, lowest bits first. Exact up to 2^53.
 *  A negative integer is encoded as its two's complement in 64 bits. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Uint8Array.of(...bytes, Number(rest))
}
