import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import Type from 'typebox'
import { defineEngine, type EngineSpec, once, polled, streamed } from './driver.ts'
import { type EngineOptions, type OpenEngine, openEngine } from './open-engine.ts'
import type { ImageEditRequest, ImageGenerateRequest } from './requests/image.ts'
import type { Done, Driver } from './requests/job.ts'
import type { TextEvent, TextRequest } from './requests/text.ts'

const folder = await mkdtemp(join(tmpdir(), 'open-engine-'))
after(() => rm(folder, { recursive: true, force: true }))

const edit: ImageEditRequest = { prompt: 'x', seed: '1', expandPrompt: false, safetyTolerance: 2, format: 'png' }
const generate: ImageGenerateRequest = { ...edit, width: 64, height: 64, count: 1 }
const ask: TextRequest = {
  ...{ items: [], tools: [], toolChoice: { mode: 'auto' }, parallelToolCalls: true, format: { type: 'text' } },
  extras: { protocol: 'chat', fields: {} },
}
const done = (more: Partial<Done> = {}): Done => ({ state: 'done', files: [], report: {}, usage: [], ...more })

function open(
  offers: Driver['offers'],
  more: Partial<EngineSpec> & Partial<Driver> = {},
  options: Partial<EngineOptions> = {},
): OpenEngine {
  const { unusable, close, ...spec } = more
  const facts = { id: 'played', title: 'Played engine' }
  const driver = { ...facts, queue: { name: 'played', slots: 1 }, offers, ...(unusable && { unusable }), ...(close && { close }) }
  const played = defineEngine({
    ...{ ...facts, kind: 'engine' as const, settings: Type.Object({}), capabilities: [], open: () => driver },
    ...spec,
  })
  return openEngine(played, { folder, ...options })
}

test('a job writes into its own folder, and its outcome names the files', async () => {
  const run = once<ImageGenerateRequest>(async ({ request, scratch, model }) => {
    const path = join(scratch, 'picture.png')
    await writeFile(path, `${request.prompt} by ${model}`)
    return done({ files: [{ path, mediaType: 'image/png' }] })
  })
  const models = [{ id: 'm', title: 'M', capability: 'image.generate' as const, name: 'own-name' }]
  const engine = open({ 'image.generate': run }, { models })
  const [first, second] = [await engine.run('image.generate', generate), await engine.run('image.generate', generate, { model: 'other' })]
  const [one, other] = [first.files[0]?.path ?? '', second.files[0]?.path ?? '']
  assert.notEqual(dirname(one), dirname(other))
  assert.equal(dirname(dirname(one)), folder)
  assert.deepEqual([await readFile(one, 'utf8'), await readFile(other, 'utf8')], ['x by own-name', 'x by other'])
})

test('a streamed answer reports each part, and leaves no folder when it has no files', async () => {
  const before = await readdir(folder)
  const respond = streamed<TextRequest, TextEvent>(async function* () {
    yield { type: 'event', event: { type: 'text', delta: 'Hello' } }
    yield { type: 'outcome', outcome: done({ report: { finish: 'stop' } }) }
  })
  const events: unknown[] = []
  const { report } = await open({ 'text.respond': respond }).run('text.respond', ask, { onEvent: event => events.push(event) })
  assert.deepEqual([report, events], [{ finish: 'stop' }, [{ type: 'text', delta: 'Hello' }]])
  assert.deepEqual(await readdir(folder), before)
})

test('a job that is started and polled runs to its end', async () => {
  let looks = 0
  const fractions: number[] = []
  const offer = polled<ImageEditRequest>({
    pollEveryMs: 1,
    start: async () => ({ state: 'started', handle: { at: 7 } }),
    check: async (_job, { at }) => {
      looks += 1
      return looks < 3 ? { state: 'running', progress: looks / 4 } : done({ report: { at: at ?? null } })
    },
  })
  const engine = open({ 'image.edit': offer })
  const { report } = await engine.run('image.edit', edit, { onProgress: fraction => fractions.push(fraction) })
  assert.deepEqual([report, fractions], [{ at: 7 }, [0.25, 0.5]])
})

test('a request that the engine lacks a part for, refuses or does not offer is an error with the reason', async () => {
  const refused = once<ImageGenerateRequest>(async () => ({
    ...{ state: 'failed' as const, code: 'request_moderated' as const, message: 'No.', reasons: ['Because.'] },
  }))
  const run = (engine: OpenEngine) => engine.run('image.generate', generate)
  await assert.rejects(run(open({ 'image.generate': refused })), { code: 'request_moderated', message: 'No. Because.' })
  await assert.rejects(run(open({})), { code: 'capability_unavailable', message: 'Played engine does not offer image.generate.' })
  const lacking = open({ 'image.generate': refused }, { unusable: () => 'A file is missing.' })
  await assert.rejects(run(lacking), { code: 'capability_unavailable', message: 'A file is missing.' })
})

test('the engine finds the files of its packs, and closing it ends its processes', async () => {
  const file = { name: 'model.bin', bytes: 4, sha256: '', sources: [] }
  const pack = { id: 'tiny', title: 'Tiny', capability: 'text.respond' as const, licence: 'MIT', isDefault: true, files: [file] }
  const seen: (string | undefined)[] = []
  let isClosed = false
  const spec = defineEngine({
    ...{ id: 'packed', title: 'Packed', kind: 'engine' as const, settings: Type.Object({}), capabilities: [], packs: [pack] },
    open: ({ packs }) => {
      seen.push(packs.file('tiny', 'model.bin'))
      const close = async () => {
        isClosed = true
      }
      return { id: 'packed', title: 'Packed', queue: { name: 'packed', slots: 1 }, offers: {}, close }
    },
  })
  const packs = await mkdtemp(join(folder, 'packs-'))
  openEngine(spec, { folder, packs })
  await mkdir(join(packs, 'tiny'))
  await writeFile(join(packs, 'tiny', 'model.bin'), '1234')
  {
    await using _ = openEngine(spec, { folder, packs })
  }
  assert.deepEqual([seen, isClosed], [[undefined, join(packs, 'tiny', 'model.bin')], true])
})
