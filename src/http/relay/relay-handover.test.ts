/** A target breaks off while the record for its first output is being stored, and the next
 *  target has no free slot yet. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { RelayOffer, RelaySink } from '@generation-gateway/kit/requests/relay.ts'
import { chatRelay } from '../../families/chat/relay.ts'
import { relay } from './relay.ts'
import type { RelayCall, RelayTry } from './relay-types.ts'

const event = (text: string) => Buffer.from(`data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`)
const events = { 'content-type': 'text/event-stream' }

test('output of a failed target is not sent once it is recorded: the next target waits for its place and answers', async () => {
  const sinks: RelaySink[] = []
  const offer: Pick<RelayOffer, 'judge' | 'send'> = {
    judge: () => 'answer',
    send: (_, sink) => {
      sinks.push(sink)
      sink.onStart({ isSent: true, abort: () => {}, pause: () => {}, resume: () => {} })
    },
  }
  const tries = ['one', 'two'].map(id => ({
    route: { target: { id, settings: {}, model: 'x', ...(id === 'two' ? { maxConcurrent: 1 } : {}) } },
    offer,
    body: undefined,
  }))
  const recorded = Promise.withResolvers<void>()
  const room = Promise.withResolvers<Disposable>()
  const ends: unknown[] = []
  const server = createServer((_, response) => {
    const call = {
      response,
      relays: chatRelay,
      method: 'POST',
      suffix: '',
      query: '',
      isCreate: true,
      isStreamed: true,
      headers: {},
      answerHeaders: {},
      account: 'a',
      health: { mayTry: () => true, answers() {}, succeeded() {}, failed() {}, released() {} },
      places: { enter: () => room.promise },
      underway: { add: () => 0, delete() {} },
      beforePart: (_part: unknown, route: { target: { id: string } }) => (route.target.id === 'one' ? recorded.promise : undefined),
      onTakeOver() {},
      onEnd: (end: { status: number }) => ends.push(end.status),
    }
    // These objects contain only those members of a call and its tries that the relay reads.
    relay(call as unknown as RelayCall, tries as unknown as RelayTry[])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  while (sinks.length === 0) await turn()
  sinks[0]?.onHead(200, events)
  sinks[0]?.onData(event('first'))
  sinks[0]?.onError(new GatewayError('upstream_unreachable', 'It broke off.'))
  recorded.resolve()
  await turn()
  room.resolve({ [Symbol.dispose]: () => {} })
  await turn()
  assert.equal(sinks.length, 2)
  sinks[1]?.onHead(200, events)
  sinks[1]?.onData(event('second'))
  sinks[1]?.onEnd()
  const got = await answer
  assert.deepEqual([got.status, await got.text()], [200, event('second').toString()])
  assert.deepEqual(ends, [200])
  server.close()
  server.closeAllConnections()
})
