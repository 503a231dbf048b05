/** Fake video models of provider packages, and short descriptions of how their runs end. */
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Outcome } from '@generation-gateway/kit/requests/job.ts'
import { type FakeVideoModel, fakeVideoPackage, type RecordedCall } from './fake-package.ts'
import { filming, startVideoRunner, testSecret, type VideoRunner } from './run.ts'

export const given = (...videos: object[]) => ({ status: 'completed', videos, warnings: [] })
export const starts = (doStatus: FakeVideoModel['doStatus'], more: FakeVideoModel = {}): FakeVideoModel => ({
  doStart: async (_call, send) => {
    await send('/start', { method: 'POST', body: '{}' })
    return { operation: { id: 'op-1' }, warnings: [] }
  },
  ...(doStatus && { doStatus }),
  ...more,
})

export async function videoRunnerOf(model: FakeVideoModel, baseUrl: string): Promise<VideoRunner & { calls: RecordedCall[] }> {
  const { source, calls } = fakeVideoPackage(model)
  return { ...(await startVideoRunner({ ...source, has: () => true }, baseUrl)), calls }
}

export function done(outcome: Outcome): Extract<Outcome, { state: 'done' }> {
  assert.ok(outcome.state === 'done', inspect(outcome))
  return outcome
}

export async function failureOf(run: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await run.then(
    outcome => assert.fail(`it did not fail: ${inspect(outcome)}`),
    reason => reason,
  )
  assert.ok(error instanceof GatewayError, inspect(error))
  const all = inspect(error, { depth: null, showHidden: true })
  assert.ok(!all.includes(testSecret) && !all.includes(filming.prompt), all)
  return error
}
