import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { once, polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { createFakeClock } from '../../testing/clock.ts'
import { donePixel, fakeImageDriver, fakeModelYaml, onePixelPng } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'

const path = '/v1/ai/default/imgf/image/generate'
const submit = (gateway: TestGateway, body: object = {}) => gateway.call(path, { body: { prompt: 'x', model: 'fake', seed: 5, ...body } })

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

/** A webhook receiver that answers with the given statuses, in turn, then 204. */
async function receiver(statuses: number[] = []) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(statuses.shift() ?? 204).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, received, [Symbol.dispose]: () => server.close() }
}

test('a once offer finishes a task with its result, signed picture, usage line and events', async () => {
  await using gateway = await startTestGateway({ drivers: [fakeImageDriver('f', once(donePixel))], yaml: fakeModelYaml('f') })
  const { body } = await submit(gateway)
  const result = (await gateway.result(body.polling_url)) as {
    status: string
    result: { sample: string; seed: number; start_time: number; end_time: number }
  }
  assert.equal(result.status, 'Ready')
  assert.equal(result.result.seed, 5)
  assert.ok(result.result.end_time >= result.result.start_time)
  const picture = await gateway.call(result.result.sample, { key: false })
  assert.deepEqual(picture.bytes, onePixelPng)
  assert.equal(picture.headers.get('content-type'), 'image/png')
  const usage = await gateway.admin('/admin/usage')
  assert.deepEqual(
    usage.body.usage.map((line: { unit: string; units: number }) => [line.unit, line.units]),
    [['images', 1]],
  )
  const shown = await gateway.admin(`/admin/tasks/${body.id}`)
  assert.deepEqual(
    shown.body.events.map((event: { type: string }) => event.type),
    ['task.queued', 'task.running', 'task.succeeded'],
  )
})

test('an engine timeout ends the task at the first try, with the reason', async () => {
  let attempts = 0
  const slow = fakeImageDriver(
    'f',
    once(async () => {
      attempts += 1
      throw new GatewayError('engine_timeout', 'The engine did not finish within 300 seconds.')
    }),
  )
  await using gateway = await startTestGateway({ drivers: [slow], yaml: fakeModelYaml('f') })
  const { body } = await submit(gateway)
  const result = (await gateway.result(body.polling_url)) as { status: string; details: { error: string; message: string } }
  assert.equal(result.status, 'Error')
  assert.deepEqual([result.details.error, attempts], ['engine_timeout', 1])
})

test('work that an upstream did not accept is tried again, a refusal is not', async () => {
  let attempts = 0
  const flaky = fakeImageDriver(
    'flaky',
    once(async job => {
      attempts += 1
      if (job.attempt < 3) throw new GatewayError('overloaded', 'The upstream has too much to do.', { retryAfterSeconds: 0 })
      return donePixel(job)
    }),
  )
  const refusing = fakeImageDriver(
    'refusing',
    once(async () => ({ state: 'failed', code: 'request_moderated', message: 'No.', reasons: ['Violence'] })),
  )
  await using gateway = await startTestGateway({
    drivers: [flaky, refusing],
    yaml: `${fakeModelYaml('flaky')}  - { id: refused, family: F1, group: P, targets: [{ driver: refusing }] }\n`,
  })
  const first = await submit(gateway)
  assert.equal((await gateway.result(first.body.polling_url)).status, 'Ready')
  assert.equal(attempts, 3)
  const second = await submit(gateway, { model: 'refused' })
  const refused = (await gateway.result(second.body.polling_url)) as { status: string; details: Record<string, unknown> }
  assert.equal(refused.status, 'Request Moderated')
  assert.deepEqual(refused.details['Moderation Reasons'], ['Violence'])
})

