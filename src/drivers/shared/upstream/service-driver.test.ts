import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once, polled, streamed } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { type Job, type Offers, refusal } from '@generation-gateway/kit/requests/job.ts'
import type { TextEvent, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import Type from 'typebox'
import Value from 'typebox/value'
import { driverTools } from '../../../testing/driver-tools.ts'
import { textRequest } from '../../../testing/fakes/fake-upstream-run.ts'
import { serviceDriver } from './service-driver.ts'
import { serviceSettings } from './service-settings.ts'

const key = 'sk-service-secret-1'
const usual = { baseUrl: 'Where it is.', apiKey: 'A key.', usualWaits: { firstByteMs: 60_000, idleMs: 30_000 } }
const plain = serviceSettings({ ...usual, driver: 'acme' })
const at = (settings: JsonObject = {}) => ({ base_url: 'https://acme.example/v1', ...settings })

test('a driver has the shared settings and its own, and no others', () => {
  const { schema } = serviceSettings({ ...usual, driver: 'acme', own: { style: Type.String() } })
  const isTaken = (settings: object) => Value.Check(schema, settings)
  const all = { ...at(), api_key: key, headers: { 'x-team': 'a' }, timeout_seconds: 5, idle_seconds: 5, style: 'ink' }
  assert.ok(isTaken(all))
  assert.ok(isTaken({ ...at(), style: 'ink' }))
  for (const wrong of [at(), { style: 'ink' }, { ...all, more: 1 }, { ...all, timeout_seconds: 0 }]) assert.ok(!isTaken(wrong))
  const { schema: loose } = serviceSettings({ ...usual, driver: 'acme', usualBaseUrl: 'https://acme.example', needsKey: true })
  assert.deepEqual([Value.Check(loose, { api_key: key }), Value.Check(loose, {})], [true, false])
})

test('a target is derived once, with its own facts', () => {
  const settings = at({ api_key: key, timeout_seconds: 5 })
  const target = plain.targetOf(settings)
  assert.equal(plain.targetOf(settings), target)
  assert.deepEqual([target.waits, target.firstByteMs, target.idleMs], [{ firstByteMs: 5_000, idleMs: 30_000 }, 5_000, undefined])
  const facts = (given: JsonObject) => ({ style: String(given.style) })
  assert.equal(serviceSettings({ ...usual, driver: 'acme', facts }).targetOf(at({ style: 'ink' })).style, 'ink')
})

test('the key is sent where the service expects it, and is never shown', () => {
  const headersOf = (settings: typeof plain) => settings.targetOf(at({ api_key: ` ${key}\n`, headers: { 'x-team': 'a-team' } })).upstream
  const bearer = headersOf(plain)
  assert.equal(bearer.headers[bearer.headers.indexOf('authorization') + 1], `Bearer ${key}`)
  const named = headersOf(serviceSettings({ ...usual, driver: 'acme', keyHeader: 'x-key' }))
  assert.equal(named.headers[named.headers.indexOf('x-key') + 1], key)
  assert.ok(!named.headers.includes('authorization'))
  for (const { secrets } of [bearer, named]) assert.deepEqual(new Set(secrets), new Set([key, 'a-team']))
})

test('unusable settings are named without their values', () => {
  const needing = serviceSettings({ ...usual, driver: 'acme', needsKey: true })
  assert.match(needing.targetOf(at({ api_key: ' ' })).problem ?? '', /^Settings of the driver acme: api_key is empty\.$/)
  assert.match(plain.targetOf({ base_url: 'ftp://secret-host' }).problem ?? '', /http or https/)
  for (const settings of [at({ api_key: 'k\u0001secret' }), at({ headers: { 'x-team': 'secret\n' } }), { base_url: 'secret' }]) {
    const { problem = '' } = plain.targetOf(settings)
    assert.match(problem, /^Settings of the driver acme: /)
    assert.doesNotMatch(problem, /secret/)
  }
})

const drawing: ImageGenerateRequest = {
  prompt: 'x',
  width: 64,
  height: 64,
  count: 1,
  seed: '1',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'png',
}
const editing: ImageEditRequest = { prompt: 'x', seed: '1', expandPrompt: false, safetyTolerance: 2, format: 'png' }
const ended = { state: 'failed', code: 'upstream_error', message: 'none' } as const

function jobOf<Request>(request: Request, settings: JsonObject = at(), model = 'm'): Job<Request> {
  const signal = new AbortController().signal
  return { id: 'j', request, inputs: [], scratch: '', model, settings, attempt: 1, signal, progress: () => {} }
}

/** Returns a driver that refuses all requests for more than one picture and does not know the model
 *  `gone`. `done` lists the requests that its offers received. */
function opened() {
  const done: string[] = []
  const refuses = ({ request }: { request: ImageGenerateRequest }) =>
    request.count === 1 ? undefined : refusal('count', 'one picture, not more.')
  const offers: Offers = {
    'image.generate': polled<ImageGenerateRequest>({
      pollEveryMs: 1,
      refuses,
      start: async () => {
        done.push('start')
        return { state: 'started', handle: {} }
      },
      check: async () => {
        done.push('check')
        return ended
      },
      cancel: async () => void done.push('cancel'),
    }),
    'image.edit': once<ImageEditRequest>(async () => {
      done.push('run')
      return ended
    }),
    'text.respond': streamed<TextRequest, TextEvent>(async function* () {
      done.push('stream')
      yield { type: 'outcome', outcome: ended }
    }),
  }
  const spec = serviceDriver({
    id: 'acme',
    title: 'Acme',
    settings: plain,
    slots: 3,
    open: () => ({
      offers,
      unusable: (_settings, model) => (model === 'gone' ? 'There is no model gone.' : undefined),
      close: async () => void done.push('close'),
    }),
  })
  return { spec, driver: spec.open(driverTools()), done }
}

test('an offer is asked what it accepts only on a usable target', async () => {
  const { driver, done } = opened()
  const draws = driver.offers['image.generate']
  const edits = driver.offers['image.edit']
  const says = driver.offers['text.respond']
  assert.ok(draws?.kind === 'polled' && edits?.kind === 'once' && says?.kind === 'streamed')
  const broken = { base_url: 'nonsense' }
  const unusable = { code: 'capability_unavailable' }
  await assert.rejects(draws.start(jobOf({ ...drawing, count: 2 })), { code: 'not_implemented', field: 'count' })
  for (const job of [jobOf(drawing, broken), jobOf(drawing, at(), 'gone')]) await assert.rejects(draws.start(job), unusable)
  await assert.rejects(edits.run(jobOf(editing, broken)), unusable)
  await assert.rejects(async () => says.run(jobOf(textRequest(), broken)), unusable)
  await assert.rejects(draws.check(jobOf(drawing, broken), {}), unusable)
  await assert.rejects(async () => draws.cancel?.(jobOf(drawing, broken), {}), unusable)
  assert.deepEqual(done, [])
  assert.deepEqual(draws.refuses?.(jobOf({ ...drawing, count: 2 })), { field: 'count', message: 'count: one picture, not more.' })
  assert.deepEqual(draws.refuses?.(jobOf(drawing, at(), 'gone')), { message: 'There is no model gone.' })
  assert.equal(draws.refuses?.(jobOf(drawing)), undefined)

  await draws.start(jobOf(drawing))
  // Polls, cancellations and other steps of a started task work even on a target that accepts no
  // new tasks.
  await draws.check(jobOf(drawing, at(), 'gone'), {})
  await draws.cancel?.(jobOf(drawing, at(), 'gone'), {})
  await edits.run(jobOf(editing))
  for await (const part of says.run(jobOf(textRequest()))) assert.equal(part.type, 'outcome')
  assert.deepEqual(done, ['start', 'check', 'cancel', 'run', 'stream'])
  assert.equal(draws.find, undefined)
  await driver.close?.()
  assert.equal(done.at(-1), 'close')
})

test('a driver describes itself, and the faults of a target', () => {
  const { spec, driver } = opened()
  assert.deepEqual([spec.id, spec.kind, driver.queue], ['acme', 'upstream', { name: 'upstream:acme', slots: 3, isPerTarget: true }])
  assert.equal(driver.unusable?.(at(), 'm'), undefined)
  assert.equal(driver.unusable?.(at(), 'gone'), 'There is no model gone.')
  assert.match(driver.unusable?.({ base_url: 'nonsense' }, 'gone') ?? '', /base_url is not a valid URL/)
})
