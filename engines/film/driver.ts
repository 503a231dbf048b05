import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ffmpegProblem } from '@generation-gateway/kit/audio/ffmpeg-program.ts'
import { defineEngine, type EnginePriority, engineQueue, engineSlots, noSettings, once } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'
import { createEnginePool, type EnginePool } from '@generation-gateway/kit/process/pool.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { Failed, Job, Outcome, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { countedSeconds, type VideoGenerateRequest, type VideoResult } from '@generation-gateway/kit/requests/video.ts'
import { decodeInto, decodeVideoSound } from '@generation-gateway/kit/video/decode.ts'
import { encodeVideo } from '@generation-gateway/kit/video/encode.ts'
import { makeNamedPipe } from '@generation-gateway/kit/video/named-pipe.ts'
import { extendVideo } from './earlier/extend-video.ts'
import { inReversal } from './edit/reversals.ts'
import { editedSize, framesOf, readVideoEdit, soundOf } from './edit/words.ts'
import type { FilmJob, FinishedFilm } from './film.ts'
import { featureSize, refusesFilm, usualFramesPerSecond } from './limits.ts'

const GiB = 1024 ** 3

/** The built-in video engine. It draws illustrated scenes, not photographs, with a moving camera,
 *  moving subjects, weather and sound. */
export default defineEngine({
  id: 'film',
  title: 'Film, the built-in video engine',
  kind: 'engine',
  settings: noSettings,
  capabilities: ['video.generate'],
  open: ({ cores, priority, scratchDirectory, inspection, log }) => {
    const size = Math.max(1, cores)
    const pool = createEnginePool({
      module: new URL('./process.ts', import.meta.url),
      size,
      // At most `size` films may be paused. Each paused film keeps up to 600 MB, its encoder
      // included.
      paused: size,
      queueLimit: engineSlots,
      jobTimeoutMs: 20 * 60_000,
      maxRssBytes: 2 * GiB,
      writable: [scratchDirectory],
      environment: allocation,
      priority,
      onLog: message => log.warn({ engine: 'film' }, message),
    })
    // Joining two videos runs only ffmpeg, so it does not wait for the child processes that draw
    // films. The operating system divides the cores among ffmpeg and these processes.
    const joins = new FairQueue({ places: size })
    // ffmpeg holds all frames of a reversed video in memory, up to 1 GiB, so only one runs at a
    // time.
    const reversals = new FairQueue({ places: 1 })
    const film = (job: Job<VideoGenerateRequest>) => run({ pool, reversals, priority }, job)
    return {
      id: 'film',
      title: 'Film, the built-in video engine',
      queue: engineQueue('film', { cores, accountSlots: 2 * cores }),
      offers: {
        'video.generate': once<VideoGenerateRequest>(job => extendVideo(job, { joins, inspection, film }), {
          refuses: refusesFilm,
        }),
      },
      unusable: () =>
        process.platform === 'win32'
          ? 'The built-in video engine needs named pipes in folders, which Windows does not have.'
          : ffmpegProblem(),
      close: () => pool.close(),
    }
  },
})

/** Memory settings of the child process. For glibc: one heap; a buffer of 1 MiB or more is mapped
 *  separately and returned to the system when it is freed (with a limit of 64 KiB instead, a clip
 *  took a quarter more time). For mimalloc, which allocates the canvases: freed memory is returned
 *  at once. With mimalloc's defaults, hundreds of megabytes from the composition of a scene stay
 *  allocated until the film ends. */
const allocation = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(2 ** 20),
  MIMALLOC_PURGE_DELAY: '0',
}

interface Video {
  files: OutputFile[]
  seconds: number
  made: FinishedFilm
}

interface FilmTools {
  pool: EnginePool
  /** Queue of reversed videos; ffmpeg makes at most one of them at a time. */
  reversals: FairQueue
  priority: EnginePriority | undefined
}

/** Makes all videos of a request, one after the other. */
async function run({ pool, reversals, priority }: FilmTools, given: Job<VideoGenerateRequest>): Promise<Outcome> {
  const job = { ...given, request: editedShape(given) }
  const { request } = job
  const files: OutputFile[] = []
  const filtered: VideoResult['filtered'] = []
  let seconds = 0
  let prompt = request.prompt
  for (let index = 0; index < request.count; index++) {
    const video = await inReversal(reversals, job, onTurn => makeVideo(pool, job, { index, priority, onTurn }))
    if ('state' in video) return video
    if (index === 0) prompt = video.made.prompt
    if (video.made.reasons.length > 0) {
      filtered.push({ video: index, reasons: video.made.reasons })
      for (const { path } of video.files) await rm(path, { force: true })
      continue
    }
    files.push(...video.files)
    seconds += secondsOf(job, video.seconds)
  }
  if (files.length === 0) return withheld(filtered)
  const usage: UsageUnits[] = [{ unit: 'seconds', units: seconds }]
  const notFollowed = notFollowedIn(job)
  const report: VideoResult = { seed: request.seed, prompt, filtered, ...(notFollowed.length > 0 ? { notFollowed } : {}) }
  return { state: 'done', files, report, usage }
}

