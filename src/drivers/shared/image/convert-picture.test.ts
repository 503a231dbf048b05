/** Tests what happens to pixels, transparency, colours and metadata when a service delivers a
 *  picture in another format than requested. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ImageFormat } from '@generation-gateway/kit/requests/image.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { inlineInspection } from '@generation-gateway/kit/testing/inline-inspection.ts'
import sharp from 'sharp'
import { type Picture, pictureAs, readPicture } from './convert-picture.ts'

const width = 96
const height = 64
const noise = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convert-picture-'))
})
after(() => rm(folder, { recursive: true }))

async function outcomeOf(bytes: Buffer, format: ImageFormat): Promise<Picture | Failed> {
  const path = join(folder, 'picture')
  await writeFile(path, bytes)
  return pictureAs({ inspection: inlineInspection, format, owner: 'the painter' }, await readPicture(path))
}

async function pictureOf(bytes: Buffer, format: ImageFormat): Promise<Picture> {
  const outcome = await outcomeOf(bytes, format)
  assert.ok(!('state' in outcome), JSON.stringify(outcome))
  return outcome
}

const magicOf = { png: '89504e47', jpeg: 'ffd8ffdb', webp: '52494646' } as const

/** Returns the pixels of a file, after checking that it has the stated format and size. */
async function pixelsOf({ path, mediaType, ...size }: Picture, format: ImageFormat): Promise<Buffer> {
  assert.equal(mediaType, `image/${format}`)
  const bytes = await readFile(path)
  assert.equal(bytes.toString('hex', 0, 4), magicOf[format])
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  assert.deepEqual(size, { width: info.width, height: info.height })
  return data
}

const colour = async (picture: Picture, format: ImageFormat) => [...(await pixelsOf(picture, format)).subarray(0, 3)]

function isNear(found: readonly number[], wanted: readonly number[]): void {
  for (const [index, value] of wanted.entries())
    assert.ok(Math.abs((found[index] ?? Number.NaN) - value) <= 2, `${found} instead of ${wanted}`)
}

test('a picture in the requested format stays the same file', async () => {
  for (const format of ['png', 'jpeg'] as const) {
    const bytes = await noise
      .clone()
      .withExif({ IFD0: { Copyright: 'painter' } })
      .toFormat(format)
      .toBuffer()
    const { path, ...facts } = await pictureOf(bytes, format)
    assert.deepEqual(facts, { mediaType: `image/${format}`, width, height })
    assert.ok((await readFile(path)).equals(bytes))
  }
})

test('WebP resembles the picture, and keeps transparency', async () => {
  const plain = await sharp({ create: { width, height, channels: 3, background: '#c04020' } })
    .png()
    .toBuffer()
  isNear(await colour(await pictureOf(plain, 'webp'), 'webp'), [0xc0, 0x40, 0x20])
  const bytes = await sharp({ create: { width, height, channels: 4, background: { r: 10, g: 200, b: 30, alpha: 0.5 } } })
    .png()
    .toBuffer()
  const { path } = await pictureOf(bytes, 'webp')
  assert.equal((await sharp(path).metadata()).hasAlpha, true)
})

describe('PNG', () => {
  for (const from of ['jpeg', 'webp', 'gif', 'tiff', 'avif'] as const)
    test(`from ${from} has the same pixels`, async () => {
      const bytes = await noise.clone().toFormat(from).toBuffer()
      const pixels = await pixelsOf(await pictureOf(bytes, 'png'), 'png')
      assert.ok(pixels.equals(await sharp(bytes).removeAlpha().raw().toBuffer()))
    })

  test('keeps transparency', async () => {
    const bytes = await sharp({ create: { width, height, channels: 4, background: { r: 10, g: 200, b: 30, alpha: 0.5 } } })
      .webp({ lossless: true })
      .toBuffer()
    const { path } = await pictureOf(bytes, 'png')
    const png = sharp(await readFile(path))
    isNear([...(await png.raw().toBuffer()).subarray(0, 4)], [10, 200, 30, 127])
  })
})

