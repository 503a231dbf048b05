import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { parseImageHeader, readImageFile, readImageHeader } from './image-header.ts'
import type { ImageHeader } from './image-header-result.ts'

const root = await mkdtemp(join(tmpdir(), 'image-header-'))
after(() => rm(root, { recursive: true, force: true }))

const width = 67
const height = 45
const picture = () => sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 90, alpha: 0.5 } } })

const frames = Buffer.concat([Buffer.alloc(width * height * 4, 40), Buffer.alloc(width * height * 4, 200)])
const animation = () => sharp(frames, { raw: { width, height: height * 2, channels: 4, pageHeight: height } })

const samples: Record<string, { bytes: Buffer; expected: ImageHeader }> = {
  jpeg: { bytes: await picture().jpeg().toBuffer(), expected: { mediaType: 'image/jpeg', width, height } },
  'progressive jpeg': {
    bytes: await picture().jpeg({ progressive: true }).toBuffer(),
    expected: { mediaType: 'image/jpeg', width, height },
  },
  'jpeg with orientation': {
    bytes: await picture().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    expected: { mediaType: 'image/jpeg', width, height, orientation: 6 },
  },
  png: { bytes: await picture().png().toBuffer(), expected: { mediaType: 'image/png', width, height } },
  'png with orientation': {
    bytes: await picture().withMetadata({ orientation: 8 }).png().toBuffer(),
    expected: { mediaType: 'image/png', width, height, orientation: 8 },
  },
  'webp lossy': { bytes: await picture().flatten().webp().toBuffer(), expected: { mediaType: 'image/webp', width, height } },
  'webp with alpha': { bytes: await picture().webp().toBuffer(), expected: { mediaType: 'image/webp', width, height } },
  'webp lossless': { bytes: await picture().webp({ lossless: true }).toBuffer(), expected: { mediaType: 'image/webp', width, height } },
  'webp animation': {
    bytes: await animation().webp({ loop: 0 }).toBuffer(),
    expected: { mediaType: 'image/webp', width, height, animated: true },
  },
  gif: { bytes: await picture().gif().toBuffer(), expected: { mediaType: 'image/gif', width, height } },
  'gif animation': {
    bytes: await animation().gif({ loop: 0 }).toBuffer(),
    expected: { mediaType: 'image/gif', width, height, animated: true },
  },
  tiff: { bytes: await picture().tiff().toBuffer(), expected: { mediaType: 'image/tiff', width, height, orientation: 1 } },
  avif: { bytes: await picture().avif({ effort: 0 }).toBuffer(), expected: { mediaType: 'image/avif', width, height } },
  'avif with a turn': {
    bytes: await picture().withMetadata({ orientation: 6 }).avif({ effort: 0 }).toBuffer(),
    expected: { mediaType: 'image/avif', width, height, orientation: 6 },
  },
  bmp: { bytes: bitmap(40, width, -height), expected: { mediaType: 'image/bmp', width, height } },
  'bmp of OS/2': { bytes: bitmap(12, width, height), expected: { mediaType: 'image/bmp', width, height } },
  'tiff, big endian': { bytes: bigEndianTiff(), expected: { mediaType: 'image/tiff', width, height, orientation: 3 } },
}

function bitmap(headerSize: number, columns: number, rows: number): Buffer {
  const bytes = Buffer.alloc(60)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(headerSize, 14)
  if (headerSize === 12) {
    bytes.writeUInt16LE(columns, 18)
    bytes.writeUInt16LE(rows, 20)
  } else {
    bytes.writeInt32LE(columns, 18)
    bytes.writeInt32LE(rows, 22)
  }
  return bytes
}

function bigEndianTiff(): Buffer {
  const bytes = Buffer.alloc(8 + 2 + 3 * 12 + 4)
  bytes.write('MM\0*', 'latin1')
  bytes.writeUInt32BE(8, 4)
  bytes.writeUInt16BE(3, 8)
  const entries: [number, number, number][] = [
    [256, 4, width],
    [257, 3, height],
    [274, 3, 3],
  ]
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 10 + index * 12
    bytes.writeUInt16BE(tag, at)
    bytes.writeUInt16BE(type, at + 2)
    bytes.writeUInt32BE(1, at + 4)
    if (type === 3) bytes.writeUInt16BE(value, at + 8)
    else bytes.writeUInt32BE(value, at + 8)
  }
  return bytes
}

/** Returns the AVIF sample with other brands; the boxes around the pixels are unchanged. */
function rebranded(major: string, compatible: string): Buffer {
  const bytes = Buffer.from(samples.avif?.bytes ?? [])
  bytes.fill(compatible, 16, bytes.readUInt32BE(0), 'latin1')
  bytes.write(major, 8, 'latin1')
  return bytes
}

