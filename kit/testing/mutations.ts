/** Damages files at random; a seed always gives the same damage. */

const extremes = [0, 1, 0x7f, 0x80, 0xff]
const wide = [0, 1, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff]
/** Number of bytes at the beginning of a file that contain most headers. */
const headBytes = 2_000

/** Returns the file with one to six edits: flipped bits, extreme bytes and sizes, parts removed,
 *  doubled or cut off. */
export function mutationOf(file: Buffer, random: () => number): Buffer {
  const below = (count: number) => Math.floor(random() * count)
  let bytes = Buffer.from(file)
  for (let edits = 1 + below(6); edits > 0 && bytes.length > 8; edits--) {
    const at = random() < 0.8 ? below(Math.min(headBytes, bytes.length)) : below(bytes.length)
    const length = 1 + below(Math.min(64, bytes.length - at))
    const kind = below(16)
    if (kind < 5) bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << below(8)), at)
    else if (kind < 9) bytes.writeUInt8(extremes[below(extremes.length)] ?? 0, at)
    else if (kind < 11) bytes.writeUInt8(below(256), at)
    else if (kind < 13) bytes.writeUInt32BE(wide[below(wide.length)] ?? 0, Math.min(at, bytes.length - 4))
    else if (kind < 14) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    else if (kind < 15) bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
    else if (random() < 0.3) bytes = bytes.subarray(0, at + 1)
  }
  return bytes
}
