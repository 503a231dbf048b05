/** A conversation with pictures of 69 MB that is translated blocks the event loop for less than
 *  130 ms of CPU time. One picture of this size blocks it for less than 180 ms, most of them while
 *  its JSON string is read. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { startTestGateway, testKey } from '../testing/gateway.ts'
import { leastLongestTurn, startSender } from '../testing/load/longest-turn.ts'

const budgets = [
  { count: 1, budgetMs: 180 },
  { count: 4, budgetMs: 130 },
]

/** An upstream in a thread of its own, so that its work is not measured. It answers with one chunk
 *  of chat, whose text is the number of bytes that it got. */
const upstream = `
const { createServer } = require('node:http')
const { parentPort } = require('node:worker_threads')
const server = createServer((request, response) => {
  let bytes = 0
  request.on('data', chunk => (bytes += chunk.length))
  request.on('end', () => {
    response.setHeader('content-type', 'text/event-stream')
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: String(bytes) }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
    response.end('data: ' + JSON.stringify(chunk) + '\\n\\ndata: [DONE]\\n\\n')
  })
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

for (const { count, budgetMs } of budgets)
  test(`pictures of 69 MB in ${count} blocks of Messages are sent to a chat target`, async t => {
    const thread = new Worker(upstream, { eval: true })
    t.after(() => thread.terminate())
    const [port] = await once(thread, 'message')
    await using gateway = await startTestGateway({
      yaml: `models: [{ id: m, family: chat, targets: [{ driver: openai-compatible, base_url: "http://127.0.0.1:${port}/v1", model: up-1 }] }]\n`,
    })
    await using sender = startSender(gateway.url)
    const data = 'QUJD'.repeat(Math.floor(69.2e6 / 4 / count))
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    const content = [{ type: 'text', text: 'Look.' }, ...Array.from({ length: count }, () => image)]
    const text = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] }))
    // Shared memory, because a copy for the sender's thread would be measured.
    const body = new Uint8Array(new SharedArrayBuffer(text.length))
    body.set(text)
    const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
    const { status, text: reply, longestMs } = await leastLongestTurn(sender, { path: '/v1/messages', headers, body }, { budgetMs })
    assert.equal(status, 200, reply)
    assert.ok(Number(/"text":"([0-9]+)"/.exec(reply)?.[1]) > 69e6, reply)
    t.diagnostic(`longest turn: ${Math.round(longestMs)} ms`)
    assert.ok(longestMs < budgetMs, `a turn of ${Math.round(longestMs)} ms`)
  })
