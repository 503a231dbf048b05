/** Reads and writes the kind of ZIP archives that a PPTX needs. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

/** Returns the parts of an archive by name, read from its central directory. Throws for a
 *  compression method other than deflate or store. */
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
    if (!name.endsWith('/')) parts.set(name, method === 8 ? inflateRawSync(content) : content)
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return parts
}

/** Returns a ZIP archive of the parts in order. Text is compressed; pictures are stored, because
 *  they are compressed already. */
export function zip(parts: ReadonlyMap<string, Buffer>): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, bytes] of parts) {
    const isPacked = !/\.(png|jpe?g)$/.test(name)
    const packed = isPacked ? deflateRawSync(bytes) : bytes
    const named = Buffer.from(name)
    // The fields that both headers of a part have in common: version, flag for names in UTF-8,
    // compression method, time and date (the first day of 1980), checksum, both sizes, and the
    // length of the name.
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x0800, 2)
    facts.writeUInt16LE(isPacked ? 8 : 0, 4)
    facts.writeUInt16LE(0x21, 8)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(named.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), facts, named, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    centrals.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), facts, place, named]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(parts.size, 8)
  end.writeUInt16LE(parts.size, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}
