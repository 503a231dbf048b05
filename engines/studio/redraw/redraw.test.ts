/** Tests edits of a region by comparing the pixels before and after. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageResult, PictureRegion } from '@generation-gateway/kit/requests/image.ts'
import type { Done, InputFile } from '@generation-gateway/kit/requests/job.ts'
import sharp, { type Blend, type Color } from 'sharp'
import { placeScene } from '../compose.ts'
import { createRandom } from '../random.ts'
import type { Scene } from '../scene.ts'
import { common as base, openStudio, pixelsOf } from '../testing/open-studio.ts'

const [width, height] = [480, 360]
const common = { ...base, expandPrompt: false }
const drawing: ImageGenerateRequest = { ...common, prompt: 'a red fox and a white rabbit in a meadow', width, height, count: 1 }
const { engine, folder } = openStudio()
let own: InputFile
let scene: Scene
before(async () => {
  const made = await engine.run('image.generate', drawing)
  own = asInput(made)
  scene = sceneIn(made)
})

const edit = (prompt: string, region: Partial<ImageEditRequest>, ...inputs: InputFile[]) =>
  engine.run('image.edit', { ...common, prompt, ...region }, { inputs })

test('in a picture that the studio drew, a new thing is drawn in the region, and nothing else changes', async () => {
  const region = rectangle(20, 15, 120, 130)
  const red = await edit('a red balloon', { regions: [region] }, own)
  const [from, to] = await Promise.all([pixelsOf(own.path), pixelsOf(fileOf(red))])
  assert.equal(changedOutside(from, to, region), 0)
  assert.ok(countIn(to, region, isRed) > countIn(from, region, isRed) + 1500)
  assert.deepEqual((red.report as ImageResult).notDrawn, [])
  assert.ok(sceneIn(red).subjects.some(({ noun }) => noun === 'balloon'))
  const variants = await edit('a red balloon', { regions: [region], variants: 2 }, own)
  const [one, two] = await Promise.all(variants.files.map(({ path }) => pixelsOf(path)))
  assert.ok(one && two && one.equals(to) && !two.equals(one))
  assert.equal(changedOutside(from, two, region), 0)
})

test('the thing in the region is replaced, recoloured or removed, and the result can be edited as a scene again', async () => {
  const region = around('rabbit')
  const from = await pixelsOf(own.path)
  const gone = await edit('remove', { regions: [region] }, own)
  const empty = await pixelsOf(fileOf(gone))
  assert.equal(changedOutside(from, empty, region), 0)
  assert.ok(countIn(from, region, isWhite) > 1500)
  // Some flowers of the meadow are white, so the region still contains a few white pixels without
  // the subject.
  assert.ok(countIn(empty, region, isWhite) < countIn(from, region, isWhite) / 10, `${countIn(empty, region, isWhite)}`)
  assert.deepEqual(
    sceneIn(gone).subjects.map(({ noun }) => noun),
    ['fox'],
  )
  const robot = await edit('a blue robot', { regions: [region] }, asInput(gone))
  const drawn = await pixelsOf(fileOf(robot))
  assert.equal(changedOutside(empty, drawn, region), 0)
  assert.ok(countIn(drawn, region, isBlue) > 1500)
  const green = await pixelsOf(fileOf(await edit('make it green', { regions: [region] }, own)))
  assert.equal(changedOutside(from, green, region), 0)
  assert.ok(countIn(green, region, isWhite) < countIn(from, region, isWhite) / 4)
  // The new thing is part of the scene: a later edit of the whole picture draws it again at its
  // position.
  const winter = await edit('make it winter', {}, asInput(robot))
  assert.ok(countIn(await pixelsOf(fileOf(winter)), region, isBlue) > 1000)
  const moved = await edit('remove the robot', {}, asInput(robot))
  assert.deepEqual(
    sceneIn(moved).subjects.map(({ noun }) => noun),
    ['fox'],
  )
})

test('a mask has the same effect: white, or transparent if any of it is', async () => {
  const region = rectangle(20, 15, 120, 130)
  const [x = 0, y = 0, right = 0, , , bottom = 0] = region.points
  const box = { width: right - x, height: bottom - y, channels: 4 } as const
  const by = async (name: string, ground: Color, hole: Color, blend: Blend) => {
    const part = await sharp({ create: { ...box, background: hole } })
      .png()
      .toBuffer()
    const path = join(folder, name)
    await writeFile(
      path,
      await sharp({ create: { width, height, channels: 4, background: ground } })
        .composite([{ input: part, left: x, top: y, blend }])
        .png()
        .toBuffer(),
    )
    const mask = { path, mediaType: 'image/png', role: 'mask', bytes: 1, width, height }
    return pixelsOf(fileOf(await edit('a red balloon', {}, own, mask)))
  }
  const white = await by('white.png', '#000', '#fff', 'over')
  const clear = await by('clear.png', '#fff', '#000', 'dest-out')
  const polygon = await pixelsOf(fileOf(await edit('a red balloon', { regions: [region] }, own)))
  assert.ok(white.equals(polygon))
  assert.ok(clear.equals(polygon))
})

test('a thing in a textured foreign picture is removed without a trace', async () => {
  const { input, ball } = await textured()
  const region = rectangle(ball.x - ball.radius - 12, ball.y - ball.radius - 12, ball.radius * 2 + 24, ball.radius * 2 + 24)
  const from = await pixelsOf(input.path)
  for (const prompt of ['remove it', '']) {
    const to = await pixelsOf(fileOf(await edit(prompt, { regions: [region] }, input)))
    assert.equal(changedOutside(from, to, region), 0)
    assert.ok(countIn(from, region, isRed) > 3000)
    assert.equal(countIn(to, region, isRed), 0)
    const elsewhere = rectangle(20, ball.y - ball.radius, ball.radius * 2, ball.radius * 2)
    const [inside, outside] = [statisticsIn(to, region), statisticsIn(from, elsewhere)]
    assert.ok(Math.abs(inside.mean - outside.mean) < 6, `${inside.mean} ${outside.mean}`)
    // The filled area must be as rough as the ground around it; a smooth patch would be visible.
    assert.ok(inside.step > outside.step * 0.8 && inside.step < outside.step * 1.2, `${inside.step} ${outside.step}`)
  }
})

test('a new thing is drawn into a foreign picture', async () => {
  const { input, ball } = await textured()
  const region: PictureRegion = { width: 100, height: 100, points: [52, 30, 92, 30, 92, 95, 52, 95] }
  const pixelRegion = rectangle(0.52 * width, 0.3 * height, 0.4 * width, 0.65 * height)
  const from = await pixelsOf(input.path)
  const done = await edit('a blue robot', { regions: [region] }, input)
  const to = await pixelsOf(fileOf(done))
  assert.equal(done.detail, undefined)
  assert.equal(changedOutside(from, to, pixelRegion), 0)
  assert.ok(ball.x > 0.52 * width && countIn(to, pixelRegion, isRed) < 400)
  assert.ok(countIn(to, pixelRegion, isBlue) > 1500)
})

test('a text is written on the thing that carries it, or in the region', async () => {
  const region = rectangle(20, 15, 160, 200)
  const from = await pixelsOf(own.path)
  const sign = await edit('a sign that says "OPEN"', { regions: [region] }, own)
  assert.ok(sceneIn(sign).letterings.some(({ on, text }) => text === 'OPEN' && sceneIn(sign).subjects.some(({ id }) => id === on)))
  assert.equal(changedOutside(from, await pixelsOf(fileOf(sign)), region), 0)
  const written = await pixelsOf(fileOf(await edit('add the text "HELLO"', { regions: [region] }, own)))
  assert.equal(changedOutside(from, written, region), 0)
  const inside = changedOutside(from, written, rectangle(0, 0, 0, 0))
  assert.ok(inside > 1500, `${inside} bytes of letters`)
})

test('the watermark is not redrawn', async () => {
  const marked = await engine.run('image.generate', { ...drawing, watermark: true })
  const region = rectangle(20, 15, 120, 130)
  const [from, plain] = await Promise.all([pixelsOf(fileOf(marked)), pixelsOf(own.path)])
  const to = await pixelsOf(fileOf(await edit('a red balloon', { regions: [region], watermark: true }, asInput(marked))))
  assert.equal(changedOutside(from, to, region), 0)
  const whole = rectangle(0, 0, width, height)
  const [emptied, unmarked] = await Promise.all(
    [asInput(marked), own].map(async input => pixelsOf(fileOf(await edit('make it night', { regions: [whole] }, input)))),
  )
  assert.ok(!from.equals(plain))
  assert.ok(emptied && unmarked && difference(emptied, unmarked) < 0.2, 'the scene without the mark is drawn again')
})

test('parts that cannot be followed are reported or end the edit, and a region outside the picture is refused', async () => {
  const region = rectangle(20, 15, 120, 130)
  const reported = await edit('a red balloon with a qwertzel', { regions: [region] }, own)
  assert.match((reported.report as ImageResult).notDrawn.join(' '), /qwertzel/)
  const failed = (code: string, field?: string) => (error: unknown) =>
    error instanceof GatewayError && error.code === code && (field === undefined || error.message.startsWith(`${field}: `))
  await assert.rejects(edit('qwertzel blorf', { regions: [region] }, own), failed('instruction_not_followed'))
  await assert.rejects(edit('rotate it by 90 degrees', { regions: [region] }, own), failed('instruction_not_followed'))
  const outside: PictureRegion = { width: 100, height: 100, points: [200, 200, 300, 200, 300, 300] }
  await assert.rejects(edit('remove', { regions: [outside] }, own), failed('invalid_request', 'regions'))
})

function rectangle(x: number, y: number, w: number, h: number): PictureRegion {
  const [left, top, right, bottom] = [x, y, x + w, y + h].map(Math.round) as [number, number, number, number]
  return { width, height, points: [left, top, right, top, right, bottom, left, bottom] }
}

/** Returns the bounding box of a subject in the drawing, enlarged by 12 pixels on each side. */
function around(noun: string): PictureRegion {
  const id = scene.subjects.find(subject => subject.noun === noun)?.id
  const { box } = placeScene(scene, { width, height }).find(({ subject }) => subject === id) ?? assert.fail()
  return rectangle(box.x * width - 12, box.y * height - 12, box.width * width + 24, box.height * height + 24)
}

