/** Checks that a short conversation of one account does not wait for long ones of another
 *  account. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { goodRound } from '@generation-gateway/kit/testing/good-round.ts'
import { createTextHost } from './host.ts'
import { needsModel as needs, request, testModel } from './testing/ask.ts'

const host = createTextHost({ children: 1, requestLimit: 20, idleMs: 60_000, onLog: () => undefined })
after(() => host.close())

const question = request('Write a long story about a ship.', { maxOutputTokens: 12 })
const counts = () => host.children()[0]?.counts ?? { steps: 0, tokens: 0, running: 0 }

/** Sends a request. Returns the number of steps that the model made until the answer was complete
 *  (`all`), and the number of tokens in the answer (`output`). */
async function steps(what: TextRequest, account: string, model = testModel()): Promise<{ all: number; output: number }> {
  const before = counts().steps
  let output = 0
  const { signal } = new AbortController()
  for await (const event of host.respond(model, what, { account, signal }))
    if (event.type === 'done') output = event.result.usage.outputTokens
  return { all: counts().steps - before, output }
}

/** Starts `many` requests of account `a`; they run until they are cancelled. */
function crowd(many: number, what: TextRequest, model = testModel()) {
  const stop = new AbortController()
  const started = Promise.withResolvers<void>()
  const ended = Array.from({ length: many }, async () => {
    for await (const _ of host.respond(model, what, { account: 'a', signal: stop.signal })) started.resolve()
  })
  for (const each of ended) each.catch(started.reject)
  started.promise.catch(() => undefined)
  return {
    started: started.promise,
    leave: async () => {
      stop.abort(new Error('seen enough'))
      await Promise.allSettled(ended)
    },
  }
}

const story = request('Write a long story about a fox and a bear.', { maxOutputTokens: 1_500 })
const words = (count: number): string => 'and the fox went on '.repeat(count / 5)

test('a short conversation is answered in its turn beside twenty long ones of another account', needs, async () => {
  const alone = await steps(question, 'b')
  assert.equal(alone.output, 12)
  const others = crowd(20, story)
  await others.started
  // Both accounts get the same time. A step of the other account takes longer, because four
  // conversations share it, so that account should make fewer steps meanwhile; twice as many as the
  // conversation's own are allowed.
  const most = 3 * alone.all + 4
  const beside = await goodRound(
    () => steps(question, 'b'),
    ({ all }) => all <= most,
  )
  assert.equal(beside.output, 12)
  assert.ok(beside.all <= most, `${beside.all} steps, ${alone.all} alone`)
  // The other account is at its limit, so one more of its requests is refused. Requests of other
  // accounts are not affected.
  await assert.rejects(crowd(1, story).started, { code: 'engine_busy' })
  await others.leave()
})

test('a short conversation is answered in its turn beside long prompts of another account', needs, async () => {
  const alone = await steps(question, 'b')
  const most = 3 * alone.all + 4
  const measure = async (): Promise<number> => {
    const others = crowd(4, request(words(1_500), { maxOutputTokens: 200 }))
    const { all } = await steps(question, 'b')
    await others.leave()
    return all
  }
  const beside = await goodRound(measure, all => all <= most)
  assert.ok(beside <= most, `${beside} steps, ${alone.all} alone`)
})

test('a conversation that needs the long context does not wait for another account that uses it', needs, async () => {
  // The requests reserve answers of different lengths, because conversations are sorted by this
  // length.
  const others = crowd(2, request('Write a long story about a fox and a bear.', { maxOutputTokens: 3_000 }))
  await others.started
  const { output } = await steps(request('Write a long story about a ship.', { maxOutputTokens: 2_500, stop: [' '] }), 'b')
  assert.ok(output > 0)
  assert.equal(counts().running, 1)
  await others.leave()
})

test('an account without running work gets a model although another account keeps all of them busy', needs, async () => {
  const others = crowd(1, story)
  await others.started
  const small = testModel({ context: 1024 })
  await assert.rejects(crowd(1, story, small).started, { code: 'engine_busy' })
  const { output } = await steps(question, 'b', small)
  assert.equal(output, 12)
  assert.equal(host.children().length, 1)
  await others.leave()
})
