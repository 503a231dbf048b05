/** Makes random conversations and answers, for tests that translate them between protocols. */
import { randomNumbers } from '@generation-gateway/kit/random.ts'
import type { TextEvent, TextItem, TextPart, TextRequest, TextTool, ToolChoice } from '@generation-gateway/kit/requests/text.ts'
import type { Finish } from '../../testing/fakes/fake-text-driver.ts'

/** Parts of a conversation that not every protocol has. */
export type Feature =
  | 'effort'
  | 'failed-result'
  | 'marks'
  | 'metadata'
  | 'parallel'
  | 'penalties'
  | 'picture-in-result'
  | 'refusal'
  | 'safety'
  | 'schema-name'
  | 'seed'
  | 'sound'
  | 'stop'
  | 'tier'
  | 'top-k'
  | 'user'

export interface RandomConversation {
  request: TextRequest
  /** The events of the model's answer; the last event is its end. */
  answer: (TextEvent | Finish)[]
}

const picture = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const sound = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const texts = [
  'Hello.',
  'Привет, мир! \u4f60\u597d \u{1f600}\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'a "quoted" \\ back\\slash\n\n\ttab\r\nline',
  'data: [DONE]\n\nevent: error\n\n',
  '{"choices":[]}',
  '\u0001\u2028\u2029\u202e\ufeff zero\u200bwidth',
  'x'.repeat(2_000),
  ' leading and trailing ',
]

/** Returns the conversation for a seed. It has only features that `has` allows. */
export function randomConversation(seed: number, has: (feature: Feature) => boolean): RandomConversation {
  const random = new Choices(seed)
  const request = requestOf(random, has)
  return { request, answer: answerOf(random, { request, has }) }
}

class Choices {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = randomNumbers(seed)
  }

  /** Returns a whole number from 0 up to, but not including, `below`. */
  below(below: number): number {
    return Math.floor(this.#next() * below)
  }

  isIn(share: number): boolean {
    return this.#next() < share
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }

  text(): string {
    return `${this.of(texts)}${this.below(1_000)}`
  }
}

function requestOf(random: Choices, has: (feature: Feature) => boolean): TextRequest {
  const given = (feature: Feature): boolean => has(feature) && random.isIn(0.3)
  const marked = <Part extends object>(part: Part): Part =>
    has('marks') && random.isIn(0.2) ? { ...part, cacheControl: markOf(random) } : part
  const tools = Array.from({ length: random.below(3) }, (_, index) => marked(toolOf(random, index)))
  const request: TextRequest = {
    items: itemsOf(random, { tools, has, marked }),
    tools,
    toolChoice: choiceOf(random, tools),
    parallelToolCalls: !(tools.length > 0 && given('parallel')),
    format: { type: 'text' },
    maxOutputTokens: 16 + random.below(4_000),
    extras: { protocol: 'chat', fields: {} },
  }
  if (random.isIn(0.2)) request.format = { type: 'json_schema', name: 'answer', schema: schemaOf(random) }
  if (random.isIn(0.3)) request.temperature = random.below(11) / 10
  if (random.isIn(0.3)) request.topP = (1 + random.below(10)) / 10
  if (given('top-k')) request.topK = 1 + random.below(100)
  if (given('stop')) request.stop = Array.from({ length: 1 + random.below(4) }, (_, index) => `STOP${index}\n`)
  if (given('seed')) request.seed = random.below(1_000_000)
  if (given('penalties')) {
    request.frequencyPenalty = random.below(5) / 4
    request.presencePenalty = random.below(9) / 4 - 1
  }
  if (given('effort')) request.reasoning = { effort: random.of(['low', 'medium', 'high']) }
  if (given('user')) request.user = `user-${random.below(100)}`
  const { fields } = request.extras
  if (given('metadata')) fields.metadata = { [random.text().slice(0, 20)]: random.text().slice(0, 400) }
  if (given('safety')) fields.safety_identifier = random.text()
  if (given('tier')) fields.service_tier = 'default'
  return request
}

function toolOf(random: Choices, index: number): TextTool {
  return { kind: 'function', name: `tool_${index}`, description: random.text(), parameters: schemaOf(random) }
}

function markOf(random: Choices) {
  return { type: 'ephemeral', ...random.of([{}, { ttl: '5m' }, { ttl: '1h' }]) }
}

