import { inflateRawSync } from 'node:zlib'

/** The parts of a ZIP by their names, by its central directory. Throws on a part that is packed in another way than deflate or store. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  const parts = new Map<string, Buffer>()
  for (let k = 0; k < count; k++) {
    const [method, packed, nameLength] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const local = bytes.readUInt32LE(at + 42)
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(from, from + packed)
    if (method !== 0 && method !== 8) throw new Error(`${name} is packed by method ${method}`)
    parts.set(name, method === 8 ? inflateRawSync(content) : Buffer.from(content))
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return parts
}
