/** Generates calls of every kind for the test with mixed load. A call has a request, the answer
 *  that the upstream plans for it, and the moment at which its caller disconnects. The same seed
 *  gives the same calls. */
import { randomNumbers } from '@generation-gateway/kit/random.ts'
import { type AnswerPlan, type Fault, markOf } from './counting-answers.ts'

export interface MixedKey {
  name: string
  account: string
  secret: string
  /** True when the key or its account has quotas. The gateway then reserves an amount of them for
   *  each call of the key. */
  isHeld: boolean
}

const keyOf = (account: string, name: string, isHeld: boolean): MixedKey => ({
  name,
  account,
  isHeld,
  secret: `sk-mixed-${account}-${name}-0001`,
})
export const mixedKeys = [
  keyOf('acme', 'a', true),
  keyOf('acme', 'b', true),
  keyOf('beta', 'a', true),
  keyOf('beta', 'b', false),
  keyOf('free', 'a', false),
  keyOf('tight', 'a', true),
] as const

/** The models by name. For each protocol, true when calls in this protocol have to be translated
 *  for the model's target. */
export const mixedModels = {
  steady: { chat: false, responses: false },
  shaky: { chat: false, responses: false },
  lonely: { chat: false, responses: false },
  patchy: { chat: false, responses: true },
  'bridge-r': { chat: true, responses: false },
  'bridge-f': { chat: true, responses: false },
  'bridge-c': { chat: false, responses: true },
} as const
export type MixedModel = keyof typeof mixedModels

export interface MixedCall {
  index: number
  key: MixedKey
  /** Endpoint of the call. No two calls with the same key, model and protocol have the same
   *  endpoint, so the ledger's rows can be matched with calls. */
  endpoint: string
  model: MixedModel
  protocol: 'chat' | 'responses'
  isTranslated: boolean
  isStream: boolean
  /** Largest number of tokens that the answers together may have; the gateway reserves this
   *  amount. */
  mostTokens: number
  body: Record<string, unknown>
  answer: AnswerPlan
  leaves?: 'before-head' | 'first-event' | 'before-usage'
  /** The next step after the call, by another key of the account: it reads the response `reads`
   *  times, or continues it. */
  next?: { by: MixedKey; reads: number } | { by: MixedKey; continues: MixedCall }
}

const forged = { usage: { prompt_tokens: 1, completion_tokens: 1, input_tokens: 1, output_tokens: 1, total_tokens: 2 } }
const faults: readonly Fault[] = ['rate-limited', 'failed', 'refused', 'broken', 'broken', 'garbage', 'closed']
const kinds = [
  ...Array<'whole'>(26).fill('whole'),
  ...Array<'stream'>(36).fill('stream'),
  ...Array<'left'>(18).fill('left'),
  ...Array<'continued'>(6).fill('continued'),
  ...Array<'background'>(8).fill('background'),
  ...Array<'long'>(4).fill('long'),
  ...Array<'large'>(1).fill('large'),
] as const
type Kind = (typeof kinds)[number]

/** Generates calls until there are `count`, or `count` plus 1 when the last one is continued by
 *  another call. Also returns how many endpoints the calls need. */
export function mixedCalls(count: number, seed: number): { calls: MixedCall[]; endpoints: number } {
  const planner = new Planner(randomNumbers(seed))
  const calls: MixedCall[] = []
  while (planner.made < count) calls.push(planner.call())
  return { calls, endpoints: planner.endpoints }
}

class Planner {
  made = 0
  endpoints = 0
  readonly #random: () => number
  readonly #places = new Map<string, number>()

  constructor(random: () => number) {
    this.#random = random
  }

