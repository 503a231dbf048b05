import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ffmpegTrouble } from '@generation-gateway/kit/audio/ffmpeg-program.ts'
import { defineEngine, type EnginePriority, once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { createEnginePool, type EnginePool } from '@generation-gateway/kit/process/pool.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { Failed, Job, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { countedSeconds, type VideoGenerateRequest, type VideoResult } from '@generation-gateway/kit/requests/video.ts'
import { decodeInto, decodeVideoSound } from '@generation-gateway/kit/video/decode.ts'
import { encodeVideo } from '@generation-gateway/kit/video/encode.ts'
import { makeNamedPipe } from '@generation-gateway/kit/video/named-pipe.ts'
import Type from 'typebox'
import { goOn } from './earlier/go-on.ts'
import type { FilmJob, FilmMade } from './film.ts'
import { featureSize, refusesFilm, usualFramesPerSecond } from './limits.ts'

const GiB = 1024 ** 3

/** The built-in video engine: drawn scenes with a camera, moving subjects, weather and sound. It draws illustrations, not photographs. */
export default defineEngine({
  id: 'film',
  title: 'Film, the built-in video engine',
  kind: 'engine',
  settings: Type.Object({}),
  capabilities: ['video.generate'],
  open: ({ cores, priority, scratchDirectory, log }) => {
    const pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size: Math.max(1, cores),
      queueLimit: 16,
      jobTimeoutMs: 20 * 60_000,
      maxRssBytes: 2 * GiB,
      writable: [scratchDirectory],
      environment: allocation,
      priority,
      onLog: message => log.warn({ engine: 'film' }, message),
    })
    return {
      id: 'film',
      title: 'Film, the built-in video engine',
      queue: { name: 'engine:film', slots: cores },
      offers: {
        'video.generate': once<VideoGenerateRequest>(job => goOn(job, film => run(pool, film, priority)), {
          isRepeatable: true,
          refuses: refusesFilm,
        }),
      },
      unusable: () =>
        process.platform === 'win32'
          ? 'The built-in video engine needs named pipes in folders, which Windows does not have.'
          : ffmpegTrouble(),
      close: () => pool.close(),
    }
  },
})

/** glibc: one heap, buffers from 1 MiB on mapped by themselves and given back at once; with a bound of 64 KiB a clip takes a quarter more time. Mimalloc, which canvases are kept by, gives back what is freed at once too: by its own rules the hundreds of megabytes that laying out a scene takes stay for the whole film. */
const allocation = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(2 ** 20),
  MIMALLOC_PURGE_DELAY: '0',
}

interface Video {
  files: OutputFile[]
  seconds: number
  made: FilmMade
}

/** All videos of a request, one after the other. */
async function run(pool: EnginePool, job: Job<VideoGenerateRequest>, priority: EnginePriority | undefined): Promise<Outcome> {
  const { request } = job
  const files: OutputFile[] = []
  const filtered: VideoResult['filtered'] = []
  let seconds = 0
  let prompt = request.prompt
  for (let index = 0; index < request.count; index++) {
    const video = await makeVideo(pool, job, { index, priority })
    if ('state' in video) return video
    if (index === 0) prompt = video.made.prompt
    if (video.made.reasons.length > 0) {
      filtered.push({ video: index, reasons: video.made.reasons })
      for (const { path } of video.files) await rm(path, { force: true })
      continue
    }
    files.push(...video.files)
    seconds += countedSeconds(request, job.inputs, video.seconds)
  }
  if (files.length === 0) return withheld(filtered)
  const usage: UsageUnits[] = [{ unit: 'seconds', units: seconds }]
  const notFollowed = notFollowedIn(job)
  const report: VideoResult = { seed: request.seed, prompt, filtered, ...(notFollowed.length > 0 ? { notFollowed } : {}) }
  return { state: 'done', files, report, usage }
}

/** A base video keeps its own camera, cuts and length. */
function notFollowedIn({ request, inputs }: Job<VideoGenerateRequest>): NonNullable<VideoResult['notFollowed']> {
  if (!inputs.some(({ role }) => role === 'base')) return []
  const fields = ['camera', 'shots', 'paths', 'negativePrompt', 'people'] as const
  return fields.filter(field => request[field] !== undefined)
}

function withheld(filtered: VideoResult['filtered']): Failed {
  const reasons = [...new Set(filtered.flatMap(each => each.reasons))]
  return { state: 'failed', code: 'content_moderated', message: 'The video was refused by the safety rules.', reasons }
}

