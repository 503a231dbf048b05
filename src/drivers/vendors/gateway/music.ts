/** Music of another gateway, over its family M: a task there, heard while it is made where that is wanted. */
import { join } from 'node:path'
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import type { AskedJob, Failed, Job, Outcome, OutputFile, PolledOffer, Refusal, Running } from '@generation-gateway/kit/requests/job.ts'
import { refusal } from '@generation-gateway/kit/requests/job.ts'
import type { MusicEvent, MusicRequest, MusicResult } from '@generation-gateway/kit/requests/music.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { lookAndFetch } from '../../shared/image/picture-file.ts'
import { fetchOutput } from '../../shared/output/fetch-output.ts'
import { refusalInWords } from '../../shared/sound/speech-words.ts'
import { postBody } from '../../shared/upstream/post-body.ts'
import { present, secondsOf, textsOf } from '../../shared/upstream/read-json.ts'
import { formBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { wait } from '../../shared/upstream/wait.ts'
import { settings } from './settings.ts'
import { gatewayName, soundTarget, withHeaders } from './sound-target.ts'
import { findTask } from './start-task.ts'
import { owner } from './task-answer.ts'
import { maxAnswerBytes, waitsOf } from './task-paths.ts'
import { noTask, taskThere } from './task-there.ts'

type MusicJob = Job<MusicRequest>
/** What its paths are called after. */
export type MusicKind = 'song' | 'instrumental'

/** Inputs, each as `<role>_id` (docs/interface/sound.md#m). */
const roles = { song: ['reference', 'vocal', 'melody', 'instrumental'], instrumental: ['instrumental'] } as const
const mostPieces = 3
const mostLyrics = 3000
const mostPrompt = 1024
const pollEveryMs = 1_000
const looksPerSecond = 100
const maxFileBytes = 256 * 1024 * 1024
const words = {
  ...{ lyrics: 'lyrics', prompt: 'prompt', n: 'count' },
  ...{ reference_id: 'reference', vocal_id: 'vocal', melody_id: 'melody', instrumental_id: 'instrumental' },
} as const satisfies Record<string, FieldName>
const fileRoles = [
  ['url', 'song', 'audio/mpeg'],
  ['flac_url', 'lossless', 'audio/flac'],
  ['cover_url', 'cover', undefined],
] as const
const endings: Readonly<Record<string, string>> = {
  ...{ 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a', 'audio/wav': 'wav', 'audio/flac': 'flac', 'audio/ogg': 'ogg' },
  ...{ 'audio/aac': 'aac', 'audio/midi': 'mid', 'audio/quicktime': 'mov' },
}

/** Started once however often it is sent: the job's id is its key there. */
export function musicThere(tools: ServiceTools, kind: MusicKind): PolledOffer<MusicRequest, MusicEvent> {
  return polled<MusicRequest, MusicEvent>({
    isIdempotent: true,
    ...{ pollEveryMs, looksPerSecond },
    refuses: asked => refuses(kind, asked),
    start: async job => ({ state: 'started', handle: { id: await start(tools, kind, job) } }),
    check: (job, handle) => check(tools, job, { kind, id: String(handle.id) }),
    events: (job, handle) => sounds(tools, job, { kind, id: String(handle.id) }),
    cancel: (job, handle) => cancel(tools, job, { kind, id: String(handle.id) }),
  })
}

/** What the family has no field for; what excludes what is told by the other gateway before it spends anything. */
function refuses(kind: MusicKind, { request, inputs }: AskedJob<MusicRequest>): Refusal | undefined {
  const { count, seconds, lyrics, prompt } = request
  if (count > mostPieces) return refusal('count', `is ${count}; ${gatewayName} makes ${mostPieces} pieces per task at most.`)
  if (seconds !== undefined) return refusal('seconds', `is ${seconds}; ${gatewayName} decides on the length itself.`)
  if (kind === 'song' && lyrics === undefined) return refusal('lyrics', `is missing; ${gatewayName} makes no song without it.`)
  if (kind === 'instrumental' && lyrics !== undefined)
    return refusal('lyrics', `is given; ${gatewayName} sings nothing in an instrumental.`)
  for (const [field, text, most] of [['lyrics', lyrics, mostLyrics] as const, ['prompt', prompt, mostPrompt] as const]) {
    const characters = Array.from(text ?? '').length
    if (characters > most) return refusal(field, `has ${characters} characters; ${gatewayName} takes ${most} at most.`)
  }
  const known: readonly string[] = roles[kind]
  const strange = roles.song.find(role => inputs.some(input => input.role === role) && !known.includes(role))
  return strange && refusal(strange, `is given; ${gatewayName} takes none for an instrumental.`)
}

interface There {
  kind: MusicKind
  /** Of the task. */
  id: string
}

async function start(tools: ServiceTools, kind: MusicKind, job: MusicJob): Promise<string> {
  const { lyrics, prompt, count, stream } = job.request
  const { model } = job
  const uploads = await uploaded(tools, kind, job)
  const body = present({ lyrics, prompt, n: count, model, stream, ...uploads })
  const { upstream: target } = soundTarget(job)
  const limits = { ...waitsOf(job), timeoutMs: 2 * waitsOf(job).firstByteMs, maxBytes: maxAnswerBytes, signal: job.signal }
  const path = `/mus/${kind}/generate`
  try {
    const keyed = withHeaders(target, { 'idempotency-key': job.id })
    const id = textOf(objectOf((await tools.upstream.json(keyed, { method: 'POST', path, body, ...limits })).body).id)
    if (id !== undefined) return id
  } catch (error) {
    // An earlier try has begun it, with other uploads of the same files.
    const begun = answerBehind(error)?.status === 409 ? await findTask(tools, job) : undefined
    if (begun !== undefined) return begun
    throw lackingOr(refusalInWords(words, error), model)
  }
  throw new GatewayError('upstream_error', 'The other gateway did not name the task it made.')
}

function lackingOr(error: unknown, model: string): unknown {
  if (answerBehind(error)?.status !== 404) return error
  const message = `The other gateway has no model ${model} in its family M, or lacks the family or endpoint; see model and endpoint of the target.`
  return new GatewayError('capability_unavailable', message, { cause: error })
}

/** Ids of the inputs there, as fields of the body. What fails here without a word about the file was no submit: another target may be tried. */
async function uploaded({ upstream }: ServiceTools, kind: MusicKind, job: MusicJob): Promise<JsonObject> {
  const ids: JsonObject = {}
  const { upstream: target } = soundTarget(job)
  for (const role of roles[kind]) {
    const input = job.inputs.find(each => each.role === role)
    if (!input) continue
    const body = formBody({ purpose: role }, { field: 'file', name: `${role}.${endings[input.mediaType] ?? 'bin'}`, input })
    const post = { upstream, target, path: '/mus/files/upload', body, signal: job.signal, owner, ...waitsOf(job) }
    try {
      ids[`${role}_id`] = textOf(objectOf(await postBody(post, answer => answer.json(maxAnswerBytes))).id)
    } catch (error) {
      throw lackingOr(refusalInWords({ file: role, purpose: role }, error), job.model)
    }
  }
  return ids
}

async function look({ upstream }: ServiceTools, job: MusicJob, { kind, id }: There): Promise<JsonObject | undefined> {
  const { upstream: target } = soundTarget(job)
  const limits = { ...waitsOf(job), timeoutMs: 2 * waitsOf(job).firstByteMs, maxBytes: maxAnswerBytes }
  const path = `/mus/${kind}/query/${encodeURIComponent(id)}`
  try {
    return objectOf((await upstream.json(target, { method: 'GET', path, isStored: true, signal: job.signal, ...limits })).body)
  } catch (error) {
    if (answerBehind(error)?.status === 404) return undefined
    throw error
  }
}

function check(tools: ServiceTools, job: MusicJob, there: There): Promise<Running | Outcome> {
  return lookAndFetch<JsonObject>(
    async () => {
      const task = await look(tools, job, there)
      if (task === undefined) return noTask()
      switch (task.status) {
        case 'preparing':
        case 'queued':
        case 'running':
        case 'streaming':
          return { state: 'running', ...(streamsOf(task).size > 0 ? { hasEvents: true } : {}) }
        case 'succeeded':
          return { state: 'ready', picture: task }
        case 'failed':
        case 'timeouted':
        case 'cancelled': {
          const ended = await taskThere(tools, job, there.id)
          return ended.state === 'failed' ? ended : noTask()
        }
        default:
          throw new GatewayError('upstream_error', 'The other gateway answered with a state that music does not have.')
      }
    },
    task => piecesOf(tools, job, task),
  )
}

async function piecesOf(tools: ServiceTools, job: MusicJob, { choices, not_followed: notFollowed }: JsonObject): Promise<Outcome> {
  const files: OutputFile[] = []
  const pieces: MusicResult['pieces'] = []
  for (const [index, choice] of objectsOf(choices).entries()) {
    if (textOf(choice.url) === undefined) continue
    for (const [field, role, mediaType] of fileRoles) {
      const url = textOf(choice[field])
      if (url === undefined) continue
      const file = await fetched(tools, job, { url, role, mediaType, index })
      if ('state' in file) return file
      files.push(file)
    }
    pieces.push({
      seed: String(BigInt(job.request.seed) + BigInt(index)),
      seconds: secondsOf(Number(choice.duration) / 1000) ?? 0,
      style: textOf(choice.style) ?? '',
      lines: linesOf(choice),
    })
  }
  if (!files.some(({ role }) => role === 'song'))
    return failedAfterPay('upstream_error', 'The other gateway calls the music done and links to none.')
  // Words of the family have no seed.
  const left = textsOf(notFollowed).map(field => (Object.hasOwn(words, field) ? words[field as keyof typeof words] : field))
  const usage = [{ unit: 'seconds', units: pieces.reduce((sum, { seconds }) => sum + seconds, 0) }]
  return { state: 'done', files, report: { pieces, notFollowed: [...left, 'seed'] }, usage }
}

function linesOf({ lyrics_sections: sections }: JsonObject): MusicResult['pieces'][number]['lines'] {
  return objectsOf(sections).flatMap(({ lines }) =>
    objectsOf(lines).map(({ text, start: from, end }) => ({
      text: textOf(text) ?? '',
      startSeconds: (Number(from) || 0) / 1000,
      endSeconds: (Number(end) || 0) / 1000,
    })),
  )
}

interface Wanted {
  url: string
  role: (typeof fileRoles)[number][1]
  mediaType: string | undefined
  index: number
}

async function fetched(
  { guard, inspection }: ServiceTools,
  job: MusicJob,
  { url, role, mediaType, index }: Wanted,
): Promise<OutputFile | Failed> {
  const path = join(job.scratch, `${role}-${index}`)
  const title = `The music of ${owner}`
  const { origin } = settings.targetOf(job.settings).whole
  const got = await fetchOutput({ guard, url, title, toFile: path, maxBytes: maxFileBytes, signal: job.signal, trustedOrigin: origin })
  if ('state' in got) return got
  const header = await inspection.readMedia(path, job)
  const isFit = mediaType === undefined ? header?.mediaType.startsWith('image/') : header?.mediaType === mediaType
  if (header && isFit) return { role, path, ...header }
  return failedAfterPay('upstream_error', `${title} is ${header?.mediaType ?? 'nothing known'}, not ${mediaType ?? 'a picture'}.`)
}

/** Links to the pieces that have begun, by index. */
function streamsOf({ streams }: JsonObject): Map<number, string> {
  return new Map(objectsOf(streams).flatMap(({ index, url }) => linkOf(index, url)))
}

function linkOf(index: unknown, url: unknown): [number, string][] {
  const link = textOf(url)
  return typeof index === 'number' && link !== undefined ? [[index, link]] : []
}

/** The sound of each piece as it is made there, one behind the other. */
async function* sounds(tools: ServiceTools, job: MusicJob, there: There): AsyncGenerator<MusicEvent> {
  const { whole } = settings.targetOf(job.settings)
  for (let piece = 0; piece < job.request.count; ) {
    const task = await look(tools, job, there)
    if (task?.status !== 'running' && task?.status !== 'streaming' && task?.status !== 'queued') return
    const url = streamsOf(task).get(piece)
    if (url === undefined) {
      await wait(pollEveryMs, job.signal, 'The sound is not wanted any more.')
      continue
    }
    const answer = await tools.guard.open(url, {
      ...{ field: 'stream_url', headers: { accept: 'audio/mpeg' }, trustedOrigin: whole.origin, signal: job.signal },
      ...waitsOf(job),
    })
    try {
      if (answer.status !== 200) throw new GatewayError('upstream_error', `The other gateway gives no sound (${answer.status}).`)
      let bytes = 0
      for await (const chunk of answer.chunks()) {
        bytes += chunk.length
        if (bytes > maxFileBytes)
          throw new GatewayError('upstream_error', `The other gateway told more than ${maxFileBytes} bytes of a piece.`)
        yield { type: 'sound', piece, bytes: chunk }
      }
    } finally {
      answer.cut()
    }
    piece += 1
  }
}

async function cancel({ upstream }: ServiceTools, job: MusicJob, { kind, id }: There): Promise<void> {
  const { upstream: target } = soundTarget(job)
  const limits = { ...waitsOf(job), timeoutMs: 2 * waitsOf(job).firstByteMs, maxBytes: maxAnswerBytes }
  try {
    await upstream.json(target, { method: 'DELETE', path: `/mus/${kind}/query/${encodeURIComponent(id)}`, signal: job.signal, ...limits })
  } catch (error) {
    // It has ended, or is not there.
    if (answerBehind(error)?.status !== 404 && answerBehind(error)?.status !== 409) throw error
  }
}
