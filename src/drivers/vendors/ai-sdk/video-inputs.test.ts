/** Tests for each input file of a video request which argument of the package's function it
 *  becomes, or that it is refused. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { smallVideo } from '../../../testing/small-video.ts'
import { fakeVideoPackage } from './testing/fake-package.ts'
import { picture, startVideoRunner } from './testing/run.ts'

let folder = ''
let clip: Buffer
const fake = fakeVideoPackage({
  doStart: async () => ({ operation: 1, warnings: [{ type: 'unsupported', feature: 'inputReferences' }] }),
  doStatus: async () => ({
    status: 'completed',
    videos: [{ type: 'binary', data: clip }],
    providerMetadata: { klingai: { videos: [{ watermarkUrl: `data:video/mp4;base64,${clip.toString('base64')}` }] } },
  }),
})
const source = { ...fake.source, has: () => true, load: () => fake.source.load('fake-provider') }
const runner = await startVideoRunner(source, 'http://localhost:9/v1')
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ai-sdk-inputs-'))
  clip = await smallVideo({ seconds: 1 })
})
after(() => rm(folder, { recursive: true }))

async function input(role: string, bytes: Buffer, mediaType = 'image/png'): Promise<InputFile> {
  const path = join(folder, role)
  await writeFile(path, bytes)
  return { role, path, mediaType, bytes: bytes.length }
}

const every = { 'last-frame': 1, subject: 2, reference: 2, style: 1, feature: 1, base: 1 }

test('pictures and videos become references in order; what was not followed has the role of the first', async () => {
  const [png, jpeg] = [await picture('png'), await picture('jpeg')]
  const inputs = [await input('subject', png), await input('reference', jpeg, 'image/jpeg'), await input('feature', clip, 'video/mp4')]
  const outcome = await runner.run({ inputs, settings: { video: { inputs: every } } })
  assert.ok(outcome.state === 'done')
  assert.deepEqual(outcome.report.notFollowed, ['subject'])
  const { inputReferences, image, frameImages } = fake.calls.at(-1) ?? {}
  assert.deepEqual([image, frameImages], [undefined, undefined])
  const [first, second, third] = [inputReferences].flat().map(file => Object(file))
  assert.deepEqual([first.type, first.mediaType, second.mediaType, third.mediaType], ['file', 'image/png', 'image/jpeg', 'video/mp4'])
  assert.ok(png.equals(first.data) && jpeg.equals(second.data) && clip.equals(third.data))
})

test('an edited video counts with its own length, whatever the package cannot express about it', async () => {
  const base = { ...(await input('base', clip, 'video/mp4')), durationSeconds: 3 }
  const outcome = await runner.run({ inputs: [base], request: { seconds: 5 }, settings: { video: { inputs: every } } })
  assert.ok(outcome.state === 'done')
  assert.deepEqual([outcome.usage, outcome.report.notFollowed], [[{ unit: 'seconds', units: 3 }], ['base']])
})

test('brushes use the options of the package, with their paths, and a marked copy is returned', async () => {
  const mask = await picture()
  const inputs = [await input('first-frame', mask), await input('still-mask', mask), await input('motion-mask', mask)]
  const paths = [
    [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ],
  ]
  const outcome = await runner.run({ inputs, request: { paths, watermark: true }, settings: { package: '@ai-sdk/klingai' } })
  assert.ok(outcome.state === 'done')
  const base64 = mask.toString('base64')
  assert.deepEqual(Object(fake.calls.at(-1)?.providerOptions).klingai, {
    ...{ mode: 'std', watermarkEnabled: true, staticMask: base64 },
    dynamicMasks: [{ mask: base64, trajectories: paths[0] }],
  })
  assert.deepEqual(
    outcome.files.map(({ role }) => role),
    ['video', 'watermarked'],
  )
  assert.ok((await readFile(outcome.files[1]?.path ?? '')).equals(clip))
})

const small = { path: '/nowhere', mediaType: 'image/png', bytes: 1000 }
for (const [what, inputs, field] of [
  ['a last frame where none is taken', [{ ...small, role: 'last-frame' }], 'last-frame'],
  ['two first frames', [1, 2].map(() => ({ ...small, role: 'first-frame' })), 'first-frame'],
  ['a reference where none is taken', [{ ...small, role: 'reference' }], 'reference'],
  ['a video to go on with', [{ ...small, role: 'earlier' }], 'earlier'],
  ['a mask of a package without brushes', [{ ...small, role: 'still-mask' }], 'still-mask'],
  ['a picture that is too large to be held', [{ ...small, role: 'first-frame', bytes: 33_554_433 }], 'first-frame'],
] as const)
  test(`${what} is refused by its role`, () => {
    const refusal = runner.refusal({ inputs: [...inputs] })
    assert.equal(refusal?.field, field)
    assert.ok(refusal?.message.startsWith(`${field}: `), refusal?.message)
  })

test('frames and references are refused together, and accepted separately', () => {
  const settings = { video: { inputs: every } }
  const [frame, reference] = [
    { ...small, role: 'first-frame' },
    { ...small, role: 'reference' },
  ]
  assert.equal(runner.refusal({ inputs: [frame, reference], settings })?.field, 'reference')
  assert.equal(runner.refusal({ inputs: [frame], settings }), undefined)
  assert.equal(runner.refusal({ inputs: [reference], settings }), undefined)
  assert.equal(runner.refusal({ inputs: [{ ...frame, bytes: 33_554_432 }], settings }), undefined)
})
