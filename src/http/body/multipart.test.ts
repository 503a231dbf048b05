import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import Type, { type TObject } from 'typebox'
import { optional, words } from '../../contract/schemas.ts'
import type { JsonBody } from './body.ts'
import { readBody } from './read-body.ts'

const root = await mkdtemp(join(tmpdir(), 'multipart-'))
after(() => rm(root, { recursive: true, force: true }))

const rule = { role: 'audio', mediaTypes: ['audio/wav'], maxBytes: 256 * 1024 }
const schema = Type.Object({
  file: Type.String({ file: rule }),
  samples: optional.array(Type.String({ file: rule })),
  include: optional.array(words(['logprobs', 'words'])),
  names: optional.array(Type.String()),
  strategy: Type.Optional(Type.Union([Type.Literal('auto'), Type.Object({ type: Type.String(), threshold: optional.number() })])),
})

const nested = Type.Object({
  scenes: optional.array(Type.Object({ words: optional.string(), sound: optional.string({ file: rule }) })),
  note: optional.string(),
})
const spillFields = [{ path: 'scenes[].sound', maxBytes: rule.maxBytes }]

/** Returns the body as read, or the error. */
async function read(
  body: FormData | string | Buffer<ArrayBuffer>,
  headers: Record<string, string> = {},
  inside: TObject = schema,
): Promise<{ body?: JsonBody; error?: GatewayError }> {
  const seen = Promise.withResolvers<{ body?: JsonBody; error?: GatewayError }>()
  const server = createServer((request, response) => {
    const options = {
      ...{ spec: { schema: inside, kinds: ['multipart', 'form'] as const }, residualLimitBytes: 2 ** 18, maxBytes: 2 ** 22, hash: true },
      spillFields,
    }
    readBody(request, { ...options, scratch: () => mkdtemp(join(root, 'r-')) })
      .then(
        read => seen.resolve({ body: read }),
        error => {
          assert.ok(error instanceof GatewayError, String(error))
          seen.resolve({ error })
        },
      )
      .finally(() => response.end())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers }).catch(() => {})
  server.closeAllConnections()
  server.close()
  return seen.promise
}

function form(...parts: [name: string, value: string | Blob][]): FormData {
  const data = new FormData()
  for (const [name, value] of parts) data.append(name, value)
  return data
}

const given = async (...parts: [name: string, value: string | Blob][]) => {
  const { body, error } = await read(form(...parts))
  return error ? `${error.code}: ${error.message}` : body?.value
}

/** Reads a multipart body with these parts, whose texts are written as Latin-1, and returns the
 *  result or the error. */
