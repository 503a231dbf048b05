/** A stream with no output for 15 s is opened with a comment, and another target can still take
 *  over afterwards. The tests step the clock. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { fakeSpeechDriver, speakTone, toneOffer } from '../../testing/fakes/fake-speech-driver.ts'
import { errorReply, frameText, jsonReply } from '../../testing/fakes/fake-upstream.ts'
import { chatFrames, responseObject, responsesFrames } from '../../testing/fakes/fake-upstream-text.ts'
import { startTestGateway } from '../../testing/gateway.ts'
import { begin, callRows, exchange, type RelayGateway, startRelayGateway, upstreamKey } from '../../testing/relay-gateway.ts'
import { keepAlive } from './sse.ts'
import { collected, heldReply, stepped } from './testing/stepped-clock.ts'

const requested = {
  chat: { path: '/v1/ai/default/chat/completions', body: { model: 'm', stream: true, messages: [{ role: 'user', content: 'x' }] } },
  responses: { path: '/v1/ai/default/responses', body: { model: 'm', stream: true, store: false, input: 'x' } },
}
type Caller = keyof typeof requested
const framesOf = { chat: chatFrames({ text: 'Hello' }), responses: responsesFrames({ text: 'Hello' }) }
const wordsOf = /"content":"Hello"|"delta":"Hello"/

interface Place {
  protocols?: string
  silence?: number
  maxConcurrent?: number
}

function yaml(urls: readonly string[], places: readonly Place[]): string {
  const targets = urls.map((url, index) => {
    const { protocols = 'chat, responses', silence, maxConcurrent } = places[index] ?? {}
    const more = [
      silence === undefined ? '' : `silence_seconds: ${silence}, `,
      maxConcurrent === undefined ? '' : `max_concurrent: ${maxConcurrent}, `,
    ]
    return `      - { driver: openai-compatible, base_url: "${url}", api_key: ${upstreamKey}, model: up-1, dialect: openai, protocols: [${protocols}], stateless: false, ${more.join('')}order: ${index + 1} }\n`
  })
  return `models:\n  - id: m\n    family: [chat, responses]\n    targets:\n${targets.join('')}`
}

function start(...places: Place[]): Promise<RelayGateway> {
  return startRelayGateway((...urls) => yaml(urls, places), { count: places.length })
}

function write(response: ServerResponse, frames: Iterable<Parameters<typeof frameText>[0]>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const frame of frames) response.write(frameText(frame))
  response.end()
}

function ask({ gateway }: RelayGateway, caller: Caller, signal?: AbortSignal): Promise<IncomingMessage> {
  const { path, body } = requested[caller]
  return begin(gateway.url + path, { body: JSON.stringify(body), ...(signal ? { signal } : {}) })
}

for (const protocols of ['chat', 'responses'] as const) {
  /** A gateway with one target, which speaks the protocol of this round of the loop. */
  let own: RelayGateway
  before(async () => {
    own = await start({ protocols })
  })
  after(() => own[Symbol.asyncDispose]())

  for (const caller of ['chat', 'responses'] as const) {
    test(`${caller} at a target of ${protocols}: after 15 s of silence the stream opens, heartbeats follow, then the words`, async () => {
      const held = heldReply()
      own.upstream.answer(held.reply)
      await stepped(async step => {
        let isBegun = false
        const beginning = ask(own, caller).finally(() => {
          isBegun = true
        })
        const upstream = await held.response
        await step(14.75)
        for (let turns = 0; turns < 20; turns++) await turn()
        assert.equal(isBegun, false)
        await step(0.5)
        const response = await beginning
        assert.equal(response.statusCode, 200)
        assert.match(String(response.headers['content-type']), /^text\/event-stream/)
        assert.match(String(response.headers['x-request-id']), /^[0-9a-f-]{36}$/)
        const seen = collected(response)
        await until(() => seen.text === keepAlive, 'the comment')
        await step(30)
        await until(() => seen.text === keepAlive.repeat(3), 'the heartbeats')
        write(upstream, framesOf[protocols])
        await until(() => seen.isComplete(), 'the end')
        assert.match(seen.text, wordsOf)
        if (caller !== protocols) return
        const usageAlone = (frame: unknown) => caller === 'chat' && typeof frame === 'object' && frame !== null && 'usage' in frame
        const sent = framesOf[caller].filter(frame => !usageAlone(frame)).map(frameText)
        assert.equal(seen.text, keepAlive.repeat(3) + sent.join(''), "the upstream's own bytes")
      })
    })

    test(`${caller} at targets of ${protocols}: failover still works after the first comment, and the failure of all targets is an event`, async () => {
      for (const isSaved of [true, false]) {
        await using own = await start({ protocols }, { protocols })
        const held = heldReply()
        own.upstreams[0]?.answer(held.reply)
        own.upstreams[1]?.answer(isSaved ? response => write(response, framesOf[protocols]) : errorReply(500, {}))
        await stepped(async step => {
          const beginning = ask(own, caller)
          const upstream = await held.response
          await step(15.25)
          const seen = collected(await beginning)
          await jsonReply({ error: { message: 'x' } })(upstream, own.upstream.received[0]!)
          await until(() => seen.isComplete(), 'the end')
          assert.ok(seen.text.startsWith(keepAlive), seen.text)
          assert.equal(wordsOf.test(seen.text), isSaved, seen.text)
          if (isSaved) return
          const data = seen.text.split('\n').filter(line => line.startsWith('data: {'))
          const [event] = data.map(line => JSON.parse(line.slice('data: '.length)))
          assert.equal((caller === 'chat' ? event.error : event).code, 'upstream_error', seen.text)
          if (caller === 'responses') assert.equal(event.type, 'error')
          assert.ok(seen.text.endsWith('data: [DONE]\n\n'))
        })
      }
    })
  }
}

