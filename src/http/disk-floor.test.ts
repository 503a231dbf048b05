/** Bodies and downloads in progress reserve disk space. The reserved space counts as used when
 *  the gateway checks its floor of free disk space. */

import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { MiB } from '@generation-gateway/kit/units.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'

const floorMiB = 256

/** Simulates a disk. Before anything is written, its free space is this many MiB above the
 *  floor. */
function diskWith(aboveMiB: number) {
  const used = (dataDir: string) => {
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    return files.reduce((sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0), 0)
  }
  let before: number | undefined
  let least = Number.POSITIVE_INFINITY
  const freeBytes = (dataDir: string): number => {
    before ??= used(dataDir)
    const free = (floorMiB + aboveMiB) * MiB - (used(dataDir) - before)
    least = Math.min(least, free)
    return free
  }
  return { freeBytes, leastFree: () => least }
}

const otherKey = 'sk-other-access-key-0001'

function start(freeBytes: (dataDir: string) => number): Promise<TestGateway> {
  const yaml = `accounts:
  - { id: other, keys: [{ name: theirs, secret: ${otherKey} }], endpoints: [{ name: default }] }
`
  return startTestGateway({ freeBytes, yaml, env: { GATEWAY_MIN_FREE_MB: String(floorMiB) } })
}

interface Upload {
  socket: Socket
  answer(): string
}

/** Sends the head of a chat request that declares a body of this many bytes, and sends none of
 *  the body. */
function upload({ url }: TestGateway, length: 'chunked' | number, key = testKey): Upload {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let said = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  socket.on('error', () => {})
  const size = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`
  socket.write(
    `POST /v1/ai/default/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n${size}\r\n\r\n`,
  )
  return { socket, answer: () => said }
}

test('five simultaneous uploads do not fill the disk below the floor: those without room are refused before they are read', async () => {
  const { freeBytes, leastFree } = diskWith(100)
  await using gateway = await start(freeBytes)
  const uploads = [upload(gateway, 60 * MiB)]
  // Sends the first bytes of the body; once they have arrived, disk space is reserved for the rest.
  uploads[0]?.socket.write(`{"a":"${'x'.repeat(MiB)}`)
  // The database grows as well, but by less than the first bytes of the body.
  await until(() => freeBytes(gateway.dataDir) < (floorMiB + 99.25) * MiB, 'the first bytes on disk')
  uploads.push(...Array.from({ length: 4 }, () => upload(gateway, 60 * MiB)))
  for (const { answer } of uploads.slice(1)) {
    await until(() => answer().includes('disk_full'), 'the refusal')
    assert.match(answer(), /^HTTP\/1.1 503 .*retry-after: 60/is)
  }
  assert.equal(uploads[0]?.answer(), '')
  for (const { socket } of uploads) socket.destroy()
  // The disk space reserved for bytes that never arrived is free again.
  await until(async () => {
    const next = upload(gateway, 60 * MiB)
    const closed = new Promise(resolve => next.socket.once('close', resolve))
    next.socket.end('{"a":"')
    await closed
    return !next.answer().includes('disk_full')
  }, 'room for the next one')
  assert.ok(leastFree() >= floorMiB * MiB)
})

test('bodies that an account announces and never sends leave room for another account', async () => {
  const { freeBytes } = diskWith(400)
  await using gateway = await start(freeBytes)
  const announced: Upload[] = []
  const last = () => announced.at(-1)?.answer() ?? ''
  for (let rest = 390 * MiB; rest > 5 * MiB && announced.length < 50; rest -= 60 * MiB) {
    announced.push(upload(gateway, Math.min(60 * MiB, rest)))
    announced.at(-1)?.socket.write(`{"a":"${'x'.repeat(100_000)}`)
  }
  // Further uploads are sent until one is refused, which shows that the announced bytes are
  // reserved.
  await until(() => {
    if (last().includes('disk_full')) return true
    announced.push(upload(gateway, 60 * MiB))
    return false
  }, 'the refusal')
  const content = 'a '.repeat(5 * MiB)
  const { status, body } = await gateway.call('/v1/chat/completions', {
    key: otherKey,
    body: { model: 'none', messages: [{ role: 'user', content }] },
  })
  assert.equal(status, 404, JSON.stringify(body).slice(0, 300))
  for (const { socket } of announced) socket.destroy()
})

test('an upload of unknown length is ended when no room is left', async () => {
  const { freeBytes, leastFree } = diskWith(20)
  await using gateway = await start(freeBytes)
  const { socket, answer } = upload(gateway, 'chunked')
  socket.write('6\r\n{"a":"\r\n')
  const part = `${MiB.toString(16)}\r\n${'x'.repeat(MiB)}\r\n`
  for (let sent = 0; sent < 60 && answer() === '' && !socket.destroyed; sent++) {
    socket.write(part)
    await until(() => !socket.writableNeedDrain || answer() !== '' || socket.destroyed, 'the next part')
  }
  await until(() => answer().includes('disk_full'), 'the refusal')
  assert.match(answer(), /^HTTP\/1.1 503/)
  socket.destroy()
  assert.ok(leastFree() >= (floorMiB - 1) * MiB, `${leastFree() / MiB} MiB`)
})

test('a link to a file that is too large for the disk is refused before the download', async () => {
  const { freeBytes, leastFree } = diskWith(5)
  await using gateway = await start(freeBytes)
  let sent = 0
  using server = Object.assign(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': String(9 * MiB) })
      sent++
      response.write(Buffer.alloc(1000))
    }),
    { [Symbol.dispose]: () => server.close() },
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const { port } = server.address() as AddressInfo
  const { status, body } = await gateway.call('/v1/ai/default/imgs/image/generations', {
    body: { prompt: 'a boat', image: [`http://127.0.0.1:${port}/a.png`] },
  })
  server.closeAllConnections()
  assert.deepEqual([status, sent, JSON.stringify(body).includes('disk_full')], [503, 1, true], JSON.stringify(body))
  assert.ok(leastFree() >= floorMiB * MiB)
})
