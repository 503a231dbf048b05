import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import type { ResolvedAddress } from '../checked-lookup.ts'
import { createStrangersLookups, dnsAddresses } from './strangers-lookup.ts'

const address: ResolvedAddress = { address: '93.184.216.34', family: 4 }

test('names without a DNS answer wait for the system one at a time, without delaying names that DNS knows', async () => {
  const asked: string[] = []
  const { promise: answer, resolve } = Promise.withResolvers<ResolvedAddress[]>()
  const { callers, links } = createStrangersLookups({
    dns: async name => (name === 'known.test' ? [address] : []),
    system: name => {
      asked.push(name)
      return answer
    },
  })
  const waiting = Array.from({ length: 65 }, (_, index) => callers(`silent-${index}.test`))
  await assert.rejects(callers('one-more.test'), { code: 'EAI_AGAIN' })
  assert.deepEqual(await callers('known.test'), [address])
  const link = links('hosts-file.test')
  assert.deepEqual(asked, ['silent-0.test'])
  resolve([address])
  assert.deepEqual(await link, [address])
  assert.equal(asked.indexOf('hosts-file.test'), 1, 'a link waits for one name of callers, not for all')
  assert.deepEqual(await Promise.all(waiting), Array(65).fill([address]))
  assert.deepEqual(await callers('one-more.test'), [address])
})

test("a failure of the system's resolver affects its own name only, and localhost is never sent to DNS", async () => {
  const { callers: lookup } = createStrangersLookups({
    dns: async name => (name === 'localhost' ? assert.fail('DNS was asked') : []),
    system: async name => {
      if (name === 'gone.test') throw Object.assign(new Error('gone'), { code: 'ENOTFOUND' })
      return [address]
    },
  })
  const [gone, there, local] = await Promise.allSettled([lookup('gone.test'), lookup('there.test'), lookup('localhost')])
  assert.equal(gone.status === 'rejected' && gone.reason.code, 'ENOTFOUND')
  assert.deepEqual([there, local], Array(2).fill({ status: 'fulfilled', value: [address] }))
})

/** Starts a DNS server that has an IPv4 address for every name except `silent.test`, and no IPv6
 *  addresses. */
async function startDns() {
  const server = createSocket('udp4')
  server.on('message', (question, { port, address: from }) => {
    if (question.includes('silent')) return
    const isIpv4 = question.readUInt16BE(question.indexOf(0, 12) + 1) === 1
    const reply = Buffer.from(question.subarray(0, question.indexOf(0, 12) + 5))
    reply.writeUInt16BE(0x8180, 2)
    for (const [at, count] of [isIpv4 ? 1 : 0, 0, 0].entries()) reply.writeUInt16BE(count, 6 + 2 * at)
    // The record: a pointer to the name in the question, type A, class IN, 60 s, and an address of
    // 4 bytes.
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34])
    server.send(isIpv4 ? Buffer.concat([reply, record]) : reply, port, from)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  return { servers: [`127.0.0.1:${server.address().port}`], [Symbol.dispose]: () => void server.close() }
}

test('DNS servers are asked for both kinds of addresses, and a silent one until the time limit', async () => {
  using dns = await startDns()
  assert.deepEqual(await dnsAddresses('known.test', dns), [address])
  assert.deepEqual(await dnsAddresses('silent.test', { ...dns, limitMs: 100 }), [])
})
