/** Helpers that run the driver alone, without the gateway around it. They create image jobs, the
 *  offers that run them, and answers of the images interface. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Driver, InputFile, Job, OnceOffer } from '@generation-gateway/kit/requests/job.ts'
import { driverTools } from '../../../../testing/driver-tools.ts'
import type { ReceivedRequest } from '../../../../testing/fakes/fake-upstream.ts'
import openaiCompatible from '../driver.ts'

export const testSecret = 'sk-images-secret-0123456789'

export const generate: ImageGenerateRequest = {
  prompt: 'a "cat"\n',
  width: 1024,
  height: 1536,
  count: 1,
  seed: '9223372036854775807',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'png',
}
export const edit: ImageEditRequest = {
  prompt: 'bluer — 更蓝',
  seed: '-9007199254740993',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'png',
}

export function openDriver(allowPrivateUrls = false): Driver {
  return openaiCompatible.open(driverTools({ allowPrivateUrls }))
}

export function drawing({ offers }: Driver): OnceOffer<ImageGenerateRequest> {
  const offer = offers['image.generate']
  assert.equal(offer?.kind, 'once')
  return offer
}

export function editing({ offers }: Driver): OnceOffer<ImageEditRequest> {
  const offer = offers['image.edit']
  assert.equal(offer?.kind, 'once')
  return offer
}

interface JobPlace {
  baseUrl: string
  scratch: string
}

/** Returns a job for the model `gpt-image-1`, with `changes` applied. */
export function jobOf<Request>(request: Request, { baseUrl, scratch }: JobPlace, changes: Partial<Job<Request>> = {}): Job<Request> {
  return {
    id: 'task-1',
    request,
    inputs: [],
    scratch,
    model: 'gpt-image-1',
    settings: { base_url: baseUrl, api_key: testSecret },
    attempt: 1,
    signal: new AbortController().signal,
    progress: () => {},
    ...changes,
  }
}

export async function inputOf(bytes: Buffer, scratch: string, size: Pick<InputFile, 'width' | 'height'>): Promise<InputFile> {
  const path = join(scratch, 'input')
  await writeFile(path, bytes)
  return { path, role: 'image', mediaType: 'image/png', bytes: bytes.length, ...size }
}

/** Returns the text fields of a form and its only file. The form is read with Node's parser, which
 *  is independent of the code that wrote it. */
export async function formOf({ headers, body }: ReceivedRequest): Promise<{ texts: Record<string, unknown>; file: File; bytes: Buffer }> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
  const { image, ...texts } = Object.fromEntries(form)
  assert.ok(image instanceof File)
  return { texts, file: image, bytes: Buffer.from(await image.arrayBuffer()) }
}

/** Returns an answer of the images interface with these pictures. */
export function answerOf(...pictures: Buffer[]) {
  return { created: 1_795_000_000, data: pictures.map(picture => ({ b64_json: picture.toString('base64') })) }
}
