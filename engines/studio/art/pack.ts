import { closeSync, openSync, readSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Habitat } from '../scene.ts'
import type { ArtCategory, BakedScenery, Facing } from './entry.ts'

/** The format of the art pack: this text, the length of the header (uint32, little endian), the
 *  header (JSON), one block compressed with brotli for each drawing, then three sections compressed
 *  in the same way. Offsets count from the end of the header. Opening the pack reads only the
 *  header, the icons and the words; the rare nouns and the drawings are read later, each when it is
 *  needed. */
const magic = 'ARTPACK2'

/** An icon as stored. `ink` is the bounding box of what is painted: x, y, width, height as
 *  fractions of the side of the square drawing. `svg` is the offset and length, in bytes, of the
 *  icon's brotli block in the pack. */
export interface PackedIcon {
  key: `noto:${string}` | `fluent:${string}`
  noun: string
  nounZh: string
  category: ArtCategory
  height: number
  ink: readonly [number, number, number, number]
  habitat: Habitat
  facing: Facing
  head?: true
  baked?: BakedScenery
  colours: string[]
  svg: [number, number]
}

/** Maps each word to references, separated by spaces, in the order of the tables. A reference is
 *  the index of an icon and a letter: `n` if the word is the icon's name, `l` for a label, `t` for
 *  a tag. */
export type WordTable = Record<string, string>

export interface PackContents {
  icons: PackedIcon[]
  english: WordTable
  chinese: WordTable
  /** Lines of `rare noun TAB target ...`, sorted by code units. A target is a catalogue word. It
   *  begins with `=` if it is a synonym of the rare noun, and with `<` if the rare noun is a kind
   *  of it. */
  rareNouns: string
}

interface Header {
  sections: Record<'icons' | 'words' | 'rareNouns', [number, number]>
}

/** Returns the bytes of an art pack. `svgs` are SVG texts in the order of `icons`. The function
 *  fills in the `svg` fields of `icons` (offset and length). */
export function writePack(contents: PackContents, svgs: readonly string[]): Buffer {
  const blocks: Buffer[] = []
  let length = 0
  const add = (text: string): [number, number] => {
    const block = brotliCompressSync(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
    })
    const place: [number, number] = [length, block.length]
    blocks.push(block)
    length += block.length
    return place
  }
  const icons = contents.icons.map((icon, index) => ({ ...icon, svg: add(svgs[index] ?? '') }))
  const header: Header = {
    sections: {
      icons: add(JSON.stringify(icons)),
      words: add(JSON.stringify({ english: contents.english, chinese: contents.chinese })),
      rareNouns: add(contents.rareNouns),
    },
  }
  const headerBytes = Buffer.from(JSON.stringify(header))
  const start = Buffer.alloc(12)
  start.write(magic, 'latin1')
  start.writeUInt32LE(headerBytes.length, 8)
  return Buffer.concat([start, headerBytes, ...blocks])
}

export interface OpenPack {
  icons: PackedIcon[]
  english: WordTable
  chinese: WordTable
  /** Returns the table of rare nouns; each call reads it from disk. */
  rareNouns(): string
  svg(icon: PackedIcon): string
}

/** Reads the tables of an art pack. Throws `RangeError` when the file is not an art pack, and the
 *  file system's error when it cannot be read. */
export function openPack(path: string): OpenPack {
  const start = readBytes(path, 0, 12)
  if (start.toString('latin1', 0, 8) !== magic) throw new RangeError(`${path} is not an art file of this version: run npm run art`)
  const base = 12 + start.readUInt32LE(8)
  const header: Header = JSON.parse(readBytes(path, 12, base - 12).toString())
  const text = ([offset, length]: [number, number]) => brotliDecompressSync(readBytes(path, base + offset, length)).toString()
  const icons: PackedIcon[] = JSON.parse(text(header.sections.icons))
  const words: { english: WordTable; chinese: WordTable } = JSON.parse(text(header.sections.words))
  return { icons, ...words, rareNouns: () => text(header.sections.rareNouns), svg: icon => text(icon.svg) }
}

// The file is opened again for each read, so that no file descriptor has to be kept and closed.
// Reads are rare, because painters cache drawings as bitmaps.
function readBytes(path: string, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const file = openSync(path, 'r')
  try {
    const got = readSync(file, bytes, 0, length, offset)
    if (got !== length) throw new RangeError(`${path} ends early: ${got} of ${length} bytes at ${offset}`)
  } finally {
    closeSync(file)
  }
  return bytes
}
