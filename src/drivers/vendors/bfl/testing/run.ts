/** Runs the driver alone, without the gateway around it. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Driver, Job, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { driverTools } from '../../../../testing/driver-tools.ts'
import { bflDriver } from '../driver.ts'

export const testSecret = 'bfl_test_key_0123456789'

export const generate: ImageGenerateRequest = {
  prompt: 'a "cat"\n',
  width: 1152,
  height: 768,
  count: 1,
  seed: '9223372036854775807',
  expandPrompt: true,
  safetyTolerance: 6,
  format: 'png',
}
export const edit: ImageEditRequest = {
  prompt: 'bluer',
  seed: '-9007199254740993',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'jpeg',
}

/** Returns the driver with a clock that the test controls. */
export function openDriver(now: () => number): Driver {
  return bflDriver(now).open(driverTools())
}

export function drawing({ offers }: Driver): PolledOffer<ImageGenerateRequest, unknown> {
  const offer = offers['image.generate']
  assert.equal(offer?.kind, 'polled')
  return offer
}

export function editing({ offers }: Driver): PolledOffer<ImageEditRequest, unknown> {
  const offer = offers['image.edit']
  assert.equal(offer?.kind, 'polled')
  return offer
}

/** Returns a job for the model `flux-pro-1.1`, with `changes` applied. */
export function jobOf<Request>(request: Request, baseUrl: string, changes: Partial<Job<Request>> = {}): Job<Request> {
  return {
    id: 'task-1',
    request,
    inputs: [],
    scratch: tmpdir(),
    model: 'flux-pro-1.1',
    settings: { base_url: baseUrl, api_key: testSecret },
    attempt: 1,
    signal: new AbortController().signal,
    progress: () => {},
    ...changes,
  }
}
