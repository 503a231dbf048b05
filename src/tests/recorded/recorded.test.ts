/** The gateway answers about 400 requests byte for byte as it did when its answers were recorded.
 *  With `RECORD=1` in the environment, this test records the answers anew; do this only with a
 *  reason in the commit message. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { onlyEmbedded } from '../../testing/stores/database.ts'
import { replayed } from './replay.ts'
import { recordedRequests } from './requests.ts'
import { type RecordedWorld, startRecordedWorld } from './world.ts'

const file = new URL('./answers.txt', import.meta.url)
const ratesOfOneProcess = onlyEmbedded('has the waits of a rate that one process counts')
const heading = '\n#### '
let world: RecordedWorld
before(async () => {
  world = await startRecordedWorld()
})
after(() => world.close())

test('the recorded requests are answered as before', async t => {
  const answers: [name: string, answer: string][] = []
  for (const request of recordedRequests) answers.push([request.name, await replayed(world, request)])
  const text = answers.map(([name, answer]) => `${heading}${name}\n${answer}`).join('')
  if (process.env.RECORD === '1') await writeFile(file, text, 'latin1')
  const recorded = (await readFile(file, 'latin1')).split(heading).slice(1)
  assert.equal(new Set(recordedRequests.map(({ name }) => name)).size, recordedRequests.length)
  for (const [at, [name, answer]] of answers.entries()) {
    await t.test(name, name.startsWith('rate limit') ? ratesOfOneProcess : {}, () => assert.equal(`${name}\n${answer}`, recorded[at]))
  }
  assert.equal(recorded.length, answers.length)
})
