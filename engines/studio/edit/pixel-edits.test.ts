import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Edit } from '../language/edit-types.ts'
import type { Subject } from '../scene.ts'
import { createRaster, flatten, type Pixels, type Raster } from '../style/pixels.ts'
import { testPicture } from '../style/test-picture.ts'
import type { Painters } from './painters.ts'
import { editImage } from './pixel-edits.ts'

const picture = testPicture(320, 240)
/** Centre and radius of the ball in the test picture, in pixels. */
const ball = { x: 160, y: 139, radius: 46 }
const red = { hex: '#d02020', name: 'red' }
const blue = { hex: '#2050d0', name: 'blue' }
const it = { noun: 'it', words: 'the ball' }

const painters: Painters = {
  drawSubject: async (subject, height) =>
    subject.noun === 'nothing' ? undefined : disc(height, subject.noun === 'plum' ? [120, 30, 140] : [240, 200, 20]),
  drawScene: async (_scene, size) => solid(size.width, size.height, [220, 190, 120]),
}

test('grey has no saturation, sepia is brown, inverting twice gives the picture back', async () => {
  const grey = await edited({ kind: 'grey' })
  for (let i = 0; i < grey.data.length; i += 4) assert.ok(grey.data[i] === grey.data[i + 1] && grey.data[i] === grey.data[i + 2])
  const sepia = await edited({ kind: 'sepia' })
  assert.ok(channel(sepia, 0) > channel(sepia, 1) + 8 && channel(sepia, 1) > channel(sepia, 2) + 8)
  const twice = await editImage(picture, [{ kind: 'invert' }, { kind: 'invert' }], '1', painters)
  assert.deepEqual(twice.image.data, picture.data)
})

test('brightness, contrast, saturation and temperature change only what they name', async () => {
  assert.ok(mean(await edited({ kind: 'brightness', amount: 0.5 })) > mean(picture) + 15)
  assert.ok(mean(await edited({ kind: 'brightness', amount: -0.5 })) < mean(picture) - 15)
  assert.ok(deviation(await edited({ kind: 'contrast', amount: 0.6 })) > deviation(picture) + 4)
  assert.ok(deviation(await edited({ kind: 'contrast', amount: -0.6 })) < deviation(picture) - 4)
  assert.ok(colourfulness(await edited({ kind: 'saturation', amount: 0.5 })) > colourfulness(picture) + 8)
  assert.ok(colourfulness(await edited({ kind: 'saturation', amount: -1 })) < 2)
  const warm = await edited({ kind: 'temperature', amount: 0.5 })
  assert.ok(channel(warm, 0) - channel(warm, 2) > channel(picture, 0) - channel(picture, 2) + 10)
})

test('blur lowers and sharpening raises detail', async () => {
  const before = detail(picture, { x: 0, y: 160, width: 320, height: 80 })
  assert.ok(detail(await edited({ kind: 'blur', area: 'whole', amount: 0.5 }), { x: 0, y: 160, width: 320, height: 80 }) < before / 3)
  assert.ok(detail(await edited({ kind: 'sharpen', amount: 0.8 }), { x: 0, y: 160, width: 320, height: 80 }) > before * 1.3)
})

test('crops have the requested sizes and keep the named side', async () => {
  const size = async (edit: Edit) => {
    const out = await edited(edit)
    return [out.width, out.height]
  }
  assert.deepEqual(await size({ kind: 'crop', mode: 'zoom', share: 0.5 }), [160, 120])
  assert.deepEqual(await size({ kind: 'crop', mode: 'cut', side: 'top', share: 0.25 }), [320, 180])
  assert.deepEqual(await size({ kind: 'crop', mode: 'ratio', width: 1, height: 1 }), [240, 240])
  assert.deepEqual(await size({ kind: 'crop', mode: 'ratio', width: 16, height: 9 }), [320, 180])
  const left = await edited({ kind: 'crop', mode: 'keep', side: 'left', share: 0.5 })
  assert.deepEqual([left.width, left.height], [160, 240])
  assert.deepEqual(pixel(left, 0, 0), pixel(picture, 0, 0))
  const right = await edited({ kind: 'crop', mode: 'cut', side: 'left', share: 0.5 })
  assert.deepEqual(pixel(right, 159, 10), pixel(picture, 319, 10))
})