test('a stream that was opened for a relay continues at a target that needs translation', async () => {
  await using own = await start({ protocols: 'chat' }, { protocols: 'responses' })
  const held = heldReply()
  own.upstreams[0]?.answer(held.reply)
  own.upstreams[1]?.answer(response => write(response, framesOf.responses))
  await stepped(async step => {
    const beginning = ask(own, 'chat')
    const upstream = await held.response
    await step(15.25)
    const seen = collected(await beginning)
    upstream.socket?.resetAndDestroy()
    await until(() => seen.isComplete(), 'the end')
    assert.ok(seen.text.startsWith(`${keepAlive}data: `))
    assert.match(seen.text, wordsOf)
    assert.equal(seen.text.match(/data: \[DONE\]/g)?.length, 1)
  })
})

test('silence_seconds: 0 opens no silent stream, and any other number replaces the 15 s', async () => {
  for (const silence of [0, 3]) {
    await using own = await start({ silence })
    const held = heldReply()
    own.upstream.answer(held.reply)
    await stepped(async step => {
      let isBegun = false
      const beginning = ask(own, 'chat').finally(() => {
        isBegun = true
      })
      const upstream = await held.response
      await step(2.75)
      assert.equal(isBegun, false)
      await step(silence === 0 ? 40 : 0.5)
      if (silence === 0) {
        for (let turns = 0; turns < 20; turns++) await turn()
        assert.equal(isBegun, false)
        upstream.writeHead(500).end()
        assert.equal((await beginning).statusCode, 502)
        return
      }
      const seen = collected(await beginning)
      await until(() => seen.text === keepAlive, 'the comment')
      write(upstream, framesOf.chat)
      await until(() => seen.isComplete(), 'the end')
    })
  }
})