function schemaOf(random: Choices) {
  const properties = { [random.of(['city', 'größe', 'n'])]: { type: random.of(['string', 'number']), description: random.text() } }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function choiceOf(random: Choices, tools: readonly TextTool[]): ToolChoice {
  if (tools.length === 0) return { mode: 'auto' }
  const mode = random.of(['auto', 'none', 'required'] as const)
  return mode === 'required' && random.isIn(0.5) ? { mode, only: [tools[0]!.name] } : { mode }
}

interface Given {
  tools: readonly TextTool[]
  has(feature: Feature): boolean
  /** Returns the part, with a mark for the cache in some cases. */
  marked<Part extends object>(part: Part): Part
}

function itemsOf(random: Choices, given: Given): TextItem[] {
  const items: TextItem[] = []
  if (random.isIn(0.5)) items.push({ type: 'message', role: 'system', parts: [given.marked({ type: 'text', text: random.text() })] })
  const turns = 1 + random.below(3)
  for (let turn = 0; turn < turns; turn++) {
    items.push({ type: 'message', role: 'user', parts: partsOf(random, given) })
    if (turn === turns - 1 && random.isIn(0.7)) break
    if (random.isIn(0.7)) items.push({ type: 'message', role: 'assistant', parts: [given.marked({ type: 'text', text: random.text() })] })
    if (given.tools.length > 0) items.push(...callsOf(random, given, turn))
  }
  // A conversation must not end with a message of the assistant, because the model needs something
  // to answer.
  if (items.at(-1)?.type === 'message' && Reflect.get(items.at(-1)!, 'role') === 'assistant')
    items.push({ type: 'message', role: 'user', parts: partsOf(random, given) })
  return items
}

function partsOf(random: Choices, { has, marked }: Given): TextPart[] {
  const parts: TextPart[] = [{ type: 'text', text: random.text() }]
  if (random.isIn(0.3)) parts.push({ type: 'image', url: picture })
  if (has('sound') && random.isIn(0.1)) parts.push({ type: 'audio', data: sound, format: 'wav' })
  if (random.isIn(0.3)) parts.push({ type: 'text', text: random.text() })
  return parts.map(marked)
}

/** Returns up to three tool calls of the same turn, and their results. */
function callsOf(random: Choices, { tools, has, marked }: Given, turn: number): TextItem[] {
  const calls = Array.from({ length: random.below(4) }, (_, index) => ({
    callId: `call_${turn}_${index}`,
    name: random.of(tools).name,
    input: JSON.stringify(random.isIn(0.2) ? {} : { city: random.text(), n: [random.below(9), { deep: null }] }),
  }))
  return [
    ...calls.map(call => marked({ type: 'call' as const, kind: 'function' as const, ...call })),
    ...calls.map(({ callId }) => {
      const isError = has('failed-result') && random.isIn(0.2)
      const text: TextPart = { type: 'text', text: random.text() }
      const output = has('picture-in-result') && random.isIn(0.2) ? [text, { type: 'image' as const, url: picture }] : text.text
      return marked({ type: 'result' as const, kind: 'function' as const, callId, output, ...(isError ? { isError } : {}) })
    }),
  ]
}

interface Asked {
  request: TextRequest
  has(feature: Feature): boolean
}

function answerOf(random: Choices, { request, has }: Asked): (TextEvent | Finish)[] {
  const events: (TextEvent | Finish)[] = []
  if (random.isIn(0.4)) {
    for (const delta of piecesOf(random)) events.push({ type: 'reasoning', part: 'content', delta })
    events.push({ type: 'reasoning-end' })
  }
  const callable = callableIn(request)
  const isCalling = callable.length > 0 && random.isIn(0.6)
  const calls = isCalling ? 1 + random.below(request.parallelToolCalls ? 3 : 1) : 0
  if (has('refusal') && calls === 0 && random.isIn(0.1)) for (const delta of piecesOf(random)) events.push({ type: 'refusal', delta })
  else if (calls === 0 || random.isIn(0.5)) for (const delta of piecesOf(random)) events.push({ type: 'text', delta })
  for (let index = 0; index < calls; index++) {
    events.push({ type: 'call', index, kind: 'function', callId: `call_${index}`, name: random.of(callable) })
    const input = JSON.stringify({ city: random.text(), list: [1, null, { a: random.below(5) }] })
    const half = random.below(input.length)
    for (const delta of [input.slice(0, half), input.slice(half)]) if (delta !== '') events.push({ type: 'call-input', index, delta })
  }
  const finish = calls > 0 ? 'tool_calls' : random.of(['stop', 'stop', 'length'] as const)
  const inputTokens = 10 + random.below(1_000)
  const usage = { inputTokens, cachedInputTokens: random.below(inputTokens), outputTokens: 1 + random.below(500), reasoningTokens: 0 }
  return [...events, { type: 'finish', finish, usage }]
}

/** Returns the names of the tools that the answer may call. */
function callableIn({ tools, toolChoice: { mode, only } }: TextRequest): readonly string[] {
  return mode === 'none' ? [] : (only ?? tools.map(({ name }) => name))
}

function piecesOf(random: Choices): string[] {
  return Array.from({ length: 1 + random.below(4) }, () => random.text())
}
