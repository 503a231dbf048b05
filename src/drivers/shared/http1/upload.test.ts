import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { failed, good, outcome, post, reply, send, sent, serve } from './testing/scripted-server.ts'

test('a body from a stream, or a large one, is sent at the pace of the upstream', async () => {
  const bytes = 30 * 2 ** 20
  // Counts the bytes of the body. The first text begins with the head, so the length of the head is
  // subtracted.
  let received = Number.NaN
  const { pool, sockets } = await serve((socket, text) => {
    if (Number.isNaN(received)) {
      received = -text.indexOf('\r\n\r\n') - 4
      socket.pause()
    }
    received += text.length
    if (received === bytes) socket.write(reply('ok'))
  })
  let given = 0
  const stream = new Readable({
    read() {
      given += 65_536
      this.push(given > bytes ? null : Buffer.alloc(65_536))
    },
  })
  const answer = send(pool, post({ stream, bytes }))
  let last = -1
  await until(() => {
    const isStill = given === last && given > 0
    last = given
    return isStill
  }, 'the stream waiting')
  assert.ok(given < bytes, `${given} bytes were read`)
  sockets[0]?.resume()
  await answer.settled
  assert.deepEqual(outcome(answer), good('ok'))
  received = Number.NaN
  const large = send(pool, post(Buffer.alloc(bytes)))
  await until(() => !Number.isNaN(received), 'the head')
  sockets[0]?.resume()
  await large.settled
  assert.deepEqual([outcome(large), sockets.length], [good('ok'), 1])
})

test('a stream that has more or fewer bytes than announced, or breaks, fails the request', async () => {
  let text = ''
  const { pool, sockets } = await serve((_, more) => {
    text += more
  })
  const from = (parts: string[]) => Readable.from(parts.map(part => Buffer.from(part)))
  const mismatch = failed('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')
  assert.deepEqual((await sent(pool, post({ stream: from(['abc', 'def']), bytes: 4 }))).errors, mismatch)
  assert.deepEqual((await sent(pool, post({ stream: from(['abc']), bytes: 4 }))).errors, mismatch)
  const broken = new Readable({ read: () => broken.destroy(new Error('disk')) })
  assert.deepEqual((await sent(pool, post({ stream: broken, bytes: 4 }))).errors, failed('Error: disk'))
  const early = new Readable({ read() {} })
  early.destroy(new Error('gone'))
  assert.deepEqual((await sent(pool, post({ stream: early, bytes: 4 }))).errors, failed('Error: gone'))
  await until(() => sockets.every(socket => socket.destroyed), 'the cuts')
  assert.ok(!text.includes('def'))
})

test('an answer that comes before the end of the body is returned; the rest is not sent and the connection not kept', async () => {
  const { pool, sockets } = await serve((socket, text) => void (text.startsWith('POST') && socket.write(reply('no'))))
  const stream = new Readable({ read() {} })
  stream.push(Buffer.alloc(10))
  const answer = await sent(pool, post({ stream, bytes: 1_000 }))
  assert.deepEqual([outcome(answer), stream.destroyed], [good('no'), true])
  assert.deepEqual([outcome(await sent(pool, post(undefined))), sockets.length], [good('no'), 2])
  await until(() => sockets[0]?.destroyed, 'the cut')
})