describe('JPEG', () => {
  test('shows the picture without a visible loss, also at coloured edges', async () => {
    const stripes = Buffer.alloc(width * height * 3)
    for (let at = 0; at < width * height; at++) stripes.set(at % 2 === 0 ? [255, 0, 0] : [0, 0, 255], at * 3)
    const bytes = await sharp(stripes, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer()
    const picture = await pictureOf(bytes, 'jpeg')
    const pixels = await pixelsOf(picture, 'jpeg')
    const most = stripes.reduce((worst, value, at) => Math.max(worst, Math.abs(value - (pixels[at] ?? 0))), 0)
    assert.ok(most <= 12, `a value is off by ${most}`)
  })

  test('of noise, the most difficult case, has a signal-to-noise ratio above 35 dB', async () => {
    const pixels = await pixelsOf(await pictureOf(await noise.clone().png().toBuffer(), 'jpeg'), 'jpeg')
    const before = await noise.clone().raw().toBuffer()
    const meanSquare = before.reduce((sum, value, at) => sum + (value - (pixels[at] ?? 0)) ** 2, 0) / before.length
    const decibels = 10 * Math.log10(255 ** 2 / meanSquare)
    assert.ok(decibels > 35, `${decibels} dB`)
  })

  for (const depth of [8, 16])
    test(`from ${depth} bits per sample is white where the picture was transparent`, async () => {
      const clear = sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } } })
      const bytes = await (depth === 16 ? clear.toColourspace('rgb16') : clear).png().toBuffer()
      assert.equal(bytes[24], depth)
      isNear(await colour(await pictureOf(bytes, 'jpeg'), 'jpeg'), [255, 255, 255])
    })

  test('has half of the colour where the picture was half transparent', async () => {
    const bytes = await sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 200, alpha: 0.5 } } })
      .png()
      .toBuffer()
    isNear(await colour(await pictureOf(bytes, 'jpeg'), 'jpeg'), [127, 127, 227])
  })

  test('of an animation is its first frame', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map(background =>
        sharp({ create: { width, height, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const picture = await pictureOf(bytes, 'jpeg')
    assert.deepEqual([picture.width, picture.height], [width, height])
    isNear(await colour(picture, 'jpeg'), [254, 0, 0])
  })
})

test('metadata such as prompt, workflow and camera are removed', async () => {
  const bytes = await noise
    .clone()
    .withExif({ IFD0: { ImageDescription: 'secret workflow' } })
    .withXmp('<x:xmpmeta>secret</x:xmpmeta>')
    .png({ palette: false })
    .toBuffer()
  assert.ok(bytes.includes('secret workflow'))
  const { path } = await pictureOf(withText(bytes, 'prompt', 'secret prompt'), 'jpeg')
  assert.ok(!(await readFile(path)).includes('secret'))
  const { exif, xmp, icc } = await sharp(path).metadata()
  assert.deepEqual([exif, xmp, icc], [undefined, undefined, undefined])
})

/** Returns the PNG with a tEXt chunk (a key and a text), as ComfyUI writes it. The checksum is left
 *  wrong, because decoders do not check it in tEXt chunks. */
function withText(png: Buffer, key: string, text: string): Buffer {
  const data = Buffer.from(`${key}\0${text}`)
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length)
  chunk.write('tEXt', 4)
  data.copy(chunk, 8)
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
}

test('colours of a wider space are converted to sRGB, because no profile is stored', async () => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#20a060' } })
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const [stored] = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer()
  assert.ok((stored ?? 0) > 0x30, 'the same colour has other numbers in the wider space')
  isNear(await colour(await pictureOf(bytes, 'jpeg'), 'jpeg'), [0x20, 0xa0, 0x60])
})

test('a rotated picture is turned upright', async () => {
  const bytes = await noise.clone().withMetadata({ orientation: 6 }).webp().toBuffer()
  const picture = await pictureOf(bytes, 'png')
  await pixelsOf(picture, 'png')
  assert.deepEqual([picture.width, picture.height], [height, width])
})

test('a file that is written again is read again, and only its owner can read the result', async () => {
  for (const background of ['#ff0000', '#0000ff']) {
    const bytes = await sharp({ create: { width, height, channels: 3, background } })
      .webp()
      .toBuffer()
    const picture = await pictureOf(bytes, 'jpeg')
    isNear(await colour(picture, 'jpeg'), background === '#ff0000' ? [254, 0, 0] : [0, 0, 254])
    assert.equal((await stat(picture.path)).mode & 0o777, 0o600)
  }
})

describe('an unusable picture that was paid fails the task', () => {
  const png = () => noise.clone().png().toBuffer()
  const large = async () => {
    const bytes = await png()
    bytes.writeUInt32BE(8192, 16)
    bytes.writeUInt32BE(8193, 20)
    return bytes
  }
  const useless: [what: string, bytes: () => Promise<Buffer>, says: RegExp][] = [
    ['no picture', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /What came from the painter as a picture is none/],
    ['nothing', async () => Buffer.alloc(0), /is none/],
    [
      'one that is cut off',
      async () => (await png()).subarray(0, 9000),
      /painter \(image\/png, 96x64\) cannot be converted to image\/jpeg/,
    ],
    ['one above 2^26 pixels', large, /8192x8193\) is too large to be converted to image\/jpeg; at most 67108864 pixels/],
  ]
  for (const [what, bytes, says] of useless)
    test(what, async () => {
      const outcome = await outcomeOf(await bytes(), 'jpeg')
      assert.ok('state' in outcome)
      assert.deepEqual([outcome.code, outcome.mayBeCharged], ['upstream_error', true])
      assert.match(outcome.message, says)
    })
})

test('a full disk is not blamed on the picture', { skip: process.platform !== 'linux' }, async () => {
  const path = join(folder, 'full')
  await writeFile(path, await noise.clone().png().toBuffer())
  await symlink('/dev/full', `${path}.jpeg`)
  await assert.rejects(pictureAs({ inspection: inlineInspection, format: 'jpeg', owner: 'the painter' }, await readPicture(path)), {
    code: 'disk_full',
  })
})
