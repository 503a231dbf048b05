/** Tests that reading vectors takes many short turns of the event loop and not a single long
 *  one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectsOf } from '@generation-gateway/kit/json.ts'
import { vectorsAnswer } from './vectors-answer.ts'

const chunkBytes = 64 * 1024

test('an answer of 60 MB is read in turns of less than 50 ms of CPU time', async () => {
  // A garbage collection may lengthen a turn, so the best of up to five rounds counts.
  let longest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5 && longest >= 50; round++) longest = Math.min(longest, await longestTurn())
  assert.ok(longest < 50, `${Math.round(longest)} ms`)
})

/** Reads the answer once, and returns the CPU milliseconds of its longest turn. */
async function longestTurn(): Promise<number> {
  const vector = JSON.stringify(Array.from({ length: 3_072 }, (_, place) => Math.sin(place) / 40))
  const item = Buffer.from(`{"object":"embedding","embedding":${vector}},`)
  const count = 1_000
  let longest = 0
  let before = process.threadCpuUsage()
  const endTurn = (): void => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
  }
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"data":[')
    for (let sent = 0; sent < count; sent++)
      for (let at = 0; at < item.length; at += chunkBytes) {
        yield item.subarray(at, sent === count - 1 ? Math.min(at + chunkBytes, item.length - 1) : at + chunkBytes)
        endTurn()
      }
    yield Buffer.from(']}')
  }
  const answer = await vectorsAnswer({ chunks }, 'embedding', 160 * 2 ** 20)
  endTurn()
  // The cast is safe: the test itself has made the answer.
  const { data } = answer as { data: object[] }
  assert.equal(data.length, count)
  assert.equal(new Set(objectsOf(answer && data).map(({ embedding }) => embedding)).size, 1)
  return longest
}

test('an answer beyond its limit, and a vector without an end, are refused', async () => {
  const read = (text: string, most: number) =>
    vectorsAnswer(
      {
        chunks: async function* () {
          yield Buffer.from(text)
        },
      },
      'embedding',
      most,
    )
  await assert.rejects(read('{"data":[]}', 5), /more than 5 bytes/)
  await assert.rejects(read(`{"embedding":[${'1,'.repeat(600_000)}`, 2 ** 30), /more than 1 MB/)
})