/** Returns the seconds that are charged for one video. When the prompt slows a base video down, the
 *  length of the longer result is charged, because otherwise slow motion would produce seconds for
 *  free. */
function secondsOf({ request, inputs }: Job<VideoGenerateRequest>, madeSeconds: number): number {
  const counted = countedSeconds(request, inputs, madeSeconds)
  const isLonger = inputs.some(({ role }) => role === 'base') && readVideoEdit(request).speed < 1
  return isLonger ? Math.max(counted, Math.round(madeSeconds)) : counted
}

/** Returns the request with the picture size that its edit (crop, rotation) leads to. */
function editedShape({ request, inputs }: Job<VideoGenerateRequest>): VideoGenerateRequest {
  if (!inputs.some(({ role }) => role === 'base')) return request
  const edit = readVideoEdit(request)
  return { ...request, ...editedSize(request, edit), ...(edit.ratio === undefined ? {} : { fit: 'crop' as const }) }
}

/** Returns the request fields that have no effect on a base video, which keeps its own camera, cuts
 *  and people. `prompt` is among them when parts of it led to no edit. */
function notFollowedIn({ request, inputs }: Job<VideoGenerateRequest>): NonNullable<VideoResult['notFollowed']> {
  if (!inputs.some(({ role }) => role === 'base')) return []
  const fields = ['camera', 'shots', 'paths', 'negativePrompt', 'people'] as const
  const isLeft = readVideoEdit(request).leftOver.length > 0
  return [...(isLeft ? (['prompt'] as const) : []), ...fields.filter(field => request[field] !== undefined)]
}

function withheld(filtered: VideoResult['filtered']): Failed {
  const reasons = [...new Set(filtered.flatMap(each => each.reasons))]
  return { state: 'failed', code: 'content_moderated', message: 'The video was refused by the safety rules.', reasons }
}

interface Media {
  encoders: Promise<OutputFile>[]
  decoders: Promise<void>[]
}

interface FilmTurn {
  index: number
  priority: EnginePriority | undefined
  /** Called when the pool has a free process for this video, before any encoder is started. An
   *  error that it throws ends the video. */
  onTurn(): void
}

/** Makes one video. The child process draws the frames into a named pipe, from which ffmpeg encodes
 *  them. When one of the two fails, the other is stopped. Pipes and encoders are created only when
 *  the pool runs this job. */
async function makeVideo(pool: EnginePool, job: Job<VideoGenerateRequest>, turn: FilmTurn): Promise<Video | Failed> {
  const stop = new AbortController()
  const signal = AbortSignal.any([job.signal, stop.signal])
  const media: Media = { encoders: [], decoders: [] }
  const started = Promise.withResolvers<Media>()
  const prepare = async (): Promise<FilmJob> => {
    turn.onTurn()
    const payload = await startMedia({ ...job, signal }, turn, media)
    started.resolve(media)
    return payload
  }
  const request = { method: 'film', payload: undefined, prepare, account: job.account, workMs: workMs(job), signal, progress: job.progress }
  // The pool's method `film` returns this type; the pool itself types it as unknown.
  const drawn = pool.run(request) as Promise<FinishedFilm | Failed>
  try {
    return await settled({ drawn, started: started.promise, stop })
  } catch (error) {
    // After a cancellation, the job reports the cancellation, even if another part failed first.
    job.signal.throwIfAborted()
    throw error
  } finally {
    stop.abort()
    await Promise.allSettled([drawn, ...media.encoders, ...media.decoders])
    for (const path of Object.values(pipesOf(job, turn.index))) if (path) await rm(path, { force: true })
  }
}

/** Returns the estimated run time of one video in ms: 1000 ms per megapixel of a frame for the
 *  composition, and 30 ms per megapixel for each frame. */
function workMs({ request: { width, height, seconds, framesPerSecond = usualFramesPerSecond } }: Job<VideoGenerateRequest>): number {
  return ((width * height) / 1e6) * (1_000 + 30 * seconds * framesPerSecond)
}

function pipesOf({ request, inputs, scratch }: Job<VideoGenerateRequest>, index: number) {
  const has = (role: string) => inputs.some(input => input.role === role)
  const at = (name: string) => join(scratch, `${name}-${index}`)
  return {
    frames: at('frames'),
    marked: request.watermark ? at('marked') : undefined,
    base: has('base') ? at('base') : undefined,
    feature: has('feature') ? at('feature') : undefined,
    sound: `${at('sound')}.f32`,
  }
}

/** Creates the named pipes, starts the decoders and encoders, and adds the decoders and encoders to
 *  `media`. Returns the job for the child process that draws the film. */
