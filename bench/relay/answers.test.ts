import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatBody, eventText, jsonAnswer, lastEvents, type Order, readOrder } from './answers.ts'
import { takeMessage } from './http1.ts'
import { protocolAt, protocols } from './protocols.ts'

test('an order survives the way through a chat body, and a body without one asks for the fixed JSON', () => {
  const order: Order = { mode: 'sse', rate: 50, size: 100, count: 7, ms: 30 }
  assert.deepEqual(readOrder(chatBody('bench', order)), order)
  assert.equal(JSON.parse(chatBody('bench', order)).stream, true)
  assert.equal(readOrder(chatBody('bench')).mode, 'json')
})

test('answers and events have the size asked for and are what a chat client reads', () => {
  assert.equal(Buffer.byteLength(jsonAnswer(580)), 580)
  assert.equal(JSON.parse(jsonAnswer()).usage.total_tokens, 61)
  const event = eventText(235, 1_795_000_000_123.25)
  assert.equal(Buffer.byteLength(event), 235)
  assert.equal(JSON.parse(event.slice('data: '.length)).t, '1795000000123.250')
  assert.match(lastEvents(), /"usage":\{.*\n\ndata: \[DONE\]\n\n$/s)
})

for (const name of ['messages', 'generate-content'] as const) {
  test(`${name}: answers and events have the sizes of those of chat, and an order survives the way through a body`, () => {
    const { answer, event, opening, lastEvents, body, path } = protocols[name]
    assert.equal(Buffer.byteLength(answer()), 580)
    JSON.parse(answer())
    assert.equal(Buffer.byteLength(event(235, 1_795_000_000_123.25)), 235)
    const data = [...(opening + event(235, 1_795_000_000_123.25) + lastEvents()).matchAll(/^data: (.*)$/gm)].map(([, json = '']) =>
      JSON.parse(json),
    )
    assert.equal(data.find(({ t }) => t !== undefined)?.t, '1795000000123.250')
    const order: Order = { mode: 'sse', rate: 50, size: 100, count: 7, ms: 30 }
    assert.deepEqual(readOrder(body('bench', order)), order)
    assert.equal(protocolAt(path('bench', true)), protocols[name])
  })
}

for (const [kind, text, body] of [
  ['sized', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello'],
  ['chunked', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n', 'hello'],
  ['bodiless', 'GET /stats HTTP/1.1\r\nhost: a\r\n\r\n', ''],
] as const) {
  test(`a ${kind} message is taken once it is whole, and what follows stays`, () => {
    const bytes = Buffer.from(`${text}NEXT`)
    for (let end = 0; end < text.length; end++) assert.equal(takeMessage(bytes.subarray(0, end)), undefined)
    const message = takeMessage(bytes)
    assert.equal(message?.body.toString(), body)
    assert.equal(message?.rest.toString(), 'NEXT')
  })
}
