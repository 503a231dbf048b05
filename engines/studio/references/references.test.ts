/** Tests the combination of several pictures by running the engine on input files and checking its
 *  output files. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { directOutbound } from '@generation-gateway/kit/outbound/outbound.ts'
import { packFilesIn } from '@generation-gateway/kit/pack-files.ts'
import type { ImageResult } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { inlineInspection } from '@generation-gateway/kit/testing/inline-inspection.ts'
import sharp from 'sharp'
import studio from '../driver.ts'
import type { Scene } from '../scene.ts'
import { common as base, openStudio } from '../testing/open-studio.ts'

const { engine, folder } = openStudio()
const common = { ...base, expandPrompt: false }

/** Draws a picture with this engine; returns it as an input file with its scene. */
async function drawn(prompt: string): Promise<InputFile> {
  const { files, detail = {} } = await engine.run('image.generate', { ...common, prompt, width: 384, height: 288, count: 1 })
  const [file] = files
  assert.ok(file)
  return { ...file, role: 'image', bytes: 1, origin: { detail, index: 0 } }
}

/** Makes a picture file without the engine, as a client could upload it: a shape on a background of
 *  one colour. */
async function painted(name: string, { ground, shape }: { ground: string; shape: string }): Promise<InputFile> {
  const path = join(folder, `${name}.png`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="384" height="288"><rect width="384" height="288" fill="${ground}"/>${shape}</svg>`
  await sharp(Buffer.from(svg)).png().toFile(path)
  return { path, role: 'image', mediaType: 'image/png', bytes: 1, width: 384, height: 288 }
}

async function compose(prompt: string, inputs: InputFile[]) {
  const { files, detail, report } = await engine.run('image.edit', { ...common, prompt }, { inputs })
  // The report of an image job is always an `ImageResult`; `detail` holds the scenes.
  const { notDrawn } = report as ImageResult
  const scene = (detail as unknown as { scenes: Scene[] } | undefined)?.scenes[0]
  const path = files[0]?.path ?? ''
  return { path, notDrawn, scene }
}

/** Returns the share of the pixels whose red, green and blue values pass the test. */
async function shareOf(path: string, isMeant: (r: number, g: number, b: number) => boolean): Promise<number> {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let found = 0
  for (let i = 0; i < data.length; i += 3) if (isMeant(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0)) found++
  return found / (info.width * info.height)
}

const isRed = (r: number, g: number, b: number) => r > 120 && g < r * 0.5 && b < r * 0.5
const isBlue = (r: number, g: number, b: number) => b > 90 && r < b * 0.6 && g < b * 0.85

test('a subject of one scene that the studio drew is put into another one, with its look', async () => {
  const { scene, notDrawn } = await compose('put the dog of image 1 into the room of image 2', [
    await drawn('a blue dog sitting in a meadow'),
    await drawn('a bedroom'),
  ])
  assert.equal(scene?.setting.kind, 'bedroom')
  const dog = scene.subjects.find(({ noun }) => noun === 'dog')
  assert.deepEqual([dog?.colour?.name, dog?.pose], ['blue', 'sitting'])
  assert.deepEqual(notDrawn, [])
})

test('a subject from another picture gets the requested relation and the style of a third one; other commands are followed too', async () => {
  const { scene } = await compose('put the fox of image 1 next to the dog in image 2, in the style of image 3, make it winter', [
    await drawn('a red fox in a forest'),
    await drawn('a dog in a park'),
    await drawn('a lighthouse, watercolor'),
  ])
  const dog = scene?.subjects.find(({ noun }) => noun === 'dog')
  const fox = scene?.subjects.find(({ noun }) => noun === 'fox')
  assert.deepEqual(fox?.relations, [{ kind: 'beside', of: dog?.id }])
  assert.deepEqual([scene?.style, scene?.season, scene?.setting.kind], ['watercolor', 'winter', 'park'])
})

test('a thing that a picture does not show is reported, and if nothing can be done all pictures are shown', async () => {
  const dog = await drawn('a dog in a park')
  const room = await drawn('a bedroom')
  const reported = await compose('put the dragon of image 1 into image 2, make it night', [dog, room])
  assert.match(reported.notDrawn.join(), /no "dragon"/)
  assert.equal(reported.scene?.time, 'night')
  const page = await compose('put the dragon of image 1 into image 2', [dog, room])
  assert.match(page.notDrawn.join(), /no "dragon"/)
  assert.equal(page.scene, undefined)
})

test('a subject of a foreign picture is cut out and put into the other one', async () => {
  const ball = await painted('ball', { ground: '#e8e8e0', shape: '<circle cx="190" cy="150" r="70" fill="#d01818"/>' })
  const view = await painted('view', { ground: '#6aa0d8', shape: '<rect y="170" width="384" height="118" fill="#4f8f3a"/>' })
  const { path, notDrawn, scene } = await compose('put the ball of image 1 into image 2', [ball, view])
  const red = await shareOf(path, isRed)
  assert.ok(red > 0.01 && red < 0.3, `red: ${red}`)
  // The picture that the ball came from has a light background, which must not have been copied.
  assert.ok((await shareOf(path, (r, g, b) => r > 215 && g > 215 && b > 205)) < 0.01)
  assert.ok((await shareOf(path, (r, g, b) => g > r * 1.2 && g > b * 1.2)) > 0.15)
  assert.deepEqual([notDrawn, scene], [[], undefined])
})

test('a printed picture is put on the thing that carries it', async () => {
  const mug = await drawn('a white mug on a table')
  const heart = await painted('heart', { ground: '#f0f0ea', shape: '<circle cx="190" cy="140" r="80" fill="#1a32c0"/>' })
  const { path } = await compose('the logo of image 2 on the mug of image 1', [mug, heart])
  const before = await shareOf(mug.path, isBlue)
  const after = await shareOf(path, isBlue)
  assert.ok(after > before + 0.002 && after < before + 0.06, `${before} to ${after}`)
})

test('the colours of one picture are applied to another', async () => {
  const meadow = await drawn('a dog in a green meadow at noon')
  const red = await painted('red', { ground: '#a01010', shape: '<circle cx="100" cy="100" r="60" fill="#f06020"/>' })
  const { path } = await compose('把图2的色调用到图1', [meadow, red])
  const means = async (file: string) => (await sharp(file).stats()).channels.map(({ mean }) => mean)
  const [r = 0, g = 0] = await means(path)
  const [oldR = 0, oldG = 0] = await means(meadow.path)
  assert.ok(r / g > (oldR / oldG) * 1.4, `${oldR / oldG} to ${r / g}`)
})

test('without an instruction for a single picture all things are put into one picture; fourteen pictures are allowed', async () => {
  const animals = ['cat', 'dog', 'fox']
  const pictures: InputFile[] = []
  for (const animal of animals) pictures.push(await drawn(`a ${animal} in a park`))
  const { scene } = await compose('combine them', pictures)
  assert.deepEqual(
    scene?.subjects.filter(({ noun }) => animals.includes(noun)).map(({ noun }) => noun),
    animals,
  )
  const [cat] = pictures
  assert.ok(cat)
  const { path } = await compose(
    'put image 1 into image 14',
    Array.from({ length: 14 }, () => cat),
  )
  assert.ok(path)
})

test('a person keeps the details that the seed chose, in another scene and in a series', async () => {
  const girl = await drawn('a girl with a red umbrella in a park')
  const { scene } = await compose('put the girl of image 1 into image 2', [girl, await drawn('a dog on a beach')])
  assert.deepEqual(scene?.subjects.find(({ noun }) => noun === 'girl')?.origin, { seed: '5', id: 's1' })
  const prompt = 'first she walks on a street, then she sleeps in her bedroom'
  const { files, detail } = await engine.run('image.edit', { ...common, seed: '99', prompt, series: true, variants: 4 }, { inputs: [girl] })
  assert.equal(files.length, 2)
  const { scenes } = detail as unknown as { scenes: Scene[] }
  assert.deepEqual(
    scenes.map(({ subjects, setting }) => [subjects[0]?.origin, subjects[0]?.pose, setting.kind]),
    [
      [{ seed: '5', id: 's1' }, 'walking', 'street'],
      [{ seed: '5', id: 's1' }, 'sleeping', 'bedroom'],
    ],
  )
})

test('a series from a foreign picture shows its subject in each picture, or edits it step by step', async () => {
  const ball = await painted('ball-2', { ground: '#e8e8e0', shape: '<circle cx="190" cy="150" r="70" fill="#d01818"/>' })
  const tell = async (prompt: string) =>
    (await engine.run('image.edit', { ...common, prompt, series: true, variants: 9 }, { inputs: [ball] })).files.map(({ path }) => path)
  const story = await tell('first it is on a meadow at noon, then it is on a snowy mountain')
  assert.equal(story.length, 2)
  for (const path of story) assert.ok((await shareOf(path, isRed)) > 0.01)
  const [grey = '', flipped = '', ...more] = await tell('first make it grey, then flip it horizontally')
  assert.deepEqual(more, [])
  assert.ok((await shareOf(grey, isRed)) === 0)
  assert.ok((await shareOf(flipped, isRed)) > 0.05)
})

test('words beyond "combine them" are reported, and foreign pictures are put on a page', async () => {
  const boats = [
    await painted('boat', { ground: '#4080c0', shape: '<rect x="100" y="150" width="180" height="60" fill="#a02020"/>' }),
    await painted('sun', { ground: '#f0e0b0', shape: '<circle cx="190" cy="140" r="60" fill="#e08020"/>' }),
  ]
  const page = await compose('put these people together at a dinner table', boats)
  assert.match(page.notDrawn.join(), /dinner table/)
  const { data, info } = await sharp(page.path).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let [red, orange] = [0, 0]
  for (let i = 0; i < data.length; i += 3) {
    const [r = 0, g = 0, b = 0] = data.subarray(i, i + 3)
    if (r > 130 && g < 60 && b < 60) red++
    if (r > 200 && g > 100 && g < 150 && b < 60) orange++
  }
  assert.ok(Math.min(red, orange) > info.width * info.height * 0.01, `${red} red and ${orange} orange pixels: both are shown whole`)
  const own = [await drawn('a red dog in a park'), await drawn('a blue cat on a beach')]
  const scene = await compose('combine them for the cover of my tax report', own)
  assert.match(scene.notDrawn.join(), /tax report/)
  assert.deepEqual((await compose('combine them into one picture', own)).notDrawn, [])
})

test('more than fourteen pictures are refused before they are drawn', async () => {
  const log = { info: () => undefined, warn: () => undefined }
  const tools = {
    packs: packFilesIn(folder, []),
    scratchDirectory: folder,
    dataDirectory: folder,
    cores: 0,
    priority: 'normal',
    allowPrivateUrls: false,
    outbound: directOutbound,
    inspection: inlineInspection,
    log,
  } as const
  const driver = studio.open(tools)
  const inputs = (length: number) => Array.from({ length }, () => ({ role: 'image', mediaType: 'image/png', bytes: 1 }))
  const refusalOf = (length: number) =>
    driver.offers['image.edit']?.refuses?.({
      request: { ...common, prompt: 'combine them' },
      inputs: inputs(length),
      settings: {},
      model: '',
    })
  assert.equal(refusalOf(14), undefined)
  assert.match(JSON.stringify(refusalOf(15)), /at most 14 pictures, not 15/)
  await driver.close?.()
})