async function startMedia(job: Job<VideoGenerateRequest>, { index, priority }: FilmTurn, media: Media): Promise<FilmJob> {
  const { request, inputs, scratch, signal } = job
  const { width, height } = request
  const framesPerSecond = request.framesPerSecond ?? usualFramesPerSecond
  const [base, feature] = [inputs.find(({ role }) => role === 'base'), inputs.find(({ role }) => role === 'feature')]
  const edit = base && readVideoEdit(request)
  const length = base?.durationSeconds ?? request.seconds
  const frames = Math.max(1, Math.round((length / (edit?.speed ?? 1)) * framesPerSecond))
  const { sound: soundPath, ...pipes } = pipesOf(job, index)
  for (const path of Object.values(pipes)) if (path) await makeNamedPipe(path)
  const kept = request.keepBaseSound && !edit?.isSilent ? (base ?? feature) : undefined
  const ofSound = { to: soundPath, seconds: frames / framesPerSecond, filters: edit ? soundOf(edit) : [], signal }
  const isKept = kept !== undefined && (await decodeVideoSound(kept.path, ofSound))
  const hasSound = isKept || (request.sound && !edit?.isSilent)
  const encode = async (from: string, role: string): Promise<OutputFile> => {
    const path = join(scratch, `${role}-${index}.mp4`)
    const sound = hasSound ? { sound: { path: soundPath } } : {}
    const frames = { path: from }
    const made = await encodeVideo({ width, height, framesPerSecond, frames, pixels: 'i420', path, signal, priority, ...sound })
    const facts = { durationSeconds: made.seconds, framesPerSecond, ...(hasSound ? { channels: 2 } : {}) }
    return { path, role, mediaType: 'video/mp4', width, height, ...facts }
  }
  if (base && pipes.base) {
    const shape = { width, height, fit: request.fit ?? 'crop', framesPerSecond, seconds: frames / framesPerSecond }
    const filters = edit && { filters: framesOf(edit, length) }
    media.decoders.push(decodeInto(base.path, { ...shape, ...filters, pipe: pipes.base, signal, field: 'base' }))
  }
  if (feature && pipes.feature)
    media.decoders.push(decodeInto(feature.path, { ...featureSize, pipe: pipes.feature, signal, field: 'feature' }))
  media.encoders.push(encode(pipes.frames, 'video'), ...(pipes.marked ? [encode(pipes.marked, 'watermarked')] : []))
  return {
    ...{ request, inputs, scratch, index, frames, framesPerSecond },
    pipe: pipes.frames,
    ...(pipes.marked ? { markedPipe: pipes.marked } : {}),
    ...(pipes.base ? { basePipe: pipes.base } : {}),
    ...(pipes.feature ? { featurePipe: pipes.feature } : {}),
    ...(hasSound && !isKept ? { soundPath } : {}),
  }
}

interface Parts {
  drawn: Promise<FinishedFilm | Failed>
  /** Resolves when the decoders and encoders have started. If the job fails before that, it never
   *  resolves. */
  started: Promise<Media>
  stop: AbortController
}

/** Milliseconds in which an encoder must finish after the last frame. */
const lastFramesMs = 600_000

/** Waits for the drawing process and the encoders. The first failure is thrown, and stops the
 *  others. */
async function settled({ drawn, started, stop }: Parts): Promise<Video | Failed> {
  let first: unknown
  let isDrawn = false
  const fail = (error: unknown): never => {
    first ??= error
    stop.abort(error)
    throw error
  }
  const made = drawn.then(outcome => {
    // A refused film never opens the pipe, so its encoders would wait forever; they are stopped
    // here.
    isDrawn = true
    if (outcome.state === 'failed') stop.abort(new GatewayError('cancelled', 'The film was refused.'))
    return outcome
  }, fail)
  const files = started.then(({ encoders, decoders }) => {
    // When all frames are drawn, a decoder may be killed because its remaining frames are not
    // needed. That is not a failure.
    for (const each of decoders) each.catch(error => (isDrawn ? undefined : fail(error))).catch(() => {})
    return Promise.all(encoders.map(each => each.catch(fail)))
  })
  files.catch(() => {})
  let isLate: NodeJS.Timeout | undefined
  try {
    const outcome = await made
    if (outcome.state === 'failed') return outcome
    const late = new GatewayError('engine_timeout', 'The video was not encoded within ten minutes of its last frame.')
    isLate = setTimeout(() => stop.abort(late), lastFramesMs)
    const [video, ...others] = await files
    if (!video) throw new GatewayError('internal_error', 'The film has no file.')
    return { files: [video, ...others, outcome.thumbnail], seconds: video.durationSeconds ?? 0, made: outcome }
  } catch (error) {
    throw first ?? error
  } finally {
    clearTimeout(isLate)
  }
}
