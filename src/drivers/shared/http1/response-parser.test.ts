import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Http1Error } from './http1-error.ts'
import { type ResponseHeaders, ResponseParser } from './response-parser.ts'

interface Seen {
  heads: { status: number; headers: Record<string, unknown> }[]
  body: string
  /** One entry for each call of `onEnd`: its argument `hasRest`. */
  ends: boolean[]
  error: string | undefined
  keepMs: number | undefined
}

/** Returns what the parser reports when the bytes arrive in these pieces. With `isClosed`, the
 *  connection is closed after the last piece. */
function read(bytes: Buffer, cuts: readonly number[] = [], isClosed = false): Seen {
  const seen: Seen = { heads: [], body: '', ends: [], error: undefined, keepMs: undefined }
  const parser = new ResponseParser({
    onHead: (status, headers: ResponseHeaders) => seen.heads.push({ status, headers: { ...headers } }),
    onBody: piece => {
      seen.body += piece.toString('latin1')
    },
    onEnd: hasRest => seen.ends.push(hasRest),
  })
  // All pieces are written to the same memory, because a socket also reuses its read buffer.
  const memory = Buffer.alloc(bytes.length)
  let from = 0
  try {
    for (const to of [...[...cuts].sort((a, b) => a - b), bytes.length]) {
      bytes.copy(memory, 0, from, to)
      if (to > from && seen.ends.length === 0) parser.read(memory, to - from)
      memory.fill(0x58)
      from = to
    }
    if (isClosed && seen.ends.length === 0 && !parser.finish()) seen.error = 'cut off'
  } catch (error) {
    assert.ok(error instanceof Http1Error, String(error))
    seen.error = error.code
  }
  seen.keepMs = parser.keepMs
  return seen
}

const text = (answer: string) => Buffer.from(answer, 'latin1')
const answer = (headers: string, body = '', status = '200 OK') => text(`HTTP/1.1 ${status}\r\n${headers}\r\n${body}`)
const chunked = (body: string) => answer('transfer-encoding: chunked\r\n', body)

const valid: [title: string, bytes: Buffer, body: string][] = [
  ['a length', answer('Content-Length: 5\r\ncontent-type:application/json\r\n', 'hello'), 'hello'],
  ['no reason', answer('content-length: 2\r\n', 'ok', '200'), 'ok'],
  ['an empty body', answer('content-length: 0\r\n'), ''],
  ['blanks around values, and bytes above 127', answer('x-a: \t a\xe9 b  \r\nx-b:\r\ncontent-length:  2 \r\n', 'ok'), 'ok'],
  ['chunks', chunked('5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n'), 'hello world'],
  [
    'chunks with extensions, zeros and trailers',
    chunked('0005;a=b;c="d"\r\nhello\r\nA\r\n0123456789\r\n000;x\r\nx-t: 1\r\n\r\n'),
    'hello0123456789',
  ],
  ['a body that looks like the end of chunks', chunked('7\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n'), '0\r\n\r\n\r\n'],
  ['no body with 204', answer('x-a: 1\r\n', '', '204 No Content'), ''],
  ['no body with 304, whatever its length says', answer('content-length: 7\r\n', '', '304 Not Modified'), ''],
  [
    'answers that announce the answer',
    Buffer.concat([answer('', '', '100 Continue'), answer('link: </a>\r\n', '', '103 Early Hints'), answer('content-length: 2\r\n', 'ok')]),
    'ok',
  ],
  ['the same header several times', answer('set-cookie: a\r\nSet-Cookie: b\r\nset-cookie: c\r\ncontent-length: 1\r\n', '!'), '!'],
]

for (const [title, bytes, body] of valid) {
  test(`${title}: the answer is read in the same way for every split`, () => {
    const whole = read(bytes)
    assert.deepEqual([whole.body, whole.ends, whole.error, whole.heads.length], [body, [false], undefined, 1])
    for (let first = 1; first < bytes.length; first++) {
      assert.deepEqual(read(bytes, [first]), whole, `cut at ${first}`)
      assert.deepEqual(read(bytes, [first, first + 1]), whole, `cut at ${first} and after`)
    }
    assert.deepEqual(read(bytes, Array.from(bytes.keys())), whole, 'byte by byte')
    assert.deepEqual(read(Buffer.concat([bytes, text('H')])), { ...whole, ends: [true] })
    for (let length = 0; length < bytes.length; length++) {
      const cut = read(bytes.subarray(0, length), [], true)
      assert.deepEqual([cut.error, cut.ends], ['cut off', []], `cut off at ${length}`)
    }
  })
}