test('a polled task continues from its handle after a restart and is not started twice', async () => {
  const upstream = { started: 0, isDone: false, checked: 0 }
  const driver = () =>
    fakeImageDriver(
      'p',
      polled({
        pollEveryMs: 20,
        start: async () => {
          upstream.started += 1
          return { state: 'started', handle: { upstreamId: 'u1' } }
        },
        check: async (job, handle) => {
          assert.deepEqual(handle, { upstreamId: 'u1' })
          upstream.checked += 1
          return upstream.isDone ? donePixel(job) : { state: 'running', progress: 0.3 }
        },
      }),
    )
  const first = await startTestGateway({ drivers: [driver()], yaml: fakeModelYaml('p') })
  const { body } = await submit(first)
  await until(() => (upstream.checked > 1 ? true : undefined), 'a poll')
  await first.stop()
  upstream.isDone = true
  await using second = await startTestGateway({ drivers: [driver()], yaml: fakeModelYaml('p'), dataDir: first.dataDir })
  const result = await second.result(`/v1/ai/default/imgf/get_result?id=${body.id}`)
  assert.equal(result.status, 'Ready')
  assert.equal(upstream.started, 1)
})

test('DELETE cancels a running task and reaches the driver', async () => {
  let wasAborted = false
  let isStarted = false
  const driver = fakeImageDriver(
    'slow',
    once(
      job =>
        new Promise((_, reject) => {
          isStarted = true
          job.signal.addEventListener('abort', () => {
            wasAborted = true
            reject(job.signal.reason)
          })
        }),
    ),
  )
  await using gateway = await startTestGateway({ drivers: [driver], yaml: fakeModelYaml('slow') })
  const { body } = await submit(gateway)
  // A task counts as running from its claim, before its driver has begun.
  await until(() => isStarted, 'the run')
  assert.equal((await gateway.call(body.polling_url, { method: 'DELETE' })).status, 200)
  const ended = (await gateway.result(body.polling_url)) as { status: string; details: { error: string } }
  assert.equal(ended.status, 'Error')
  assert.equal(ended.details.error, 'cancelled')
  assert.equal(wasAborted, true)
})

test('tasks above the concurrency limit of a key wait and then run', async () => {
  let running = 0
  let most = 0
  let started = 0
  const driver = fakeImageDriver(
    'c',
    once(async job => {
      running += 1
      started += 1
      most = Math.max(most, running)
      // The limit allows two runs. The first run of each pair waits for the second. If the limit
      // were ignored, a third run would start meanwhile.
      const pair = started + (started % 2)
      await until(() => started >= pair, 'the other one')
      running -= 1
      return donePixel(job)
    }),
    8,
  )
  const yaml = `${fakeModelYaml('c')}accounts:\n  - { id: default, keys: [{ name: two, secret: sk-two-at-a-time-0001, concurrent_tasks: 2 }] }\n`
  await using gateway = await startTestGateway({ drivers: [driver], yaml })
  const submitted = await Promise.all(
    Array.from({ length: 8 }, () => gateway.call(path, { key: 'sk-two-at-a-time-0001', body: { prompt: 'x', model: 'fake' } })),
  )
  for (const { status, body } of submitted) {
    assert.equal(status, 200)
    assert.equal((await gateway.result(body.polling_url)).status, 'Ready')
  }
  assert.equal(most, 2)
})

test('a webhook has both signatures, is retried with the same id, and a dead one can be sent again', async () => {
  using hook = await receiver([500, 410])
  const clock = createFakeClock()
  await using gateway = await startTestGateway({ drivers: [fakeImageDriver('w', once(donePixel))], yaml: fakeModelYaml('w'), clock })
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const { body } = await submit(gateway, { webhook_url: hook.url, webhook_secret: secret })
  const first = await until(() => hook.received[0], 'the first delivery')
  assert.equal(first.headers['x-webhook-secret'], secret)
  const signed = `${first.headers['webhook-id']}.${first.headers['webhook-timestamp']}.${first.body}`
  const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(signed)
    .digest('base64')
  assert.equal(first.headers['webhook-signature'], `v1,${expected}`)
  const payload = JSON.parse(first.body)
  assert.equal(payload.type, 'image.generation.completed')
  assert.equal(payload.id, body.id)
  assert.equal(payload.status, 'Ready')
  assert.equal((await gateway.call(payload.result.sample, { key: false })).status, 200)

  clock.step(3_000)
  // Webhooks of other tasks are delivered at once, while the retry of this task's webhook is not
  // due yet.
  using other = await receiver()
  await submit(gateway, { webhook_url: other.url, webhook_secret: secret })
  await until(() => other.received[0], 'a delivery three seconds later')
  assert.equal(hook.received.length, 1, 'the retry waits five seconds, more or less a tenth')
  clock.step(3_000)
  const second = await until(() => hook.received[1], 'the retry after five seconds')
  assert.equal(second.headers['webhook-id'], first.headers['webhook-id'])
  const dead = await until(async () => (await gateway.admin('/admin/webhooks/dead')).body.webhooks[0], 'the dead letter')
  assert.equal(dead.lastStatus, 410)
  assert.equal((await gateway.admin(`/admin/webhooks/${dead.id}/resend`, { method: 'POST' })).status, 200)
  const third = await until(() => hook.received[2], 'the resent delivery')
  assert.equal(third.headers['webhook-id'], first.headers['webhook-id'])
  await until(
    async () => ((await gateway.admin('/admin/webhooks/dead')).body.webhooks.length === 0 ? true : undefined),
    'the end of the dead letter',
  )
})

