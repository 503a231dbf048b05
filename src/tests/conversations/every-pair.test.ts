/** Sends random conversations through every pair of protocols: the caller speaks one protocol,
 *  and the upstream, which is another gateway, speaks the other one. Everything that both
 *  protocols have must arrive, in the request and in the answer. Every second conversation is
 *  streamed. `GATEWAY_FUZZ_CONVERSATIONS` is the number of conversations for each pair. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { translatedExtras } from '@generation-gateway/kit/requests/conversation/text-extras.ts'
import { TextOutput } from '@generation-gateway/kit/requests/conversation/text-output.ts'
import type { TextEvent, TextItem, TextPart, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import { textProtocols as protocols, type TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import { type AnswerReader, textProtocols } from '../../drivers/shared/text/protocols.ts'
import { planTools } from '../../drivers/shared/text/tool-plan.ts'
import { type Finish, fakeTextDriver } from '../../testing/fakes/fake-text-driver.ts'
import { startTestGateway, type TestGateway, testKey } from '../../testing/gateway.ts'
import { isReported, namesLeftOut, withoutLost } from './lost-fields.ts'
import { type Feature, type RandomConversation, randomConversation } from './random-conversation.ts'

const conversations = Number(process.env.GATEWAY_FUZZ_CONVERSATIONS ?? 26)

interface ProtocolFacts {
  features: readonly Feature[]
  /** Returns the path at which a gateway takes requests for the model. */
  path(model: string, isStreamed: boolean): string
  /** Settings of a target in `front` whose upstream speaks the protocol at this address. */
  target(url: string): string
  /** Returns true when answers to the request have readable reasoning; when absent, all have. */
  showsThoughts?(request: TextRequest): boolean
}

const openai = (protocol: string) => (url: string) =>
  `driver: openai-compatible, base_url: "${url}/v1", protocols: [${protocol}], dialect: openai, stateless: true, cache_control: true`

const facts: { [P in TextProtocol]: ProtocolFacts } = {
  chat: {
    features: [
      ...(['effort', 'marks', 'metadata', 'parallel', 'penalties', 'refusal', 'safety', 'schema-name', 'seed'] as const),
      ...(['sound', 'stop', 'tier', 'user'] as const),
    ],
    path: () => '/v1/chat/completions',
    target: openai('chat'),
  },
  messages: {
    features: ['failed-result', 'marks', 'parallel', 'picture-in-result', 'stop', 'tier', 'top-k', 'user'],
    path: () => '/v1/messages',
    target: url => `driver: anthropic, base_url: "${url}"`,
  },
  responses: {
    features: ['effort', 'metadata', 'parallel', 'picture-in-result', 'refusal', 'safety', 'schema-name', 'sound', 'tier', 'user'],
    path: () => '/v1/responses',
    target: openai('responses'),
  },
  'generate-content': {
    features: ['effort', 'failed-result', 'penalties', 'seed', 'sound', 'stop', 'top-k'],
    path: (model, isStreamed) => `/v1beta${textProtocols['generate-content'].path(model, isStreamed)}`,
    target: url => `driver: gemini, base_url: "${url}/v1beta"`,
    showsThoughts: ({ reasoning }) => reasoning !== undefined,
  },
}

let front: TestGateway
let back: TestGateway
let answer: RandomConversation['answer'] = []
let received: TextRequest | undefined

before(async () => {
  const driver = fakeTextDriver('fake-text', async function* (job) {
    received = job.request
    yield* answer
  })
  back = await startTestGateway({ drivers: [driver], yaml: 'models: [{ id: fake, family: chat, targets: [{ driver: fake-text }] }]\n' })
  const models = protocols.map(
    each => `  - { id: to-${each}, family: chat, targets: [{ ${facts[each].target(back.url)}, api_key: ${testKey}, model: fake }] }\n`,
  )
  front = await startTestGateway({ yaml: `models:\n${models.join('')}` })
})
after(() => Promise.all([front[Symbol.asyncDispose](), back[Symbol.asyncDispose]()]))

for (const caller of protocols)
  for (const upstream of protocols)
    test(`${caller} through ${upstream}: nothing that both protocols can express is lost`, async () => {
      // The request also has fields that the upstream lacks and that a warning has to name.
      const isGiven = (feature: Feature): boolean =>
        facts[caller].features.includes(feature) && (facts[upstream].features.includes(feature) || isReported(feature))
      for (let seed = 0; seed < conversations; seed++) {
        const { request: given, answer: said } = randomConversation(seed, isGiven)
        const { request, warned } = withoutLost(given, caller, upstream, facts[upstream].features)
        answer = said
        const isShown = [caller, upstream].every(each => facts[each].showsThoughts?.(request) ?? true)
        const wanted = { request: requestForm(request), answer: answerForm(isShown ? said : said.filter(isNoReasoning)) }
        const isStreamed = seed % 2 === 0
        received = undefined
        const { warning, ...got } = await ask(caller, upstream, { request: given, isStreamed })
        const at = `${caller} through ${upstream}, seed ${seed}, ${isStreamed ? 'streamed' : 'whole'}`
        assert.ok(received, at)
        assert.deepEqual(requestForm(received), wanted.request, at)
        assert.deepEqual(got, wanted.answer, at)
        // When caller and upstream speak the same protocol, the bytes are relayed, and the warnings
        // are those of the upstream.
        if (caller !== upstream) assert.deepEqual(namesLeftOut(warning), warned, at)
      }
    })

function isNoReasoning({ type }: TextEvent | Finish): boolean {
  return type !== 'reasoning' && type !== 'reasoning-end'
}