test('header names are in lower case, and values unchanged', () => {
  const [head] = read(
    answer('X-Thing:\t  \ta, B \r\nset-cookie: a\r\nSet-Cookie: b\r\n__proto__: c\r\nconstructor: d\r\ncontent-length: 0\r\n'),
  ).heads
  assert.equal(head?.status, 200)
  assert.deepEqual(Object.entries(head?.headers ?? {}), [
    ['x-thing', 'a, B'],
    ['set-cookie', ['a', 'b']],
    ['__proto__', 'c'],
    ['constructor', 'd'],
    ['content-length', '0'],
  ])
})

test('chunks that arrive together are one piece, which stays unchanged when the memory is reused', () => {
  const pieces: Buffer[] = []
  const parser = new ResponseParser({ onHead: () => {}, onBody: piece => pieces.push(piece), onEnd: () => {} })
  const memory = Buffer.alloc(1_000)
  for (const part of [chunked('2\r\nab\r\n1;x\r\nc\r\n3\r\nde'), text('f\r\n2\r\ngh\r\n0\r\n\r\n')]) {
    part.copy(memory)
    parser.read(memory, part.length)
    memory.fill(0x58)
  }
  assert.deepEqual(pieces.map(String), ['abcde', 'fgh'])
})

test('a body without a length continues until the connection ends', () => {
  for (const bytes of [answer('', 'all of it'), text('HTTP/1.0 200 OK\r\n\r\nall of it')]) {
    const seen = read(bytes, [18, 24], true)
    assert.deepEqual([seen.body, seen.ends, seen.error, seen.keepMs], ['all of it', [false], undefined, 0])
  }
})

test('the answer states how long its connection may be kept', () => {
  const kept = (headers: string) => read(answer(`${headers}content-length: 0\r\n`)).keepMs
  assert.equal(kept(''), undefined)
  assert.equal(kept('connection: keep-alive\r\nkeep-alive: timeout=5, max=100\r\n'), 5_000)
  for (const close of ['connection: close\r\n', 'Connection: x, Close\r\n', 'connection: close\r\nkeep-alive: timeout=5\r\n'])
    assert.equal(kept(close), 0)
  assert.equal(kept('keep-alive: timeout=5\r\nconnection: close\r\n'), 0)
  assert.equal(read(text('HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n')).keepMs, 0)
})

