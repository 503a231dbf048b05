/** Sends 500 damaged files, the same in every run. The gateway must answer each file, and must
 *  not be delayed by any. More files with the same seed would find little more: these files get
 *  all twelve different messages, and the next 500 add none. `npm run bench -- fuzz` sends many
 *  more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longestTurnMs } from '@generation-gateway/kit/testing/longest-turn.ts'
import { mediaSamples } from '@generation-gateway/kit/testing/media-samples.ts'
import { fakeTranscriptionDriver } from '../testing/fakes/fake-transcription-driver.ts'
import { startTestGateway } from '../testing/gateway.ts'
import { fuzz, fuzzYaml } from '../testing/load/fuzz.ts'

// Own process: this test takes a minute; in a shared process the other tests would wait for it.
const mostTurnMs = 200
/** Status for a file that was accepted, but in which the recognizer found no words. */
const taken = 422
/** Status for a file that the gateway is too busy to check; the right answer on a machine under
 *  load. */
const tooBusy = 503

test('500 mutated files of all formats are accepted or refused, without blocking the main thread', async () => {
  const samples = await mediaSamples()
  await using gateway = await startTestGateway({ drivers: [fakeTranscriptionDriver('ears')], yaml: fuzzYaml })
  const statuses = new Map<number, number>()
  const turnMs = await longestTurnMs(() =>
    fuzz({
      ...{ url: gateway.url, samples, seed: 29, count: 500, atOnce: 4 },
      seen: ({ name, status, text }) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        assert.ok([taken, 400, tooBusy].includes(status), `${name}: ${status} ${text}`)
      },
    }),
  )
  assert.ok(
    (statuses.get(taken) ?? 0) > 125 && (statuses.get(400) ?? 0) > 125 && (statuses.get(tooBusy) ?? 0) < 25,
    JSON.stringify([...statuses]),
  )
  assert.ok(turnMs < mostTurnMs, `${turnMs} ms of CPU in one turn`)
})