test('a bitmap may have the OS/2 header, or one of 16 to 1,024 bytes', () => {
  for (const size of [16, 40, 1024]) assert.deepEqual(readImageHeader(bitmap(size, 3, 2)), { mediaType: 'image/bmp', width: 3, height: 2 })
  for (const size of [0, 11, 13, 15, 1025]) assert.equal(readImageHeader(bitmap(size, 3, 2)), undefined, `${size}`)
})

test('HEIC and AVIF are distinguished by their brand', () => {
  for (const [major, compatible, mediaType] of [
    ['heic', 'mif1', 'image/heic'],
    ['mif1', 'heic', 'image/heic'],
    ['mif1', 'avif', 'image/avif'],
  ] as const) {
    assert.deepEqual(readImageHeader(rebranded(major, compatible)), { mediaType, width, height }, `${major} ${compatible}`)
  }
  assert.equal(readImageHeader(rebranded('avis', 'msf1'))?.animated, true)
  assert.equal(readImageHeader(rebranded('isom', 'mp41')), undefined)
})

/** Returns the JPEG with `count` segments of `size` bytes inserted before all others. */
function padded(jpeg: Buffer, count: number, size: number): Buffer {
  const segment = Buffer.alloc(size + 2, 0x20)
  segment.writeUInt16BE(0xffe2, 0)
  segment.writeUInt16BE(size, 2)
  return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: count }, () => segment), jpeg.subarray(2)])
}

test('type, size, orientation and animation of every format are read from the header', () => {
  for (const [name, { bytes, expected }] of Object.entries(samples))
    assert.deepEqual(readImageHeader(bytes.subarray(0, 65536)), expected, name)
})

test('a frame header after large segments requests more bytes, which the file reader provides', async () => {
  const jpeg = samples['jpeg with orientation']?.bytes ?? Buffer.alloc(0)
  for (const count of [1, 3, 100]) {
    const bytes = padded(jpeg, count, 65_535)
    const first = parseImageHeader(bytes.subarray(0, 65_536))
    assert.ok(first !== undefined && 'needBytes' in first && first.needBytes > 65_536)
    assert.equal(readImageHeader(bytes.subarray(0, 65_536)), undefined)
    const file = join(root, `${count}.jpg`)
    await writeFile(file, bytes)
    assert.deepEqual(await readImageFile(file), { mediaType: 'image/jpeg', width, height, orientation: 6 })
  }
})

test('the file reader gives up on files that are too short, and does not read far into broken ones', async () => {
  const file = join(root, 'cut')
  for (const bytes of [
    Buffer.alloc(0),
    padded(samples.jpeg?.bytes ?? Buffer.alloc(0), 3, 65_535).subarray(0, 150_000),
    Buffer.alloc(300_000, 0xff),
  ]) {
    await writeFile(file, bytes)
    assert.equal(await readImageFile(file), undefined)
  }
  const farAway = Buffer.from('II*\0\xff\xff\xff\xf0', 'latin1')
  await writeFile(file, farAway)
  assert.equal(await readImageFile(file), undefined)
})

test('sides of zero and absurdly large sides are refused', () => {
  const png = Buffer.from(samples.png?.bytes ?? [])
  for (const side of [0, 1_000_001, 0xffffffff]) {
    png.writeUInt32BE(side, 16)
    assert.equal(readImageHeader(png), undefined, String(side))
  }
  assert.equal(readImageHeader(bitmap(40, 0, 5)), undefined)
  assert.equal(readImageHeader(bitmap(40, -7, 5)), undefined)
})

test('other files are not images', () => {
  for (const text of [
    '',
    'GIF',
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>',
    '%PDF-1.7',
    '\0\0\0\x18ftypmp42\0\0\0\0',
    'RIFF....WAVEfmt ',
  ]) {
    assert.equal(readImageHeader(Buffer.from(text, 'latin1')), undefined, text)
  }
})

test('cut and damaged headers never throw and never give a size out of range', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const check = (bytes: Buffer) => {
    const result = parseImageHeader(bytes)
    if (result === undefined) return
    if ('needBytes' in result) assert.ok(result.needBytes > bytes.length)
    else assert.ok(result.width >= 1 && result.width <= 1e6 && result.height >= 1 && result.height <= 1e6)
  }
  for (const { bytes } of Object.values(samples)) {
    const head = bytes.subarray(0, 2000)
    for (let length = 0; length <= Math.min(head.length, 400); length++) check(head.subarray(0, length))
    for (let round = 0; round < 3000; round++) {
      const damaged = Buffer.from(head)
      for (let edit = 0; edit <= random(4); edit++) damaged[random(Math.min(damaged.length, 200))] = random(3) === 0 ? 0xff : random(256)
      check(damaged.subarray(0, random(2) === 0 ? damaged.length : random(damaged.length + 1)))
    }
  }
})