function bytes(parts: Record<string, string>, more = ''): Promise<{ body?: JsonBody; error?: GatewayError }> {
  const text = Object.entries(parts).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`,
  )
  return read(Buffer.from(`${text.join('')}--x--\r\n`, 'latin1'), { 'content-type': 'multipart/form-data; boundary=x' })
}

test('text that is not UTF-8 is refused with its field, as in JSON; the character U+FFFD itself is accepted', async () => {
  for (const broken of ['caf\xe9', '\xff', 'a\xc3', '\xed\xa0\x80', 'fine \xef\xbf\xbd but \xfe']) {
    const { error } = await bytes({ include: 'words', names: broken })
    assert.deepEqual(
      [error?.code, error?.field, error?.message],
      ['invalid_request', 'names', 'names is not valid UTF-8.'],
      JSON.stringify(broken),
    )
  }
  const whole = Buffer.from('œuf – 茶 \ufffd 🍵').toString('latin1')
  assert.deepEqual((await bytes({ names: whole })).body?.value, { names: ['œuf – 茶 \ufffd 🍵'] })
  // The charset that a part declares is used.
  const latin = await bytes({ names: 'caf\xe9' }, '\r\nContent-Type: text/plain; charset=iso-8859-1')
  assert.deepEqual(latin.body?.value, { names: ['café'] })
})

test('the charset that Apache HttpClient adds to the content type changes nothing', async () => {
  const body = Buffer.from('--x\r\nContent-Disposition: form-data; name="names"\r\n\r\ncafé\r\n--x--\r\n')
  const received = await read(body, { 'content-type': 'multipart/form-data; charset=ISO-8859-1; boundary=x' })
  assert.deepEqual([received.error?.message, received.body?.value], [undefined, { names: ['café'] }])
})

test('parts that the parser drops make the body invalid', async () => {
  const type = { 'content-type': 'multipart/form-data; boundary="a b"' }
  const part = (boundary: string, header: string) => `${boundary}\r\n${header}\r\n\r\ntea\r\n`
  const named = 'Content-Disposition: form-data; name="names"'
  const sent = (text: string) => read(Buffer.from(`${text}--a b--\r\n`), type)
  for (const lost of [
    part('--a b \t', named),
    part('--a b', 'Content-Disposition form-data; name="names"'),
    part('--a b', 'Content-Type: text/plain'),
    part('--a b', named.replace('form-data', 'attachment')),
  ])
    for (const text of [lost, part('--a b', named) + lost, lost + part('--a b', named)]) {
      const { body, error } = await sent(text)
      assert.match(error?.message ?? JSON.stringify(body?.value), /not valid multipart.*: 1 of its parts have no name or a malformed/, text)
    }
  const { body } = await sent(`preamble\r\n${part('--a b', named)}${part('--a b', `${named}; filename=""`)}`)
  assert.deepEqual(body?.value, { names: ['tea', 'tea'] })
})

test('URL-encoded text that is not UTF-8 is refused with its field', async () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const body of ['include=words&names=caf%E9', 'names=a%C3', 'names=%EF%BF%BD+%FE']) {
    const { error } = await read(body, type)
    assert.deepEqual([error?.code, error?.field, error?.message], ['invalid_request', 'names', 'names is not valid UTF-8.'], body)
  }
  assert.deepEqual((await read('names=%EF%BF%BD+100%&include=words', type)).body?.value, { names: ['\ufffd 100%'], include: ['words'] })
})

test('a part in base64 or quoted-printable is refused with its field; plain encodings change nothing', async () => {
  for (const encoding of ['base64', 'Quoted-Printable']) {
    const { error } = await bytes({ names: 'a caf=C3=A9' }, `\r\nContent-Transfer-Encoding: ${encoding}`)
    assert.deepEqual([error?.code, error?.field], ['invalid_request', 'names'])
    assert.match(error?.message ?? '', new RegExp(`^names has the content-transfer-encoding ${encoding.toLowerCase()}; `))
    const file = await bytes({ file: 'UklGRg==' }, `\r\nContent-Transfer-Encoding: ${encoding}`)
    assert.deepEqual([file.error?.code, file.error?.field], ['invalid_request', 'file'])
  }
  for (const encoding of ['7bit', '8bit', 'binary'])
    assert.deepEqual((await bytes({ names: 'tea' }, `\r\nContent-Transfer-Encoding: ${encoding}`)).body?.value, { names: ['tea'] })
})

test('a list may be sent as name, name[], name[0], JSON, or words with commas', async () => {
  const both = { include: ['logprobs', 'words'] }
  assert.deepEqual(await given(['include', 'logprobs'], ['include[]', 'words']), both)
  assert.deepEqual(await given(['include[0]', 'logprobs'], ['include[1]', 'words']), both)
  assert.deepEqual(await given(['include', '["logprobs","words"]']), both)
  assert.deepEqual(await given(['include', 'logprobs, words']), both)
  // A text in a list of free texts may contain a comma, so it is not split.
  assert.deepEqual(await given(['names', 'Smith, John']), { names: ['Smith, John'] })
})

test('an object may be sent member by member, or as JSON', async () => {
  const strategy = { type: 'server_vad', threshold: 0.4 }
  assert.deepEqual(await given(['strategy[type]', 'server_vad'], ['strategy[threshold]', '0.4']), { strategy })
  assert.deepEqual(await given(['strategy', JSON.stringify(strategy)]), { strategy })
  assert.deepEqual(await given(['strategy', 'auto']), { strategy: 'auto' })
  const named = await given(['strategy[__proto__]', 'x'], ['strategy[toString]', 'y'])
  assert.deepEqual(Object.keys(Object(named).strategy), ['__proto__', 'toString'])
  assert.equal(Object.getPrototypeOf(Object(named).strategy), Object.prototype)
})

test('duplicate and too deeply nested fields are refused by name', async () => {
  assert.equal(
    await given(['strategy[type]', 'a'], ['strategy[type]', 'b']),
    'invalid_request: strategy[type] was given twice; it takes one value.',
  )
  assert.equal(
    await given(['strategy', 'auto'], ['strategy[type]', 'b']),
    'invalid_request: strategy[type] was given twice; it takes one value.',
  )
  const deep = `{"type":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
  assert.equal(await given(['strategy', deep]), 'invalid_request: strategy is nested deeper than 64 levels.')
  const wide = `{"type":"a","x":[${'1,'.repeat(100_000)}1]}`
  assert.equal(await given(['strategy', wide]), 'payload_too_large: The body has more than 100000 values.')
  // Brackets inside a JSON string do not count as nesting.
  assert.deepEqual(await given(['strategy', JSON.stringify({ type: '\\"['.repeat(100) })]), { strategy: { type: '\\"['.repeat(100) } })
})

test('a text part in place of a file is a data URL, decoded to disk, or a link', async () => {
  const bytes = Buffer.alloc(100_001, 'sound')
  const parts: [string, string | Blob][] = [
    ['samples[]', `data:audio/wav;base64,${bytes.toString('base64')}`],
    ['samples[]', 'https://example.com/a.wav'],
    ['samples[]', 'no file at all'],
    ['file', new Blob(['data:audio/wav;base64,QUJD'])],
  ]
  const { body } = await read(form(...parts))
  const { samples, file } = Object(body?.value)
  assert.deepEqual([samples.length, samples[1]], [3, 'https://example.com/a.wav'])
  const spilled = [samples[0], samples[2], file].map(placeholder => body?.spilled.get(placeholder))
  const written = await Promise.all(spilled.map(async each => (await readFile(each?.file ?? '')).toString('latin1')))
  // A part with a file name is stored as a file, even when its content looks like a data URL.
  assert.deepEqual(written, [bytes.toString('latin1'), 'no file at all', 'data:audio/wav;base64,QUJD'])
  assert.deepEqual(
    spilled.map(each => each?.mediaTypePrefix),
    ['audio/wav', undefined, undefined],
  )
  await body?.discard()
})

