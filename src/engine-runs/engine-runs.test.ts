/** Tests how a node runs an engine on another node, without the rest of the program. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { once, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError, TargetRefusal, UnsafeFileError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { NodeFailure } from './send-run.ts'
import { all, done, setUp } from './testing/run-node.ts'

test('the engine gets the job with its files, and its events and files are returned byte for byte', async context => {
  const seen: { job: Job<JsonObject>; bytes: Buffer }[] = []
  const { folder, job, run } = await setUp(
    context,
    streamed<JsonObject, object>(async function* (given) {
      seen.push({ job: given, bytes: await readFile(given.inputs[0]?.path ?? '') })
      given.progress(0.25)
      yield { type: 'event', event: { type: 'sound', bytes: Buffer.from([0, 255, 1]) } }
      yield { type: 'event', event: { type: 'notice', says: 'ü' } }
      const [early, late] = [join(given.scratch, 'early.png'), join(given.scratch, 'late.mp3')]
      await writeFile(early, Buffer.alloc(3_000_000, 5))
      await writeFile(late, '')
      yield { type: 'file', file: { path: early, mediaType: 'image/png', width: 3 } }
      const files = [{ path: late, mediaType: 'audio/mpeg', role: 'sound' }]
      yield { type: 'outcome', outcome: { ...done, files, report: { seed: '1' }, detail: { scene: [1] } } }
    }),
  )
  const path = join(folder, 'input')
  await writeFile(path, Buffer.alloc(2_000_000, 9))
  const input = { path, role: 'image', mediaType: 'image/png', bytes: 2_000_000, width: 7, origin: { detail: { a: 1 }, index: 2 } }
  const progress: number[] = []
  const parts = await all(run(await job({ inputs: [input], progress: fraction => progress.push(fraction) })))
  const [{ job: got, bytes } = assert.fail('no run')] = seen
  assert.deepEqual(
    [got.id, got.request, got.settings, got.model, got.account, got.key],
    ['task', { prompt: 'a hill' }, { seed: 1 }, 'm', 'acme', 'key_1'],
  )
  assert.deepEqual({ ...got.inputs[0], path }, input)
  assert.ok(bytes.equals(Buffer.alloc(2_000_000, 9)))
  assert.deepEqual(progress, [0.25])
  const [sound, notice, early, outcome] = parts
  assert.deepEqual(sound, { type: 'event', event: { type: 'sound', bytes: Buffer.from([0, 255, 1]) } })
  assert.deepEqual(notice, { type: 'event', event: { type: 'notice', says: 'ü' } })
  assert.ok(early?.type === 'file' && early.file.path.endsWith('.png') && early.file.width === 3)
  assert.ok((await readFile(early.file.path)).equals(Buffer.alloc(3_000_000, 5)))
  assert.ok(outcome?.type === 'outcome' && outcome.outcome.state === 'done')
  const { files, report, detail } = outcome.outcome
  assert.deepEqual([files.map(({ role }) => role), report, detail], [['sound'], { seed: '1' }, { scene: [1] }])
  assert.equal((await readFile(files[0]?.path ?? '')).length, 0)
})

test('errors keep their code, field, reasons and kind', async context => {
  const thrown: unknown[] = [
    new TargetRefusal('invalid_request', 'prompt is odd.', { field: 'prompt', reasons: ['a'], retryAfterSeconds: 9 }),
    new UnsafeFileError(),
    new Error('secret detail'),
  ]
  const { job, run } = await setUp(
    context,
    once(async () => {
      throw thrown.shift()
    }),
  )
  const refusal = await all(run(await job())).catch((error: unknown) => error)
  assert.ok(refusal instanceof TargetRefusal)
  assert.deepEqual(
    [refusal.code, refusal.message, refusal.field, refusal.reasons, refusal.retryAfterSeconds],
    ['invalid_request', 'prompt is odd.', 'prompt', ['a'], 9],
  )
  assert.ok((await all(run(await job())).catch((error: unknown) => error)) instanceof UnsafeFileError)
  const fault = await all(run(await job())).catch((error: unknown) => error)
  assert.ok(fault instanceof GatewayError && fault.code === 'internal_error' && !fault.message.includes('secret'))
})

test('a slow reader slows the engine down, and a reader who disconnects ends the run', async context => {
  let made = 0
  let ended = false
  const { job, run, places } = await setUp(
    context,
    streamed<JsonObject, object>(async function* ({ signal }) {
      signal.addEventListener('abort', () => {
        ended = true
      })
      for (; made < 200; made++) yield { type: 'event', event: { bytes: Buffer.alloc(1_000_000) } }
      yield { type: 'outcome', outcome: done }
    }),
  )
  const parts = run(await job())
  await parts.next()
  let before = -1
  for (let same = 0; same < 10; same = made === before ? same + 1 : 0) {
    before = made
    await sleep(20)
  }
  assert.ok(made < 60, `${made} MB were made for a reader who took one`)
  await parts.return(undefined)
  await until(() => ended && places.busy === 0, 'the end of the run')
  assert.ok(made < 60)
})

test('a finished run leaves its connection for the next one, and its answer counts as complete', async context => {
  const large = Buffer.alloc(3_000_000, 5)
  const { job, run, server, connections, freeConnections } = await setUp(
    context,
    once(async ({ request, scratch }) => {
      if (request.fails) throw new TargetRefusal('invalid_request', 'prompt is odd.')
      const path = join(scratch, 'large.png')
      await writeFile(path, large)
      return { ...done, files: [{ path, mediaType: 'image/png' }] }
    }),
  )
  const answers: boolean[] = []
  server.on('request', (_request, response) => response.on('close', () => answers.push(response.writableFinished)))
  for (const fails of [false, true, false]) {
    const next = await job({ request: { fails } })
    // The HTTP client frees the connection of an answer in one of the next turns of the event loop.
    await until(() => freeConnections() === connections(), 'a free connection')
    // The loop ends at the outcome, as in the gateway itself, so the generator is left before its
    // end.
    const parts = run(next)
    if (fails) await assert.rejects(all(parts), TargetRefusal)
    else for await (const part of parts) if (part.type === 'outcome') break
  }
  await until(() => answers.length === 3, 'the ends of the answers')
  assert.deepEqual([answers, connections()], [[true, true, true], 1])
})

test('a node that stops in the middle of a run is distinguished from an engine that fails', async context => {
  const { job, run, server } = await setUp(
    context,
    streamed<JsonObject, object>(async function* () {
      server.closeAllConnections()
      yield { type: 'outcome', outcome: done }
    }),
  )
  const broken = await all(run(await job())).catch((error: unknown) => error)
  assert.ok(broken instanceof NodeFailure && broken.isAway && broken.failure.code === 'upstream_unreachable')
  server.close()
  const unreachable = await all(run(await job())).catch((error: unknown) => error)
  assert.ok(unreachable instanceof NodeFailure && unreachable.isAway)
})

test('places are shared among accounts, and a node that is full or drains says so', async context => {
  const gates: PromiseWithResolvers<void>[] = []
  const order: string[] = []
  const { job, run, places, duty } = await setUp(
    context,
    once(async ({ account = '' }) => {
      const gate = Promise.withResolvers<void>()
      order.push(account)
      gates.push(gate)
      await gate.promise
      return done
    }),
    { slots: 2, accountSlots: 1 },
  )
  const calls = [all(run(await job())), all(run(await job()))]
  await until(() => places.waiting === 1, 'the second run of the account to wait')
  calls.push(all(run(await job({ account: 'other' }))))
  await until(() => order.length === 2, 'the run of the other account')
  assert.deepEqual(order, ['acme', 'other'])
  const more = Array.from({ length: 64 }, async () => all(run(await job())).catch((error: unknown) => error))
  await until(() => places.waiting === 64, 'all of them to wait')
  const full = await Promise.race(more)
  assert.ok(full instanceof NodeFailure && full.failure.code === 'engine_busy' && full.failure.retryAfterSeconds === 5)
  duty.reason = 'This node is draining.'
  const draining = await all(run(await job({ account: 'third' }))).catch((error: unknown) => error)
  assert.ok(draining instanceof NodeFailure && draining.failure.code === 'draining')
  const timer = setInterval(() => {
    for (const gate of gates) gate.resolve()
  }, 5)
  context.after(() => clearInterval(timer))
  for (const call of calls) assert.equal((await call).at(-1)?.type, 'outcome')
  await Promise.all(more)
  assert.deepEqual([places.busy, places.waiting], [0, 0])
})
