/** Nothing that a caller writes into a body makes a count smaller than what was delivered
 *  (docs/decisions/0015). The bodies are random, and the upstream repeats them in its answers. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import fc from 'fast-check'
import { startTestGateway, type TestGateway } from '../testing/gateway.ts'
import type { Attempt } from '../testing/load/counting-answers.ts'
import { type CountingUpstream, startCountingUpstream } from '../testing/load/counting-upstream.ts'
import { type ForgedBody, forgedBody, textOf } from '../testing/load/forged-bodies.ts'
import { exchange, type WholeAnswer } from '../testing/relay-gateway.ts'
import { onlyEmbedded } from '../testing/stores/database.ts'

/** Seed of the random bodies, printed with every failure; another seed tests other bodies. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_122)
/** Number of cases. Each case sends one body to every lane; a lane is an account with a target
 *  of its own. */
const runs = Number(process.env.FUZZ_RUNS ?? 200)
const price = { input: 0.5, output: 0.01 }
/** For each lane, the protocols that its target speaks. They decide whether bodies are relayed
 *  or translated. */
const lanes = [
  { protocols: 'chat, responses', dialect: 'openai' },
  { protocols: 'responses', dialect: 'openai' },
  { protocols: 'chat', dialect: 'basic' },
  { protocols: 'chat, responses', dialect: 'basic' },
  { protocols: 'chat, responses', dialect: 'openai' },
  { protocols: 'chat', dialect: 'openai' },
] as const
const secretOf = (lane: number) => `sk-fuzz-lane-${lane}-0000001`
const bystander = 'sk-fuzz-bystander-00001'
/** Quotas that are practically unlimited, because a call may hold 128 answers of 2^31 tokens
 *  each. */
const room = '{ tokens: 999999999999999, cost: 999999999, requests: 1000000000 }'

const embedded = onlyEmbedded('reads the counts in the file of the embedded store at each call')
let upstream: CountingUpstream
let gateway: TestGateway
let database: DatabaseSync
let calls = 0
/** For each call: the amount that was reserved when the upstream got the request, and the most that
 *  the upstream would use for the request as it reads it. */
const heldAt = new Map<number, { held: number; mayUse: number }[]>()
const laneOf = new Map<number, number>()
let foreign = { responseId: '', itemId: '' }

function yaml(): string {
  const account = (id: string, secret: string) =>
    `  - id: ${id}\n    quotas: ${room}\n    keys: [{ name: k, secret: ${secret}, quotas: ${room} }]\n    endpoints: [{ name: default }]\n`
  const model = (id: string, { protocols, dialect }: { protocols: string; dialect: string }) =>
    `  - id: ${id}\n    family: [chat, responses]\n    price: { million_input_tokens: ${price.input}, million_output_tokens: ${price.output} }\n` +
    `    targets: [{ driver: openai-compatible, base_url: "${upstream.baseUrl('good')}", api_key: sk-up-1, model: up-1, dialect: ${dialect}, stateless: false, protocols: [${protocols}] }]\n`
  return (
    `accounts:\n${account('bystander', bystander)}${lanes.map((_, lane) => account(`lane${lane}`, secretOf(lane))).join('')}` +
    `models:\n${model('m', lanes[0])}${lanes.map((lane, index) => model(`m${index}`, lane)).join('')}`
  )
}

before(async () => {
  // This hook also runs when the test is skipped; it must then start nothing.
  if (embedded.skip !== undefined) return
  upstream = await startCountingUpstream(noteHeld)
  gateway = await startTestGateway({ yaml: yaml() })
  database = new DatabaseSync(join(gateway.dataDir, 'gateway.db'), { readOnly: true })
  upstream.plan(0, { words: 5, answers: 1, hidden: 0, cached: 0, givesUsage: true })
  const made = await exchange(`${gateway.url}/v1/responses`, { body: '{"model":"m","input":"mine @0@"}', key: bystander })
  assert.equal(made.status, 200, made.text)
  const { id, output } = JSON.parse(made.text)
  foreign = { responseId: id, itemId: output[0].id }
  await until(() => countsOf('bystander').tokens.used > 0, 'the record of the bystander')
})
after(async () => {
  if (embedded.skip !== undefined) return
  database.close()
  await gateway[Symbol.asyncDispose]()
  await upstream.close()
})