test('a data URL that is no base64, or is larger than the file limit, is refused', async () => {
  assert.equal(await given(['file', 'data:audio/wav;base64,****']), 'invalid_request: file is not valid base64.')
  assert.equal(
    await given(['file', 'data:audio/wav,abc']),
    'invalid_request: file is a data URL without ";base64,"; data:<media type>;base64,<data> is accepted.',
  )
  const large = `data:audio/wav;base64,${Buffer.alloc(256 * 1024 + 1).toString('base64')}`
  assert.equal(await given(['file', large]), 'payload_too_large: file has more than 262144 bytes.')
})

test('ten thousand parts, a missing boundary and duplicate files are refused', async () => {
  const many = form(...Array.from({ length: 10_000 }, (_, index): [string, string] => [`x${index}`, 'y']))
  assert.match(String((await read(many)).error?.message), /more than 1000 parts/)
  const { error } = await read('x', { 'content-type': 'multipart/form-data' })
  assert.equal(error?.code, 'invalid_request')
  assert.equal(
    await given(['file', new Blob(['a'])], ['file', new Blob(['b'])]),
    'invalid_request: file was given twice; it takes one value.',
  )
})

test('files in the JSON of a part are written to disk, and the hash is that of the parts', async () => {
  const sounds = [200_000, 100_000, 262_144].map(size => Buffer.alloc(size, `sound of ${size}`))
  const scene = (index: number) => ({ words: `scene ${index}`, sound: sounds[index]?.toString('base64') })
  const hashes = new Set<string | undefined>()
  for (const parts of [
    [['scenes', `  ${JSON.stringify([scene(0), scene(1), scene(2)])}`]],
    [['scenes', JSON.stringify([scene(0), scene(1), scene(2)])]],
    [
      ['scenes[0]', JSON.stringify(scene(0))],
      ['scenes[1]', JSON.stringify(scene(1))],
      ['scenes[2]', JSON.stringify(scene(2))],
    ],
  ] as [string, string][][]) {
    for (let again = 0; again < 2; again++) {
      const { body, error } = await read(form(...parts, ['note', 'x']), {}, nested)
      assert.ok(body, error?.message ?? 'nothing was read')
      const { scenes, note } = Object(body.value)
      assert.equal(note, 'x')
      assert.equal(body.spilled.size, 3)
      for (const [index, { words, sound }] of scenes.entries()) {
        assert.equal(words, `scene ${index}`)
        const bytes: Buffer = await readFile(body.spilled.get(String(sound))?.file ?? '')
        assert.ok(bytes.equals(sounds[index] ?? Buffer.alloc(0)))
      }
      hashes.add(body.bodySha256)
      await body.discard()
    }
  }
  assert.equal(hashes.size, 3)
  assert.deepEqual(await readdir(root), [])
})

test('files in the JSON of a part have size limits; values of other types are left to the schema', async () => {
  const says = async (...parts: [string, string][]) => {
    const { body, error } = await read(form(...parts), {}, nested)
    await body?.discard()
    return error ? `${error.code}: ${error.message}` : body?.value
  }
  const sound = (text: string) => JSON.stringify([{ sound: text }])
  const long = 'A'.repeat(400_000)
  assert.match(String(await says(['scenes', sound(long)])), /payload_too_large: scenes\[0\]\.sound is larger than 256 KB/)
  assert.match(
    String(await says(['scenes', sound(`${long.slice(0, 90_000)}!`)])),
    /invalid_request: scenes\[0\]\.sound is not valid base64/,
  )
  assert.match(String(await says(['scenes', JSON.stringify([{ words: long }])])), /payload_too_large/)
  const half = JSON.stringify([{ words: long.slice(0, 140_000) }])
  assert.match(String(await says(['scenes', half], ['scenes', half])), /payload_too_large: The fields other than files/)
  const numbers = `{"x":[${'1,'.repeat(60_000)}1]}`
  assert.match(String(await says(['scenes', numbers], ['scenes', numbers])), /payload_too_large: The body has more than 100000 values/)
  assert.match(String(await says(['scenes', '['.repeat(2_000)])), /invalid_json/)
  assert.deepEqual(await says(['scenes', 'hello']), { scenes: ['hello'] })
  assert.deepEqual(await says(['scenes', '{"words":"a"}']), { scenes: [{ words: 'a' }] })
  assert.deepEqual(await says(['scenes', '[{"words":']), { scenes: '[{"words":' })
  assert.deepEqual(await says(['scenes', ' ']), { scenes: ' ' })
  // This part closes a list early and opens another member. It is not valid JSON, so it must stay a
  // text.
  assert.deepEqual(await says(['scenes', '{}],"note":["x"']), { scenes: ['{}],"note":["x"'] })
  assert.deepEqual(await readdir(root), [])
})
