/** A fake driver that serves every capability and records the requests that it gets. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaTypeOf } from '@generation-gateway/kit/audio/encode.ts'
import { type DriverSpec, type DriverTools, defineDriver, once, streamed } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, Offers, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { type SpeechEvent, type SpeechRequest, spokenCharacters } from '@generation-gateway/kit/requests/speech.ts'
import Type from 'typebox'
import { toneAs } from '../../drivers/shared/sound/testing/sounds.ts'
import { donePixel, fakeImagesDriver } from './fake-driver.ts'
import { fakeInferDriver } from './fake-infer-driver.ts'
import { fakeMusicDriver } from './fake-music-driver.ts'
import { fakeSearchDriver } from './fake-search-driver.ts'
import { fakeSlidesDriver } from './fake-slides-driver.ts'
import { fakeSpeechDriver } from './fake-speech-driver.ts'
import { fakeTextDriver, says } from './fake-text-driver.ts'
import { fakeTranscriptionDriver } from './fake-transcription-driver.ts'
import { fakeVideoDriver } from './fake-video-driver.ts'

/** A request as the driver got it, without the hop count. */
export interface Recorded {
  capability: string
  request: JsonObject
  inputs: { role: string; mediaType: string; sha256: string }[]
}

type AnyJob = Job<JsonObject>
type AnyOffer = { run(job: AnyJob): Promise<unknown> | AsyncIterable<unknown> }

/** Returns a driver with this id that serves the capabilities of all fake drivers and supports
 *  every extra field of each. Every request is added to `recorded`. */
export function recordingDriver(id: string, recorded: Recorded[]): DriverSpec {
  const upscaled = once<ImageUpscaleRequest>(job => donePixel({ ...job, request: { prompt: '', ...job.request } }))
  const fakes = [
    fakeImagesDriver(id, { 'image.generate': once(donePixel), 'image.edit': once(donePixel), 'image.upscale': upscaled }),
    ...[fakeVideoDriver(id), fakeMusicDriver(id), fakeSpeechDriver(id, streamed(speak)), fakeTranscriptionDriver(id)],
    ...[fakeSearchDriver(id), fakeSlidesDriver(id), fakeInferDriver(id)],
    fakeTextDriver(id, () => says('Hello.')),
  ]
  const title = `Recording ${id}`
  const open = (tools: DriverTools) => {
    const offers = Object.assign({}, ...fakes.map(fake => fake.open(tools).offers))
    return { id, title, queue: { name: `fake:${id}`, slots: 8 }, offers: recording(offers, recorded) }
  }
  return defineDriver({ id, title, kind: 'upstream', settings: Type.Object({}), open })
}

/** Yields speech as a valid sound file in the requested format. */
async function* speak(job: Job<SpeechRequest>): AsyncGenerator<StreamEvent<SpeechEvent>> {
  const { format } = job.request
  const bytes = await toneAs(format)
  yield { type: 'event', event: { type: 'sound', bytes } }
  const path = join(job.scratch, 'speech')
  await writeFile(path, bytes)
  const file = { path, mediaType: mediaTypeOf(format), durationSeconds: 1 }
  const characters = spokenCharacters(job.request)
  yield {
    type: 'outcome',
    outcome: { state: 'done', files: [file], report: { seconds: 1, characters }, usage: [{ unit: 'characters', units: characters }] },
  }
}

const extras = [
  ...['series', 'watermark', 'markedCopy', 'guidance', 'webSearch', 'promptMode', 'flags', 'regions', 'elements', 'lossless'],
  ...['ownShots', 'isPrivate', 'instructions', 'style', 'pronunciations', 'previousText', 'nextText'],
]

function recording(offers: Record<string, AnyOffer>, recorded: Recorded[]): Offers {
  const entries = Object.entries(offers).map(([capability, offer]) => {
    const run = (job: AnyJob) => {
      const { hops: _hops, ...request } = job.request
      const entry: Recorded = { capability, request: structuredClone(request), inputs: [] }
      const kept = Promise.all(job.inputs.map(factsOf)).then(inputs => recorded.push({ ...entry, inputs }))
      const made = offer.run(job)
      return 'then' in made ? kept.then(() => made) : behind(kept, made)
    }
    return [capability, { ...offer, run, follows: extras, refuses: undefined }]
  })
  // The cast is safe: each offer keeps its type, under its own name.
  return Object.fromEntries(entries) as Offers
}

async function* behind(kept: Promise<unknown>, parts: AsyncIterable<unknown>): AsyncIterable<unknown> {
  await kept
  yield* parts
}

async function factsOf({ role, mediaType, path }: AnyJob['inputs'][number]): Promise<Recorded['inputs'][number]> {
  return {
    role,
    mediaType,
    sha256: createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  }
}