interface Counts {
  used: number
  held: number
}

/** Returns the counters of an account, after asserting that the counters of its only key are the
 *  same. */
function countsOf(account: string): Record<'tokens' | 'cost' | 'requests', Counts> {
  const keys = database.prepare('SELECT id FROM access_keys WHERE account_id = ?').all(account)
  const find = database.prepare('SELECT used, held FROM quota_counts WHERE id = ?')
  const of = (unit: string): Counts => {
    const [shared, own] = [`account/${account}`, `key/${String(keys[0]?.id)}`].map(subject => {
      const row = find.get(`${subject}/${unit}/total/0`)
      return { used: Number(row?.used ?? 0), held: Number(row?.held ?? 0) }
    })
    assert.ok(shared && own)
    assert.deepEqual(shared, own, `${unit} of ${account} and of its key`)
    assert.ok(own.used >= 0 && own.held >= 0, `${own.used} ${unit} are used and ${own.held} held`)
    return own
  }
  return { tokens: of('tokens'), cost: of('cost'), requests: of('requests') }
}

/** Records the amount that is reserved when the upstream gets the request. */
function noteHeld({ call, promptTokens }: Attempt, body: unknown, sent: string): void {
  const lane = laneOf.get(call)
  if (lane === undefined) return
  assertPlain(sent, Object.keys(Object(body)))
  const field = (name: string): unknown => Reflect.get(Object(body), name)
  const isChat = field('messages') !== undefined
  const most = (isChat ? (field('max_completion_tokens') ?? field('max_tokens')) : field('max_output_tokens')) ?? 4_096
  const answers = isChat ? Number(field('n') ?? 1) : 1
  const list = heldAt.get(call) ?? []
  heldAt.set(call, list)
  list.push({ held: countsOf(`lane${lane}`).tokens.held, mayUse: promptTokens + Number(most) * answers })
}

const decisiveNames = {
  chat: ['max_tokens', 'max_completion_tokens', 'n', 'stream'],
  responses: ['max_output_tokens', 'stream', 'background', 'store'],
}

/** Asserts that all parsers read the text in the same way: no member name is repeated, and none
 *  differs from a decisive name (`decisiveNames`) only in case. */
function assertPlain(text: string, names: readonly string[]): void {
  assert.equal(membersOf(text), names.length, 'a name stands twice')
  const decisive = names.includes('messages') ? decisiveNames.chat : decisiveNames.responses
  for (const name of names) {
    const meant = name.toUpperCase().toLowerCase()
    assert.ok(meant === name || !decisive.includes(meant), `${name} may be taken for ${meant}`)
  }
}

/** Returns the number of members of the outermost object. */
function membersOf(text: string): number {
  const structure = text.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  let depth = 0
  let members = structure.startsWith('{}') ? 0 : 1
  for (const sign of structure) {
    if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    else if (sign === ',' && depth === 1) members += 1
  }
  return members
}

interface Sent {
  lane: number
  call: number
  text: string
  body: ForgedBody
  before: ReturnType<typeof countsOf>
  answer: WholeAnswer
}

async function send(body: ForgedBody, lane: number): Promise<Sent> {
  const call = ++calls
  laneOf.set(call, lane)
  // Each lane is one simulated caller. The first one shares the model `m`, and thus its target,
  // with another account, whose usage counts must not change.
  const text = textOf(body, lane === 0 ? 'm' : `m${lane}`, call)
  const echo = { echo: parsed(text), usage: { prompt_tokens: 1, completion_tokens: 1, input_tokens: 1, output_tokens: 1 } }
  const { words, givesUsage, repeats } = body
  const plan = { words, answers: 1, hidden: 2, cached: 0, givesUsage, echo }
  upstream.plan(call, repeats ? { ...plan, says: JSON.stringify(echo) } : plan)
  const path = body.protocol === 'chat' ? 'chat/completions' : 'responses'
  const before = countsOf(`lane${lane}`)
  const answer = await exchange(`${gateway.url}/v1/ai/default/${path}`, { body: text, key: secretOf(lane) })
  return { lane, call, text, body, before, answer }
}

