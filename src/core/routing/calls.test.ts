import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { fakeTextDriver, says, type TextScript } from '../../testing/fakes/fake-text-driver.ts'
import { silentLog } from '../../testing/stores/store.ts'
import { createCalls } from './calls.ts'
import type { Route } from './router.ts'
import { createTargetHealth } from './target-health.ts'
import { TargetPlaces } from './target-places.ts'

// The fake driver uses no tools.
const noTools = undefined as never

/** Runs conversations on targets that follow the scripts, one target for each script. */
async function bench(...scripts: TextScript[]) {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-calls-'))
  const clock = createFakeClock()
  const health = createTargetHealth({ clock, random: () => 0, log: silentLog })
  const routes = scripts.map(
    (script, index): Route => ({
      // The test sets only the fields that a conversation reads.
      target: { id: `t${index}`, driver: `d${index}`, model: 'up', settings: {}, order: index, weight: 1 } as Route['target'],
      driver: fakeTextDriver(`d${index}`, script).open(noTools),
    }),
  )
  const calls = createCalls({ blobs: { scratch: prefix => mkdtemp(join(folder, `${prefix}-`)) }, health, places: new TargetPlaces() })
  const request = {
    items: [],
    tools: [],
    toolChoice: { mode: 'auto' as const },
    parallelToolCalls: true,
    format: { type: 'text' as const },
    extras: { protocol: 'chat' as const, fields: {} },
  }
  const respond = (signal = new AbortController().signal) =>
    calls.run({ capability: 'text.respond', id: 'r1', account: 'a1', request, routes, signal })
  return { respond, health, clock, left: () => readdir(folder), close: () => rm(folder, { recursive: true, force: true }) }
}

// biome-ignore lint/correctness/useYield: it fails before it says anything.
async function* fails(code: 'upstream_error' | 'invalid_request' | 'upstream_timeout'): AsyncGenerator<never> {
  throw new GatewayError(code, 'no')
}

async function* breaks(): AsyncGenerator<{ type: 'text'; delta: string }> {
  yield { type: 'text', delta: 'half' }
  throw new GatewayError('upstream_error', 'broken')
}

async function typesOf(events: AsyncIterable<{ type: string }>): Promise<string[]> {
  const types: string[] = []
  for await (const event of events) types.push(event.type)
  return types
}

test('the next target answers when the first fails before its first word, and no file is left', async () => {
  const { respond, health, left, close } = await bench(
    () => fails('upstream_error'),
    () => says('two words'),
  )
  assert.deepEqual(await typesOf(respond()), ['text', 'text', 'finish'])
  assert.deepEqual(
    health.states().map(state => [state.target, state.failures, state.successes]),
    [
      ['t0', 1, 0],
      ['t1', 0, 1],
    ],
  )
  assert.deepEqual(await left(), [])
  await close()
})

test('there is no failover after the first word, for a refusal, or for a timeout', async () => {
  for (const first of [breaks, () => fails('invalid_request'), () => fails('upstream_timeout')]) {
    let requested = 0
    const { respond, left, close } = await bench(first, () => {
      requested += 1
      return says('x')
    })
    await assert.rejects(typesOf(respond()), GatewayError)
    assert.equal(requested, 0)
    assert.deepEqual(await left(), [])
    await close()
  }
})

test("when the reader of a breaker's trial disconnects, the next call is the trial", async () => {
  let isBroken = true
  const { respond, health, clock, left, close } = await bench(() => (isBroken ? fails('upstream_error') : says('a b c')))
  for (let index = 0; index < 5; index++) await assert.rejects(typesOf(respond()))
  assert.ok(health.waitMs('t0') > 0)
  await assert.rejects(typesOf(respond()), { code: 'upstream_error' }, 'it is left alone, but there is no other')
  clock.step(6_000)
  isBroken = false
  const leaving = new AbortController()
  leaving.abort(new GatewayError('cancelled', 'gone'))
  await assert.rejects(typesOf(respond(leaving.signal)), { code: 'cancelled' })
  assert.equal(health.waitMs('t0'), 0)
  for await (const _ of respond()) break
  assert.deepEqual(await left(), [])
  assert.equal(health.states()[0]?.state, 'closed')
  await close()
})
