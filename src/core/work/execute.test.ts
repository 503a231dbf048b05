import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Done, Job, OnceOffer, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { AbortedRun } from './aborted-run.ts'
import { execute } from './execute.ts'
import { createPollScheduler } from './poll-scheduler.ts'

const done: Done = { state: 'done', files: [], report: {}, usage: [] }
const job = (signal: AbortSignal): Job<object> => ({
  id: 't1',
  request: {},
  inputs: [],
  scratch: '/nowhere',
  model: 'm',
  settings: {},
  attempt: 1,
  signal,
  progress: () => {},
})
const open = () => new AbortController().signal

/** Returns a polled offer whose generation is finished at the first poll, and a list of the
 *  calls of its functions. */
function recorded(changes: Partial<PolledOffer<object>> = {}) {
  const calls: string[] = []
  const offer: PolledOffer<object> = {
    kind: 'polled',
    pollEveryMs: 1,
    start: async () => {
      calls.push('start')
      return { state: 'started', handle: { id: 'u1' } }
    },
    check: async () => {
      calls.push('check')
      return done
    },
    cancel: async () => {
      calls.push('cancel')
    },
    ...changes,
  }
  return { calls, offer }
}

const polls = createPollScheduler(() => 0.5)
const keeper = {
  saveHandle: async () => true,
  addFile: async () => {},
  onStopped: () => {},
  onCancelFailed: () => {},
  polls,
  targetId: 't',
}

test('a run that was stopped before it began starts no generation', async () => {
  const { calls, offer } = recorded()
  const reason = new AbortedRun('cancelled')
  await assert.rejects(execute(offer, job(AbortSignal.abort(reason)), keeper), reason)
  const run = async () => {
    calls.push('run')
    return done
  }
  const once: OnceOffer<object> = { kind: 'once', run }
  await assert.rejects(execute(once, job(AbortSignal.abort(reason)), keeper), reason)
  assert.deepEqual(calls, [])
})

test('a generation whose handle cannot be saved is stopped upstream and never tried again', async () => {
  for (const { saveHandle, code } of [
    { saveHandle: async () => false, code: 'conflict' },
    { saveHandle: () => Promise.reject(new GatewayError('disk_full', 'full')), code: 'outcome_unknown' },
  ]) {
    const { calls, offer } = recorded()
    await assert.rejects(execute(offer, job(open()), { ...keeper, saveHandle }), { code })
    assert.deepEqual(calls, ['start', 'cancel'])
  }
})

test('a started generation is polled and not started again; a cancelled or late one is stopped upstream, a released one is not', async () => {
  const handle = { id: 'u1' }
  const first = recorded()
  assert.equal(await execute(first.offer, job(open()), { ...keeper, handle }), done)
  assert.deepEqual(first.calls, ['check'])
  for (const why of ['cancelled', 'expired', 'draining', 'fenced'] as const) {
    const { calls, offer } = recorded()
    await assert.rejects(execute(offer, job(AbortSignal.abort(new AbortedRun(why))), { ...keeper, handle }), AbortedRun)
    assert.deepEqual(calls, why === 'cancelled' || why === 'expired' ? ['cancel'] : [], why)
  }
})

test('an upstream that refuses to stop is logged, and the run ends with its own reason', async () => {
  const failures: unknown[] = []
  const refusal = new Error('no')
  const { offer } = recorded({ cancel: () => Promise.reject(refusal) })
  const reason = new AbortedRun('cancelled')
  const handle = {}
  await assert.rejects(
    execute(offer, job(AbortSignal.abort(reason)), { ...keeper, handle, onCancelFailed: error => failures.push(error) }),
    reason,
  )
  assert.deepEqual(failures, [refusal])
})

test('a failing poll is repeated up to ten times in a row', async () => {
  let looks = 0
  const failing = recorded({
    check: async () => {
      looks += 1
      throw new GatewayError('upstream_error', 'down')
    },
    pollEveryMs: 0.001,
    pollsPerSecond: 10_000,
  })
  await assert.rejects(execute(failing.offer, job(open()), keeper), { code: 'upstream_error' })
  assert.equal(looks, 11)
  assert.deepEqual(failing.calls, ['start'])
})

test('events of a polled offer are forwarded beside the polls, in one stream, and read to the end', async () => {
  let looks = 0
  const reported: unknown[] = []
  const mayEnd = Promise.withResolvers<void>()
  const { offer } = recorded({
    check: async () => {
      looks += 1
      if (looks === 4) mayEnd.resolve()
      return looks < 4 ? { state: 'running', ...(looks > 1 ? { hasEvents: true } : {}) } : done
    },
  })
  const begun: unknown[] = []
  const events = async function* (_job: object, handle: object) {
    begun.push(handle)
    yield { type: 'sound' as const, piece: 0, bytes: Buffer.from('a') }
    await mayEnd.promise
    yield { type: 'sound' as const, piece: 0, bytes: Buffer.from('b') }
  }
  const onPart = (part: object) => void reported.push(part)
  assert.equal(await execute<object>({ ...offer, events }, job(open()), { ...keeper, onPart }), done)
  assert.deepEqual(begun, [{ id: 'u1' }])
  assert.equal(reported.length, 2)
})

test('events that break off do not end the work; stopping the run ends the events', async () => {
  const broken: unknown[] = []
  const onTellingBroken = async (error: unknown) => void broken.push(error)
  let looks = 0
  const { offer } = recorded({ check: async () => (++looks < 3 ? { state: 'running', hasEvents: true } : done) })
  const reason = new Error('cut')
  const events = async function* () {
    yield { type: 'sound' as const, piece: 0, bytes: Buffer.from('a') }
    throw reason
  }
  assert.equal(await execute<object>({ ...offer, events }, job(open()), { ...keeper, onTellingBroken }), done)
  assert.deepEqual(broken, [reason])
  const stopping = new AbortController()
  const { offer: endless } = recorded({ check: async () => ({ state: 'running', hasEvents: true }) })
  const silent = async function* ({ signal }: Job<object>) {
    const stopped = new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    stopping.abort(new AbortedRun('cancelled'))
    await stopped
  }
  await assert.rejects(execute<object>({ ...endless, events: silent }, job(stopping.signal), { ...keeper, onTellingBroken }), AbortedRun)
  assert.equal(broken.length, 2)
})