test('quarter turns swap the sides and move a marked corner clockwise; four give the picture back', async () => {
  const marked = { ...picture, data: picture.data.slice() }
  marked.data.set([255, 0, 255, 255], 0)
  const turned = await editedOf(marked, { kind: 'rotate', degrees: 90 })
  assert.deepEqual([turned.width, turned.height], [240, 320])
  assert.deepEqual(pixel(turned, 239, 0), [255, 0, 255, 255])
  assert.deepEqual(pixel(await editedOf(marked, { kind: 'rotate', degrees: 180 }), 319, 239), [255, 0, 255, 255])
  assert.deepEqual(pixel(await editedOf(marked, { kind: 'rotate', degrees: -90 }), 0, 319), [255, 0, 255, 255])
  const around = await editImage(
    marked,
    Array.from({ length: 4 }, () => ({ kind: 'rotate', degrees: 90 }) as const),
    '1',
    painters,
  )
  assert.deepEqual(around.image.data, marked.data)
  assert.deepEqual(pixel(await editedOf(marked, { kind: 'flip', axis: 'horizontal' }), 319, 0), [255, 0, 255, 255])
  assert.deepEqual(pixel(await editedOf(marked, { kind: 'flip', axis: 'vertical' }), 0, 239), [255, 0, 255, 255])
})

test('a tilt leaves no empty corners, a large rotation keeps everything', async () => {
  const tilted = await edited({ kind: 'rotate', degrees: 10 })
  assert.ok(tilted.width < 320 && tilted.height < 240 && tilted.width > 220)
  for (const [x, y] of [
    [0, 0],
    [tilted.width - 1, 0],
    [0, tilted.height - 1],
    [tilted.width - 1, tilted.height - 1],
  ] as const) {
    assert.notDeepEqual(pixel(tilted, x, y).slice(0, 3), [255, 255, 255])
  }
  const wide = await edited({ kind: 'rotate', degrees: 45 })
  assert.ok(wide.width > 380 && wide.height > 380)
})

test('recolouring the subject changes its hue and nothing else', async () => {
  const out = await edited({ kind: 'recolour', colour: blue, target: it })
  const inside = pixel(out, ball.x + 15, ball.y + 15)
  assert.ok(inside[2]! > inside[0]! + 60, `${inside}`)
  for (const [x, y] of [
    [20, 20],
    [300, 30],
    [20, 225],
    [300, 225],
  ] as const)
    assert.deepEqual(pixel(out, x, y), pixel(picture, x, y))
  const sky = await edited({ kind: 'recolour', colour: red, target: { noun: 'sky', words: 'the sky' } })
  assert.ok(pixel(sky, 40, 20)[0]! > pixel(sky, 40, 20)[2]! + 40)
  assert.deepEqual(pixel(sky, 40, 225), pixel(picture, 40, 225))
  assert.ok(
    colourfulness(await edited({ kind: 'recolour', colour: { hex: '#8a96a3', name: 'grey' } })) < 2,
    'nothing is left of the colours',
  )
  const whole = await edited({ kind: 'recolour', colour: blue })
  assert.ok(channel(whole, 2) > channel(whole, 0) + 30)
})

test('blurring the background lowers detail outside the subject and keeps it inside', async () => {
  const out = await edited({ kind: 'blur', area: 'background', amount: 0.6 })
  const ground = { x: 220, y: 150, width: 90, height: 80 }
  assert.ok(detail(out, ground) < detail(picture, ground) / 2)
  const spot = { x: ball.x - 24, y: ball.y - 24, width: 40, height: 40 }
  assert.ok(Math.abs(detail(out, spot) - detail(picture, spot)) < detail(picture, spot) * 0.1)
})

test('a removed subject is filled with its surroundings', async () => {
  const out = await edited({ kind: 'remove', target: it })
  let reds = 0
  for (let i = 0; i < out.data.length; i += 4) if (out.data[i]! > 120 && out.data[i + 1]! < 90 && out.data[i + 2]! < 90) reds++
  assert.ok(reds < 20, `${reds} red pixels are left`)
  const low = pixel(out, ball.x, ball.y + 30)
  assert.ok(low[1]! > low[0]! && low[1]! > low[2]!, `ground continues: ${low}`)
  const high = pixel(out, ball.x, ball.y - 36)
  assert.ok(high[2]! > high[0]!, `sky continues: ${high}`)
  assert.deepEqual(pixel(out, 10, 10), pixel(picture, 10, 10))
})

test('a new background keeps the subject in its place', async () => {
  const out = await edited({ kind: 'setting', setting: { kind: 'desert', words: 'desert', details: [] } })
  assert.ok(near(pixel(out, 10, 10), [220, 190, 120], 12))
  assert.ok(near(pixel(out, ball.x + 10, ball.y + 12), pixel(picture, ball.x + 10, ball.y + 12), 40))
})