/** Returns a picture of rough ground with a red ball on it. */
async function textured(): Promise<{ input: InputFile; ball: { x: number; y: number; radius: number } }> {
  const random = createRandom('ground')
  const ball = { x: 330, y: 190, radius: 44 }
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isBall = Math.hypot(x - ball.x, y - ball.y) < ball.radius
      const rough = random.integer(-28, 28) + 14 * Math.sin(x / 5) * Math.cos(y / 4)
      data.set(isBall ? [205, 30, 30] : [88 + rough, 128 + rough, 70 + rough], (y * width + x) * 3)
    }
  }
  const path = join(folder, 'ground.png')
  await writeFile(
    path,
    await sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  )
  return { input: { path, mediaType: 'image/png', role: 'image', bytes: 1, width, height }, ball }
}

function asInput(done: Done): InputFile {
  const [file = assert.fail()] = done.files
  return { ...file, role: 'image', bytes: 1, ...(done.detail ? { origin: { detail: done.detail, index: 0 } } : {}) }
}

function sceneIn({ detail }: Done): Scene {
  // `detail` is typed as plain JSON; the studio stores its scenes in it.
  return (detail as unknown as { scenes: Scene[] } | undefined)?.scenes[0] ?? assert.fail()
}

function fileOf({ files }: Done): string {
  return files[0]?.path ?? assert.fail()
}