for (const { first, places, seconds, answered } of [
  { first: 'that never opens', places: [{ silence: 0 }, { silence: 3 }], seconds: 0.25, answered: 'chat' },
  {
    first: 'that was relayed to, before one that has to be translated to,',
    places: [{ protocols: 'chat' }, { protocols: 'responses' }],
    seconds: 5.25,
    answered: 'responses',
  },
] as const)
  test(`the silence at a target ${first} counts when the next target answers late`, async () => {
    await using own = await start(...places)
    const [failed, held] = [heldReply(), heldReply()]
    own.upstreams[0]?.answer(failed.reply)
    own.upstreams[1]?.answer(held.reply)
    await stepped(async step => {
      const beginning = ask(own, 'chat')
      const failing = await failed.response
      await step(10)
      failing.writeHead(500).end()
      const upstream = await held.response
      await step(seconds)
      const seen = collected(await beginning)
      await until(() => seen.text === keepAlive, 'the comment')
      write(upstream, framesOf[answered])
      await until(() => seen.isComplete(), 'the end')
    })
  })

test('a byte of an incomplete event every 14 s counts as silence', async () => {
  await using own = await start({})
  const held = heldReply()
  own.upstream.answer(held.reply)
  await stepped(async step => {
    const beginning = ask(own, 'chat')
    const upstream = await held.response
    upstream.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const byte of ': a') {
      upstream.write(byte)
      await step(14)
    }
    const seen = collected(await beginning)
    await until(() => seen.text === keepAlive.repeat(2), `the comments: ${JSON.stringify(seen.text)}`)
    upstream.end(`\n\n${framesOf.chat.map(frameText).join('')}`)
    await until(() => seen.isComplete(), 'the end')
    assert.ok(seen.text.startsWith(`${keepAlive.repeat(2)}: a\n\ndata: `))
  })
})

test('when a caller disconnects during the silence, the upstream call is ended', async () => {
  for (const protocols of ['chat', 'responses'])
    for (const seconds of [5, 20]) {
      await using own = await start({ protocols })
      const held = heldReply()
      own.upstream.answer(held.reply)
      const controller = new AbortController()
      await stepped(async step => {
        const beginning = ask(own, 'chat', controller.signal).then(
          response => response.on('error', () => {}),
          () => undefined,
        )
        await held.response
        await step(seconds)
        if (seconds > 15) await beginning
        controller.abort()
        await beginning
        await until(() => own.upstream.received[0]?.isCut, 'the cut')
      })
      const rows = await until(async () => [await callRows(own.gateway)].find(found => found.length === 1), 'the record')
      assert.equal(rows[0]?.status, 499)
    }
})

test('waiting for a free place at the target counts as silence, too', async () => {
  await using own = await start({ maxConcurrent: 1 })
  const first = heldReply()
  own.upstream.answer(first.reply, response => write(response, framesOf.chat))
  await stepped(async step => {
    const one = ask(own, 'chat')
    const upstream = await first.response
    let isBegun = false
    const two = ask(own, 'chat').finally(() => {
      isBegun = true
    })
    // The test cannot see when the gateway has received the second request, which starts the time
    // of silence. It therefore steps the clock until that answer begins.
    for (let seconds = 0; seconds < 300 && !isBegun; seconds++) {
      await step(1)
      await sleep(10)
    }
    const seen = collected(await two)
    const firstSeen = collected(await one)
    assert.equal(own.upstream.received.length, 1)
    write(upstream, framesOf.chat)
    await until(() => seen.isComplete() && firstSeen.isComplete(), 'both ends')
    assert.match(seen.text, wordsOf)
  })
})

test('a gateway that stops sends an error to a stream that was opened for its silence', async () => {
  await using own = await start({})
  const held = heldReply()
  own.upstream.answer(held.reply)
  let seen = { text: '', isComplete: () => false }
  await stepped(async step => {
    const beginning = ask(own, 'chat')
    await held.response
    await step(15.25)
    seen = collected(await beginning)
  })
  await own.gateway.gateway.stop(100)
  await until(() => seen.isComplete(), 'the end')
  assert.match(seen.text, /"code":"draining"/)
})

