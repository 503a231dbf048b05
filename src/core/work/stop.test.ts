import assert from 'node:assert/strict'
import events from 'node:events'
import { Agent, get, type RequestOptions, request } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { once, polled } from '@generation-gateway/kit/driver.ts'
import type { Running } from '@generation-gateway/kit/requests/job.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'

const path = '/v1/ai/default/imgf/image/generate'
const submit = (gateway: TestGateway) => gateway.call(path, { body: { prompt: 'x', model: 'fake', seed: 5 } })
const stateOf = async (gateway: TestGateway, id: string): Promise<string> => (await gateway.admin(`/admin/tasks/${id}`)).body.task.state
const running: Running = { state: 'running' }

/** Returns a fake upstream that counts its requests. Its generations run until the test ends
 *  them. */
function fakeUpstream() {
  const upstream = { started: 0, checked: 0, cancelled: [] as unknown[], isDone: false, answerStart: Promise.resolve() }
  const driver = (slots = 4) =>
    fakeImageDriver(
      'p',
      polled({
        pollEveryMs: 10,
        start: async () => {
          upstream.started += 1
          await upstream.answerStart
          return { state: 'started', handle: { upstreamId: 'u1' } }
        },
        check: async job => {
          upstream.checked += 1
          return upstream.isDone ? donePixel(job) : running
        },
        cancel: async (job, handle) => {
          job.signal.throwIfAborted()
          upstream.cancelled.push(handle)
        },
      }),
      slots,
    )
  return { upstream, driver }
}

test('a stop lets work at upstreams continue, and the next start finds it', async () => {
  const { upstream, driver } = fakeUpstream()
  const first = await startTestGateway({ drivers: [driver()], yaml: fakeModelYaml('p') })
  const { body } = await submit(first)
  await until(() => upstream.checked > 1, 'a poll')
  await first.gateway.stop(0)
  assert.deepEqual(upstream.cancelled, [])
  upstream.isDone = true
  await using second = await startTestGateway({ drivers: [driver()], yaml: fakeModelYaml('p'), dataDir: first.dataDir })
  assert.equal((await second.result(`/v1/ai/default/imgf/get_result?id=${body.id}`)).status, 'Ready')
  assert.equal(upstream.started, 1)
})

test('a started task that is cancelled while no node has it is stopped upstream by the node that claims it next', async () => {
  const { upstream, driver } = fakeUpstream()
  const first = await startTestGateway({ drivers: [driver()], yaml: fakeModelYaml('p') })
  const { body } = await submit(first)
  await until(() => upstream.checked > 0, 'a poll')
  await first.gateway.stop(0)
  const idle = await startTestGateway({ drivers: [driver(0)], yaml: fakeModelYaml('p'), dataDir: first.dataDir })
  await idle.call(`/v1/ai/default/imgf/get_result?id=${body.id}`, { method: 'DELETE' })
  assert.equal(await stateOf(idle, body.id), 'cancelling')
  await idle.gateway.stop(0)
  const checked = upstream.checked
  await using last = await startTestGateway({ drivers: [driver()], yaml: fakeModelYaml('p'), dataDir: first.dataDir })
  await until(async () => (await stateOf(last, body.id)) === 'cancelled', 'the end')
  assert.deepEqual(upstream.cancelled, [{ upstreamId: 'u1' }])
  assert.equal(upstream.checked, checked)
})

test('a task that is cancelled during its start is stopped upstream once the start has returned its handle', async () => {
  const { upstream, driver } = fakeUpstream()
  let answer = () => {}
  upstream.answerStart = new Promise(resolve => {
    answer = resolve
  })
  await using gateway = await startTestGateway({ drivers: [driver()], yaml: fakeModelYaml('p') })
  const { body } = await submit(gateway)
  await until(() => upstream.started === 1, 'the start')
  await gateway.call(body.polling_url, { method: 'DELETE' })
  assert.equal(await stateOf(gateway, body.id), 'cancelling')
  answer()
  await until(async () => (await stateOf(gateway, body.id)) === 'cancelled', 'the end')
  assert.deepEqual(upstream.cancelled, [{ upstreamId: 'u1' }])
})

