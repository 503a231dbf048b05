/** Runs the driver once against a fake service. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { InputFile, Job, OfferFacts, Outcome, PolledOffer, Refusal } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import sharp from 'sharp'
import { driverTools } from '../../../../testing/driver-tools.ts'
import { aiSdkDriver } from '../driver.ts'
import type { PackageSource } from '../packages.ts'

export const testSecret = 'sk-ai-sdk-secret-0123456789'

export const drawing: ImageGenerateRequest = {
  prompt: 'a cat on a mat',
  width: 64,
  height: 48,
  count: 1,
  seed: '7',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'png',
}

export const editing: ImageEditRequest = { prompt: 'bluer', seed: '7', expandPrompt: false, safetyTolerance: 2, format: 'png' }

/** Returns a plain picture of this size, in pixels. */
export function picture(format: 'png' | 'jpeg' | 'webp' = 'png', width = 64, height = 48): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .toFormat(format)
    .toBuffer()
}

export const filming: VideoGenerateRequest = {
  prompt: 'a boat leaves',
  width: 64,
  height: 36,
  seconds: 1,
  count: 1,
  seed: '7',
  sound: false,
  expandPrompt: false,
  safetyTolerance: 2,
  watermark: false,
}

interface VideoRunOptions {
  request?: Partial<VideoGenerateRequest>
  inputs?: InputFile[]
  settings?: JsonObject
  signal?: AbortSignal
  allowPrivateUrls?: boolean
  wakeUrl?: string
}

/** The driver under test with these packages. Each job gets a new scratch folder. */
export interface VideoRunner {
  job(options?: VideoRunOptions): Promise<Job<VideoGenerateRequest>>
  offer(options?: VideoRunOptions): PolledOffer<VideoGenerateRequest>
  /** Runs a job to its end. Its handle is converted to JSON and back between polls, as the store
   *  does. */
  run(options?: VideoRunOptions): Promise<Outcome>
  refusal(options?: VideoRunOptions): Refusal | undefined
  /** Lines of the log, as JSON. */
  logged: string[]
}

export async function startVideoRunner(source: PackageSource, baseUrl: string): Promise<VideoRunner> {
  const root = await mkdtemp(join(tmpdir(), 'ai-sdk-video-test-'))
  const logged: string[] = []
  const write = (fields: JsonObject, message: string) => void logged.push(JSON.stringify({ ...fields, message }))
  const open = (allowPrivateUrls: boolean) =>
    aiSdkDriver(source).open(driverTools({ scratchDirectory: root, allowPrivateUrls, log: { info: write, warn: write } }))
  const drivers = { open: open(true), guarded: open(false) }
  after(async () => {
    await Promise.all([drivers.open.close?.(), drivers.guarded.close?.()])
    await rm(root, { recursive: true })
  })
  const offer = ({ allowPrivateUrls }: VideoRunOptions = {}) => {
    const found = (allowPrivateUrls === false ? drivers.guarded : drivers.open).offers['video.generate']
    if (found?.kind !== 'polled') throw new Error('the driver has to offer videos that are looked at')
    return found
  }
  const facts = (options: VideoRunOptions) => ({
    request: { ...filming, ...options.request },
    inputs: options.inputs ?? [],
    model: 'film-1',
    settings: { package: 'fake-provider', base_url: baseUrl, api_key: testSecret, ...options.settings },
  })
  const job = async (options: VideoRunOptions = {}): Promise<Job<VideoGenerateRequest>> => ({
    ...facts(options),
    ...{ id: 'job-1', scratch: await mkdtemp(join(root, 'job-')), attempt: 1, progress: () => {} },
    ...{ signal: options.signal ?? new AbortController().signal },
    ...(options.wakeUrl === undefined ? {} : { wakeUrl: options.wakeUrl }),
  })
  return {
    logged,
    job,
    offer,
    refusal: (options = {}) => offer(options).refuses?.(facts(options)),
    run: async (options = {}) => {
      const requested = await job(options)
      const started = await offer(options).start(requested)
      if (started.state !== 'started') return started
      const handle: JsonObject = JSON.parse(JSON.stringify(started.handle))
      for (let looks = 0; looks < 20; looks++) {
        const seen = await offer(options).check(requested, handle)
        if (seen.state !== 'running') return seen
      }
      throw new Error('it was still running after 20 looks')
    },
  }
}

interface RunOptions {
  request?: ImageGenerateRequest | ImageEditRequest
  inputs?: InputFile[]
  settings?: JsonObject
  signal?: AbortSignal
  allowPrivateUrls?: boolean
}

export interface Runner {
  run(options?: RunOptions): Promise<Outcome>
  refusal(options?: RunOptions): Refusal | undefined
  unusable(settings: JsonObject): string | undefined
  /** Lines of the log, as JSON. */
  logged: string[]
}

/** Starts a driver with these packages; it is closed at the end of the test file. */
export async function startRunner(source: PackageSource, baseUrl: string): Promise<Runner> {
  const scratchDirectory = await mkdtemp(join(tmpdir(), 'ai-sdk-test-'))
  const logged: string[] = []
  const write = (fields: JsonObject, message: string) => void logged.push(JSON.stringify({ ...fields, message }))
  const open = (allowPrivateUrls: boolean) =>
    aiSdkDriver(source).open(driverTools({ scratchDirectory, allowPrivateUrls, log: { info: write, warn: write } }))
  const drivers = { open: open(true), guarded: open(false) }
  after(async () => {
    await Promise.all([drivers.open.close?.(), drivers.guarded.close?.()])
    await rm(scratchDirectory, { recursive: true })
  })
  const jobOf = <Request>(request: Request, options: RunOptions): Job<Request> => ({
    id: 'job-1',
    request,
    inputs: options.inputs ?? [],
    scratch: scratchDirectory,
    model: 'draw-1',
    settings: { package: 'fake-provider', base_url: baseUrl, api_key: testSecret, ...options.settings },
    attempt: 1,
    signal: options.signal ?? new AbortController().signal,
    progress: () => {},
  })
  const withOffer = <Result>(
    options: RunOptions,
    use: <Request>(offer: { run(job: Job<Request>): Promise<Outcome> } & OfferFacts<Request>, job: Job<Request>) => Result,
  ): Result => {
    const { offers } = options.allowPrivateUrls === false ? drivers.guarded : drivers.open
    const { request = drawing } = options
    const offer = 'count' in request ? offers['image.generate'] : offers['image.edit']
    if (offer?.kind !== 'once') throw new Error('the driver has to offer both capabilities once')
    // The cast is safe: an offer accepts the requests of its capability, but TypeScript cannot
    // follow this here.
    return use(offer as never, jobOf(request, options))
  }
  return {
    logged,
    run: (options = {}) => withOffer(options, (offer, job) => offer.run(job)),
    refusal: (options = {}) => withOffer(options, (offer, job) => offer.refuses?.(job)),
    unusable: settings => drivers.open.unusable?.(settings, 'draw-1'),
  }
}