  call(): MixedCall {
    const kind = this.#pick(kinds)
    if (kind === 'continued') return this.#continued()
    const key = this.#pick(mixedKeys)
    const isBackground = kind === 'background'
    const protocol = isBackground || this.#random() < 0.4 ? 'responses' : 'chat'
    const model = isBackground ? 'steady' : this.#model(kind)
    const call = this.#make({ kind, key, model, protocol, place: this.#place(key, model, protocol) })
    if (!isBackground) return call
    call.body.background = true
    call.answer = { ...withoutFaults(call.answer), givesUsage: true, readsUntilEnd: this.#upTo(2) }
    const next = { by: otherKey(key), reads: this.#upTo(4) }
    if (!call.isStream || this.#random() < 0.5) return { ...call, next }
    call.answer.waits = 'usage'
    return { ...call, next, leaves: 'before-usage' }
  }

  /** Generates a call and the call that continues it. The second one uses another key, and
   *  therefore counts its endpoints separately. */
  #continued(): MixedCall {
    const key = this.#pick([mixedKeys[0], mixedKeys[2]])
    const model = this.#random() < 0.3 ? 'bridge-c' : 'steady'
    const by = otherKey(key)
    const place = Math.max(this.#place(key, model, 'responses'), this.#place(by, model, 'responses'))
    const both = [key, by].map(each => `${each.account}/${each.name}/${model}/responses`)
    for (const name of both) this.#places.set(name, place + 1)
    const first = this.#make({ kind: 'whole', key, model, protocol: 'responses', place })
    const continues = this.#make({ kind: 'stream', key: by, model, protocol: 'responses', place })
    // The first answer reports usage. Otherwise the gateway would not know the tokens of the first
    // turn, and could not include them in an estimate for the second.
    first.answer = { ...withoutFaults(first.answer), givesUsage: true }
    return { ...first, next: { by, continues } }
  }

  #make({ kind, key, model, protocol, place }: Pick<MixedCall, 'key' | 'model' | 'protocol'> & { kind: Kind; place: number }): MixedCall {
    const index = this.made++
    this.endpoints = Math.max(this.endpoints, place + 1)
    const leaves = kind === 'left' ? this.#pick(['before-head', 'first-event', 'before-usage'] as const) : undefined
    const isStream =
      kind === 'stream' ||
      kind === 'long' ||
      (leaves !== undefined && leaves !== 'before-head') ||
      this.#random() < (kind === 'background' ? 0.4 : 0.1)
    const answer = this.#answer(kind, protocol, leaves)
    const limit = this.#limit(kind, answer)
    const usesNewName = this.#random() < 0.3
    const body = this.#body({ index, kind, model, protocol, isStream, answer, limit, usesNewName })
    const isTranslated = mixedModels[model][protocol] || (model === 'bridge-c' && usesNewName && limit !== undefined)
    const mostTokens = answer.answers * (limit ?? 4_096)
    const made: MixedCall = { index, key, endpoint: `e${place}`, model, protocol, isTranslated, isStream, mostTokens, body, answer }
    return leaves === undefined ? made : { ...made, leaves }
  }

  #answer(kind: Kind, protocol: MixedCall['protocol'], leaves: MixedCall['leaves']): AnswerPlan {
    const words = kind === 'long' ? 2_500 + this.#upTo(1_500) : 4 + this.#upTo(40)
    const answer: AnswerPlan = {
      words,
      answers: protocol === 'chat' && kind !== 'large' && kind !== 'long' && this.#random() < 0.12 ? 3 : 1,
      hidden: this.#upTo(6),
      cached: this.#upTo(8),
      givesUsage: this.#random() < 0.85,
    }
    if (this.#random() < 0.3 && kind !== 'long') answer.echo = forged
    if (kind === 'long') answer.isSlow = true
    if (leaves === 'before-head') answer.waits = 'head'
    if (leaves === 'before-usage') answer.waits = 'usage'
    if (leaves === undefined && this.#random() < 0.3) answer.fault = this.#pick(faults)
    return answer
  }

  #limit(kind: Kind, { words, hidden }: AnswerPlan): number | undefined {
    // The answer has more words than this limit: the upstream of these tests ignores it.
    if (kind === 'long') return 64
    return this.#random() < 0.3 ? undefined : Math.max(16, words + hidden) + this.#upTo(200)
  }

  #body(requested: Pick<MixedCall, 'index' | 'model' | 'protocol' | 'isStream' | 'answer'> & PlannedOptions): Record<string, unknown> {
    const { index, model, protocol, isStream, answer, limit, usesNewName, kind } = requested
    const prompt = this.#prompt(index, kind)
    const body: Record<string, unknown> = { model, ...(isStream ? { stream: true } : {}) }
    if (protocol === 'chat') {
      body.messages = [{ role: 'user', content: prompt }]
      if (answer.answers > 1) body.n = answer.answers
      if (limit !== undefined) body[usesNewName ? 'max_completion_tokens' : 'max_tokens'] = limit
    } else {
      body.input = prompt
      if (limit !== undefined) body.max_output_tokens = limit
    }
    if (answer.echo !== undefined) Object.assign(body, forgeries(protocol))
    return body
  }

  #prompt(index: number, kind: Kind): string {
    const said = ['soil and sand '.repeat(1 + this.#upTo(8)), '1 2 3 4 5 6 7 8 9 '.repeat(3), 'data:, all of this is text '.repeat(2)]
    const words = kind === 'large' ? 'more of the same '.repeat(66_000) : this.#pick(said)
    return `${words.startsWith('data:') ? words : `tell of ${words}`}${markOf(index)}`
  }

  #model(kind: Kind): MixedModel {
    if (kind === 'large' || kind === 'long') return 'steady'
    const all = Object.keys(mixedModels) as MixedModel[] // The cast is safe: these are all keys of the literal.
    return this.#pick(all)
  }

  #place(key: MixedKey, model: MixedModel, protocol: string): number {
    const name = `${key.account}/${key.name}/${model}/${protocol}`
    const place = this.#places.get(name) ?? 0
    this.#places.set(name, place + 1)
    return place
  }

  #pick<Member>(list: readonly Member[]): Member {
    return list[Math.floor(this.#random() * list.length)]!
  }

  /** Returns a whole number from 0 to `most`. */
  #upTo(most: number): number {
    return Math.floor(this.#random() * (most + 1))
  }
}

interface PlannedOptions {
  kind: Kind
  limit: number | undefined
  usesNewName: boolean
}

function withoutFaults({ fault: _, ...answer }: AnswerPlan): AnswerPlan {
  return answer
}

function otherKey({ account, name }: MixedKey): MixedKey {
  return mixedKeys.find(key => key.account === account && key.name !== name) ?? mixedKeys.find(key => key.account === account)!
}

/** Returns members with forged token counts. They are in every place of a request that services
 *  repeat in their answers. */
function forgeries(protocol: MixedCall['protocol']): object {
  const parameters = { type: 'object', properties: forged, ...forged }
  const note = JSON.stringify(forged)
  const tool = { name: 'forge', description: note, parameters }
  const metadata = { usage: note, note: `"usage":{"prompt_tokens":1,"completion_tokens":1}` }
  if (protocol === 'chat') return { metadata, tools: [{ type: 'function', function: tool }] }
  return { metadata, tools: [{ type: 'function', ...tool }] }
}
