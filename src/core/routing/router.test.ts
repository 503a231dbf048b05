import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { type ErrorCode, GatewayError, NotSentError } from '@generation-gateway/kit/errors.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import { createFakeClock } from '../../testing/clock.ts'
import type { CatalogueModel, Target } from './catalogue.ts'
import { createRouter, mayFailOver } from './router.ts'
import { createTargetHealth } from './target-health.ts'

const driver = (id: string, extra: Partial<Driver> = {}): Driver => ({
  id,
  title: id,
  queue: { name: `q:${id}`, slots: 1 },
  offers: { 'image.generate': { kind: 'once', run: () => Promise.reject(new Error('not run here')) } },
  ...extra,
})
const picky = once<ImageGenerateRequest>(() => Promise.reject(new Error('not run here')), {
  refuses: ({ request, model: name }) =>
    name === 'small' && request.width > 512 ? { field: 'width', message: `width is ${request.width}; at most 512.` } : undefined,
})
const drivers = new Map(
  [
    driver('d'),
    driver('e'),
    driver('off', { unusable: () => 'Set OFF_KEY.' }),
    driver('picky', { offers: { 'image.generate': picky } }),
    driver('teller', { offers: { 'image.generate': { ...picky, follows: ['series'] } } }),
  ].map(entry => [entry.id, entry]),
)

function model(...targets: Partial<Target>[]): CatalogueModel {
  return {
    id: 'm',
    title: 'M',
    families: ['F1'],
    capability: 'image.generate',
    source: 'yaml',
    targets: targets.map((target, index) => ({
      id: `m#${index + 1}`,
      driver: 'd',
      model: 'm',
      order: 1,
      weight: 1,
      settings: {},
      ...target,
    })),
  }
}