test('added subjects have their requested places', async () => {
  const out = await edited({ kind: 'add', subjects: [subject('apple')], place: { horizontal: 'left', vertical: 'top' } })
  assert.ok(yellows(out, { x: 0, y: 0, width: 140, height: 120 }) > 100)
  assert.equal(yellows(out, { x: 160, y: 0, width: 160, height: 240 }), 0)
  const beside = await edited({ kind: 'add', subjects: [subject('apple')], anchor: { relation: 'right-of', target: it } })
  assert.ok(yellows(beside, { x: ball.x + ball.radius - 4, y: 60, width: 110, height: 170 }) > 100)
  const many = await edited({ kind: 'add', subjects: [{ ...subject('apple'), count: 3 }] })
  assert.ok(yellows(many, { x: 0, y: 0, width: 320, height: 240 }) > yellows(out, { x: 0, y: 0, width: 320, height: 240 }) * 1.5)
})

test('a replaced subject is gone and the new one stands in its place', async () => {
  const out = await edited({ kind: 'replace', target: it, subjects: [subject('plum')] })
  const middle = pixel(out, ball.x, ball.y)
  assert.ok(middle[2]! > middle[1]! && middle[2]! > 60, `${middle}`)
})

test('a moved subject leaves its place, a shrunk one gets smaller', async () => {
  const moved = await edited({ kind: 'move', target: it, place: { horizontal: 'right' } })
  assert.ok(pixel(moved, 320 - 14 - ball.radius, ball.y + 12)[0]! > 150)
  assert.ok(pixel(moved, ball.x - 20, ball.y + 20)[0]! < 150)
  const shrunk = await edited({ kind: 'resize', target: it, factor: 0.5 })
  assert.ok(redCount(shrunk) < redCount(picture) * 0.5 && redCount(shrunk) > redCount(picture) * 0.1)
})

test('time, weather and season change light and colour', async () => {
  assert.ok(mean(await edited({ kind: 'time', time: 'night' })) < mean(picture) - 40)
  const sunset = await edited({ kind: 'time', time: 'sunset' })
  assert.ok(channel(sunset, 0) - channel(sunset, 2) > channel(picture, 0) - channel(picture, 2) + 20)
  assert.ok(deviation(await edited({ kind: 'weather', weather: ['fog'] })) < deviation(picture) * 0.7)
  const autumn = pixel(await edited({ kind: 'season', season: 'autumn' }), 30, 220)
  assert.ok(autumn[0]! > autumn[1]!, `${autumn}`)
  for (const kind of ['rain', 'storm', 'snow', 'cloudy', 'rainbow', 'aurora', 'clear', 'overcast'] as const) {
    assert.notDeepEqual((await edited({ kind: 'weather', weather: [kind] })).data, picture.data, kind)
  }
})

test('text, border, vignette, style and mood are drawn', async () => {
  const text = await edited({ kind: 'text', lettering: { text: 'HI', place: { horizontal: 'left', vertical: 'top' } } })
  assert.notDeepEqual(text.data.subarray(0, 320 * 60 * 4), picture.data.subarray(0, 320 * 60 * 4))
  const border = await edited({ kind: 'border', colour: red, width: 0.05, rounded: false })
  assert.deepEqual(pixel(border, 2, 100), [208, 32, 32, 255])
  assert.deepEqual(pixel(border, 40, 40), pixel(picture, 40, 40))
  const vignette = await edited({ kind: 'vignette', amount: 0.6 })
  assert.ok(pixel(vignette, 1, 1)[2]! < pixel(picture, 1, 1)[2]! - 30)
  assert.deepEqual(pixel(vignette, 160, 120), pixel(picture, 160, 120))
  assert.notDeepEqual((await edited({ kind: 'style', style: 'oil' })).data, picture.data)
  assert.notDeepEqual((await edited({ kind: 'mood', mood: 'dreamy' })).data, picture.data)
})

