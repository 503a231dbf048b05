/** Creates small archives for tests. */
import { crc32 } from 'node:zlib'

/** Returns the bytes of an uncompressed ZIP archive with these texts, by file name. */
export function zipOf(texts: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const index: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(texts)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)]
    // The fields that are the same in the header of a file and in its entry in the index, from the
    // version to the length of the name.
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(path.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    const part = [Buffer.from('PK\x03\x04', 'latin1'), facts, path, bytes]
    index.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, rest, path)
    parts.push(...part)
    at += part.reduce((sum, { length }) => sum + length, 0)
  }
  const directory = Buffer.concat(index)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(Object.keys(texts).length, 8)
  end.writeUInt16LE(Object.keys(texts).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, directory, end])
}