const refused: [title: string, bytes: Buffer][] = [
  ['something else', text('SSH-2.0-OpenSSH_9\r\n')],
  ['something else without an end', text('\x16\x03\x01')],
  ['an empty line first', text('\r\nHTTP/1.1 200 OK\r\n\r\n')],
  ['another version', text('HTTP/2.0 200 OK\r\n\r\n')],
  ['a status of two digits', answer('', '', '20 OK')],
  ['a status of four digits', answer('', '', '2000 OK')],
  ['a status below 100', answer('', '', '099 OK')],
  ['two blanks before the status', answer('', '', ' 200 OK')],
  ['an upgrade nobody asked for', answer('upgrade: x\r\n', '', '101 Switching Protocols')],
  ['a NUL in the reason', answer('', '', '200 O\0K')],
  ['lines that end with LF', text('HTTP/1.1 200 OK\ncontent-length: 0\n\n')],
  ['a header that ends with LF', answer('x-a: 1\ncontent-length: 0\r\n')],
  ['a CR in a value', answer('x-a: 1\r2\r\n')],
  ['a CR before the end of the head', text('HTTP/1.1 200 OK\r\nx-a: 1\r\n\rX')],
  ['a NUL in a value', answer('x-a: 1\x002\r\n')],
  ['a DEL in a value', answer('x-a: \x7f\r\n')],
  ['a folded value', answer('x-a: 1\r\n 2\r\n')],
  ['a value folded with a tab', answer('x-a: 1\r\n\t2\r\n')],
  ['a blank before the colon', answer('content-length : 0\r\n')],
  ['a blank before the name', answer(' content-length: 0\r\n')],
  ['no name', answer(': x\r\n')],
  ['no colon', answer('content-length\r\n')],
  ['a name with a character above 127', answer('x-\xe9: 1\r\n')],
  ['two lengths', answer('content-length: 5\r\ncontent-length: 6\r\n', 'hello')],
  ['the same length twice', answer('content-length: 5\r\ncontent-length: 5\r\n', 'hello')],
  ['a list of lengths', answer('content-length: 5, 5\r\n', 'hello')],
  ['an empty length', answer('content-length:\r\n')],
  ['a negative length', answer('content-length: -1\r\n')],
  ['a length with a sign', answer('content-length: +5\r\n', 'hello')],
  ['a hexadecimal length', answer('content-length: 0x5\r\n', 'hello')],
  ['a length beyond 2^53', answer('content-length: 9007199254740993\r\n')],
  ['a length and chunks', answer('content-length: 5\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n')],
  ['chunks and a length', answer('transfer-encoding: chunked\r\ncontent-length: 5\r\n', '0\r\n\r\n')],
  ['chunks twice', answer('transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n', '0\r\n\r\n')],
  ['another encoding', answer('transfer-encoding: gzip\r\n')],
  ['two encodings', answer('transfer-encoding: gzip, chunked\r\n', '0\r\n\r\n')],
  ['chunks not last', answer('transfer-encoding: chunked, identity\r\n', '0\r\n\r\n')],
  ['an encoding like chunked', answer('transfer-encoding: xchunked\r\n', '0\r\n\r\n')],
  ['chunked and a tab', answer('transfer-encoding: chunked\t\r\n', '0\r\n\r\n')],
  ['an announcement in HTTP/1.0', text('HTTP/1.0 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')],
  [
    'an announcement with connection: close',
    Buffer.concat([answer('connection: close\r\n', '', '100 Continue'), answer('content-length: 0\r\n')]),
  ],
  ['chunks in HTTP/1.0', text('HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n')],
  ['a chunk without a size', chunked('\r\nhello\r\n')],
  ['a chunk with a size that is no number', chunked('g\r\nhello\r\n')],
  ['a chunk with a signed size', chunked('-5\r\nhello\r\n')],
  ['a chunk with 0x', chunked('0x5\r\nhello\r\n')],
  ['a blank after a size', chunked('5 \r\nhello\r\n')],
  ['a size that ends with LF', chunked('5\nhello\r\n')],
  ['a size with a CR alone', chunked('5\rhello\r\n')],
  ['a size of 17 digits', chunked('00000000000000005\r\nhello\r\n')],
  ['a size beyond 2^53', chunked('20000000000000\r\n')],
  ['an extension with LF', chunked('5;a\nhello\r\n')],
  ['an extension with a NUL', chunked('5;\0\r\nhello\r\n')],
  ['an endless extension', chunked(`5;${'a'.repeat(257)}`)],
  ['an extension without a name', chunked('5;=a\r\nhello\r\n')],
  ['an extension that begins with a blank', chunked('5; a\r\nhello\r\n')],
  ['an extension with half a quote', chunked('5;a="b\r\nhello\r\n')],
  ['an extension after which nothing comes', chunked('5;a;\r\nhello\r\n')],
  ['a chunk longer than it says', chunked('5\r\nhello!\r\n')],
  ['a chunk that ends with LF', chunked('5\r\nhello\n0\r\n\r\n')],
  ['a chunk that ends with CR', chunked('5\r\nhello\rX')],
  ['a trailer that is none', chunked('0\r\nx\r\n\r\n')],
  ['a trailer with a length', chunked('0\r\nContent-Length: 5\r\n\r\n')],
  ['a trailer with an encoding', chunked('0\r\ntransfer-encoding: chunked\r\n\r\n')],
  ['an end with LF', chunked('0\r\n\n')],
]

for (const [title, bytes] of refused) {
  test(`refused: ${title}`, () => {
    for (const cuts of [[], Array.from(bytes.keys())]) {
      const seen = read(bytes, cuts)
      assert.deepEqual([seen.error, seen.ends], ['HPE_STRICT', []])
    }
  })
}

