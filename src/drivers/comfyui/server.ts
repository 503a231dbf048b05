/** The HTTP interface of a ComfyUI server (its server.py and execution.py, versions of 2024 to 2026). */
import type { Dispatcher } from 'undici'
import { request as send } from 'undici'
import { GatewayError } from '../../core/errors.ts'
import type { InputFile } from '../../core/requests/job.ts'
import type { Json, JsonObject } from '../../core/task.ts'
import { isObject, objectOf, textOf } from '../read-json.ts'
import type { Upstream } from '../upstream.ts'
import { AnswerSink, type UpstreamAnswer } from '../upstream-answer.ts'
import { networkFailure, upstreamFailure } from '../upstream-failures.ts'
import type { TargetFacts } from './settings.ts'
import { uploadForm } from './upload-form.ts'

/** One server and one job's use of it. */
export interface ServerCall {
  upstream: Upstream
  /** Connections for the one request whose refusal is read in full. */
  dispatcher: Dispatcher
  facts: TargetFacts
  signal: AbortSignal
  /** Largest picture, inclusive. */
  maxPictureBytes: number
}

/** Where a prompt is. `entry` is what the history says about it. */
export type SeenPrompt =
  | { state: 'ended'; promptId: string; entry: JsonObject }
  | { state: 'running'; promptId: string }
  /** `place` 1 is the next one. */
  | { state: 'waiting'; promptId: string; place: number }
  | { state: 'absent' }

/** What the server makes of a workflow. */
type Submitted = { promptId: string; nodeErrors: JsonObject } | { refusal: JsonObject }

/** A picture among the outputs of a node. */
export interface ListedPicture {
  filename: string
  subfolder: string
  type: string
}

/** The queue repeats every waiting workflow. */
const maxQueueBytes = 64 * 1024 * 1024
const maxHistoryBytes = 16 * 1024 * 1024
const maxAnswerBytes = 1024 * 1024
/** Looks and submits are answered at once; this is for answers that trickle. */
const lookMs = 120_000
/** An upload slower than 64 kB a second is late. */
const slowestBytesPerMs = 64
/** How far back a server that names its prompts itself is searched. */
const oldestEntries = 200
const jpegQuality = 95

/** Finds a prompt by its id. It may pass from the queue to the history between two looks, so the history is asked again. */
export async function look(call: ServerCall, promptId: string): Promise<SeenPrompt> {
  const entry = await historyOf(call, promptId)
  if (entry) return { state: 'ended', promptId, entry }
  const queued = queuedIn(await get(call, '/queue', maxQueueBytes), ({ id }) => id === promptId)
  if (queued.state !== 'absent') return queued
  const ended = await historyOf(call, promptId)
  return ended ? { state: 'ended', promptId, entry: ended } : queued
}

/** Finds what an earlier start has sent. Older servers name prompts themselves; theirs are known by the client id. */
export async function lookForStarted(call: ServerCall, ownId: string, isRepeated: boolean): Promise<SeenPrompt> {
  const entry = await historyOf(call, ownId)
  if (entry) return { state: 'ended', promptId: ownId, entry }
  const queued = queuedIn(await get(call, '/queue', maxQueueBytes), ({ id, clientId }) => id === ownId || clientId === ownId)
  if (queued.state !== 'absent' || !isRepeated) return queued
  const recent = objectOf(await get(call, `/history?max_items=${oldestEntries}`, maxQueueBytes))
  for (const [promptId, found] of Object.entries(recent)) {
    const { prompt } = objectOf(found)
    const { clientId } = queueItem(prompt)
    if (isObject(found) && (promptId === ownId || clientId === ownId)) return { state: 'ended', promptId, entry: found }
  }
  return queued
}

/** Puts a workflow into the queue. Throws for everything but an answer about the workflow itself. */
export async function submit(call: ServerCall, ownId: string, graph: JsonObject): Promise<Submitted> {
  const { facts, signal, dispatcher } = call
  const { origin, path, query, withBody, secrets } = facts.upstream
  // Without a client id, servers before 2026-07 leave what came from their cache out of the history (Comfy-Org/ComfyUI#14939).
  const body = JSON.stringify({ prompt: graph, prompt_id: ownId, client_id: ownId })
  let hasHead = false
  try {
    const url = `${origin}${path}/prompt${query === '' ? '' : `?${query}`}`
    const limits = { headersTimeout: facts.firstByteMs, bodyTimeout: facts.idleMs }
    // Not by the common client: of a refusal it keeps the message alone, and what is wrong with which node stands beside it.
    const answer = await send(url, { method: 'POST', headers: withBody, body, signal, dispatcher, ...limits })
    hasHead = true
    const bytes = await readAll(answer.body)
    const said = objectOf(parsed(bytes))
    if (answer.statusCode === 400 && 'node_errors' in said) return { refusal: said }
    if (answer.statusCode >= 300) throw upstreamFailure(answer.statusCode, { headers: answer.headers, body: bytes, secrets })
    const promptId = textOf(said.prompt_id)
    if (promptId === undefined) throw new GatewayError('upstream_error', 'The ComfyUI server did not name the prompt it took.')
    return { promptId, nodeErrors: objectOf(said.node_errors) }
  } catch (error) {
    if (signal.aborted) throw new GatewayError('cancelled', 'The request to the ComfyUI server was stopped.')
    throw networkFailure(error, hasHead)
  }
}

