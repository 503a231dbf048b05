/** An error that comes after the head of an answer, or after the whole answer, is logged. It may
 *  end that answer, but nothing else; an uncaught error would end the process and so fail these
 *  tests. */
import assert from 'node:assert/strict'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { BytesReply, RedirectReply, type ReplyFrame, StreamedReply } from '../../contract/replies.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { probeEntry } from '../../testing/probe-family.ts'
import { begin, exchange } from '../../testing/relay-gateway.ts'

const path = '/v1/ai/default/probe'
const lines: Record<string, unknown>[] = []
const logTo = new PassThrough()
logTo.setEncoding('utf8').on('data', (text: string) => {
  for (const line of text.split('\n')) if (line !== '') lines.push(JSON.parse(line))
})

/** Yields the part forever, and throws when it is stopped, like a producer that has to cancel a
 *  task while the database cannot be reached. */
async function* unstoppable<Part>(part: Part): AsyncGenerator<Part> {
  try {
    for (;;) {
      yield part
      await new Promise(resolve => setImmediate(resolve))
    }
  } finally {
    // biome-ignore lint/correctness/noUnsafeFinally: the error of the stop is what is tested.
    throw new Error('the database is away')
  }
}

const handlers: typeof probeEntry.handlers = {
  ...probeEntry.handlers,
  draw: async () => new StreamedReply(unstoppable<ReplyFrame>({ event: 'preview', data: { words: 'x' } })),
  speakNow: async () => new BytesReply('audio/mpeg', unstoppable(Buffer.from('x'))),
  export: async () => new RedirectReply('https://example.com/\n'),
}

const gateway: TestGateway = await startTestGateway({
  env: { GATEWAY_LOG_LEVEL: 'info' },
  families: [{ ...probeEntry, handlers }],
  logTo,
})
const base = gateway.url + path
after(() => gateway[Symbol.asyncDispose]())

const streamed = () => begin(`${base}/draw`, { body: JSON.stringify({ prompt: 'x', stream: true }) })
const spoken = () =>
  begin(`${base}/narrate/mp3`, { body: 'hello', headers: { 'content-type': 'text/plain', accept: 'application/octet-stream' } })

for (const [what, call] of Object.entries({ stream: streamed, bytes: spoken }))
  test(`a producer (${what}) that fails after its caller has left is logged, and the request counts as abandoned`, async () => {
    const answer = await call()
    assert.equal(answer.statusCode, 200)
    answer.destroy()
    const id = answer.headers['x-request-id']
    const failed = await until(() => lines.find(each => each.requestId === id && each.level === 50), 'the log line')
    assert.match(JSON.stringify(failed), /the database is away/)
    const line = await until(() => lines.find(each => each.requestId === id && each.msg === 'request'), 'the line of the request')
    assert.equal(line.status, 499)
  })

test('an answer whose headers cannot be sent closes the connection, and the next request is answered', async () => {
  await assert.rejects(exchange(`${base}/export/probe-plain`, { method: 'GET' }), { code: 'ECONNRESET' })
  assert.ok(lines.some(({ msg }) => msg === 'an error could not be sent'))
  assert.equal((await gateway.call('/healthz')).status, 200)
})

test('a call whose temporary files cannot be written gets its error once, and the next call is answered', async () => {
  const common = join(gateway.dataDir, 'gateway-scratch')
  for (const name of await readdir(common, { withFileTypes: true })) {
    if (!name.isDirectory()) continue
    await rm(join(common, name.name), { recursive: true })
    await writeFile(join(common, name.name), '')
  }
  for (const _ of ['first', 'next']) {
    const body = { prompt: 'x', reference: [Buffer.alloc(1_000).toString('base64')] }
    const { status, headers } = await gateway.call(`${path}/videos`, { body })
    assert.equal(status, 503)
    const id = headers.get('x-request-id')
    await until(() => lines.find(each => each.msg === 'request' && each.requestId === id), 'the line of the request')
    assert.ok(!lines.some(each => each.requestId === id && each.msg === 'temporary files of a call could not be removed'))
  }
})
