import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { StreamWriter } from './stream-writer.ts'

const parts = [10, 5_000, 20, 4_096, 4_097, 1, 70_000, 3].map((size, index) => Buffer.alloc(size, 'abcdefgh'.charCodeAt(index)))

test('parts of any size keep their order and their bytes', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    const writer = new StreamWriter(response, () => {})
    for (const part of parts) writer.write(part)
    writer.write(Buffer.from([0x00, 0x7f, 0x80, 0xff, 0x0a]))
    writer.release()
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    // The cast is safe: a server on a TCP port has an address object, not a string.
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    const received = Buffer.from(await answer.arrayBuffer())
    assert.deepEqual(received, Buffer.concat([...parts, Buffer.from([0x00, 0x7f, 0x80, 0xff, 0x0a])]))
    // The same connection serves the next request.
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
