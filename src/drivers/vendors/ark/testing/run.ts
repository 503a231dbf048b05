/** Runs the driver alone, without the gateway around it. */
import assert from 'node:assert/strict'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { ImageEditRequest, ImageEvent, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Driver, InputFile, Job, Outcome, OutputFile, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { driverTools } from '../../../../testing/driver-tools.ts'
import { arkDriver } from '../driver.ts'

export const testSecret = 'ark-test-key-0123456789'
export const models = {
  N1: 'doubao-seedream-5-0-260128',
  N2: 'seedream-4-5-251128',
  N3: 'doubao-seedream-4-0-250828',
  O1: 'doubao-seedream-3-0-t2i-250415',
  O2: 'seededit-3-0-i2i-250628',
} as const

export const generate: ImageGenerateRequest = {
  prompt: 'a "cat"\n',
  width: 2048,
  height: 2048,
  count: 1,
  seed: '7',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'jpeg',
}
export const edit: ImageEditRequest = { prompt: 'bluer, 更蓝', seed: '7', expandPrompt: false, safetyTolerance: 2, format: 'jpeg' }

/** Returns the driver, configured to repeat a refused request once and immediately. */
export function openDriver(allowPrivateUrls = true): Driver {
  return arkDriver([0]).open(driverTools({ allowPrivateUrls }))
}

export function pictureInput(changes: Partial<InputFile> = {}): InputFile {
  return { path: '/nowhere', role: 'image', mediaType: 'image/png', bytes: 1000, width: 1600, height: 1200, ...changes }
}

/** Returns a job for a model of group N1, with `changes` applied. */
export function jobOf<Request extends ImageGenerateRequest | ImageEditRequest>(
  request: Request,
  { baseUrl, scratch }: { baseUrl: string; scratch: string },
  changes: Partial<Job<Request>> = {},
): Job<Request> {
  return {
    ...{ id: 'task-1', request, inputs: [], scratch, model: models.N1, attempt: 1, progress: () => {} },
    settings: { base_url: baseUrl, api_key: testSecret },
    signal: new AbortController().signal,
    ...changes,
  }
}

export interface RunResult {
  files: OutputFile[]
  events: ImageEvent[]
  outcome: Outcome | undefined
  error: GatewayError | undefined
}

/** Runs the job to its end; `onPart` receives each part as it arrives. */
export async function run(
  { offers }: Driver,
  job: Job<ImageGenerateRequest> | Job<ImageEditRequest>,
  onPart: (part: StreamEvent<ImageEvent>) => void = () => {},
): Promise<RunResult> {
  const ran: RunResult = { files: [], events: [], outcome: undefined, error: undefined }
  const offer = offers[job.inputs.length > 0 ? 'image.edit' : 'image.generate']
  assert.equal(offer?.kind, 'streamed')
  try {
    // The cast is safe: the inputs determine which of the two request types it is.
    for await (const part of offer.run(job as never)) {
      onPart(part)
      if (part.type === 'file') ran.files.push(part.file)
      if (part.type === 'event') ran.events.push(part.event)
      if (part.type === 'outcome') ran.outcome = part.outcome
    }
  } catch (error) {
    ran.error = error as GatewayError
  }
  return ran
}