/** Sends a request in the caller's protocol, and returns the answer that the caller reads. */
async function ask(caller: TextProtocol, upstream: TextProtocol, { request, isStreamed }: { request: TextRequest; isStreamed: boolean }) {
  const { path } = facts[caller]
  const kind = { protocol: caller, dialect: 'openai', host: 'h', model: 'm' }
  const to = {
    model: `to-${upstream}`,
    dialect: 'openai',
    kind,
    refusesUnknown: true,
    reasoningIn: undefined,
    takesCacheMarks: true,
    isVertex: false,
    leaveOut: () => {},
  } as const
  const body = { ...textProtocols[caller].body(request, planTools(request, 'openai'), to) }
  if (!isStreamed) for (const name of ['stream', 'stream_options']) delete body[name]
  const reply = await front.call(path(to.model, isStreamed), { body })
  assert.equal(reply.status, 200, `${reply.bytes.toString().slice(0, 500)} ${JSON.stringify(body).slice(0, 2_000)}`)
  const reader = textProtocols[caller].reader(kind)
  const events = isStreamed ? streamed(reader, reply.bytes.toString()) : reader.whole(reply.body)
  const result = reader.result()
  assert.ok(result, reply.bytes.toString().slice(-3_000))
  return { ...answerForm([...events, { type: 'finish', ...result }]), warning: reply.headers.get('x-gateway-warning') ?? '' }
}

function streamed(reader: AnswerReader, text: string): TextEvent[] {
  const data = text.split('\n').flatMap(line => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
  return data.flatMap(each => {
    if (each === '[DONE]') reader.done?.()
    return each === '[DONE]' ? [] : reader.read(JSON.parse(each))
  })
}

/** Returns a request in a form in which requests can be compared: adjacent texts are joined, calls
 *  have numbers instead of ids, and arguments are parsed. Tools that the choice excludes are left
 *  out, because some targets do not get them. */
function requestForm({ items, tools, toolChoice, parallelToolCalls, format, reasoning, extras, hops: _, ...rest }: TextRequest) {
  const { name: __, ...plainFormat } = { name: '', ...format }
  const { mode, only } = toolChoice
  const callable = only === undefined ? tools : tools.filter(({ name }) => only.includes(name))
  return {
    items: itemsForm(items),
    tools: callable.map(({ strict: _strict, ...tool }: JsonObject) => tool),
    toolChoice: tools.length === 0 ? { mode: 'auto' } : toolChoice,
    // When no tool may be called, this field makes no difference, and some protocols cannot express
    // it.
    parallelToolCalls: parallelToolCalls || mode === 'none',
    format: { ...plainFormat, strict: undefined },
    ...rest,
    effort: reasoning?.effort,
    extras: extrasForm(extras),
  }
}

/** Returns the fields that several protocols have in common, in the form of chat. */
function extrasForm(extras: TextRequest['extras']): JsonObject {
  const { metadata, safety_identifier, service_tier } =
    extras.protocol === 'chat' ? extras.fields : translatedExtras(extras, { protocol: 'chat', takesCacheMarks: false })
  return defined({ metadata, safety_identifier, service_tier })
}

function itemsForm(items: readonly TextItem[]): unknown[] {
  const numbers = new Map<string, number>()
  const form: { kind: string; parts: unknown[] }[] = []
  for (const item of items) {
    const { kind, parts } = formOf(item, numbers)
    const last = form.at(-1)
    if (last?.kind === kind && item.type === 'message') last.parts = joined([...last.parts, ...parts])
    else form.push({ kind, parts: joined(parts) })
  }
  return form.filter(({ parts }) => parts.length > 0)
}

function formOf(item: TextItem, numbers: Map<string, number>): { kind: string; parts: unknown[] } {
  switch (item.type) {
    case 'message':
      return { kind: item.role === 'developer' ? 'system' : item.role, parts: item.parts.map(partForm) }
    case 'call':
      numbers.set(item.callId, numbers.size)
      return { kind: 'call', parts: [{ number: numbers.size, name: item.name, input: JSON.parse(item.input), mark: item.cacheControl }] }
    case 'result': {
      const parts: TextPart[] = typeof item.output === 'string' ? [{ type: 'text', text: item.output }] : item.output
      // The cache mark of the whole result may be at its last part instead; both count as equal.
      const mark = item.cacheControl ?? parts.findLast(part => part.cacheControl)?.cacheControl
      const plain = parts.map(({ cacheControl: _, ...part }) => partForm(part))
      return { kind: 'result', parts: [{ number: numbers.get(item.callId), isError: item.isError === true, mark }, ...plain] }
    }
    case 'reasoning':
      return { kind: 'reasoning', parts: [...item.summary, ...item.content] }
  }
}

function partForm({ cacheControl: mark, ...part }: TextPart): unknown {
  if (mark) return { part: partForm(part), mark }
  if (part.type === 'text' || part.type === 'refusal') return part.text
  return part.type === 'image' ? { image: part.url } : part
}

function joined(parts: readonly unknown[]): unknown[] {
  const whole: unknown[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if (part === '') continue
    if (typeof part === 'string' && typeof last === 'string') whole[whole.length - 1] = `${last}${part}`
    else whole.push(part)
  }
  return whole
}

/** Returns an answer in a form in which answers can be compared. */
function answerForm(events: readonly (TextEvent | Finish)[]) {
  const output = new TextOutput()
  let end: Finish | undefined
  for (const event of events) {
    if (event.type === 'finish') end = event
    else output.add(event)
  }
  const { usage, finish } = end as Finish & TextResult
  const { inputTokens, cachedInputTokens, outputTokens } = usage
  return { items: itemsForm(output.items()), finish, usage: { inputTokens, cachedInputTokens, outputTokens } }
}
