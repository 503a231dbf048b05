/** Sends each field of each protocol for conversations to a target of each other protocol, and
 *  checks what becomes of it against a table typed by hand, which the documentation shows. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { textProtocols as protocols, type TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { type FakeUpstream, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { speaks } from '../../../testing/fakes/fake-upstream-text.ts'
import { startTestGateway, type TestGateway } from '../../../testing/gateway.ts'
import { columns, type Fate, type FieldRow, fieldRows } from './field-rows.ts'

let upstream: FakeUpstream
let gateway: TestGateway

before(async () => {
  upstream = await startFakeUpstream()
  upstream.answer(speaks({ text: 'Hello', usage: { input: 9, output: 3 } }))
  const target = (protocol: TextProtocol): string => {
    const base = upstream.baseUrl
    if (protocol === 'messages') return `driver: anthropic, base_url: "${base.replace(/\/v1$/, '')}"`
    if (protocol === 'generate-content') return `driver: gemini, base_url: "${base.replace(/v1$/, 'v1beta')}"`
    return `driver: openai-compatible, base_url: "${base}", protocols: [${protocol}], dialect: openai, stateless: true`
  }
  const models = protocols.map(
    each => `  - { id: to-${each}, family: ${each}, targets: [{ ${target(each)}, api_key: k-0123456789, model: up-1 }] }\n`,
  )
  const mixed = `  - { id: mixed, family: chat, targets: [{ ${target('responses')}, model: up-1, order: 1 }, { ${target('chat')}, model: up-1, order: 2 }] }\n`
  gateway = await startTestGateway({ yaml: `models:\n${models.join('')}${mixed}` })
})
after(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

const usual: Record<TextProtocol, object> = {
  chat: { messages: [{ role: 'user', content: 'hi' }] },
  responses: { input: 'hi', store: false },
  messages: { max_tokens: 4000, messages: [{ role: 'user', content: 'hi' }] },
  'generate-content': { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
}

async function send(caller: TextProtocol, model: string, body: object) {
  const paths = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' }
  const path = caller === 'generate-content' ? `/v1beta/models/${model}:generateContent` : paths[caller]
  upstream.received.length = 0
  const named = caller === 'generate-content' ? {} : { model }
  const answer = await gateway.call(path, { body: { ...usual[caller], ...named, ...body } })
  const sent = upstream.received.map(({ json }) => JSON.stringify(json)).join('\n')
  return { status: answer.status, text: answer.bytes.toString(), warning: answer.headers.get('x-gateway-warning') ?? '', sent }
}

function namesIn(warning: string): string[] {
  return warning.split(/(?<=\.) /).flatMap(sentence => sentence.split(': ', 1)[0]!.split(', '))
}

/** Returns what became of the field, or what is wrong. */
async function fateOf(caller: TextProtocol, target: TextProtocol, { field, body, mark, named = field }: FieldRow): Promise<string> {
  const { status, text, warning, sent } = await send(caller, `to-${target}`, body)
  if (status === 400) return text.includes(named) && sent === '' ? 'refused' : `400 ${text}`
  if (status !== 200) return `${status} ${text}`
  const names = namesIn(warning)
  if (names.length > new Set(names).size) return `named twice: ${warning}`
  const isCarried = mark.test(sent)
  if (warning !== '') return names.includes(named) && names.length === 1 && !isCarried ? 'warned' : `${isCarried} ${warning}`
  return isCarried ? 'carried' : 'silent'
}

for (const caller of protocols)
  test(`each field of ${caller} is carried to targets of other protocols, or reported, or refused`, async () => {
    const wrong: string[] = []
    for (const row of fieldRows[caller])
      for (const [index, target] of columns.entries()) {
        const wanted = row.fates[index]!
        if (wanted === '-') continue
        const got = await fateOf(caller, target, row)
        const isRight = got === wanted || (wanted === 'gateway' && (got === 'silent' || got === 'carried'))
        if (!isRight) wrong.push(`${row.field} to ${target}: ${got} instead of ${wanted}`)
      }
    assert.equal(wrong.join('\n'), '')
  })

test('a field that one target refuses goes to the next target that supports it', async () => {
  const { status, warning, sent } = await send('chat', 'mixed', { stop: ['zebra'] })
  assert.deepEqual([status, warning], [200, ''])
  assert.match(sent, /zebra/)
  assert.equal(upstream.received[0]?.path, '/v1/chat/completions')
})

test('several fields are named in one warning, and hostile names do not fill it', async () => {
  const { warning } = await send('messages', 'to-chat', { top_k: 3, speed: 'fast', context_management: {}, ['x'.repeat(5_000)]: 1 })
  assert.equal(
    warning,
    `top_k: the model has no such setting. speed, context_management, ${'x'.repeat(100)}...: the model has no such settings.`,
  )
})

const shown: Record<Fate, string> = {
  carried: 'carried',
  gateway: 'kept',
  warned: '**warned**',
  refused: '**refused**',
  silent: 'left out',
}
const titles: Record<TextProtocol, string> = {
  chat: 'Chat completions',
  responses: 'Responses',
  messages: 'Messages',
  'generate-content': 'generateContent',
}

/** Returns the table of the documentation for a caller's protocol. */
function tableOf(caller: TextProtocol): string {
  const others = columns.filter(each => each !== caller)
  const lines = fieldRows[caller].map(({ field, fates }) => {
    const cells = others.map(each => {
      const fate = fates[columns.indexOf(each)]!
      return fate === '-' ? '' : shown[fate]
    })
    return `| ${field} | ${cells.join(' | ')} |`
  })
  return [`| field | ${others.map(each => titles[each]).join(' | ')} |`, `|${'---|'.repeat(others.length + 1)}`, ...lines].join('\n')
}

test('docs/translation.md shows the table', () => {
  const page = readFileSync(new URL('../../../../docs/translation.md', import.meta.url), 'utf8')
  for (const caller of protocols) assert.ok(page.includes(tableOf(caller)), tableOf(caller))
})