/** One video: the child draws, ffmpeg encodes what comes out of the pipe. The end of one ends the other. */
async function makeVideo(
  pool: EnginePool,
  job: Job<VideoGenerateRequest>,
  { index, priority }: { index: number; priority: EnginePriority | undefined },
): Promise<Video | Failed> {
  const { request, inputs, scratch } = job
  const { width, height, watermark } = request
  const framesPerSecond = request.framesPerSecond ?? usualFramesPerSecond
  const [base, feature] = [inputs.find(({ role }) => role === 'base'), inputs.find(({ role }) => role === 'feature')]
  const frames = Math.max(1, Math.round((base?.durationSeconds ?? request.seconds) * framesPerSecond))
  const at = (name: string, isWanted: unknown) => (isWanted ? join(scratch, `${name}-${index}`) : undefined)
  const pipe = join(scratch, `frames-${index}`)
  const [markedPipe, basePipe, featurePipe] = [at('marked', watermark), at('base', base), at('feature', feature)]
  for (const path of [pipe, markedPipe, basePipe, featurePipe]) if (path) await makeNamedPipe(path)
  const stop = new AbortController()
  const signal = AbortSignal.any([job.signal, stop.signal])
  const soundPath = join(scratch, `sound-${index}.f32`)
  const kept = request.keepBaseSound ? (base ?? feature) : undefined
  const isKept = kept !== undefined && (await decodeVideoSound(kept.path, { to: soundPath, seconds: frames / framesPerSecond, signal }))
  const hasSound = isKept || request.sound
  const encode = async (from: string, role: string): Promise<OutputFile> => {
    const path = join(scratch, `${role}-${index}.mp4`)
    const sound = hasSound ? { sound: { path: soundPath } } : {}
    const frames = { path: from }
    const made = await encodeVideo({ width, height, framesPerSecond, frames, pixels: 'i420', path, signal, priority, ...sound })
    const facts = { durationSeconds: made.seconds, framesPerSecond, ...(hasSound ? { channels: 2 } : {}) }
    return { path, role, mediaType: 'video/mp4', width, height, ...facts }
  }
  const decoders: Promise<void>[] = []
  if (base && basePipe) {
    const fit = request.fit ?? 'crop'
    decoders.push(
      decodeInto(base.path, {
        width,
        height,
        fit,
        framesPerSecond,
        seconds: frames / framesPerSecond,
        pipe: basePipe,
        signal,
        field: 'base',
      }),
    )
  }
  if (feature && featurePipe) decoders.push(decodeInto(feature.path, { ...featureSize, pipe: featurePipe, signal, field: 'feature' }))
  const payload: FilmJob = {
    request,
    inputs,
    scratch,
    index,
    frames,
    framesPerSecond,
    pipe,
    ...(markedPipe ? { markedPipe } : {}),
    ...(basePipe ? { basePipe } : {}),
    ...(featurePipe ? { featurePipe } : {}),
    ...(request.sound && !isKept ? { soundPath } : {}),
  }
  // The pool's method answers with this; the channel does not know it.
  const drawn = pool.run({ method: 'film', payload, signal, progress: job.progress }) as Promise<FilmMade | Failed>
  const encoders = [encode(pipe, 'video'), ...(markedPipe ? [encode(markedPipe, 'watermarked')] : [])]
  try {
    return await settled({ drawn, encoders, decoders, stop })
  } catch (error) {
    // Whatever fell over first, a job that is cancelled ends by that.
    job.signal.throwIfAborted()
    throw error
  } finally {
    stop.abort()
    await Promise.allSettled([drawn, ...encoders, ...decoders])
    for (const path of [pipe, markedPipe, basePipe, featurePipe, soundPath]) if (path) await rm(path, { force: true })
  }
}

interface Parts {
  drawn: Promise<FilmMade | Failed>
  encoders: Promise<OutputFile>[]
  decoders: Promise<void>[]
  stop: AbortController
}

/** Waits for the drawing and its encoders; whatever fails first is the reason, and ends the rest. */
async function settled({ drawn, encoders, decoders, stop }: Parts): Promise<Video | Failed> {
  let first: unknown
  let isDrawn = false
  const fail = (error: unknown): never => {
    first ??= error
    stop.abort(error)
    throw error
  }
  const made = drawn.then(outcome => {
    // Nobody opens the pipe for a film that is refused: its encoders would wait for ever.
    isDrawn = true
    if (outcome.state === 'failed') stop.abort(new GatewayError('cancelled', 'The film was refused.'))
    return outcome
  }, fail)
  const files = Promise.all(encoders.map(each => each.catch(fail)))
  files.catch(() => {})
  // A decoder whose frames are no longer wanted is simply ended.
  for (const each of decoders) each.catch(error => (isDrawn ? undefined : fail(error))).catch(() => {})
  try {
    const outcome = await made
    if (outcome.state === 'failed') return outcome
    const [video, ...others] = await files
    if (!video) throw new GatewayError('internal_error', 'The film has no file.')
    return { files: [video, ...others, outcome.thumbnail], seconds: video.durationSeconds ?? 0, made: outcome }
  } catch (error) {
    throw first ?? error
  }
}
