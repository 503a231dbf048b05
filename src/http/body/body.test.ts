import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { type JsonBody, type ReadJsonOptions, readJsonBody } from './body.ts'
import { readBody } from './read-body.ts'

const root = await mkdtemp(join(tmpdir(), 'body-'))
after(() => rm(root, { recursive: true, force: true }))

const spillFields = [
  { path: 'input_image', maxBytes: 1024 * 1024 },
  { path: 'images[].data', maxBytes: 1024 * 1024 },
]
const defaults: ReadJsonOptions = { maxBytes: 4 * 1024 * 1024, spillFields, scratch: () => mkdtemp(join(root, 'r-')) }

interface Outcome {
  body?: JsonBody
  error?: GatewayError
  status: string
}

/** Starts a server, sends it one request, and returns the body as the body reader has read it, or
 *  the error of the reader. `send` writes the bytes of the request to the socket. */
async function receive(send: (socket: import('node:net').Socket) => void, options: Partial<ReadJsonOptions> = {}): Promise<Outcome> {
  const seen = Promise.withResolvers<Outcome>()
  const server = createServer((request: IncomingMessage, response) => {
    readBody(request, { spec: { schema: Type.Object({}) }, residualLimitBytes: 2 ** 20, ...defaults, ...options }).then(
      body => {
        response.end('taken')
        seen.resolve({ body, status: '200' })
      },
      error => {
        assert.ok(error instanceof GatewayError, String(error))
        response.writeHead(error.status).end('refused')
        seen.resolve({ error, status: String(error.status) })
      },
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const answer = new Promise<string>(resolve => {
    let text = ''
    socket.on('data', data => {
      text += data.toString()
      if (text.includes('refused') || text.includes('taken')) resolve(text)
    })
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })
  socket.on('connect', () => send(socket))
  const outcome = await seen.promise
  await answer
  socket.destroy()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  return outcome
}

function post(body: string | Buffer, headers = 'content-type: application/json\r\n'): (socket: import('node:net').Socket) => void {
  const bytes = Buffer.from(body)
  return socket => {
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${headers}content-length: ${bytes.length}\r\n\r\n`)
    socket.write(bytes)
  }
}

async function refusal(body: string | Buffer, headers?: string, options?: Partial<ReadJsonOptions>): Promise<string> {
  const { error } = await receive(post(body, headers), options)
  assert.deepEqual(await readdir(root), [], 'nothing is left on disk')
  return `${error?.code}: ${error?.message}`
}

test('a small body is parsed in memory, without a file', async () => {
  const text = JSON.stringify({ prompt: 'a cat — ein Kätzchen', seed: 7, input_image: 'https://example.com/a.png' })
  const { body } = await receive(post(text), { hash: true })
  assert.deepEqual(body?.value, JSON.parse(text))
  assert.equal(body?.spilled.size, 0)
  assert.equal(body?.bodySha256, hash('sha256', text))
  assert.deepEqual(await readdir(root), [])
})

test('a small body keeps the digits of a large seed', async () => {
  const { body } = await receive(post('{"seed":9223372036854775807,"prompt":"x"}'))
  assert.deepEqual([...(body?.exactIntegers ?? [])], [['seed', '9223372036854775807']])
})

test('a declared base64 field is written to a file, and the hash is that of the body as sent', async () => {
  const image = Buffer.alloc(700_001, 'some bytes')
  const text = JSON.stringify({ prompt: 'p'.repeat(100_000), input_image: `data:image/PNG;x=1;base64,${image.toString('base64')}`, n: 2 })
  const { body } = await receive(post(text), { hash: true })
  const [entry] = [...(body?.spilled ?? [])]
  const [placeholder, file] = entry ?? []
  assert.deepEqual(body?.value, { prompt: 'p'.repeat(100_000), input_image: placeholder, n: 2 })
  assert.deepEqual({ ...file, file: '' }, { file: '', bytes: 700_001, mediaTypePrefix: 'image/PNG', field: 'input_image' })
  assert.equal(Buffer.compare(await readFile(file?.file ?? ''), image), 0)
  assert.equal(body?.bodySha256, hash('sha256', text))
  await body?.discard()
  assert.deepEqual(await readdir(root), [])
})

test('a chunked body without a content length is accepted in the same way', async () => {
  const image = Buffer.alloc(300_000, 7)
  const text = JSON.stringify({ images: [{ data: 'c2hvcnQ=' }, { data: image.toString('base64') }] })
  const { body } = await receive(socket => {
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    for (let at = 0; at < text.length; at += 50_000) {
      const part = text.slice(at, at + 50_000)
      socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    }
    socket.write('0\r\n\r\n')
  })
  const [file] = [...(body?.spilled.values() ?? [])]
  assert.equal(file?.field, 'images[1].data')
  assert.equal(file?.bytes, 300_000)
  await body?.discard()
})

test('placeholders are random for each request, so no caller can name a file of another', async () => {
  const text = JSON.stringify({ input_image: Buffer.alloc(100_000).toString('base64') })
  const seen = new Set<string>()
  for (let round = 0; round < 3; round++) {
    const { body } = await receive(post(text))
    for (const placeholder of body?.spilled.keys() ?? []) seen.add(placeholder)
    await body?.discard()
  }
  assert.equal(seen.size, 3)
  for (const placeholder of seen) assert.match(placeholder, /[0-9a-f]{32}/)
})

test('the last value of a duplicate field is used, and the file of the first is removed', async () => {
  const big = Buffer.alloc(100_000, 1).toString('base64')
  const other = Buffer.alloc(90_000, 2).toString('base64')
  const twice = await receive(post(`{"input_image":"${big}","input_image":"${other}"}`))
  assert.deepEqual(
    [...(twice.body?.spilled.values() ?? [])].map(file => file.bytes),
    [90_000],
  )
  const [folder = ''] = await readdir(root)
  assert.equal((await readdir(join(root, folder))).length, 1)
  await twice.body?.discard()
  const text = await receive(post(`{"images":[{"data":"${big}"}],"images":"short"}`))
  assert.deepEqual(text.body?.value, { images: 'short' })
  assert.equal(text.body?.spilled.size, 0)
  await text.body?.discard()
  assert.deepEqual(await readdir(root), [])
})

test('long strings in undeclared fields stay text', async () => {
  const text = JSON.stringify({ prompt: 'A'.repeat(200_000), images: [{ url: 'B'.repeat(100_000) }] })
  const { body } = await receive(post(text))
  assert.deepEqual(body?.value, JSON.parse(text))
  assert.equal(body?.spilled.size, 0)
})

test('content types and encodings other than plain JSON are refused with 415', async () => {
  for (const header of ['text/plain', 'multipart/form-data; boundary=x', 'application/jsonp', 'application/json; charset=latin1']) {
    assert.match(await refusal('{}', `content-type: ${header}\r\n`), /^unsupported_media_type: /, header)
  }
  assert.match(await refusal('{}', 'content-encoding: gzip\r\n'), /^unsupported_media_type: Compressed/)
  for (const header of [
    '',
    'content-type: application/json; charset="UTF-8"\r\n',
    'content-type: application/problem+json\r\n',
    'content-type: application/json; charset=us-ascii\r\n',
    'content-type: Application/JSON;charset=utf-8\r\ncontent-encoding: identity\r\n',
  ]) {
    assert.deepEqual((await receive(post('{}', header))).body?.value, {}, header)
  }
})

test('malformed bodies are refused with the offset of the error, without quoting them', async () => {
  assert.equal(await refusal(''), 'invalid_json: The body is empty; a JSON object is expected.')
  assert.equal(await refusal('{"prompt":"secret words",}'), 'invalid_json: The body is not valid JSON: unexpected character at byte 25.')
  assert.equal(await refusal('{"a":'), 'invalid_json: The body is not valid JSON: it ends too early at byte 5.')
  assert.match(await refusal(Buffer.from([0x22, 0xff, 0x22])), /^invalid_json: The body is not valid UTF-8/)
  assert.match(await refusal(`${'['.repeat(65)}${']'.repeat(65)}`), /^invalid_json: The body is nested deeper than 64 levels/)
  assert.match(await refusal(`{"p":"${'x'.repeat(70_000)}","a":${'['.repeat(100_000)}`), /^invalid_json: The body is nested deeper/)
  const image = 'A'.repeat(100_000)
  assert.match(await refusal(`{"input_image":"${image}","a" 1}`), /unexpected character at byte 100022\.$/)
  assert.equal((await receive(post(`\ufeff${'['.repeat(64)}${']'.repeat(64)}`))).error, undefined)
})

test('a declared field that is not base64 is refused by its name', async () => {
  const good = 'QUJD'.repeat(30_000)
  const cases: [string, RegExp][] = [
    [`${good}*`, /^invalid_request: images\[0\]\.data is not valid base64\.$/],
    [`*${good}`, /not valid base64/],
    [`${good}\\u00e9`, /not valid base64/],
    [`${good}\\"`, /not valid base64/],
    [`${good}A`, /padding or length/],
    [`${good}QQ=A`, /padding or length/],
    [`${good}QQ===`, /padding or length/],
    [`${good}QQ=`, /padding or length/],
    [`data:image/png,${good}`, /^invalid_request: images\[0\]\.data is a data URL without ";base64,"/],
    [`https://example.com/${'x'.repeat(100_000)}?a`, /not valid base64/],
    [`${good}\n${good}`, /^invalid_json: .*control character in images\[0\]\.data/],
  ]
  for (const [data, expected] of cases) assert.match(await refusal(`{"images":[{"data":"${data}"}]}`), expected)
})

test('body, remaining JSON and single fields are refused beyond their size limits, with the limit', async () => {
  assert.equal(await refusal(Buffer.alloc(5000, 32), undefined, { maxBytes: 4096 }), 'payload_too_large: The body is larger than 4 KB.')
  const chunked = await receive(
    socket => socket.write(`POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1388\r\n${' '.repeat(5000)}\r\n0\r\n\r\n`),
    { maxBytes: 4096 },
  )
  assert.equal(chunked.error?.code, 'payload_too_large')
  assert.equal(
    await refusal(JSON.stringify({ prompt: 'x'.repeat(1024 * 1024) })),
    'payload_too_large: The JSON without its file fields is larger than 1 MB.',
  )
  const exact = Buffer.alloc(1024 * 1024, 3).toString('base64')
  const over = Buffer.alloc(1024 * 1024 + 1, 3).toString('base64')
  assert.equal((await receive(post(`{"input_image":"${exact}"}`))).body?.spilled.size, 1)
  await Promise.all((await readdir(root)).map(name => rm(join(root, name), { recursive: true })))
  assert.equal(await refusal(`{"input_image":"${over}"}`), 'payload_too_large: input_image is larger than 1 MB.')
  const { body } = await receive(post(`{"a":"${'x'.repeat(4088)}"}`), { maxBytes: 4096 })
  assert.equal(typeof body?.value, 'object')
})

test('a body may have 100,000 values, at any depth', async () => {
  const list = (length: number): string => `[${'1,'.repeat(length - 1)}1]`
  const { body } = await receive(post(`{"a":{"b":${list(99_990)}}}`))
  assert.equal(Object(body?.value).a.b.length, 99_990)
  for (const json of [`{"a":{"b":${list(100_010)}}}`, `{"a":[${'{},'.repeat(50_000)}{}]}`, `{${'"a":1,'.repeat(100_001)}"a":1}`]) {
    const { error } = await receive(post(json))
    assert.deepEqual([error?.code, error?.message], ['payload_too_large', 'The body has more than 100000 values.'])
  }
})

test('an object in a long body may have 10,000 members', async () => {
  const object = (length: number): string => `{${Array.from({ length }, (_, index) => `"\\"k:{${index}":{}`).join()}}`
  const long = `"b":"${'x'.repeat(128 * 1024)}"`
  for (const options of [{}, { keepsRaw: true }]) {
    const { body } = await receive(post(`{${long},"a":[${object(10_000)},${object(10_000)}]}`), options)
    assert.equal(Object.keys(Object(body?.value).a[1]).length, 10_000)
    const { error } = await receive(post(`{${long},"a":[${object(9)},${object(10_001)}]}`), options)
    const says = `The object at byte ${long.length + 8 + object(9).length} has more than 10000 members.`
    assert.deepEqual([error?.code, error?.message], ['payload_too_large', says])
  }
})

test('a client that disconnects during its body leaves no file', async () => {
  const folderMade = Promise.withResolvers<void>()
  const { error } = await receive(
    socket => {
      socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2000000\r\n\r\n{"input_image":"')
      socket.write('A'.repeat(900_000))
      folderMade.promise.then(() => socket.destroy())
    },
    {
      scratch: () => {
        folderMade.resolve()
        return mkdtemp(join(root, 'r-'))
      },
    },
  )
  assert.match(error?.message ?? '', /connection ended before the body was complete/)
  assert.deepEqual(await readdir(root), [])
})

test('a body slower than the minimum rate ends with request_timeout and leaves no file', async () => {
  const { error } = await receive(
    socket => {
      socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2000000\r\n\r\n{"input_image":"')
      socket.write('A'.repeat(300_000))
    },
    { minimumRate: { bytesPerSecond: 16 * 1024, windowMs: 60 } },
  )
  assert.equal(error?.code, 'request_timeout')
  assert.deepEqual(await readdir(root), [])
})

test('a failing disk refuses the request and keeps the cause', async () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  const body = JSON.stringify({ input_image: Buffer.alloc(300_000).toString('base64') })
  const { error } = await receive(post(body), { scratch: () => Promise.reject(full) })
  assert.equal(error?.code, 'disk_full')
  assert.equal(error?.cause, full)
})

test('after a refused body the connection serves the next request', async () => {
  const server = createServer((request, response) => {
    readJsonBody(request, { ...defaults, maxBytes: 200_000 }).then(
      () => response.end('taken'),
      (error: GatewayError) => response.writeHead(error.status).end('refused'),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  const both = new Promise<void>(resolve => {
    socket.on('data', data => {
      text += data.toString()
      if (text.includes('taken')) resolve()
    })
  })
  const head = 'POST / HTTP/1.1\r\nhost: x\r\n'
  socket.write(`${head}content-length: 3000000\r\n\r\n{"input_image":"${'A'.repeat(2_999_984)}`)
  socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
  for (let sent = 0; sent < 30; sent++) socket.write(`186a0\r\n${' '.repeat(100_000)}\r\n`)
  socket.write('0\r\n\r\n')
  post('{}')(socket)
  await both
  assert.deepEqual(text.match(/refused|taken/g), ['refused', 'refused', 'taken'])
  socket.destroy()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

test('the client has to wait while the disk is slow, and no data are lost', async () => {
  const image = Buffer.alloc(1024 * 1024, 'pattern')
  const held = Promise.withResolvers<void>()
  const paused = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<JsonBody>()
  const server = createServer((request, response) => {
    request.on('pause', paused.resolve)
    const scratch = async () => {
      await held.promise
      return mkdtemp(join(root, 'r-'))
    }
    readJsonBody(request, { ...defaults, scratch }).then(taken.resolve, taken.reject)
    taken.promise.then(() => response.end())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  post(JSON.stringify({ input_image: image.toString('base64') }))(socket)
  await paused.promise
  held.resolve()
  const body = await taken.promise
  const [file] = [...body.spilled.values()]
  assert.equal(Buffer.compare(await readFile(file?.file ?? ''), image), 0)
  await body.discard()
  socket.destroy()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})