/** Returns a generator of numbers in [0, 1) that are the same in every run. */
function seeded(): () => number {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function setUp(random = seeded()) {
  const clock = createFakeClock()
  const health = createTargetHealth({ clock, random: () => 0, log: { info: () => {}, warn: () => {} } })
  const router = createRouter(drivers, random, health)
  const open = (target: string) => health.failed(target, new GatewayError('upstream_auth_error', 'no'))
  const ids = (of: CatalogueModel) => router.routes(of, 'image.generate').map(route => route.target.id)
  return { clock, health, router, open, ids }
}

test('lower orders come first; targets of equal order share by weight, 3 to 1 within 2 % over 10,000 draws', () => {
  const { ids } = setUp()
  assert.deepEqual(ids(model({ order: 3 }, { order: 1 }, { order: 2 })), ['m#2', 'm#3', 'm#1'])
  const shared = model({ weight: 3 }, { weight: 1 })
  let first = 0
  for (let draw = 0; draw < 10_000; draw++) if (ids(shared)[0] === 'm#1') first += 1
  assert.ok(Math.abs(first / 10_000 - 0.75) < 0.02, `${first} of 10,000`)
})

test('a target with an open breaker is left out and returns for its trial', () => {
  const { clock, ids, open } = setUp()
  const two = model({ order: 1 }, { order: 2 })
  open('m#1')
  assert.deepEqual(ids(two), ['m#2'])
  clock.step(5_000)
  assert.deepEqual(ids(two), ['m#1', 'm#2'])
})

test('when the breakers of all usable targets are open, the error names the model and the time of the first trial', () => {
  const { clock, router, ids, open } = setUp()
  const two = model({ order: 1 }, { driver: 'e', order: 2 }, { driver: 'off' })
  open('m#1')
  clock.step(2_000)
  open('m#2')
  assert.throws(
    () => ids(two),
    (error: GatewayError) => {
      assert.equal(error.code, 'overloaded')
      assert.equal(error.retryAfterSeconds, 3)
      assert.match(error.message, /\bm\b/)
      assert.doesNotMatch(error.message, /m#|OFF_KEY/)
      return true
    },
  )
  assert.equal(router.overloaded(two).retryAfterSeconds, 1, 'the third was never tried')
  assert.deepEqual(
    router.callRoutes(two, 'image.generate').map(route => route.target.id),
    ['m#1'],
    'a call goes to the one that is free soonest',
  )
  assert.equal(router.queueOf(two, 'image.generate'), 'q:d', 'a task waits in the queue of its first target all the same')
})

test('unusable targets are left out, and when no other exists the error gives each reason', () => {
  const { ids, router } = setUp()
  assert.deepEqual(ids(model({ driver: 'off' }, { driver: 'd' }, { driver: 'gone' })), ['m#2'])
  assert.throws(() => ids(model({ driver: 'off' }, { driver: 'gone' }, { unusable: 'The variable K is not set.' })), {
    code: 'capability_unavailable',
    message: /The driver gone does not exist\. Set OFF_KEY\. The variable K is not set\./,
  })
  assert.throws(() => router.routes(model({}), 'text.respond'), {
    code: 'capability_unavailable',
    message: /d does not offer text\.respond/,
  })
  assert.throws(() => ids(model()), { code: 'capability_unavailable', message: /No target is configured; add one for m/ })
})

test('a field that only some targets follow is sent to one of these', () => {
  const { router } = setUp()
  const requested = { request: { series: true, width: 8 }, inputs: [] }
  const both = model({ driver: 'd' }, { driver: 'teller' })
  assert.deepEqual(
    router.routes(both, 'image.generate', requested).map(route => route.target.id),
    ['m#2'],
  )
  assert.throws(() => router.queueOf(model({ driver: 'd' }), 'image.generate', requested), {
    code: 'invalid_request',
    field: 'series',
    message: 'series: d has no such thing.',
  })
})

test('a target that refuses the request is left out, and when all refuse it the first refusal is returned', () => {
  const { router } = setUp()
  const ask = (width: number) => ({ request: { width }, inputs: [] })
  const both = model({ driver: 'picky', model: 'small' }, { driver: 'picky', model: 'large' })
  const ids = (width: number) => router.routes(both, 'image.generate', ask(width)).map(route => route.target.id)
  assert.equal(ids(512).length, 2)
  assert.deepEqual(ids(1024), ['m#2'])
  assert.throws(() => router.queueOf(model({ driver: 'picky', model: 'small' }), 'image.generate', ask(1024)), {
    code: 'invalid_request',
    field: 'width',
    message: /at most 512/,
  })
})

test('paid work fails over only when the first target has certainly not accepted it', () => {
  const allowed = (code: ErrorCode, cause?: unknown) =>
    (['text', 'paid'] as const).filter(kind => mayFailOver(new GatewayError(code, 'x', { cause }), kind))
  const both = ['text', 'paid']
  for (const code of [
    'rate_limited',
    'overloaded',
    'upstream_auth_error',
    'upstream_quota_exhausted',
    'engine_busy',
    'model_not_found',
  ] as const)
    assert.deepEqual(allowed(code), both, code)
  assert.deepEqual(allowed('upstream_error'), ['text'])
  assert.deepEqual(allowed('upstream_unreachable'), ['text'], 'it may have broken after the request was sent')
  assert.deepEqual(allowed('upstream_unreachable', Object.assign(new Error('reset'), { code: 'ECONNRESET' })), ['text'])
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  assert.deepEqual(allowed('upstream_unreachable', refused), both)
  assert.deepEqual(allowed('upstream_unreachable', new TypeError('fetch failed', { cause: refused })), both)
  for (const code of ['upstream_timeout', 'invalid_request', 'request_moderated', 'internal_error', 'engine_timeout', 'cancelled'] as const)
    assert.deepEqual(allowed(code), [], code)
})

test('paid work fails over after every upstream failure before the request was sent', () => {
  const isAllowed = (code: ErrorCode) => mayFailOver(new NotSentError(code, 'x'), 'paid')
  for (const code of ['upstream_error', 'upstream_unreachable', 'upstream_timeout'] as const) assert.ok(isAllowed(code), code)
  for (const code of ['invalid_request', 'internal_error', 'disk_full', 'cancelled'] as const) assert.ok(!isAllowed(code), code)
})