test('a webhook secret keeps all characters that a header can carry, and signs', async () => {
  using hook = await receiver()
  await using gateway = await startTestGateway({ drivers: [fakeImageDriver('w', once(donePixel))], yaml: fakeModelYaml('w') })
  const secrets = ['correct  horse battery', 'a\tb', '"quoted", with = signs; and \\ %20', 'whsec_no base64', '!']
  for (const [index, secret] of secrets.entries()) {
    await submit(gateway, { webhook_url: hook.url, webhook_secret: secret })
    const { headers, body } = await until(() => hook.received[index], `the delivery with ${secret}`)
    assert.equal(headers['x-webhook-secret'], secret)
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
  }
})

test('the event stream has the whole history, can be resumed, and ends', async () => {
  let finish = () => {}
  const gate = new Promise<void>(resolve => {
    finish = resolve
  })
  const driver = fakeImageDriver(
    'e',
    once(async job => {
      await gate
      return donePixel(job)
    }),
  )
  await using gateway = await startTestGateway({ drivers: [driver], yaml: fakeModelYaml('e') })
  const { body } = await submit(gateway)
  const stream = await fetch(`${gateway.url}/v1/ai/default/imgf/get_result/events?id=${body.id}`, {
    headers: { authorization: `Bearer ${testKey}` },
  })
  let text = ''
  for await (const piece of stream.body ?? []) {
    text += Buffer.from(piece)
    // The rest of the events arrives while the stream is being read.
    if (text.includes('event: task.running')) finish()
  }
  assert.match(text, /event: task\.queued\n/)
  assert.match(text, /event: task\.running\n/)
  assert.match(text, /event: task\.succeeded\n/)
  const rest = await gateway.call(`/v1/ai/default/imgf/get_result/events?id=${body.id}`, { headers: { 'last-event-id': '2' } })
  assert.doesNotMatch(rest.bytes.toString(), /task\.running/)
  assert.match(rest.bytes.toString(), /id: 3\nevent: task\.succeeded/)
})

test('an unknown Last-Event-ID is refused; an empty one begins with the first event', async () => {
  await using gateway = await startTestGateway({ drivers: [fakeImageDriver('e', once(donePixel))], yaml: fakeModelYaml('e') })
  const { body } = await submit(gateway)
  await gateway.result(body.polling_url)
  const read = (headers: Record<string, string>, query = '') =>
    gateway.call(`/v1/ai/default/imgf/get_result/events?id=${body.id}${query}`, { headers })
  for (const id of ['x', '-1', '1.5', '1e3', '0x1', '2, 3', '9'.repeat(16)]) {
    for (const answer of [await read({ 'last-event-id': id }), await read({}, `&last_event_id=${id}`)]) {
      assert.equal(answer.status, 400, id)
      assert.match(answer.bytes.toString(), /last.event.id must be the id of an event/i)
    }
  }
  for (const answer of [await read({ 'last-event-id': '' }), await read({}, '&last_event_id=0')])
    assert.match(answer.bytes.toString(), /id: 1\nevent: task\.queued/)
})
