/** The test with mixed load: calls of every kind run side by side while upstreams fail, callers
 *  disconnect and the program is killed. The ledger is then compared with the counts of the
 *  upstream. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '@generation-gateway/kit/testing/until.ts'
import { freePort } from '../testing/free-port.ts'
import { testAdminKey } from '../testing/gateway.ts'
import { type CountingUpstream, startCountingUpstream } from '../testing/load/counting-upstream.ts'
import { type CallRow, type LedgerRows, ledgerRows } from '../testing/load/ledger-rows.ts'
import { type CallOutcome, makeCall, readResponse } from '../testing/load/mixed-callers.ts'
import { type MixedCall, type MixedKey, mixedCalls, mixedKeys } from '../testing/load/mixed-calls.ts'
import { judgeBackground, judgeCall, judgeSums, usedBy } from '../testing/load/mixed-judge.ts'
import { type Program, startProgram } from '../testing/program.ts'

/** Number of calls. `MIXED_CALLS=10000` makes a longer run, and another seed makes other calls. */
const wanted = Number(process.env.MIXED_CALLS ?? 1_000)
const seed = Number(process.env.MIXED_SEED ?? 20_261_122)
const callers = 24
/** Shares of the calls (0 to 1) at which the program is killed. */
const killsAt = [0.25, 0.5, 0.75]
/** Time in ms within which the record of a call is on disk after the call has ended, even on a
 *  busy machine. */
const recordedWithinMs = 1_500
const tightTokens = 60_000
const prices = { input: 2.5, cached: 1.25, output: 10 }

function yaml(upstream: CountingUpstream, endpoints: number): string {
  const price = `price: { million_input_tokens: ${prices.input}, million_cached_input_tokens: ${prices.cached}, million_output_tokens: ${prices.output} }`
  const target = (side: 'good' | 'faulty', { protocols = 'chat, responses', dialect = 'openai', order = 1 } = {}) =>
    `      - { driver: openai-compatible, base_url: "${upstream.baseUrl(side)}", api_key: sk-up-1, model: up-1, dialect: ${dialect}, stateless: false, protocols: [${protocols}], order: ${order} }\n`
  const model = (id: string, targets: string, priced = price) =>
    `  - id: ${id}\n    family: [chat, responses]\n${priced === '' ? '' : `    ${priced}\n`}    targets:\n${targets}`
  const key = ({ name, secret }: MixedKey, quotas = '') =>
    `      - { name: ${name}, secret: ${secret}${quotas === '' ? '' : `, quotas: ${quotas}`} }\n`
  const places = `    endpoints: [${Array.from({ length: endpoints }, (_, index) => `{ name: e${index} }`).join(', ')}]\n`
  const [acmeA, acmeB, betaA, betaB, free, tight] = mixedKeys
  return `accounts:
  - id: acme
    quotas: { tokens: 1000000000, cost: 100000/month, requests: 1000000 }
    keys:
${key(acmeA, '{ tokens: [900000000/day, 1000000000], cost: 50000 }')}${key(acmeB)}${places}  - id: beta
    keys:
${key(betaA, '{ cost: 1000, requests: 100000/month }')}${key(betaB)}${places}  - id: free
    keys:
${key(free)}${places}  - id: tight
    quotas: { tokens: ${tightTokens} }
    keys:
${key(tight, '{ requests: 100000 }')}${places}models:
${model('steady', target('good'))}${model('shaky', target('faulty') + target('good', { order: 2 }))}${model('lonely', target('faulty'))}${model(
  'patchy',
  target('faulty', { protocols: 'chat' }) + target('good', { protocols: 'responses', order: 2 }),
  '',
)}${model('bridge-r', target('good', { protocols: 'responses' }))}${model('bridge-f', target('faulty', { protocols: 'responses' }))}${model(
  'bridge-c',
  target('good', { protocols: 'chat', dialect: 'basic' }),
)}`
}

/** Runs the program and kills it from time to time. Callers wait until it is running again. */
class Mortal {
  readonly killedAt: number[] = []
  readonly #start: () => Promise<Program>
  #program: Promise<Program>
  #isDown = false

  constructor(start: () => Promise<Program>) {
    this.#start = start
    this.#program = start()
  }

