import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startTestGateway, testKey } from '../../testing/gateway.ts'

test('the download of a linked input ends when the caller leaves', async () => {
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