test('an impossible edit changes nothing and has a reason', async () => {
  const even = solid(200, 150, [120, 130, 140])
  const impossible: [Pixels, Edit][] = [
    [even, { kind: 'blur', area: 'background', amount: 0.5 }],
    [even, { kind: 'remove', target: { noun: 'dog', words: 'the dog' } }],
    [even, { kind: 'setting', setting: { kind: 'beach', words: 'beach', details: [] } }],
    [picture, { kind: 'remove', target: { noun: 'sky', words: 'the sky' } }],
    [
      picture,
      {
        kind: 'recolour',
        colour: blue,
        target: { noun: 'car', words: 'the green car', colour: { hex: '#00c000', name: 'green' }, place: { vertical: 'top' } },
      },
    ],
    [picture, { kind: 'add', subjects: [subject('nothing')] }],
    [picture, { kind: 'count', target: it, count: 4 }],
    [picture, { kind: 'camera', camera: { angle: 'top' } }],
    [picture, { kind: 'weather', weather: ['wind'] }],
    [picture, { kind: 'mood', mood: 'purplish' }],
  ]
  for (const [image, edit] of impossible) {
    const { image: out, failed } = await editImage(image, [edit], '1', painters)
    assert.equal(failed.length, 1, JSON.stringify(edit))
    assert.match(failed[0]!.reason, /^[A-Z"].{20,}\.$/)
    assert.deepEqual(out.data, flatten(image).data)
  }
})

test('edits are applied in order, are repeatable, and do not change the input', async () => {
  const before = picture.data.slice()
  const edits: Edit[] = [
    { kind: 'remove', target: it },
    { kind: 'weather', weather: ['rain'] },
    { kind: 'rotate', degrees: 90 },
  ]
  const once = await editImage(picture, edits, '9', painters)
  const again = await editImage(picture, edits, '9', painters)
  assert.deepEqual(once.failed, [])
  assert.deepEqual(once.image.data, again.image.data)
  assert.deepEqual([once.image.width, once.image.height], [240, 320])
  assert.deepEqual(picture.data, before)
})

async function edited(edit: Edit): Promise<Pixels> {
  return await editedOf(picture, edit)
}

async function editedOf(image: Pixels, edit: Edit): Promise<Pixels> {
  const { image: out, failed } = await editImage(image, [edit], '1', painters)
  assert.deepEqual(failed, [])
  return out
}

function subject(noun: string): Subject {
  return {
    id: 'n1',
    noun,
    words: noun,
    art: `noto:${noun}`,
    count: 1,
    looks: [],
    size: 'normal',
    heightMetres: 0.4,
    habitat: 'ground',
    relations: [],
    isBackground: false,
  }
}

function solid(width: number, height: number, colour: [number, number, number]): Raster {
  const out = createRaster(width, height)
  for (let i = 0; i < out.data.length; i += 4) out.data.set([...colour, 255], i)
  return out
}

function disc(size: number, colour: [number, number, number]): Raster {
  const out = createRaster(size, size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) if (Math.hypot(x - size / 2, y - size / 2) < size / 2) out.data.set([...colour, 255], (y * size + x) * 4)
  }
  return out
}

function pixel({ data, width }: Pixels, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
}

function near(a: number[], b: number[], most: number): boolean {
  return a.slice(0, 3).every((value, k) => Math.abs(value - b[k]!) <= most)
}

function channel({ data }: Pixels, k: number): number {
  let sum = 0
  for (let i = k; i < data.length; i += 4) sum += data[i]!
  return sum / (data.length / 4)
}

function mean(image: Pixels): number {
  return (channel(image, 0) + channel(image, 1) + channel(image, 2)) / 3
}

function deviation(image: Pixels): number {
  const middle = channel(image, 1)
  let sum = 0
  for (let i = 1; i < image.data.length; i += 4) sum += (image.data[i]! - middle) ** 2
  return Math.sqrt(sum / (image.data.length / 4))
}

function colourfulness({ data }: Pixels): number {
  let sum = 0
  for (let i = 0; i < data.length; i += 4)
    sum += Math.max(data[i]!, data[i + 1]!, data[i + 2]!) - Math.min(data[i]!, data[i + 1]!, data[i + 2]!)
  return sum / (data.length / 4)
}

/** Returns the mean difference between neighbouring pixels in an area; a blurred area has a low
 *  value. */
function detail({ data, width }: Pixels, area: { x: number; y: number; width: number; height: number }): number {
  let sum = 0
  for (let y = area.y; y < area.y + area.height; y++) {
    for (let x = area.x; x < area.x + area.width - 1; x++)
      sum += Math.abs(data[(y * width + x) * 4 + 1]! - data[(y * width + x + 1) * 4 + 1]!)
  }
  return sum / (area.width * area.height)
}

function yellows(image: Pixels, area: { x: number; y: number; width: number; height: number }): number {
  let count = 0
  for (let y = area.y; y < area.y + area.height; y++) {
    for (let x = area.x; x < area.x + area.width; x++) {
      const [r, g, b] = pixel(image, x, y)
      if (r! > 120 && g! > 100 && b! < 60 && Math.abs(r! - g!) < 70) count++
    }
  }
  return count
}

function redCount({ data }: Pixels): number {
  let count = 0
  for (let i = 0; i < data.length; i += 4) if (data[i]! > 150 && data[i + 1]! < 120 && data[i]! > data[i + 2]! + 60) count++
  return count
}