test('other streams, such as speech, also open after a silence', async () => {
  const wait = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<void>()
  const slow = fakeSpeechDriver(
    'slow-speech',
    toneOffer(async function* (job) {
      requested.resolve()
      await wait.promise
      yield* speakTone(job)
    }),
  )
  const models = `models:\n  - { id: gpt-4o-mini-tts, family: T1, group: gpt-4o-mini-tts, targets: [{ driver: slow-speech }] }\n`
  await using gateway = await startTestGateway({ drivers: [slow], yaml: models })
  await stepped(async step => {
    const body = JSON.stringify({ model: 'gpt-4o-mini-tts', input: 'Hi', voice: 'alloy', stream_format: 'sse', response_format: 'wav' })
    const beginning = begin(`${gateway.url}/v1/ai/default/audio/speech`, { body })
    const early = await Promise.race([requested.promise, beginning])
    if (early) assert.fail((await early.setEncoding('utf8').toArray()).join(''))
    await step(15.5)
    const seen = collected(await beginning)
    await until(() => seen.text === keepAlive, 'the comment')
    wait.resolve()
    await until(() => seen.isComplete(), 'the end')
    assert.match(seen.text, /speech\.audio\.done/)
  })
})

test('a proxy in front that disconnects after 60 s without a byte does not end the stream', async () => {
  await using own = await start({})
  const held = heldReply()
  own.upstream.answer(held.reply)
  await stepped(async step => {
    let isCut = false
    let quietSeconds = 0
    const proxy = createServer(caller => {
      const server = connect(Number(new URL(own.gateway.url).port), '127.0.0.1')
      caller.pipe(server)
      server.on('data', chunk => {
        quietSeconds = 0
        caller.write(chunk)
      })
      server.on('end', () => caller.end())
      for (const socket of [caller, server]) socket.on('error', () => {})
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const watch = setInterval(() => {
      quietSeconds += 1
      isCut ||= quietSeconds >= 60
    }, 1_000)
    const beginning = begin(`http://127.0.0.1:${port}${requested.chat.path}`, { body: JSON.stringify(requested.chat.body) })
    const upstream = await held.response
    await step(15.25)
    const seen = collected(await beginning)
    for (let beats = 1; beats <= 20; beats++) {
      await until(() => seen.text.length >= beats * keepAlive.length, `heartbeat ${beats}`)
      await step(15)
    }
    write(upstream, framesOf.chat)
    await until(() => seen.isComplete(), 'the end')
    clearInterval(watch)
    assert.equal(isCut, false)
    assert.match(seen.text, wordsOf)
    proxy.close()
  })
})

test('a stored response that the upstream sends as JSON instead of a stream is not opened as a stream', async () => {
  await using own = await start({})
  const url = `${own.gateway.url}/v1/ai/default/responses`
  own.upstream.answer(jsonReply(responseObject({ text: 'Hello' })))
  const made = JSON.parse((await exchange(url, { body: JSON.stringify({ model: 'm', input: 'x' }) })).text)
  const held = heldReply()
  own.upstream.answer(held.reply)
  await stepped(async step => {
    const beginning = begin(`${url}/${made.id}?stream=true`, { method: 'GET' })
    const upstream = await held.response
    await new Promise(resolve => upstream.writeHead(200, { 'content-type': 'application/json' }).write('{"id":', resolve))
    // The gateway reads its connections in the order in which bytes arrive. Its answer to this
    // request therefore shows that it has also read the head of the upstream's answer.
    await exchange(`${own.gateway.url}/healthz`, { method: 'GET' })
    await step(40)
    upstream.end(`"${made.id}"}`)
    const answer = await beginning
    const seen = collected(answer)
    await until(() => seen.text.endsWith('}'), 'the end')
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    assert.deepEqual(JSON.parse(seen.text), { id: made.id })
  })
})
