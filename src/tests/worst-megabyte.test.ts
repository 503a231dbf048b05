/** No body of a megabyte blocks the event loop for 200 ms of CPU time. The test fills every
 *  field of every operation, and sends the worst input for each grammar (docs/decisions/0031). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { kindsOf } from '../contract/body.ts'
import { families } from '../families/index.ts'
import { exampleUrl } from '../testing/example-url.ts'
import { startTestGateway, type TestGateway, testKey } from '../testing/gateway.ts'
import { leastLongestTurn, type Sender, type SentRequest, startSender } from '../testing/load/longest-turn.ts'
import { filled, fillers, worstBodies } from '../testing/load/worst-megabytes.ts'

const budgetMs = 200

let gateway: TestGateway
let sender: Sender
before(async () => {
  gateway = await startTestGateway()
  sender = startSender(gateway.url)
})
after(async () => {
  await sender[Symbol.asyncDispose]()
  await gateway[Symbol.asyncDispose]()
})

interface Sent extends Pick<SentRequest, 'path' | 'body'> {
  type?: string
}

/** Sends a body and returns what is wrong with the answer or its time. */
async function judged(title: string, { path, body, type = 'application/json' }: Sent): Promise<string[]> {
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': type }
  const { status, text, longestMs } = await leastLongestTurn(sender, { path, headers, body, leavesWhenIdle: true }, { budgetMs })
  const problems = longestMs < budgetMs ? [] : [`${title}: a turn of ${Math.round(longestMs)} ms`]
  // Status 503 is right here, because the engines do not run in this test.
  return status < 500 || status === 503 ? problems : [...problems, `${title}: ${status} ${text}`]
}

const withJson = families.flatMap(({ family }) =>
  Object.values(family.operations).flatMap(operation =>
    operation.body && kindsOf(operation.body).includes('json') ? [{ family: family.id, operation }] : [],
  ),
)

test('each field of each operation is read quickly with difficult text, as a long list and with many members', async () => {
  assert.ok(withJson.length >= 35, `${withJson.length} operations`)
  const problems: string[] = []
  const seen = new Map<string, Set<string>>()
  for (const [at, { family, operation }] of withJson.entries()) {
    // The operations of a family have many fields in common. Each field is tested in one operation
    // only.
    const ofFamily = seen.get(family) ?? new Set<string>()
    seen.set(family, ofFamily)
    const fillersOf = (index: number) => [fillers[(at + 7 * index) % fillers.length]!]
    for (const { title, body } of worstBodies(operation, { fillersOf, seen: ofFamily }))
      problems.push(...(await judged(`${family} ${operation.operationId}: ${title}`, { path: exampleUrl(operation), body })))
  }
  assert.deepEqual(problems, [])
})

test('deep JSON, and JSON of many or long values, is read quickly', async () => {
  const bodies = {
    deep: `{"a":${'['.repeat(1_000_000)}`,
    'deep objects': filled('{"a":'),
    escapes: `{"a":"${'\\u0061'.repeat(160_000)}"}`,
    'a long number': `{"a":${'9'.repeat(1_000_000)}}`,
    'long numbers': `{"a":[${filled('12345678901234567890,')}1]}`,
    'empty lists': `{"a":[${'[],'.repeat(300_000)}[]]}`,
    'empty objects': `{"a":[${'{},'.repeat(300_000)}{}]}`,
    'one name': `{${'"a":1,'.repeat(160_000)}"a":1}`,
    'a long name': `{"${'k'.repeat(1_000_000)}":1}`,
    blanks: `${' '.repeat(1_000_000)}{}`,
  }
  const problems: string[] = []
  for (const path of ['/v1/chat/completions', '/v1/responses', '/v1/ai/default/imgf/image/generate'])
    for (const [title, body] of Object.entries(bodies)) problems.push(...(await judged(`${path}: ${title}`, { path, body })))
  assert.deepEqual(problems, [])
})