test('while jobs end, new work is refused as draining, tasks and files are still served, and the stop waits', async () => {
  let finish = () => {}
  const gate = new Promise<void>(resolve => {
    finish = resolve
  })
  const driver = fakeImageDriver(
    'g',
    once(async job => {
      await gate
      return donePixel(job)
    }),
    1,
  )
  const gateway = await startTestGateway({ drivers: [driver], yaml: fakeModelYaml('g') })
  const held = await submit(gateway)
  const waiting = await submit(gateway)
  await until(async () => (await stateOf(gateway, held.body.id)) === 'running', 'the run')
  const events = gateway.call(`/v1/ai/default/imgf/get_result/events?id=${waiting.body.id}`)
  const stopped = gateway.gateway.stop(20_000)
  const refused = await submit(gateway)
  assert.equal(refused.status, 503)
  assert.equal(refused.body.error.code, 'draining')
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  const ready = await gateway.call('/readyz', { key: false })
  assert.equal(ready.status, 503)
  assert.deepEqual(ready.body.problems, ['The gateway is stopping.'])
  assert.equal((await gateway.call(held.body.polling_url)).body.status, 'Pending')
  finish()
  await stopped
  assert.match((await events).bytes.toString(), /event: task\.queued/, 'the stream of a task that waits ends with the gateway')
  await using next = await startTestGateway({ drivers: [driver], yaml: fakeModelYaml('g'), dataDir: gateway.dataDir })
  assert.equal((await next.call(`/v1/ai/default/imgf/get_result?id=${held.body.id}`)).body.status, 'Ready')
  assert.equal((await next.result(`/v1/ai/default/imgf/get_result?id=${waiting.body.id}`)).status, 'Ready')
})

test('a job that cannot be stopped is handed back anyway', async () => {
  const stuck = (slots: number) =>
    fakeImageDriver(
      'stuck',
      once(() => new Promise<never>(() => {}), { isRepeatable: true }),
      slots,
    )
  const first = await startTestGateway({ drivers: [stuck(4)], yaml: fakeModelYaml('stuck') })
  const { body } = await submit(first)
  await until(async () => (await stateOf(first, body.id)) === 'running', 'the run')
  await first.gateway.stop(0)
  await using second = await startTestGateway({ drivers: [stuck(0)], yaml: fakeModelYaml('stuck'), dataDir: first.dataDir })
  assert.equal(await stateOf(second, body.id), 'queued')
})

test('tasks past their deadline expire, waiting or running, and the driver is stopped', async () => {
  let wasAborted = false
  const driver = fakeImageDriver(
    'slow',
    once(
      job =>
        new Promise((_, reject) => {
          job.signal.addEventListener('abort', () => {
            wasAborted = true
            reject(job.signal.reason)
          })
        }),
    ),
    1,
  )
  const clock = createFakeClock()
  await using gateway = await startTestGateway({ drivers: [driver], yaml: fakeModelYaml('slow'), clock })
  const first = await submit(gateway)
  const second = await submit(gateway)
  await until(async () => (await stateOf(gateway, first.body.id)) === 'running', 'the run')
  clock.step(60 * 60_000 + 1)
  for (const { body } of [first, second]) {
    const ended = (await gateway.result(body.polling_url)) as { status: string; details: { error: string } }
    assert.equal(ended.status, 'Error')
    assert.equal(ended.details.error, 'deadline_exceeded')
  }
  await until(() => wasAborted, 'the stop of the driver')
})

test('below the floor of free disk space, submits are refused and polls are answered', async () => {
  await using gateway = await startTestGateway({ env: { GATEWAY_MIN_FREE_MB: '1000000' } })
  const refused = await gateway.call(path, { body: { prompt: 'x' } })
  assert.equal(refused.status, 503)
  assert.equal(refused.body.error.code, 'disk_full')
  assert.equal(refused.headers.get('retry-after'), '60')
  assert.equal((await gateway.call('/v1/ai/default/imgf/get_result?id=none')).status, 404)
  // The node stays ready, so a load balancer still sends it polls of tasks.
  const { status, body } = await gateway.call('/readyz', { key: false })
  assert.deepEqual([status, body.status], [200, 'degraded'])
})

test('a stop does not interrupt a running upload', async () => {
  await using gateway = await startTestGateway({ drivers: [fakeImageDriver('f', once(donePixel))], yaml: fakeModelYaml('f') })
  const { hostname: host, port } = new URL(gateway.url)
  // After this request, the key is in the node's cache. While the gateway stops, it would refuse a
  // request whose key it has to read from the store.
  await submit(gateway)
  const idle = await idleConnection({ host, port, path: '/healthz' })
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', expect: '100-continue' }
  const upload = request({ host, port, path, method: 'POST', headers })
  upload.flushHeaders()
  await events.once(upload, 'continue')
  upload.write('{"prompt":"x",')
  const stopped = gateway.gateway.stop(10_000)
  // The idle connection had stayed open until now; the stop closes it.
  await events.once(idle, 'close')
  upload.end('"model":"fake"}')
  const [answer] = await events.once(upload, 'response')
  answer.resume()
  assert.equal(answer.statusCode, 200)
  await stopped
})

/** Returns a connection on which one request was answered and which stays open for another. */
function idleConnection(options: RequestOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    get({ ...options, agent: new Agent({ keepAlive: true }) }, response => {
      const { socket } = response
      response.resume().on('end', () => resolve(socket))
    }).on('error', reject)
  })
}
