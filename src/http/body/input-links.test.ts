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

test('links and data URLs are read as the URL standard says, and others are refused by their fault', async () => {
  await using gateway = await startTestGateway({ drivers: [fakeImageDriver('e', once(donePixel))] })
  const png = Buffer.from(onePixelPng).toString('base64')
  const send = async (image: string) => {
    const { status, body } = await gateway.call('/v1/ai/default/imgs/image/generations', { body: { prompt: 'a boat', image } })
    return `${status} ${body.error?.message}`
  }
  for (const url of [`data:image/png;base64,${encodeURIComponent(png)}`, `data:image/png; base64,${png}`, ` data:image/png;base64,${png} `])
    assert.match(await send(url), /^400 .*each side has to have at least/, `a picture of one pixel was read: ${url}`)
  assert.match(await send(' http://127.0.0.1:1/a.png '), /^400 image: http:\/\/127.0.0.1:1\/a.png refused the connection/)
  assert.match(await send('ftp://example.com/a.png'), /^400 .*image is a URL with the scheme ftp; http, https and data are accepted/)
  assert.match(await send('data:image/png,%89PNG'), /^400 .*image is a data URL without .*;base64,.* is accepted/)
})
