/** Foreign files, read and changed by third-party code in processes of its own: a file that harms such a process costs its own answer and nothing else (docs/decisions/0029). */
import { GatewayError, UnsafeFile } from '../errors.ts'
import { FairQueue } from '../process/fair-queue.ts'
import { JobEnded } from '../process/job-ended.ts'
import { createEnginePool, type PoolOptions } from '../process/pool.ts'
import type { Asker } from './asker.ts'
import { askFfmpeg } from './ffmpeg-header.ts'
import { readImageFile, shownSize } from './image-header.ts'
import type { Inspection, MediaFacts } from './inspection.ts'

/** Runs a method of `inspection-methods.ts`: in a process, or in this one for tests. */
interface InspectionRunner {
  header(method: string, payload: unknown, asker?: Asker): Promise<unknown>
  pixels(method: string, payload: unknown, asker?: Asker): Promise<unknown>
  /** Asks ffmpeg. */
  packets(path: string, asker?: Asker): Promise<MediaFacts | undefined>
  warm(): void
  close(): Promise<void>
}

/** A process looks at its own use ten times a second: it is ended before it has used 2 s, and on a machine with other work its answer comes within 3 s. */
const headerLimits = { cpuMs: 1_700, rssBytes: 256 * 2 ** 20 }
/** For 2^26 pixels, the most that any work here takes (`mostPixels`). Noise to WebP, the dearest, took 33 s of CPU time and 1.9 GiB (docs/decisions/0029). */
const pixelLimits = { cpuMs: 90_000, rssBytes: 2560 * 2 ** 20 }
const verdictMs = 15_000

interface InspectionOptions {
  /** The only folder that pixel work writes to. */
  scratchDirectory: string
  onLog(message: string): void
}

/** Processes start with the first file and stay until `close`, which whoever opened it calls. */
export function createInspection({ scratchDirectory, onLog }: InspectionOptions): Inspection {
  const common = { module: new URL('./inspection-process.ts', import.meta.url), onLog } as const
  const headers = inPool(
    { ...common, priority: 'normal', size: 2, queueLimit: 1_000, maxRssBytes: 224 * 2 ** 20, jobLimits: headerLimits, writable: [] },
    verdictMs,
  )
  const pixels = inPool(
    { ...common, size: 2, queueLimit: 1_000, maxRssBytes: 512 * 2 ** 20, jobLimits: pixelLimits, writable: [scratchDirectory] },
    verdictMs + 2 * pixelLimits.cpuMs,
  )
  return inspectionBy({
    header: headers.run,
    pixels: pixels.run,
    packets: packetsInTurn(),
    warm: headers.warm,
    close: async () => {
      await Promise.all([headers.close(), pixels.close()])
    },
  })
}

/** The same work by another runner. */
export function inspectionBy(runner: InspectionRunner): Inspection {
  // What a method gives is what its name says in `inspection-methods.ts`; the channel does not know it.
  const header = <Result>(method: string, payload: unknown, asker?: Asker) => runner.header(method, payload, asker) as Promise<Result>
  const pixels = <Result>(method: string, { signal, account, ...payload }: Asker) =>
    runner.pixels(method, payload, { signal, account }) as Promise<Result>
  return {
    readMedia: async (path, asker) => {
      const picture = await readPictureFacts(path)
      if (picture) return picture
      const facts = sensible(await header<MediaFacts | undefined>('readMedia', { path }, asker))
      // A length of nothing is what damaged sizes look like.
      return facts && facts.durationSeconds !== undefined && facts.durationSeconds > 0
        ? facts
        : (sensible(await runner.packets(path, asker)) ?? facts)
    },
    probeVideo: (path, asker) => header('probeVideo', { path }, asker),
    convertPicture: work => pixels('convertPicture', work),
    fitFrame: work => pixels('fitFrame', work),
    reshapeMask: work => pixels('reshapeMask', work),
    drawMask: work => pixels('drawMask', work),
    warm: runner.warm,
    close: runner.close,
  }
}

/** Facts without numbers that nothing can be counted by: a header that divides by 0 tells an infinite length or rate. Undefined for a length of that kind, or below 0. */
function sensible(facts: MediaFacts | undefined): MediaFacts | undefined {
  if (!facts) return undefined
  const { durationSeconds = 0, framesPerSecond = 0, ...others } = facts
  if (!Number.isFinite(durationSeconds) || durationSeconds < 0) return undefined
  return Number.isFinite(framesPerSecond) ? facts : { ...others, durationSeconds }
}

/** What `readMedia` gives for pictures, and for them alone: no process is needed. Throws what the file system throws. */
export async function readPictureFacts(path: string): Promise<MediaFacts | undefined> {
  const picture = await readImageFile(path)
  return picture && { mediaType: picture.mediaType, ...shownSize(picture) }
}

/** Two programs at a time: accounts take turns. */
function packetsInTurn(): InspectionRunner['packets'] {
  const programs = new FairQueue({ places: 2 })
  return async (path, { signal = never, account } = {}) => {
    using _place = await programs.take({ account, signal })
    return await askFfmpeg(path, signal)
  }
}

const never = new AbortController().signal

function inPool(options: Omit<PoolOptions, 'jobTimeoutMs'>, wallMs: number) {
  // The end of the wall time comes first.
  const pool = createEnginePool({ ...options, jobTimeoutMs: wallMs + 5_000 })
  const run: InspectionRunner['header'] = async (method, payload, { signal: given, account } = {}) => {
    const late = AbortSignal.timeout(wallMs)
    const signal = given === undefined ? late : AbortSignal.any([given, late])
    const once = () => pool.run({ method, payload, account, signal })
    try {
      return await once().catch(error => {
        // Its process was ended by somebody else: another one may do it.
        if (error instanceof JobEnded && error.reason === 'outside') return once()
        throw error
      })
    } catch (error) {
      if (given?.aborted) throw given.reason
      throw verdictOf(error, late)
    }
  }
  return { run, warm: pool.warm, close: pool.close }
}

function verdictOf(error: unknown, late: AbortSignal): unknown {
  const isBusy = late.aborted || (error instanceof GatewayError && error.code === 'engine_busy')
  if (isBusy || (error instanceof JobEnded && error.reason === 'outside')) {
    return new GatewayError('inspection_busy', 'There was no time to look at a file; it may be in order. Try again in 5 s.', {
      retryAfterSeconds: 5,
      cause: error,
    })
  }
  return error instanceof JobEnded ? new UnsafeFile(error) : error
}