test('a body that may exceed a megabyte has a limited number of values, as JSON and in parts', async () => {
  const problems: string[] = []
  const part = (name: string, text: string) => `--xxx\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  const bytes = 4_000_000
  const items = filled('{},', bytes)
  const names = count(bytes / 100, index => `"a_b${'c'.repeat(80)}${index}":1,`).join('')
  const run = '"version":1,"capability":"image.generate","model":"MaaS_ImgF_P"'
  const batch = '/v1beta/models/all-minilm-l6-v2:batchEmbedContents'
  const runs = '/v1/ai/default/gateway/runs'
  const parts = [part('version', '1'), part('capability', 'image.generate'), part('request', `{"a":[${items}{}]}`)]
  const bodies: Sent[] = [
    { path: batch, body: `{"requests":[${items}${items}{}]}` },
    { path: batch, body: `{"requests":[{${names}${names}"content":{"parts":[{"text":"a"}]}}]}` },
    { path: runs, body: `{${run},"request":{"a":[${items}{}]}}` },
    { path: runs, body: `{${run},"request":{${names}"a":1}}` },
    { path: runs, type: 'multipart/form-data; boundary=xxx', body: `${parts.join('')}--xxx--\r\n` },
  ]
  for (const sent of bodies) problems.push(...(await judged(`${sent.path}: ${sent.body.slice(0, 120)}`, sent)))
  assert.deepEqual(problems, [])
})

const count = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index))
const members = (length: number, make: (index: number) => unknown): object =>
  Object.fromEntries(count(length, index => [`p${index}`, make(index)]))

test('conversations, tools and schemas of a megabyte are read quickly', async () => {
  const schema = (parts: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object', ...parts } } },
  })
  const pattern = (text: string) => schema({ properties: { a: { type: 'string', pattern: text } } })
  const chats: Record<string, object> = {
    messages: { messages: count(25_000, () => ({ role: 'user', content: 'a' })) },
    parts: { messages: [{ role: 'user', content: count(30_000, () => ({ type: 'text', text: 'a' })) }] },
    'unknown roles': { messages: count(25_000, () => ({ role: 'userx', content: 'a' })) },
    digits: { messages: [{ role: 'user', content: '1'.repeat(1_000_000) }] },
    answers: { n: 128, messages: [{ role: 'user', content: '1'.repeat(900_000) }] },
    tools: { tools: count(10_000, index => ({ type: 'function', function: { name: `f${index}`, parameters: {} } })) },
    fields: schema({ properties: members(25_000, () => ({ type: 'string' })) }),
    options: schema({ properties: { a: { anyOf: count(40_000, () => ({ type: 'string' })) } } }),
    words: schema({ properties: { a: { enum: count(80_000, index => `e${index}`) } } }),
    references: schema({ $defs: members(15_000, index => ({ type: 'array', items: { $ref: `#/$defs/p${index + 1}` } })) }),
    'a pattern of maybes': pattern('(a?)'.repeat(200_000)),
    'a pattern of stars': pattern(`${'('.repeat(5_000)}a${')*'.repeat(5_000)}`),
    patterns: schema({ properties: members(15_000, index => ({ type: 'string', pattern: `^(a+)+${index}$` })) }),
    biases: { logit_bias: members(60_000, () => 1) },
    calls: {
      messages: [
        {
          role: 'assistant',
          tool_calls: count(10_000, index => ({ id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{}' } })),
        },
      ],
    },
  }
  const responses: Record<string, object> = {
    items: { input: count(20_000, () => ({ role: 'user', content: 'a' })) },
    references: { input: count(20_000, index => ({ type: 'item_reference', id: `msg_${index}` })) },
    variables: { prompt: { id: 'x', variables: members(60_000, () => 'a') } },
    metadata: { metadata: members(60_000, () => 'a') },
    fields: {
      text: {
        format: { type: 'json_schema', name: 'x', schema: { type: 'object', properties: members(25_000, () => ({ type: 'string' })) } },
      },
    },
  }
  const problems: string[] = []
  const send = async (path: string, usual: object, cases: Record<string, object>) => {
    for (const [title, body] of Object.entries(cases))
      problems.push(...(await judged(`${path}: ${title}`, { path, body: JSON.stringify({ ...usual, ...body }) })))
  }
  await send('/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] }, chats)
  await send('/v1/responses', { input: 'hi' }, responses)
  assert.deepEqual(problems, [])
})

test('narrations with directions, subtitles and URL encoding are read quickly', async () => {
  const problems: string[] = []
  const send = async (type: string, text: string) =>
    problems.push(...(await judged(`${type} ${text.slice(-60)}`, { path: '/v1/ai/default/tts-n/text-to-speech/mp3', type, body: text })))
  for (const words of ['(voice:a)', '(voice:alloy)b', '(pause:0)a', '(', '(pause:         ', '\n\n', '😀', 'a. ']) {
    await send('text/plain', filled(words))
    // The files of 20,000 directions and 50,000 lines are the longest that are accepted.
    if (words.includes(':')) await send('text/plain', words.repeat(20_000))
  }
  const cues = ['', '00:00:01,000 --> 00:00:02,000\n']
  for (const words of ['<', '<b>', '{\\a', '&lt;', '-->', '\n', '\n\n', ' ', 'NOTE\n\n', '00:01.000 --> 00:02.000\na\n\n'])
    for (const cue of cues) {
      await send('text/vtt', `WEBVTT\n\n${cue.replaceAll(',', '.')}${filled(words)}`)
      await send('text/srt', `1\n${cue}${filled(words)}`)
      if (!words.includes('\n')) continue
      const most = words.repeat(49_900 / (words.split('\n').length - 1))
      await send('text/vtt', `WEBVTT\n\n${cue.replaceAll(',', '.')}${most}`)
      await send('text/srt', `1\n${cue}${most}`)
    }
  for (const words of ['%41', '+', '%']) await send('application/x-www-form-urlencoded', `text=${filled(words)}`)
  assert.deepEqual(problems, [])
})

test('forms with many parts, deep names and lists in one text are read quickly', async () => {
  const problems: string[] = []
  const type = 'multipart/form-data; boundary=xxx'
  const part = (name: string, text: string, further = '') =>
    `--xxx\r\nContent-Disposition: form-data; name="${name}"${further}\r\n\r\n${text}\r\n`
  const bodies: Record<string, string> = {
    'many parts': filled(part('a', '')),
    'many of a list': filled(part('known_speaker_names[]', 'b')),
    'many files': filled(part('file', 'b', '; filename="x"')),
    'a deep name': part(`a${'[b]'.repeat(7_000)}`, 'b'),
    'a long text': part('prompt', 'a'.repeat(1_000_000)),
    'lists in one text': ['include', 'timestamp_granularities', 'recognitionLanguages']
      .map(name => part(name, 'a,'.repeat(160_000)))
      .join(''),
    'a list as JSON': part('known_speaker_names', `[${'"",'.repeat(300_000)}""]`),
    'beginnings of boundaries': filled('\r\n--xx'),
    'many headers': `--xxx\r\n${filled('a: b\r\n')}`,
    'a long header': `--xxx\r\nContent-Disposition: form-data; name="${filled('\\"')}`,
  }
  const paths = ['/v1/audio/transcriptions', '/v1/ai/default/audio/recognize', '/v1/images/edits', '/v1/ai/default/ppt/task']
  for (const path of paths)
    for (const [title, body] of Object.entries(bodies))
      problems.push(...(await judged(`${path}: ${title}`, { path, type, body: `${body}--xxx--\r\n` })))
  for (const body of ['a=&'.repeat(300_000), count(100_000, index => `k${index}=`).join('&'), `title=${filled('%41')}`, filled('a[b]=c&')])
    problems.push(
      ...(await judged(`form ${body.slice(0, 20)}`, { path: '/v1/ai/default/ppt/task', type: 'application/x-www-form-urlencoded', body })),
    )
  assert.deepEqual(problems, [])
})

test('fields with a grammar are read quickly at full length: flags, lyrics, queries, titles, prompts', async () => {
  const problems: string[] = []
  const send = async (path: string, body: JsonObject) =>
    problems.push(...(await judged(`${path} ${JSON.stringify(body).slice(0, 80)}`, { path, body: JSON.stringify(body) })))
  for (const words of ['--ar 1:1 ', '--no a ', '--', '::2 ', '{a,b}', 'http://a/a.png ', ' '])
    for (const bytes of [8_000, 1_000_000]) await send('/v1/ai/default/tob/diffusion', { text: `a cat ${filled(words, bytes)}` })
  for (const words of ['[verse]\n', '[chorus x9]\na\n', '[', '(', '\n', '（'])
    await send('/v1/ai/default/mus/song/generate', { lyrics: filled(words, 2_900) })
  for (const words of ['"', '(', '-a ', ' OR ', 'a* ', 'NEAR(', '红'])
    for (const bytes of [150, 1_000_000]) await send('/default/search/keyword', { keyword: filled(words, bytes) })
  for (const words of ['# a\n', '- ', '```', '![](', '|', '**'])
    await send('/v1/ai/default/ppt/task', { title: filled(words, 400), type: '1' })
  for (const words of ['a, ', '红和', '<<<image_1>>>', '[Push In]', "'"])
    for (const path of ['/v1/ai/default/imgf/image/generate', '/v1/images/generations']) await send(path, { prompt: filled(words, 3_900) })
  assert.deepEqual(problems, [])
})

test('lexicons with as many tags, attributes, instructions and references as fit are read quickly', async () => {
  const problems: string[] = []
  const path = '/v1/pronunciation-dictionaries/add-from-file'
  const fill = (piece: string, most = 60_000): string => piece.repeat(Math.min(most, Math.floor(250_000 / piece.length)))
  const inside = [
    '<?a?>',
    '<a/>',
    '<a>',
    '<lexeme/>',
    '<a b="c"/>',
    '<!---->',
    '<!--',
    '<![CDATA[x]]>',
    'a<b/>',
    '&#65;',
    '&amp;',
    '<',
    ' ',
    '\n',
  ]
  const texts = [
    ...inside.map(piece => fill(piece)),
    ...inside.map(piece => fill(piece, 9_900)),
    ...[60_000, 9_900].map(most => `<a ${count(Math.min(most, 20_000), index => `a${index}="x"`).join(' ')}/>`),
    count(9_900, index => `<a${index}/>`).join(''),
    `<lexeme>${'<grapheme>a</grapheme>'.repeat(4_900)}<alias>b</alias></lexeme>`,
    `<lexeme><grapheme>${fill('&#65;')}</grapheme><alias>b</alias></lexeme>`,
  ]
  for (const text of texts) {
    const body = JSON.stringify({ name: 'x', file: `<lexicon>${text}</lexicon>` })
    problems.push(...(await judged(`lexicon of ${text.slice(0, 30)} (${text.length})`, { path, body })))
  }
  assert.deepEqual(problems, [])
})
