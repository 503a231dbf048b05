import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { findJsonError } from './json-position.ts'
import { JsonSpill } from './json-spill.ts'
import { SpillFiles } from './spill-files.ts'
import { compileSpillFields, valueAt } from './spill-paths.ts'

const root = await mkdtemp(join(tmpdir(), 'json-spill-'))
after(() => rm(root, { recursive: true, force: true }))

const fields = compileSpillFields([
  { path: 'input_image', maxBytes: 1e6 },
  { path: 'images[].data', maxBytes: 1e6 },
  { path: 'image', maxBytes: 1e6 },
  { path: 'image[]', maxBytes: 1e6 },
  { path: 'content.*.deep', maxBytes: 1e6 },
])

let seed = 20261121
function random(below: number): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

/** Feeds these parts of a JSON text to a scanner with a scratch folder of its own, and returns
 *  the scanner. */
async function readParts(parts: Buffer[], residualLimitBytes = 64 * 1024) {
  const files = new SpillFiles(() => mkdtemp(join(root, 'f-')))
  const spill = new JsonSpill({ fields, residualLimitBytes, files })
  for (const part of parts) spill.feed(part)
  await files.drain()
  return { spill, files, value: JSON.parse(spill.residual().toString()) as unknown }
}

function split(body: Buffer, largest: number): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const size = 1 + random(largest)
    parts.push(body.subarray(at, at + size))
    at += size
  }
  return parts
}

/** Returns the bytes as a JSON string of base64, in one of the forms that clients write: plain,
 *  data URL, URL-safe alphabet, with line breaks, with slashes escaped as PHP does, with escaped
 *  padding. */
function base64Literal(bytes: Buffer): string {
  const style = random(7)
  const text = bytes.toString(style === 1 ? 'base64url' : 'base64')
  if (style === 2) return JSON.stringify(`data:image/png;base64,${text}`)
  if (style === 3) return JSON.stringify(text.replace(/.{76}/g, '$&\r\n'))
  if (style === 4) return JSON.stringify(text).replaceAll('/', '\\/').replaceAll('=', '\\u003d')
  if (style === 5) return JSON.stringify(text.replace(/.{40}/g, '$& '))
  if (style === 6) return JSON.stringify(text.replaceAll('A', '\u0001')).replaceAll('\\u0001', '\\u0041')
  return JSON.stringify(text)
}

function anyLiteral(depth: number): string {
  const kind = random(depth > 4 ? 5 : 8)
  const space = ' \n\t\r'.slice(0, random(4))
  if (kind === 0) return `${space}${JSON.stringify('long "text" \\ with ] } , : and é \u{1f600} \ud800'.repeat(1 + random(40)))}`
  if (kind === 1) return String(random(1000) - 500)
  if (kind === 2) return ['true', 'false', 'null', '-0.5e-3', '1E+2'][random(5)] ?? 'null'
  if (kind === 3) return '"\\u0022\\\\\\/"'
  if (kind === 4) return '""'
  if (kind === 5) return `[${Array.from({ length: random(4) }, () => anyLiteral(depth + 1)).join(` ,${space}`)}${space}]`
  const members = Array.from(
    { length: random(4) },
    () => `${JSON.stringify('k"ey\\'.slice(random(5)) + random(9))}${space}:${anyLiteral(depth + 1)}`,
  )
  return `{${space}${members.join(',')}}`
}

function randomBody(): string {
  const big = () => base64Literal(Buffer.from(Array.from({ length: random(4) === 0 ? random(60_000) : random(400) }, () => random(256))))
  const members = [
    () => `"input_image":${big()}`,
    () => `"in\\u0070ut_image" : ${big()}`,
    () => `"images":[${Array.from({ length: random(4) }, () => `{"n":${anyLiteral(3)},"data":${big()}}`).join(',')}]`,
    () => `"image":${random(2) === 0 ? big() : `[${big()}, ${big()}]`}`,
    () => `"content":${random(2) === 0 ? `[{"deep":${big()}}]` : `{"x":{"deep":${big()}}}`}`,
    () => `"other":${anyLiteral(0)}`,
  ]
  return `{${Array.from({ length: 1 + random(7) }, () => members[random(members.length)]?.()).join(' , ')}}`
}

test('random bodies, split at random, parse like JSON.parse, with the long base64 strings in files', async () => {
  let spilled = 0
  for (let round = 0; round < 250; round++) {
    const text = randomBody()
    const body = Buffer.from(text)
    const { spill, files, value } = await readParts(split(body, round % 2 === 0 ? 70 : 30_000))
    const expected = JSON.parse(text) as unknown
    for (const file of spill.spilled) {
      if (valueAt(value, file.segments) !== file.placeholder) continue
      spilled += 1
      const original = String(valueAt(expected, file.segments))
      const bytes = Buffer.from(original.replace(/^data:image\/png;base64,/, ''), 'base64')
      assert.equal(Buffer.compare(await readFile(files.pathOf(file.name)), bytes), 0)
      assert.equal(file.bytes, bytes.length)
      assert.equal(file.mediaType, original.startsWith('data:') ? 'image/png' : undefined)
      const last = file.segments.at(-1)
      const parent = valueAt(expected, file.segments.slice(0, -1))
      if (typeof parent === 'object' && parent !== null && last !== undefined) Object.assign(parent, { [last]: file.placeholder })
    }
    assert.deepEqual(value, expected)
    await files.discard()
  }
  assert.ok(spilled > 50, `only ${spilled} values were spilled`)
  assert.deepEqual(await readdir(root), [])
})

