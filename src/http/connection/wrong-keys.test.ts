import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFakeClock } from '../../testing/clock.ts'
import { startTestGateway, testKey } from '../../testing/gateway.ts'
import { createWrongKeys } from './wrong-keys.ts'

/** Returns a `wait` function that records the delays in `ms`; `end` ends all of them. */
function createWaits(): { ms: number[]; wait(ms: number): Promise<void>; end(): void } {
  const ms: number[] = []
  let { promise, resolve } = Promise.withResolvers<void>()
  const wait = (delayMs: number) => {
    ms.push(delayMs)
    return promise
  }
  const end = () => {
    resolve()
    ;({ promise, resolve } = Promise.withResolvers<void>())
  }
  return { ms, wait, end }
}

test('ten wrong keys of an address are refused at once, later ones with growing delays, which end after a while', async () => {
  const clock = createFakeClock()
  const waits = createWaits()
  const wrongKeys = createWrongKeys(clock, { wait: waits.wait })
  const guess = async (ip: string) => {
    waits.ms.length = 0
    const answered = wrongKeys.slow(ip)
    waits.end()
    await answered
    return waits.ms[0] ?? 0
  }
  for (let time = 0; time < 10; time++) assert.equal(await guess('192.0.2.1'), 0)
  for (const ms of [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]) assert.equal(await guess('192.0.2.1'), ms)
  assert.equal(await guess('192.0.2.2'), 0)
  clock.step(30_000)
  assert.equal(await guess('::ffff:192.0.2.1'), 250)
  clock.step(-3_600_000)
  assert.equal(await guess('192.0.2.1'), 500)
  clock.step(60_000)
  assert.equal(await guess('192.0.2.1'), 0)
})

test('one of four processes that share the callers allows a quarter of the wrong keys, rounded up', async () => {
  const waits = createWaits()
  const wrongKeys = createWrongKeys(createFakeClock(), { wait: waits.wait, processes: 4 })
  for (let time = 0; time < 3; time++) await wrongKeys.slow('192.0.2.1')
  const waiting = [wrongKeys.slow('192.0.2.1'), wrongKeys.slow('192.0.2.1')]
  assert.deepEqual(waits.ms, [250, 500])
  await assert.rejects(wrongKeys.slow('192.0.2.1'), { code: 'rate_limited' })
  waits.end()
  await Promise.all(waiting)
})

test('the number of delayed refusals is limited, for one address and in total; further ones are sent at once', async () => {
  const waits = createWaits()
  const wrongKeys = createWrongKeys(createFakeClock(), { wait: waits.wait })
  const waiting: Promise<void>[] = []
  const tooMany = { code: 'rate_limited', retryAfterSeconds: 4 }
  for (let address = 1; address <= 125; address++) {
    const ip = `192.0.2.${address}`
    for (let time = 0; time < 10; time++) await wrongKeys.slow(ip)
    for (let time = 0; time < 8; time++) waiting.push(wrongKeys.slow(ip))
    await assert.rejects(wrongKeys.slow(ip), tooMany)
  }
  for (let time = 0; time < 10; time++) await wrongKeys.slow('192.0.2.200')
  await assert.rejects(wrongKeys.slow('192.0.2.200'), tooMany)
  waits.end()
  await Promise.all(waiting)
  assert.equal(waiting.length, 1_000)
  waiting.push(wrongKeys.slow('192.0.2.200'))
  assert.equal(waits.ms.length, 1_001)
})

test('a caller who tries many wrong keys has to wait, also at the admin API; a caller with the right key never does', async () => {
  await using gateway = await startTestGateway()
  const ask = async (path: string, key: string): Promise<[status: number, ms: number]> => {
    const begun = performance.now()
    const { status } = await gateway.call(path, { key })
    return [status, performance.now() - begun]
  }
  for (let time = 0; time < 5; time++) {
    assert.equal((await ask('/v1/models', `sk-wrong-${time}`))[0], 401)
    assert.equal((await ask('/admin/keys', `admin-wrong-${time}`))[0], 401)
  }
  for (const path of ['/v1/models', '/admin/keys']) {
    const [status, ms] = await ask(path, 'sk-wrong')
    assert.ok(status === 401 && ms >= 240, `${status} after ${ms} ms`)
  }
  const wrong = Promise.all(Array.from({ length: 12 }, () => ask('/v1/models', 'sk-wrong')))
  const right: number[] = []
  for (let time = 0; time < 5; time++) {
    const [status, ms] = await ask('/v1/models', testKey)
    assert.equal(status, 200, `after ${ms} ms`)
    right.push(ms)
  }
  // An answer that was wrongly delayed would come after 4 s. A slow machine may add up to 2 s to
  // single answers, so the maximum is compared with 3.8 s and only the minimum with 1 s.
  assert.ok(Math.max(...right) < 3_800 && Math.min(...right) < 1_000, `after ${right.join(', ')} ms`)
  const statuses = (await wrong).map(([status]) => status)
  // At most eight requests with wrong keys wait at the same time; further ones are refused with
  // 429. While the twelve requests arrive, some of the first may already be answered, so that more
  // than eight get a 401.
  const waited = statuses.filter(status => status === 401).length
  assert.ok(waited >= 8 && waited < 12 && statuses.every(status => status === 401 || status === 429), statuses.join(' '))
})
