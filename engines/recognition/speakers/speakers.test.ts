import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { packFilesIn } from '@generation-gateway/kit/pack-files.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { needPack } from '@generation-gateway/kit/testing/need-pack.ts'
import { openSpeakers } from './identify.ts'
import { identifySpeakers } from './identify-job.ts'
import { speakersPack, speakersPacks, voiceWeightsFile } from './packs.ts'
import { type Conversation, clip, conversation, soundOf } from './testing/voices.ts'

const [pack] = speakersPacks
const needs = pack ? needPack(pack) : {}
const weights = packFilesIn(packsDirectory(process.env), speakersPacks).file(speakersPack, voiceWeightsFile) ?? ''

/** Returns a conversation of four people, with synthesised and recorded voices, loud and soft; each
 *  of them speaks more than once. */
const fourPeople = (): Promise<Conversation> =>
  conversation([
    ['af_heart-0', 0.2, 3.6],
    ['am_adam-0', 0.2, 3.6, 0.4],
    ['librivox-0870', 0.5, 4],
    ['af_heart-1', 0.2, 3, 0.3],
    ['bm_george-0', 0.2, 4],
    ['am_adam-1', 0.2, 3],
    ['librivox-0890', 0.5, 4, 0.5],
    ['bm_george-1', 0.2, 3.5],
  ])

const giveWay = async (): Promise<void> => {}

test('four people are distinguished, and labelled in the order of their first words', needs, async () => {
  await using speakers = await opened()
  const { truth, ...recording } = await fourPeople()
  const labels = await speakers.identify({ ...recording, known: [] })
  const expected = new Map([
    ['af_heart', 'A'],
    ['am_adam', 'B'],
    ['librivox', 'C'],
    ['bm_george', 'D'],
  ])
  const wrong = labels.filter((label, index) => label !== expected.get(truth[index] ?? ''))
  assert.ok(wrong.length <= 0.03 * labels.length, `${wrong.length} of ${labels.length} words`)
})

test('known speakers get their names, the others get letters that are no name', needs, async () => {
  await using speakers = await opened()
  const { truth, ...recording } = await conversation([
    ['am_adam-0', 0.2, 3.6],
    ['librivox-0870', 0.5, 4],
    ['af_heart-0', 0.2, 3.6],
    ['am_adam-0', 1, 4],
  ])
  const known = [
    { name: 'Reader', sound: soundOf(await clip('librivox-0890')) },
    { name: 'A', sound: soundOf((await clip('af_heart-1')).slice(0, 32_000)) },
  ]
  const labels = await speakers.identify({ ...recording, known })
  const expected: { [speaker: string]: string } = { am_adam: 'B', librivox: 'Reader', af_heart: 'A' }
  const wrong = labels.filter((label, index) => label !== expected[truth[index] ?? ''])
  assert.ok(wrong.length <= 0.03 * labels.length, `${wrong.length} of ${labels.length} words`)
})

test('no more speakers are found than allowed, and one person is one speaker', needs, async () => {
  await using speakers = await opened()
  const { truth: _, ...recording } = await fourPeople()
  for (const most of [1, 2, 3]) assert.ok(new Set(await speakers.identify({ ...recording, most, known: [] })).size <= most)
  const { truth: __, ...alone } = await conversation([
    ['librivox-0870', 0, 5],
    ['librivox-0890', 0, 5, 0.4],
  ])
  assert.deepEqual(new Set(await speakers.identify({ ...alone, known: [] })), new Set(['A']))
})

test('a recording without words, with few words or of silence is no error', needs, async () => {
  await using speakers = await opened()
  const sound = soundOf(new Float32Array(16_000))
  const word = { startSeconds: 0.2, endSeconds: 0.4 }
  assert.deepEqual(await speakers.identify({ sound, voiced: [], words: [], known: [] }), [])
  assert.deepEqual(await speakers.identify({ sound, voiced: [], words: [word], known: [] }), ['A'])
  assert.deepEqual(await speakers.identify({ sound, voiced: [word], words: [word, { startSeconds: 5, endSeconds: 6 }], known: [] }), [
    'A',
    'A',
  ])
  assert.deepEqual(await speakers.identify({ sound, voiced: [], words: [{ startSeconds: 1, endSeconds: 1 }], known: [] }), ['A'])
})

test('raw sample files are read directly from disk', needs, async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'speakers-'))
  try {
    const samples = Int16Array.from(await clip('librivox-0870'), sample => Math.round(sample * 32_767))
    const file = { path: join(scratch, 'a.s16'), seconds: samples.length / 16_000 }
    await writeFile(file.path, samples)
    const words = [{ startSeconds: 1, endSeconds: 2 }]
    const job = { weights, threads: 1, sound: file, voiced: [{ startSeconds: 0.2, endSeconds: 4.5 }], words }
    assert.deepEqual(await identifySpeakers({ ...job, known: [] }, { giveWay }), ['A'])
    assert.deepEqual(await identifySpeakers({ ...job, known: [{ name: 'Reader', ...file }] }, { giveWay }), ['Reader'])
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
})

async function opened() {
  const speakers = await openSpeakers(weights, 1, giveWay)
  return Object.assign(speakers, { [Symbol.asyncDispose]: () => speakers.close() })
}