  get program(): Promise<Program> {
    return this.#program
  }

  /** Kills the program when it has answered the number of calls at which the next kill is due. */
  mayDie(calls: number): void {
    if (this.#isDown || calls < wanted * (killsAt[this.killedAt.length] ?? Number.POSITIVE_INFINITY)) return
    this.#isDown = true
    this.#program = this.#program.then(async running => {
      this.killedAt.push(performance.now())
      await running.kill()
      const again = await this.#start()
      this.#isDown = false
      return again
    })
  }

  wasTouched({ beganAt, endedAt }: Pick<CallOutcome, 'beganAt' | 'endedAt'>): boolean {
    return this.killedAt.some(at => beganAt < at + 20 && endedAt > at - recordedWithinMs)
  }
}

interface Made extends CallOutcome {
  isTouched: boolean
}

async function makeAll(planned: readonly MixedCall[], upstream: CountingUpstream, mortal: Mortal): Promise<Made[]> {
  const made: Made[] = []
  const waiting = [...planned]
  const make = async (call: MixedCall): Promise<void> => {
    upstream.plan(call.index, call.answer)
    const outcome: Made = { ...(await makeCall((await mortal.program).url, call, upstream)), isTouched: false }
    made.push(outcome)
    mortal.mayDie(made.length)
    await follow(outcome)
  }
  const follow = async (outcome: Made): Promise<void> => {
    const { call, responseId, status } = outcome
    if (call.next === undefined || status !== 200 || responseId === '') return
    if ('continues' in call.next) {
      const { continues } = call.next
      continues.body.previous_response_id = responseId
      await make(continues)
      return
    }
    for (let read = 0; read < call.next.reads; read++)
      await readResponse((await mortal.program).url, { endpoint: call.endpoint, key: call.next.by.secret, id: responseId })
    outcome.endedAt = performance.now()
  }
  const work = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) await make(call)
  }
  await Promise.all(Array.from({ length: callers }, work))
  return made.map(outcome => ({ ...outcome, isTouched: mortal.wasTouched(outcome) }))
}

interface Shown {
  key: { id: string }
  quotas: { used: number; held: number }[]
}

/** Returns the usage that `/v1/usage` shows to each key, once nothing is reserved any more. */
async function atRest(url: string): Promise<Map<MixedKey, string>> {
  const ids = new Map<MixedKey, string>()
  for (const key of mixedKeys) {
    const shown = await until(async () => {
      const response = await fetch(`${url}/v1/usage`, { headers: { authorization: `Bearer ${key.secret}` } })
      // The cast is unchecked; the interface defines this shape.
      const usage = (await response.json()) as Shown
      return usage.quotas.every(({ held }) => held === 0) ? usage : undefined
    }, `rest for ${key.account}/${key.name}`)
    ids.set(key, shown.key.id)
  }
  const response = await fetch(`${url}/admin/usage/open`, { headers: { authorization: `Bearer ${testAdminKey}` } })
  assert.deepEqual(Reflect.get(Object(await response.json()), 'lines'), [], 'open lines')
  return ids
}

function judgeAll(made: readonly Made[], upstream: CountingUpstream, { rows, ids }: { rows: LedgerRows; ids: Map<MixedKey, string> }) {
  const byPlace = Map.groupBy(rows.calls, row => [row.account, row.key, row.model, row.operation, row.endpoint].join(' '))
  const tally: Record<string, number> = {}
  const found = new Set<CallRow>()
  const wrong: string[] = []
  for (const outcome of made) {
    const { call } = outcome
    const own = byPlace.get([call.key.account, ids.get(call.key), call.model, `${call.protocol}.create`, call.endpoint].join(' ')) ?? []
    for (const row of own) found.add(row)
    const judged = { ...outcome, rows: own, attempts: upstream.attempts(call.index) }
    try {
      if (call.body.background === true) judgeBackground(judged, rows.usage)
      else {
        const kind = judgeCall(judged)
        tally[kind] = (tally[kind] ?? 0) + 1
      }
    } catch (error) {
      const { attempts, rows: records, ...rest } = judged
      const story = JSON.stringify(
        { ...rest, call: { ...call, body: JSON.stringify(call.body).slice(0, 300) }, attempts, records },
        null,
        1,
      )
      wrong.push(`call ${call.index}: ${String(error)}\n${story}`)
    }
  }
  assert.equal(wrong.length, 0, `${wrong.length} calls are counted wrongly, seed ${seed}: ${wrong.slice(0, 5).join('\n')}`)
  const others = rows.calls.filter(row => !found.has(row))
  for (const row of others) assert.deepEqual([row.operation, row.input + row.output], ['responses.get', 0])
  return tally
}

