/** Runs a music job: submits a task, polls it and downloads its pieces. */
import { join } from 'node:path'
import { polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Failed, Job, Outcome, OutputFile, PolledOffer, Running } from '@generation-gateway/kit/requests/job.ts'
import type { MusicEvent, MusicRequest, MusicResult } from '@generation-gateway/kit/requests/music.ts'
import { failedAfterPay } from '../../shared/failed.ts'
import { fetchOutput } from '../../shared/output/fetch-output.ts'
import { pollAndFetch } from '../../shared/output/poll-and-fetch.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { isTaskGoneInWords, unlessGone } from '../../shared/upstream/gone-task.ts'
import { submitNamed } from '../../shared/upstream/paid-submit.ts'
import { jsonBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { wait } from '../../shared/upstream/wait.ts'
import { owner, settings } from './settings.ts'
import { checkRequest, type Kind, submitBody } from './submits.ts'
import { type MusicState, musicStateIn, type ReadyPiece, taskIdIn } from './task-answer.ts'
import { uploadInputs } from './uploads.ts'

type MusicJob = Job<MusicRequest>

/** Milliseconds between two polls; the vendor's own clients poll every 3 to 5 s
 *  (docs/vendors/README.md#polling). */
const pollEveryMs = 3_000
/** Largest file in bytes. For comparison, ten minutes of lossless music take about 100 MB. */
const maxFileBytes = 256 * 1024 * 1024
/** Media types that the answer with a streamed sound may have. */
const soundTypes = /^(audio\/(mpeg|mp3)|application\/octet-stream|binary\/octet-stream)\b/i

/** Returns the offer with which the driver serves this kind of music. The vendor documents no way
 *  to cancel: a task that a caller abandons is still finished there, and paid. */
export function musicRuns(tools: ServiceTools, kind: Kind): PolledOffer<MusicRequest, MusicEvent> {
  return polled<MusicRequest, MusicEvent>({
    pollEveryMs,
    refuses: ({ request, inputs }) => refusalBy(() => checkRequest(kind, request, inputs)),
    start: async job => ({ state: 'started', handle: { id: await start(tools, kind, job) } }),
    check: (job, handle) => check(tools, job, { kind, handle }),
    events: (job, handle) => sounds(tools, job, { kind, handle }),
  })
}

/** Submits the task. The request is paid and has no idempotency key, so it is sent once. Throws the
 *  errors of `submitNamed` and `uploadInputs`. */
async function start(tools: ServiceTools, kind: Kind, job: MusicJob): Promise<string> {
  const body = jsonBody(submitBody(job.request, job.model, await uploadInputs(tools, kind, job)))
  return submitNamed({
    ...{ submits: tools.submits, job, target: settings.targetOf(job.settings), path: `/${kind}/generate`, body, owner },
    ...{ nameIn: taskIdIn, what: 'the task it made' },
  })
}

interface Started {
  kind: Kind
  handle: JsonObject
}

function poll({ upstream }: ServiceTools, job: MusicJob, { kind, handle }: Started): Promise<MusicState> {
  const target = settings.targetOf(job.settings)
  const answer = askJson(upstream, target, { path: `/${kind}/query/${encodeURIComponent(String(handle.id))}`, signal: job.signal })
  const state = answer.then(body => musicStateIn(body, target.upstream.secrets))
  return unlessGone(state, { says: `${owner} does not have the task, or no longer.`, isIn: isTaskGoneInWords })
}

function check(tools: ServiceTools, job: MusicJob, started: Started): Promise<Running | Outcome> {
  return pollAndFetch(
    async () => {
      const seen = await poll(tools, job, started)
      if (seen.state === 'ready') return { state: 'ready', output: seen.pieces }
      if (seen.state === 'failed') return seen
      const { streams: _streams, ...running } = seen
      return running
    },
    pieces => outcomeOf(tools, job, pieces),
  )
}

async function outcomeOf(tools: ServiceTools, job: MusicJob, ready: readonly ReadyPiece[]): Promise<Outcome> {
  const { seed, prompt = '' } = job.request
  const files: OutputFile[] = []
  const pieces: MusicResult['pieces'] = []
  for (const [index, { url, flacUrl, seconds, lines }] of ready.entries()) {
    const song = await fetchSound(tools, job, { url, role: 'song', mediaType: 'audio/mpeg', index })
    if ('state' in song) return song
    files.push(song)
    if (flacUrl !== undefined) {
      const lossless = await fetchSound(tools, job, { url: flacUrl, role: 'lossless', mediaType: 'audio/flac', index })
      if ('state' in lossless) return lossless
      files.push(lossless)
    }
    pieces.push({ seed: String(BigInt(seed) + BigInt(index)), seconds: seconds ?? song.durationSeconds ?? 0, style: prompt, lines })
  }
  const usage = [{ unit: 'seconds', units: pieces.reduce((sum, piece) => sum + piece.seconds, 0) }]
  // Every request has a seed, and the vendor accepts none, so the seed is reported as ignored.
  return { state: 'done', files, report: { pieces, notFollowed: ['seed'] }, usage }
}

interface SoundFile {
  url: string
  role: 'song' | 'lossless'
  mediaType: string
  /** Index of the piece to which the file belongs. */
  index: number
}

async function fetchSound(
  { guard, inspection }: ServiceTools,
  { account, scratch, signal, settings: given }: MusicJob,
  { url, role, mediaType, index }: SoundFile,
): Promise<OutputFile | Failed> {
  const { origin, route } = settings.targetOf(given).upstream
  const path = join(scratch, `${role}-${index}`)
  const title = `The music of ${owner}`
  const fetched = await fetchOutput({ guard, url, title, toFile: path, maxBytes: maxFileBytes, signal, route, trustedOrigin: origin })
  if ('state' in fetched) return fetched
  const header = await inspection.readMedia(path, { account, signal })
  if (header?.mediaType === mediaType) return { role, path, ...header }
  return failedAfterPay('upstream_error', `${title} is ${header?.mediaType ?? 'no sound'}, not ${mediaType}.`)
}

/** Yields the sound of each piece while the vendor produces it, one piece after another. */
async function* sounds(tools: ServiceTools, job: MusicJob, started: Started): AsyncGenerator<MusicEvent> {
  for (let piece = 0; piece < job.request.count; ) {
    const seen = await poll(tools, job, started)
    if (seen.state !== 'running') return
    const url = seen.streams.get(piece)
    if (url === undefined) {
      await wait(pollEveryMs, job.signal, 'The sound is not wanted any more.')
      continue
    }
    for await (const bytes of soundAt(tools, job, url)) yield { type: 'sound', piece, bytes }
    piece += 1
  }
}

async function* soundAt({ guard }: ServiceTools, { settings: given, signal }: MusicJob, url: string): AsyncGenerator<Uint8Array> {
  const { upstream, waits } = settings.targetOf(given)
  const headers = { accept: 'audio/mpeg, */*' }
  const { origin: trustedOrigin, route } = upstream
  const answer = await guard.open(url, { field: 'stream_url', headers, trustedOrigin, route, signal, ...waits })
  try {
    const type = answer.headers['content-type'] ?? 'audio/mpeg'
    if (answer.status !== 200 || !soundTypes.test(String(type)))
      throw new GatewayError('upstream_error', `${owner} gives no sound where it says that there is some (${answer.status}, ${type}).`)
    let bytes = 0
    for await (const chunk of answer.chunks()) {
      bytes += chunk.length
      if (bytes > maxFileBytes) throw new GatewayError('upstream_error', `${owner} sent more than ${maxFileBytes} bytes for a piece.`)
      yield chunk
    }
  } finally {
    answer.cut()
  }
}