/** Stores an input picture on the server; gives the name that a LoadImage node knows it by. The same name is written over. */
export async function upload({ upstream, facts, signal }: ServerCall, input: InputFile, name: string): Promise<string> {
  const form = uploadForm(input, name)
  const late = AbortSignal.timeout(lookMs + facts.firstByteMs + Math.ceil(form.bytes / slowestBytesPerMs))
  const sink = new AnswerSink(AbortSignal.any([signal, late]))
  const body = { stream: form.stream, bytes: form.bytes }
  const { firstByteMs, idleMs } = facts
  const headers = { 'content-type': form.contentType }
  // Its own headers without the content type of JSON: the form has another.
  const target = { ...facts.upstream, withBody: facts.upstream.headers }
  upstream.relay(target, '/upload/image', { method: 'POST', suffix: '', query: '', settings: {}, body, headers, firstByteMs, idleMs }, sink)
  try {
    const said = objectOf(await (await sink.answer).json(maxAnswerBytes))
    const stored = textOf(said.name)
    if (stored === undefined) throw new GatewayError('upstream_error', 'The ComfyUI server did not name the picture it stored.')
    const subfolder = textOf(said.subfolder)
    return subfolder === undefined ? stored : `${subfolder}/${stored}`
  } catch (error) {
    if (late.aborted && !signal.aborted) throw new GatewayError('upstream_timeout', 'The ComfyUI server did not take the picture in time.')
    throw error
  } finally {
    form.stream.destroy()
  }
}

/** Takes a prompt out of the queue, or stops it where it is the one that runs; one that has ended stays as it is. */
export async function stop(call: ServerCall, promptId: string): Promise<void> {
  // What waits may begin to run while it is being taken out: the second look then finds it running.
  for (let looks = 0; looks < 2; looks++) {
    const seen = queuedIn(await get(call, '/queue', maxQueueBytes), ({ id }) => id === promptId)
    if (seen.state === 'absent') return
    // Servers that know prompt_id stop this one only; older ones stop what runs, which the look has just shown to be this one.
    if (seen.state === 'running') return post(call, '/interrupt', { prompt_id: promptId })
    await post(call, '/queue', { delete: [promptId] })
  }
}

/** The bytes of an output; as JPEG made by the server where `asJpeg`. The reader ends it. */
export function view({ upstream, facts, signal }: ServerCall, picture: ListedPicture, asJpeg: boolean): Promise<UpstreamAnswer> {
  const { filename, subfolder, type } = picture
  const query = new URLSearchParams({ filename, subfolder, type })
  if (asJpeg) query.set('preview', `jpeg;${jpegQuality}`)
  const { firstByteMs, idleMs } = facts
  return upstream.open(facts.upstream, { method: 'GET', path: `/view?${query}`, firstByteMs, idleMs, signal, isStored: true })
}

async function historyOf(call: ServerCall, promptId: string): Promise<JsonObject | undefined> {
  const entry = objectOf(await get(call, `/history/${encodeURIComponent(promptId)}`, maxHistoryBytes))[promptId]
  return isObject(entry) ? entry : undefined
}

async function get({ upstream, facts, signal }: ServerCall, path: string, maxBytes: number): Promise<Json> {
  const { firstByteMs, idleMs } = facts
  const timeoutMs = firstByteMs + lookMs
  return (await upstream.json(facts.upstream, { method: 'GET', path, firstByteMs, idleMs, timeoutMs, maxBytes, signal })).body
}

/** These answers are empty. */
async function post({ upstream, facts, signal }: ServerCall, path: string, body: JsonObject): Promise<void> {
  const { firstByteMs, idleMs } = facts
  const answer = await upstream.open(facts.upstream, { method: 'POST', path, body, firstByteMs, idleMs, signal })
  answer.finish()
}

interface QueueItem {
  number: number
  id: string | undefined
  clientId: string | undefined
}

/** `[number, id, workflow, extra data, outputs, ...]`. */
function queueItem(item: unknown): QueueItem {
  const [number, id, , extra] = Array.isArray(item) ? item : []
  return { number: typeof number === 'number' ? number : 0, id: textOf(id), clientId: textOf(objectOf(extra).client_id) }
}

function queuedIn(queue: Json, isIt: (item: QueueItem) => boolean): SeenPrompt {
  const { queue_running: runningNow, queue_pending: pending } = objectOf(queue)
  if (!Array.isArray(runningNow) || !Array.isArray(pending))
    throw new GatewayError('upstream_error', 'The ComfyUI server answered with something that is no queue; its base_url may be wrong.')
  const running = runningNow.map(queueItem).find(isIt)
  if (running?.id !== undefined) return { state: 'running', promptId: running.id }
  const items = pending.map(queueItem)
  const waiting = items.find(isIt)
  if (waiting?.id === undefined) return { state: 'absent' }
  // A heap: its order in the answer is not that of the queue.
  const place = items.filter(({ number }) => number < waiting.number).length + 1
  return { state: 'waiting', promptId: waiting.id, place }
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes)
      throw new GatewayError('upstream_error', `The ComfyUI server answered with more than ${maxAnswerBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    // A proxy's own page; its status says what it is.
    return undefined
  }
}