/** Asserts that the counters of quotas are the sums of the ledger, for each unit. */
function judgeQuotas(made: readonly Made[], rows: LedgerRows, ids: Map<MixedKey, string>): void {
  const counters = Map.groupBy(rows.quotas, ({ id }) => id.split('/').slice(0, 4).join('/'))
  for (const [name, windows] of counters) {
    const [kind, subject, unit] = name.split('/')
    const used = windows.reduce((sum, window) => sum + window.used, 0)
    const isOwn = (row: Pick<CallRow, 'account' | 'key'>) => (kind === 'key' ? row.key : row.account) === subject
    const sums = usedBy(rows, isOwn)
    if (unit === 'tokens') assert.equal(used, sums.tokens, name)
    if (unit === 'cost') assert.equal(used, sums.cost, name)
    if (unit !== 'requests') continue
    const own = made.filter(({ call }) => isOwn({ account: call.key.account, key: ids.get(call.key) ?? '' }))
    const records = rows.calls.filter(row => isOwn(row) && row.operation !== 'responses.get').length
    const most = own.filter(({ code }) => code !== 'quota_exceeded').length
    assert.ok(used >= records && used <= most, `${name}: ${used} counted, from ${records} to ${most} were made`)
  }
}

function judgeCosts({ calls }: LedgerRows): void {
  for (const { model, input, cached, output, inputCost, cachedCost, outputCost } of calls) {
    const of = (tokens: number, price: number) => (model === 'patchy' ? 0 : Math.round(tokens * price))
    assert.deepEqual(
      [inputCost, cachedCost, outputCost],
      [of(input - cached, prices.input), of(cached, prices.cached), of(output, prices.output)],
    )
  }
}

/** Asserts that a quota is exceeded by no more than what calls used beyond the amounts that were
 *  reserved for them. */
function judgeTight(made: readonly Made[], rows: LedgerRows): void {
  const beyond = made
    .filter(({ call }) => call.key.account === 'tight')
    .reduce((sum, { call }) => sum + (call.answer.words > call.mostTokens ? call.answer.words : 0), 0)
  const { tokens } = usedBy(rows, ({ account }) => account === 'tight')
  assert.ok(tokens <= tightTokens + beyond, `${tokens} of ${tightTokens} tokens`)
  assert.ok(made.some(({ code }) => code === 'quota_exceeded'))
}

test('under mixed load and three kills, no count is below what was delivered, and upstream counts are exact', {
  timeout: 300_000,
}, async (t: TestContext) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-mixed-'))
  const upstream = await startCountingUpstream()
  const port = await freePort()
  const { calls, endpoints } = mixedCalls(wanted, seed)
  const config = join(dataDir, 'gateway.yaml')
  await writeFile(config, yaml(upstream, endpoints))
  const mortal = new Mortal(() =>
    startProgram({ dataDir, port, env: { GATEWAY_CONFIG: config, GATEWAY_ENGINE_WORKERS: '0', GATEWAY_LOG_LEVEL: 'silent' } }),
  )
  t.after(async () => {
    await (await mortal.program).kill()
    await upstream.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const made = await makeAll(calls, upstream, mortal)
  const { url, stop } = await mortal.program
  assert.equal(mortal.killedAt.length, killsAt.length)
  const ids = await atRest(url)
  await stop()
  const rows = await ledgerRows(dataDir)
  const tally = judgeAll(made, upstream, { rows, ids })
  judgeSums(rows)
  judgeQuotas(made, rows, ids)
  judgeCosts(rows)
  judgeTight(made, rows)
  const touched = made.filter(({ isTouched }) => isTouched).length
  t.diagnostic(`seed ${seed}: ${made.length} calls, ${touched} touched by kills, ${JSON.stringify(tally)}, ${endpoints} endpoints`)
})