/** Returns the parsed JSON; undefined for text that is not JSON, or is too long to be parsed. */
function parsed(text: string): unknown {
  try {
    return text.length > 100_000 ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns true while a task of the account has not ended. The gateway creates a background
 *  response by such a task when it stores the responses itself. */
const isRunning = (id: string) => {
  const row = database
    .prepare("SELECT count(*) AS n FROM tasks WHERE account_id = ? AND state NOT IN ('succeeded', 'failed', 'cancelled', 'expired')")
    .get(id)
  return Number(row?.n) > 0
}

async function atRest({ lane, answer }: Sent): Promise<ReturnType<typeof countsOf>> {
  const account = `lane${lane}`
  const find = database.prepare('SELECT count(*) AS n FROM calls WHERE request_id = ?')
  return until(() => {
    if (answer.status === 200 && Number(find.get(String(answer.headers['x-request-id']))?.n) === 0) return undefined
    if (isRunning(account)) return undefined
    const now = countsOf(account)
    return now.tokens.held + now.cost.held + now.requests.held === 0 ? now : undefined
  }, `rest on ${account}`)
}

async function judge(sent: Sent): Promise<string> {
  const { call, answer, before } = sent
  const now = await atRest(sent)
  const used = {
    tokens: now.tokens.used - before.tokens.used,
    cost: now.cost.used - before.cost.used,
    requests: now.requests.used - before.requests.used,
  }
  const attempts = upstream.attempts(call)
  assert.ok(answer.status < 500, 'an answer is no fault of ours')
  if (answer.status !== 200) {
    assert.deepEqual([used, attempts], [{ tokens: 0, cost: 0, requests: 0 }, []], 'what is refused costs nothing and goes nowhere')
    return 'refused'
  }
  assert.equal(sent.body.isForeign, false, 'what is not its own is refused')
  assert.ok(attempts.length > 0, 'it was answered by somebody')
  for (const { held, mayUse } of heldAt.get(call) ?? []) assert.ok(held >= mayUse, `${held} tokens were held for up to ${mayUse}`)
  const sum = (of: (attempt: Attempt) => number) => attempts.reduce((total, attempt) => total + of(attempt), 0)
  const delivered = sum(({ promptTokens, written }) => promptTokens + written)
  assert.ok(used.tokens >= delivered, `${used.tokens} tokens are counted of ${delivered} that were delivered`)
  assert.equal(used.requests, 1)
  if (!attempts.every(({ hasTold }) => hasTold)) {
    const held = Math.max(...(heldAt.get(call) ?? []).map(each => each.held))
    assert.ok(used.tokens >= held, `${used.tokens} tokens are counted of ${held} that were held`)
    return 'estimated'
  }
  const counted = { input: sum(({ count }) => count.input), output: sum(({ count }) => count.output) }
  assert.equal(used.tokens, counted.input + counted.output, 'the upstream counted it')
  assert.equal(used.cost, Math.round(counted.input * price.input) + Math.round(counted.output * price.output))
  return 'counted'
}

test('no body makes a count smaller than what was delivered, or changes the counters of another account', embedded, async t => {
  const tally: Record<string, number> = {}
  const others = countsOf('bystander')
  const bodies = fc.array(forgedBody(foreign), { minLength: lanes.length, maxLength: lanes.length })
  const property = fc.asyncProperty(bodies, async each => {
    const sent = await Promise.all(each.map((body, lane) => send(body, lane)))
    for (const one of sent) {
      try {
        const kind = await judge(one)
        tally[kind] = (tally[kind] ?? 0) + 1
      } catch (error) {
        throw new Error(
          `${String(error)}\nlane ${one.lane} (${lanes[one.lane]?.protocols}), ${one.body.protocol}: ${one.text.slice(0, 1_000)}\n${one.answer.status} ${one.answer.text.slice(0, 500)}`,
        )
      }
    }
    assert.deepEqual(countsOf('bystander'), others, 'another account paid')
  })
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: true })
  t.diagnostic(`seed ${seed}: ${calls} bodies, ${JSON.stringify(tally)}`)
  for (const kind of ['refused', 'estimated', 'counted']) assert.ok((tally[kind] ?? 0) > calls / 20, `${kind}: ${tally[kind]} of ${calls}`)
})