test('headers or trailers above 16 KB are refused, also without an end and in small pieces', () => {
  const room = 16 * 1024 - answer('x: \r\ncontent-length: 0\r\n').length
  const long = (size: number) => answer(`x: ${'a'.repeat(size)}\r\ncontent-length: 0\r\n`)
  assert.deepEqual(read(long(room)).ends, [false])
  assert.equal(read(long(room + 1)).error, 'UND_ERR_HEADERS_OVERFLOW')
  const endless = text(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}`)
  assert.equal(read(endless).error, 'UND_ERR_HEADERS_OVERFLOW')
  assert.equal(
    read(
      endless,
      Array.from({ length: 200 }, (_, at) => at * 100),
    ).error,
    'UND_ERR_HEADERS_OVERFLOW',
  )
  const many = 'x-a: 1\r\n'.repeat(3_000)
  assert.equal(read(answer(many)).error, 'UND_ERR_HEADERS_OVERFLOW')
  assert.equal(read(chunked(`0\r\n${many}`)).error, 'UND_ERR_HEADERS_OVERFLOW')
  const hints = answer('link: </a>\r\n', '', '103 Early Hints').toString('latin1').repeat(1_000)
  assert.deepEqual(read(text(`${hints}${answer('content-length: 0\r\n')}`)).ends, [false])
})

const word = fc.stringMatching(/^[a-z-]{1,12}$/)
const value = fc.stringMatching(/^[!-~]{0,20}$/)
const bodyBytes = fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes))
const anyAnswer = fc
  .record({
    status: fc.constantFrom(200, 201, 204, 304, 404, 500),
    headers: fc.array(
      fc.tuple(
        word.map(name => `x-${name}`),
        value,
      ),
      { maxLength: 6 },
    ),
    body: bodyBytes,
    isChunked: fc.boolean(),
    sizes: fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 6 }),
  })
  .map(made => ({ ...made, bytes: bytesOf(made) }))

function bytesOf(made: { status: number; headers: [string, string][]; body: Buffer; isChunked: boolean; sizes: number[] }): Buffer {
  const { status, headers, body, isChunked, sizes } = made
  const lines = headers.map(([name, held]) => `${name}: ${held}\r\n`).join('')
  if (status === 204 || status === 304) return answer(lines, '', String(status))
  if (!isChunked) return Buffer.concat([answer(`${lines}content-length: ${body.length}\r\n`, '', String(status)), body])
  const parts: Buffer[] = [answer(`${lines}transfer-encoding: chunked\r\n`, '', String(status))]
  let from = 0
  for (const size of [...sizes, body.length]) {
    const piece = body.subarray(from, from + size)
    from += piece.length
    if (piece.length > 0) parts.push(text(`${piece.length.toString(16)}\r\n`), piece, text('\r\n'))
  }
  return Buffer.concat([...parts, text('0\r\n\r\n')])
}

const anyCuts = (bytes: Buffer) => fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 })

test('every valid answer returns its body, however it is split', () => {
  const property = fc.property(
    anyAnswer.chain(made => fc.tuple(fc.constant(made), anyCuts(made.bytes))),
    ([{ status, body, bytes }, cuts]) => {
      const seen = read(bytes, cuts)
      assert.deepEqual([seen.error, seen.ends, seen.heads[0]?.status], [undefined, [false], status])
      assert.equal(seen.body, status === 204 || status === 304 ? '' : body.toString('latin1'))
    },
  )
  fc.assert(property, { numRuns: 1_000 })
})

test('a mutated answer is refused or read, equally for every split, and returns no byte beyond its body', () => {
  const mutation = fc.tuple(
    fc.constantFrom('put', 'insert', 'delete', 'repeat'),
    fc.nat(),
    fc.constantFrom(0x00, 0x0a, 0x0d, 0x20, 0x30, 0x3a, 0x3b, 0x46, 0xff),
  )
  const mutated = fc
    .tuple(anyAnswer, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([{ bytes }, list]) => list.reduce(mutate, bytes))
  const property = fc.property(
    mutated.chain(bytes => fc.tuple(fc.constant(bytes), anyCuts(bytes))),
    ([bytes, cuts]) => {
      const whole = read(bytes, [], true)
      const split = read(bytes, cuts, true)
      // Bytes after the end of an answer are detected only when they arrive in the same piece as
      // the end, so that result is not compared.
      assert.deepEqual({ ...split, ends: split.ends.length }, { ...whole, ends: whole.ends.length })
      const length = whole.heads[0]?.headers['content-length']
      if (typeof length === 'string') assert.ok(whole.body.length <= Number(length))
      assert.ok(whole.body.length <= bytes.length)
    },
  )
  fc.assert(property, { numRuns: 3_000 })
})

function mutate(bytes: Buffer, [kind, where, byte]: [string, number, number]): Buffer {
  const at = where % Math.max(1, bytes.length)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  if (kind === 'insert') return Buffer.concat([before, Buffer.from([byte]), after])
  if (kind === 'delete') return Buffer.concat([before, after.subarray(1)])
  if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, 20), after])
  return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)])
}
