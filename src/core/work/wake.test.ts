import assert from 'node:assert/strict'
import { test } from 'node:test'
import { polled } from '@generation-gateway/kit/driver.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel, fakeImageDriver, fakeModelYaml } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway } from '../../testing/gateway.ts'

test('a call of the wake URL causes a poll; a call with another signature, or for another task, does not', async () => {
  const seen = { wakeUrl: '', looks: 0 }
  const slow = fakeImageDriver(
    'slow',
    polled({
      pollEveryMs: 3_600_000,
      start: async job => {
        seen.wakeUrl = job.wakeUrl ?? ''
        return { state: 'started', handle: {} }
      },
      check: async job => {
        seen.looks += 1
        return seen.looks === 1 ? { state: 'running' } : donePixel(job)
      },
    }),
  )
  await using gateway = await startTestGateway({
    drivers: [slow],
    yaml: fakeModelYaml('slow'),
    env: { GATEWAY_PUBLIC_URL: 'https://gateway.example' },
  })
  const { body } = await gateway.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'a fox', model: 'fake' } })
  await until(() => seen.looks === 1, 'the first look')
  const { origin, pathname } = new URL(seen.wakeUrl)
  assert.equal(origin, 'https://gateway.example')
  const wake = (path: string, reported: object = { status: 'Ready' }) => gateway.call(path, { method: 'POST', body: reported, key: false })
  // The first character is changed, because some bits of the last one are not part of the
  // signature.
  const otherMac = pathname.replace(/[^/](?=[^/]*$)/, first => (first === 'A' ? 'B' : 'A'))
  assert.notEqual(otherMac, pathname)
  assert.equal((await wake(otherMac)).status, 204)
  assert.equal((await wake(pathname.replace(body.id, 'another'))).status, 204)
  const { status, body: echo } = await wake(pathname, { challenge: 'say it again' })
  assert.deepEqual([status, echo], [200, { challenge: 'say it again' }])
  assert.equal((await wake('/webhooks/wake/x/y', { challenge: 'to nobody' })).status, 204)
  assert.equal((await wake(otherMac, { challenge: 'x'.repeat(5000) })).status, 204)
  assert.equal(seen.looks, 1)
  assert.equal((await wake(pathname)).status, 204)
  assert.equal((await gateway.result(`/v1/ai/default/imgf/get_result?id=${body.id}`)).status, 'Ready')
  assert.equal(seen.looks, 2)
})

test('without a public address of the gateway, the upstream gets no wake URL', async () => {
  let wakeUrl: string | undefined = 'unset'
  const once = fakeImageDriver('o', {
    kind: 'once',
    run: async job => {
      wakeUrl = job.wakeUrl
      return donePixel(job)
    },
  })
  await using gateway = await startTestGateway({ drivers: [once], yaml: fakeModelYaml('o') })
  const { body } = await gateway.call('/v1/ai/default/imgf/image/generate', { body: { prompt: 'a fox', model: 'fake' } })
  await gateway.result(`/v1/ai/default/imgf/get_result?id=${body.id}`)
  assert.equal(wakeUrl, undefined)
})