test('broken bodies, split at random, are refused or parse like JSON.parse, and never hang or throw anything else', async () => {
  for (let round = 0; round < 400; round++) {
    const body = Buffer.from(randomBody())
    for (let edit = 0; edit <= random(3); edit++)
      body[random(body.length)] = random(2) === 0 ? random(256) : (Buffer.from('"\\{}[],:=')[random(9)] ?? 0)
    const files = new SpillFiles(() => mkdtemp(join(root, 'f-')))
    const spill = new JsonSpill({ fields, residualLimitBytes: 64 * 1024, files })
    try {
      for (const part of split(body, 5000)) spill.feed(part)
      JSON.parse(spill.residual().toString())
    } catch (error) {
      assert.ok(error instanceof GatewayError || error instanceof SyntaxError, String(error))
    }
    await files.discard()
  }
  assert.deepEqual(await readdir(root), [])
})

test('the offset of a JSON error is exact, also after a string that was written to a file', async () => {
  const image = 'A'.repeat(100_000)
  for (const [text, at] of [
    [`{"input_image":"${image}","a":tru}`, 100_025],
    [`{"a":1,"input_image":"${image}" "b":2}`, 100_024],
    [`{"input_image":"${image}`, 100_016],
  ] as const) {
    const files = new SpillFiles(() => mkdtemp(join(root, 'f-')))
    const spill = new JsonSpill({ fields, residualLimitBytes: 1e6, files })
    for (const part of split(Buffer.from(text), 9000)) spill.feed(part)
    const error = findJsonError(spill.residual())
    assert.equal(spill.bodyOffset(error), at, text.replace(image, '...'))
    await files.discard()
  }
})

test('the validator agrees with JSON.parse about which texts are valid', () => {
  const valid = ['{}', ' [1,2 , {"a":[]}] ', '"x\\u00e9\\n"', '-0.5e+7', '{"a":{"b":[[],{}]},"c":null}', '0', '[[],[]]', '{"":""}']
  for (const text of valid) assert.equal(findJsonError(Buffer.from(text)), -1, text)
  const broken: [string, number][] = [
    ['', 0],
    ['{', 1],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['{}x', 2],
    ['[}', 1],
    ['{"a":1]', 6],
    ['"a\nb"', 2],
    ['"\\x"', 2],
    ['"\\u12g4"', 5],
    ['01', 1],
    ['1.', 2],
    ['-', 1],
    ['nul', 3],
    ['{a:1}', 1],
    ['\ufeff{}', 0],
  ]
  for (const [text, at] of broken) {
    assert.throws(() => JSON.parse(text), text)
    assert.equal(findJsonError(Buffer.from(text)), at, text)
  }
  for (let round = 0; round < 3000; round++) {
    const bytes = Buffer.from(anyLiteral(0).replace(/[^ -~]/g, 'x'))
    if (random(2) === 0 && bytes.length > 0) bytes[random(bytes.length)] = Buffer.from('"\\{}[],:0-e.t\n')[random(14)] ?? 0
    let isValid = true
    try {
      JSON.parse(bytes.toString())
    } catch {
      isValid = false
    }
    assert.equal(findJsonError(bytes) < 0, isValid, bytes.toString())
  }
})

test('top-level integers keep their digits when a double cannot represent them', async () => {
  const text = `{"seed": 9223372036854775807 ,"a":-9007199254740993,"b":9007199254740991,"c":[9223372036854775807],"d":1e300,
    "e":12345678901234567890.5,"twice":9223372036854775807,"twice":3,"x\\"y":18446744073709551615}`
  for (const largest of [1, 7, 1000]) {
    const { spill } = await readParts(split(Buffer.from(text), largest))
    assert.deepEqual(Object.fromEntries(spill.exactIntegers), {
      seed: '9223372036854775807',
      a: '-9007199254740993',
      'x"y': '18446744073709551615',
    })
  }
})

test('many middle-sized strings are accepted: they are written to files once the JSON limit is half used', async () => {
  const data = Buffer.alloc(30_000, 1).toString('base64')
  const body = Buffer.from(JSON.stringify({ images: Array.from({ length: 20 }, () => ({ data })) }))
  const { spill, files } = await readParts(split(body, 20_000), 200_000)
  assert.ok(spill.spilled.length >= 15)
  assert.ok(spill.residual().length < 200_000)
  await files.discard()
})

test('at most 256 strings of a body are written to files', async () => {
  const data = Buffer.alloc(60_000, 1).toString('base64')
  const bodyOf = (count: number) => Buffer.from(JSON.stringify({ images: Array.from({ length: count }, () => ({ data })) }))
  const { spill, files } = await readParts([bodyOf(256)])
  assert.equal(spill.spilled.length, 256)
  await files.discard()
  await assert.rejects(readParts([bodyOf(257)]), { code: 'payload_too_large', message: 'The body has more than 256 files.' })
})
