/** Foreign files, read and changed by third-party code in processes of its own: a file that harms such a process costs its own answer and nothing else (docs/decisions/0029). */
import { GatewayError, UnsafeFile } from '../errors.ts'
import { JobEnded } from '../process/job-ended.ts'
import { createEnginePool, type PoolOptions } from '../process/pool.ts'
import type { FileFacts } from '../requests/capability.ts'
import type { PictureSize } from '../requests/image.ts'
import type { VideoFacts } from '../video/probe.ts'
import { askFfmpeg } from './ffmpeg-header.ts'
import { readImageFile, shownSize } from './image-header.ts'
import type { ConvertedPicture, DrawnMask, FittedFrame, ReshapedMask } from './pixel-work.ts'

export type MediaFacts = Omit<FileFacts, 'bytes'>

/** Every method throws `UnsafeFile` for a file whose reading passed its limits, `inspection_busy` when nobody had time for it, the signal's reason, and what the file system throws. */
export interface Inspection {
  /** Type, size in pixels as shown, length and frame rate of a file, as far as it has them; undefined for what is no picture, sound or video that is known.
   *  2 s of CPU time, 256 MiB and 15 s of wall time. A picture's header is read by our own bounded readers, without a process. */
  readMedia(path: string, signal?: AbortSignal): Promise<MediaFacts | undefined>
  /** What an MP4 or MOV file holds. Throws `invalid_input_file` for another file. */
  probeVideo(path: string, signal?: AbortSignal): Promise<VideoFacts>
  /** Writes the picture in another format. Undefined: it cannot be decoded. */
  convertPicture(work: ConvertedPicture): Promise<PictureSize | undefined>
  /** Writes the picture in another size as PNG. False: it cannot be decoded. */
  fitFrame(work: FittedFrame): Promise<boolean>
  /** A mask in the form that a service reads, as PNG. Undefined: it cannot be decoded. */
  reshapeMask(work: ReshapedMask): Promise<Buffer | undefined>
  /** Polygons as a mask, as PNG: white on black. */
  drawMask(work: DrawnMask): Promise<Buffer>
  /** Starts a process for headers ahead of the first file. */
  warm(): void
  close(): Promise<void>
}

/** Runs a method of `inspection-methods.ts`: in a process, or in this one for tests. */
export interface InspectionRunner {
  header(method: string, payload: unknown, signal?: AbortSignal): Promise<unknown>
  pixels(method: string, payload: unknown, signal?: AbortSignal): Promise<unknown>
  warm(): void
  close(): Promise<void>
}

const headerLimits = { cpuMs: 2_000, rssBytes: 256 * 2 ** 20 }
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
  const common = { module: new URL('./inspection-process.ts', import.meta.url), priority: 'normal', onLog } as const
  const headers = inPool(
    { ...common, size: 2, queueLimit: 1_000, maxRssBytes: 224 * 2 ** 20, jobLimits: headerLimits, writable: [] },
    verdictMs,
  )
  const pixels = inPool(
    { ...common, size: 2, queueLimit: 1_000, maxRssBytes: 512 * 2 ** 20, jobLimits: pixelLimits, writable: [scratchDirectory] },
    verdictMs + 2 * pixelLimits.cpuMs,
  )
  return inspectionBy({
    header: headers.run,
    pixels: pixels.run,
    warm: headers.warm,
    close: async () => {
      await Promise.all([headers.close(), pixels.close()])
    },
  })
}

/** The same work by another runner. */
export function inspectionBy(runner: InspectionRunner): Inspection {
  // What a method gives is what its name says in `inspection-methods.ts`; the channel does not know it.
  const header = <Result>(method: string, payload: unknown, signal?: AbortSignal) =>
    runner.header(method, payload, signal) as Promise<Result>
  const pixels = <Result>(method: string, { signal, ...payload }: { signal?: AbortSignal }) =>
    runner.pixels(method, payload, signal) as Promise<Result>
  return {
    readMedia: async (path, signal) => {
      const picture = await readPictureFacts(path)
      if (picture) return picture
      const facts = await header<MediaFacts | undefined>('readMedia', { path }, signal)
      // A length of nothing is what damaged sizes look like.
      return facts && facts.durationSeconds !== undefined && facts.durationSeconds > 0 ? facts : ((await askFfmpeg(path, signal)) ?? facts)
    },
    probeVideo: (path, signal) => header('probeVideo', { path }, signal),
    convertPicture: work => pixels('convertPicture', work),
    fitFrame: work => pixels('fitFrame', work),
    reshapeMask: work => pixels('reshapeMask', work),
    drawMask: work => pixels('drawMask', work),
    warm: runner.warm,
    close: runner.close,
  }
}

/** What `readMedia` gives for pictures, and for them alone: no process is needed. Throws what the file system throws. */
export async function readPictureFacts(path: string): Promise<MediaFacts | undefined> {
  const picture = await readImageFile(path)
  return picture && { mediaType: picture.mediaType, ...shownSize(picture) }
}

function inPool(options: Omit<PoolOptions, 'jobTimeoutMs'>, wallMs: number) {
  // The end of the wall time comes first.
  const pool = createEnginePool({ ...options, jobTimeoutMs: wallMs + 5_000 })
  const once = (method: string, payload: unknown, signal: AbortSignal) => pool.run({ method, payload, signal })
  const run: InspectionRunner['header'] = async (method, payload, given) => {
    const late = AbortSignal.timeout(wallMs)
    const signal = given === undefined ? late : AbortSignal.any([given, late])
    try {
      return await once(method, payload, signal).catch(error => {
        // Its process was ended by somebody else: another one may do it.
        if (error instanceof JobEnded && error.reason === 'outside') return once(method, payload, signal)
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
