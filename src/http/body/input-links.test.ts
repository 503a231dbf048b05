import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { once } from '@generation-gateway/kit/driver.ts'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { donePixel, fakeImageDriver, onePixelPng } from '../../testing/fakes/fake-driver.ts'
import { startTestGateway, testKey } from '../../testing/gateway.ts'

test('the download of a linked input ends when the caller disconnects', async () => {
  await using gateway = await startTestGateway()
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let asked = 0
  using server = Object.assign(
    createServer((_request, response) => {
      asked++
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '100000' })
      response.write(Buffer.alloc(1_000))
      response.on('close', ended.resolve)
      begun.resolve()
    }),
    { [Symbol.dispose]: () => server.close() },
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const { port } = server.address() as AddressInfo
  const leave = new AbortController()
  const image = ['a', 'b'].map(name => `http://127.0.0.1:${port}/${name}.png`)
  const sent = fetch(`${gateway.url}/v1/ai/default/imgs/image/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'a boat', image }),
    signal: leave.signal,
  })
  await begun.promise
  const leftAt = performance.now()
  leave.abort()
  await assert.rejects(sent, { name: 'AbortError' })
  await ended.promise
  // The download would end by itself after 30 s. It has ended earlier, so the abort of the request
  // has stopped it.
  assert.ok(performance.now() - leftAt < 25_000)
  const { status } = await gateway.call('/v1/models')
  assert.deepEqual([status, asked], [200, 1])
})

test('slow links of two accounts leave connections to their host for a third account', async () => {
  const secondKey = 'sk-second-access-key-0001'
  const otherKey = 'sk-other-access-key-0001'
  await using gateway = await startTestGateway({
    drivers: [fakeImageDriver('e', once(donePixel))],
    yaml: `accounts:
  - { id: second, keys: [{ name: theirs, secret: ${secondKey} }], endpoints: [{ name: default }] }
  - { id: other, keys: [{ name: theirs, secret: ${otherKey} }], endpoints: [{ name: default }] }
`,
  })
  let slow = 0
  using server = Object.assign(
    createServer(({ url }, response) => {
      if (url?.startsWith('/quick')) return void response.end(Buffer.from(onePixelPng))
      slow++
      response.writeHead(200, { 'content-type': 'image/png' })
      response.write(Buffer.alloc(100))
    }),
    { [Symbol.dispose]: () => server.close() },
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const { port } = server.address() as AddressInfo
  const send = (name: string, key: string, signal?: AbortSignal) =>
    fetch(`${gateway.url}/v1/ai/default/imgs/image/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'a boat', image: [`http://127.0.0.1:${port}/${name}.png`] }),
      ...(signal ? { signal } : {}),
    })
  const leave = new AbortController()
  const held = Array.from({ length: 40 }, (_, index) =>
    send(`slow${index}`, index < 20 ? testKey : secondKey, leave.signal).catch(() => undefined),
  )
  await until(() => slow >= 16, 'the slow downloads')
  const begunAt = performance.now()
  const answer = await send('quick', otherKey)
  assert.equal(answer.status, 400, 'a picture of one pixel is too small, so it was read')
  assert.match(await answer.text(), /at least/)
  assert.ok(performance.now() - begunAt < 25_000)
  assert.equal(slow, 16)
  leave.abort()
  await Promise.all(held)
})
