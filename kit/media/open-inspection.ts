/** Reads and converts untrusted files with third-party code in separate processes: a file that
 *  harms such a process affects only its own answer (docs/decisions/0029). */
import { GatewayError, UnsafeFileError } from '../errors.ts'
import { FairQueue } from '../process/fair-queue.ts'
import { JobEnded } from '../process/job-ended.ts'
import { createEnginePool, type PoolOptions } from '../process/pool.ts'
import { askFfmpeg, inspectionBusy } from './ffmpeg-header.ts'
import { readImageFile, shownSize } from './image-header.ts'
import type { Inspection, MediaFacts } from './inspection.ts'
import type { InspectionCaller } from './inspection-caller.ts'

/** Runs a method of `inspection-methods.ts`, in another process or, for tests, in this one. */
interface InspectionRunner {
  header(method: string, payload: unknown, asker?: InspectionCaller): Promise<unknown>
  pixels(method: string, payload: unknown, asker?: InspectionCaller): Promise<unknown>
  /** Lists the packets of the file with ffmpeg. */
  packets(path: string, asker?: InspectionCaller): Promise<MediaFacts | undefined>
  warm(): void
  close(): Promise<void>
}

/** Limits for reading a header. A process checks its own CPU time ten times a second, and so ends
 *  before it has used 2 s. On a busy machine its answer arrives within 3 s. */
const headerLimits = { cpuMs: 1_700, rssBytes: 256 * 2 ** 20 }
/** Limits for decoding and encoding pictures of up to 2^26 pixels (`mostPixels`). The most
 *  expensive case, encoding noise as WebP, took 33 s of CPU time and 1.9 GiB
 *  (docs/decisions/0029). */
const pixelLimits = { cpuMs: 90_000, rssBytes: 2560 * 2 ** 20 }
const verdictMs = 15_000

interface InspectionOptions {
  /** The only folder to which pixel work may write. */
  scratchDirectory: string
  onLog(message: string): void
}

/** Returns an inspection. Its processes start with the first file and run until `close`, which the
 *  opener must call. */
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

/** Returns an inspection on top of another runner. */
export function inspectionBy(runner: InspectionRunner): Inspection {
  // The cast is needed because the channel between processes does not know the type of a result;
  // the name of the method in `inspection-methods.ts` determines it.
  const header = <Result>(method: string, payload: unknown, asker?: InspectionCaller) =>
    runner.header(method, payload, asker) as Promise<Result>
  const pixels = <Result>(method: string, { signal, account, ...payload }: InspectionCaller) =>
    runner.pixels(method, payload, { signal, account }) as Promise<Result>
  return {
    readMedia: async (path, asker) => {
      const picture = await readPictureFacts(path)
      if (picture) return picture
      const facts = sensible(await header<MediaFacts | undefined>('readMedia', { path }, asker))
      // Damaged sizes often give a length of 0, so a length of 0 counts as unknown.
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

/** Returns the facts without infinite or invalid numbers, which arise when a header divides by 0.
 *  Undefined when the length is infinite, invalid or negative. */
function sensible(facts: MediaFacts | undefined): MediaFacts | undefined {
  if (!facts) return undefined
  const { durationSeconds = 0, framesPerSecond = 0, ...others } = facts
  if (!Number.isFinite(durationSeconds) || durationSeconds < 0) return undefined
  return Number.isFinite(framesPerSecond) ? facts : { ...others, durationSeconds }
}

/** Returns the result of `readMedia` for pictures; undefined for any other file. Needs no process.
 *  Throws what the file system throws. */
export async function readPictureFacts(path: string): Promise<MediaFacts | undefined> {
  const picture = await readImageFile(path)
  return picture && { mediaType: picture.mediaType, ...shownSize(picture) }
}

/** Returns a function that runs at most two ffmpeg programs at a time; accounts alternate. */
function packetsInTurn(): InspectionRunner['packets'] {
  const programs = new FairQueue({ places: 2 })
  return async (path, { signal = never, account } = {}) => {
    using _place = await programs.take({ account, signal })
    return await askFfmpeg(path, signal)
  }
}

const never = new AbortController().signal

function inPool(options: Omit<PoolOptions, 'jobTimeoutMs'>, wallMs: number) {
  // The pool's own limit is longer than `wallMs`. So `wallMs`, which also counts the wait for a
  // process, always ends the job first.
  const pool = createEnginePool({ ...options, jobTimeoutMs: wallMs + 5_000 })
  const run: InspectionRunner['header'] = async (method, payload, { signal: given, account } = {}) => {
    const late = AbortSignal.timeout(wallMs)
    const signal = given === undefined ? late : AbortSignal.any([given, late])
    const once = () => pool.run({ method, payload, account, signal })
    try {
      return await once().catch(error => {
        // The job is tried once more, because the file did not cause this end: an operator or the
        // kernel ended the process, or the process had not begun to read the file.
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
  if (isBusy || (error instanceof JobEnded && error.reason === 'outside')) return inspectionBusy(error)
  return error instanceof JobEnded ? new UnsafeFileError(error) : error
}
