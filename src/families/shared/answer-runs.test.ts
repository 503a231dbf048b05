import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import type { TextRunEvent } from '../../contract/needs/respond.ts'
import { runAnswers } from './answer-runs.ts'

const request: TextRequest = {
  items: [],
  tools: [],
  toolChoice: { mode: 'none' },
  parallelToolCalls: true,
  format: { type: 'text' },
  seed: 10,
  extras: { protocol: 'chat', fields: {} },
}

/** Returns runs that yield words until they are stopped. `said` contains the number of words of
 *  each run by its seed, and `stopped` the seeds of the runs that were stopped. */
function endlessRuns() {
  const said = new Map<number, number>()
  const stopped: number[] = []
  async function* respond({ seed = 0 }: TextRequest): AsyncGenerator<TextRunEvent> {
    try {
      for (;;) {
        said.set(seed, (said.get(seed) ?? 0) + 1)
        yield { type: 'text', delta: `${seed}` }
      }
    } finally {
      stopped.push(seed)
    }
  }
  return { respond, said, stopped }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('a slow reader holds back each answer after one word, and leaving stops all answers', async () => {
  const { respond, said, stopped } = endlessRuns()
  const events = runAnswers({ respond }, request, 3)
  await events.next()
  await turn()
  assert.deepEqual([...said].sort(), [
    [10, 1],
    [11, 1],
    [12, 1],
  ])
  await events.return(undefined)
  await turn()
  assert.deepEqual(stopped.sort(), [10, 11, 12])
})

test('an answer that fails ends the whole call, and the other answers are stopped', async () => {
  const { respond, stopped } = endlessRuns()
  async function* oneFails(requested: TextRequest): AsyncGenerator<TextRunEvent> {
    if (requested.seed === 11) throw new Error('broken')
    yield* respond(requested)
  }
  const read = async () => {
    for await (const { index } of runAnswers({ respond: oneFails }, request, 3)) assert.notEqual(index, 1)
  }
  await assert.rejects(read, /broken/)
  await turn()
  assert.deepEqual(stopped.sort(), [10, 12])
})

test('answers that end at different times are all complete', async () => {
  async function* respond({ seed = 0 }: TextRequest): AsyncGenerator<TextRunEvent> {
    for (let word = 0; word < seed - 9; word++) {
      yield { type: 'text', delta: `${seed}.${word}` }
      await turn()
    }
  }
  const texts = ['', '', '']
  for await (const { index, event } of runAnswers({ respond }, request, 3)) if (event.type === 'text') texts[index] += event.delta
  assert.deepEqual(texts, ['10.0', '11.011.1', '12.012.112.2'])
})