function boxOf({ points }: PictureRegion) {
  const [left = 0, top = 0, right = 0, , , bottom = 0] = points
  return { left, top, right, bottom }
}

function changedOutside(from: Buffer, to: Buffer, region: PictureRegion): number {
  assert.equal(from.length, to.length)
  const { left, top, right, bottom } = boxOf(region)
  let changed = 0
  for (let i = 0; i < from.length; i++) {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)]
    if (from[i] !== to[i] && (x < left || x >= right || y < top || y >= bottom)) changed++
  }
  return changed
}

type Rgb = [number, number, number]
const isRed = ([r, g, b]: Rgb) => r > 150 && g < 90 && b < 90
const isBlue = ([r, g, b]: Rgb) => b > 90 && b > r + 50 && b > g + 30
const isWhite = ([r, g, b]: Rgb) => r > 165 && g > 165 && b > 165

function countIn(pixels: Buffer, region: PictureRegion, fits: (colour: Rgb) => boolean): number {
  const { left, top, right, bottom } = boxOf(region)
  let count = 0
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const i = (y * width + x) * 3
      if (fits([pixels[i]!, pixels[i + 1]!, pixels[i + 2]!])) count++
    }
  }
  return count
}

function statisticsIn(pixels: Buffer, region: PictureRegion): { mean: number; step: number } {
  const { left, top, right, bottom } = boxOf(region)
  let [sum, steps, count] = [0, 0, 0]
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right - 1; x++) {
      const i = (y * width + x) * 3
      sum += pixels[i + 1]!
      steps += Math.abs(pixels[i + 1]! - pixels[i + 4]!)
      count++
    }
  }
  return { mean: sum / count, step: steps / count }
}

function difference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length
}
