import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { openClassifier } from './image-classifier.ts'
import { type ImageScores, judgeImage } from './image-rules.ts'
import { networkSide, openNetwork } from './network.ts'

const classifier = await openClassifier()
const folder = await mkdtemp(join(tmpdir(), 'safety-'))
after(async () => {
  await classifier.close()
  await rm(folder, { recursive: true })
})

const meadow = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200">
  <rect width="300" height="200" fill="#8fc7f0"/><circle cx="240" cy="45" r="24" fill="#ffe27a"/>
  <path d="M0 130 Q80 90 160 130 T300 120 V200 H0 Z" fill="#6aa84f"/><rect x="70" y="95" width="60" height="50" fill="#c9a27a"/>
  <path d="M62 96 L100 66 L138 96 Z" fill="#a3432f"/></svg>`
const face = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">
  <rect width="200" height="200" fill="#f6d9c4"/><circle cx="100" cy="100" r="70" fill="#ffcc4d"/><circle cx="75" cy="85" r="9" fill="#664500"/>
  <circle cx="125" cy="85" r="9" fill="#664500"/><path d="M62 118 Q100 160 138 118" stroke="#664500" stroke-width="9" fill="none"/></svg>`

function draw(svg: string, width: number, height: number): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: 300 }).resize(width, height, { fit: 'fill' }).png().toBuffer()
}

function assertHarmless(scores: ImageScores): void {
  assert.deepEqual(judgeImage(scores, 0), { allowed: true }, JSON.stringify(scores))
}

test('scores are probabilities that add up to 1, and harmless art passes at the strictest level', async () => {
  for (const svg of [meadow, face]) {
    const scores = await classifier.classify(await draw(svg, 512, 512))
    const sum = Object.values(scores).reduce((total, score) => total + score, 0)
    assert.ok(Math.abs(sum - 1) < 1e-5, `sum ${sum}`)
    assert.ok(scores.drawing + scores.neutral > 0.9, JSON.stringify(scores))
    assertHarmless(scores)
  }
})

test('the network with merged layers gives the scores of the original model', async () => {
  // The reference scores are those of nsfwjs 4.3.0 with @tensorflow/tfjs 4.22.0 for the same bytes.
  // The bytes are an artificial pattern in all three channels.
  const ramp = Uint8Array.from({ length: networkSide * networkSide * 3 }, (_, index) => (index * 7 + Math.floor(index / 672) * 3) % 256)
  const network = await openNetwork()
  const scores = await network.run(ramp)
  await network.close()
  const reference = [0.309284, 0.014382, 0.66668, 0.007715, 0.001939]
  for (const [index, expected] of reference.entries()) assert.ok(Math.abs(scores[index]! - expected) < 1e-4, `${scores}`)
})

test('the same picture gives the same scores, as file bytes, as a path and as pixels', async () => {
  const bytes = await draw(meadow, 640, 480)
  const path = join(folder, 'meadow.png')
  await sharp(bytes).toFile(path)
  const pixels = await sharp(bytes).ensureAlpha().raw().toBuffer()
  const expected = await classifier.classify(bytes)
  assert.deepEqual(await classifier.classify(bytes), expected)
  assert.deepEqual(await classifier.classify(path), expected)
  assert.deepEqual(await classifier.classify({ pixels, width: 640, height: 480 }), expected)
})

test('very long, very small and transparent pictures are classified', async () => {
  for (const [width, height] of [
    [2048, 128],
    [64, 1024],
    [64, 64],
    [1, 1],
  ] as const)
    assertHarmless(await classifier.classify(await draw(meadow, width, height)))
  const clear = new Uint8Array(32 * 32 * 4)
  const white = new Uint8Array(32 * 32 * 4).fill(255)
  const scores = await classifier.classify({ pixels: clear, width: 32, height: 32 })
  assert.deepEqual(scores, await classifier.classify({ pixels: white, width: 32, height: 32 }))
})

test('a picture of one pixel row costs no more than another long picture', async () => {
  const sides = [
    [2000, 100],
    [16_384, 1],
    [1, 16_384],
  ] as const
  const before = process.cpuUsage()
  for (const [width, height] of sides) {
    const pixels = new Uint8Array(width * height * 4).fill(200)
    assertHarmless(await classifier.classify({ pixels, width, height }))
  }
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 5e6, `${user + system} µs of CPU`)
})

test('bytes that are no picture are an error', async () => {
  await assert.rejects(classifier.classify(Buffer.from('not a picture')))
})

test('opening and using the classifier prints nothing and adds no process-wide handlers', async () => {
  const script = join(folder, 'quiet.mjs')
  const source = `import { openClassifier } from ${JSON.stringify(new URL('image-classifier.ts', import.meta.url).href)}
const classifier = await openClassifier()
await classifier.classify({ pixels: new Uint8Array(64 * 64 * 4).fill(200), width: 64, height: 64 })
classifier.close()
if (process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection') > 0) process.exit(3)`
  await writeFile(script, source)
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script])
  assert.equal(stdout + stderr, '')
})
