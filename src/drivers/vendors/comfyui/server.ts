/** Calls the HTTP interface of a ComfyUI server (its server.py and execution.py, versions of 2024
 *  to 2026). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { postBody } from '../../shared/upstream/post-body.ts'
import { formBody, jsonBody, type SentBody } from '../../shared/upstream/sent-body.ts'
import type { Upstream } from '../../shared/upstream/upstream.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { headersOf } from '../../shared/upstream/upstream-target.ts'
import type { UrlGuard } from '../../shared/upstream/url-guard.ts'
import type { TargetFacts } from './settings.ts'

/** The connection of one job to its server. */
export interface ServerCall {
  upstream: Upstream
  /** The client that downloads the outputs. */
  guard: UrlGuard
  inspection: Inspection
  facts: TargetFacts
  signal: AbortSignal
  /** Largest picture, bytes, inclusive. */
  maxPictureBytes: number
}

/** The state of a prompt. `entry` is its entry in the history. */
export type PromptState =
  | { state: 'ended'; promptId: string; entry: JsonObject }
  | { state: 'running'; promptId: string }
  /** `place` is the position in the queue; 1 is the next one. */
  | { state: 'waiting'; promptId: string; place: number }
  | { state: 'absent' }

/** The server's answer to a submitted workflow. */
export type Submitted = { promptId: string; nodeErrors: JsonObject } | { refusal: JsonObject }

/** A picture in the outputs of a node. */
export interface ListedPicture {
  filename: string
  subfolder: string
  type: string
}

/** Name of the server, for messages. */
export const owner = 'the ComfyUI server'
/** Largest answer about the queue in bytes; it contains every waiting workflow. */
const maxQueueBytes = 64 * 1024 * 1024
const maxHistoryBytes = 16 * 1024 * 1024
const maxAnswerBytes = 1024 * 1024
/** Time limit for answers that arrive slowly, in milliseconds; polls are normally answered at
 *  once. */
const checkEveryMs = 120_000
/** Number of history entries that are searched on a server that assigns prompt ids itself. */
const oldestEntries = 200

/** Returns the state of a prompt, found by its id. The prompt may move from the queue to the
 *  history between two requests, so the history is read twice. */
export async function poll(call: ServerCall, promptId: string): Promise<PromptState> {
  const entry = await historyOf(call, promptId)
  if (entry) return { state: 'ended', promptId, entry }
  const queued = queuedIn(await get(call, '/queue', maxQueueBytes), ({ id }) => id === promptId)
  if (queued.state !== 'absent') return queued
  const ended = await historyOf(call, promptId)
  return ended ? { state: 'ended', promptId, entry: ended } : queued
}

/** Returns the state of the prompt that an earlier start of the job sent; `absent` when the server
 *  has none. Older servers assign ids themselves; their prompts are recognized by the client id. */
export async function findStarted(call: ServerCall, ownId: string, isRepeated: boolean): Promise<PromptState> {
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

/** Puts a workflow into the queue. Throws for every failure except a refusal of the workflow
 *  itself. */
export async function submit(call: ServerCall, ownId: string, graph: JsonObject): Promise<Submitted> {
  // Without a client id, servers before 2026-07 omit cached results from the history
  // (Comfy-Org/ComfyUI#14939).
  try {
    const said = await postOnce(call, '/prompt', jsonBody({ prompt: graph, prompt_id: ownId, client_id: ownId }))
    const promptId = textOf(said.prompt_id)
    if (promptId === undefined) throw new GatewayError('upstream_error', 'The ComfyUI server did not name the prompt it took.')
    return { promptId, nodeErrors: objectOf(said.node_errors) }
  } catch (error) {
    // The body of a 400 names the faults of each node.
    const answer = answerBehind(error)
    const refusal = objectOf(answer?.body)
    if (answer?.status !== 400 || !('node_errors' in refusal)) throw error
    return { refusal }
  }
}

/** Stores an input picture on the server, replacing one of the same name; returns the name for a
 *  LoadImage node. */
export async function upload(call: ServerCall, input: InputFile, name: string): Promise<string> {
  const said = await postOnce(call, '/upload/image', formBody({ type: 'input', overwrite: 'true' }, { field: 'image', name, input }))
  const stored = textOf(said.name)
  if (stored === undefined) throw new GatewayError('upstream_error', 'The ComfyUI server did not name the picture it stored.')
  const subfolder = textOf(said.subfolder)
  return subfolder === undefined ? stored : `${subfolder}/${stored}`
}

function postOnce({ upstream, facts, signal }: ServerCall, path: string, body: SentBody): Promise<JsonObject> {
  const post = { upstream, target: facts.upstream, path, body, signal, owner, ...facts.waits }
  return postBody(post, async answer => objectOf(await answer.json(maxAnswerBytes)))
}

/** Removes a prompt from the queue, or stops it when it is running; an ended prompt stays as it
 *  is. */
export async function stop(call: ServerCall, promptId: string): Promise<void> {
  // A waiting prompt may start while it is being removed; the second poll then finds it running.
  for (let looks = 0; looks < 2; looks++) {
    const seen = queuedIn(await get(call, '/queue', maxQueueBytes), ({ id }) => id === promptId)
    if (seen.state === 'absent') return
    // Servers that support prompt_id stop only this prompt. Older servers stop the running prompt,
    // which the poll has just shown to be this one.
    if (seen.state === 'running') return post(call, '/interrupt', { prompt_id: promptId })
    await post(call, '/queue', { delete: [promptId] })
  }
}

/** Returns the URL of an output, with the headers for its server. */
export function viewOf({ upstream }: TargetFacts, picture: ListedPicture): { url: string; headers: Record<string, string> } {
  const url = new URL(`${upstream.origin}${upstream.path}/view?${upstream.query}`)
  for (const name of ['filename', 'subfolder', 'type'] as const) url.searchParams.append(name, picture[name])
  return { url: url.href, headers: headersOf(upstream) }
}

async function historyOf(call: ServerCall, promptId: string): Promise<JsonObject | undefined> {
  const entry = objectOf(await get(call, `/history/${encodeURIComponent(promptId)}`, maxHistoryBytes))[promptId]
  return isObject(entry) ? entry : undefined
}

async function get({ upstream, facts, signal }: ServerCall, path: string, maxBytes: number): Promise<Json> {
  const timeoutMs = facts.waits.firstByteMs + checkEveryMs
  return (await upstream.json(facts.upstream, { method: 'GET', path, ...facts.waits, timeoutMs, maxBytes, signal })).body
}

/** Sends a request whose answer is empty. */
async function post({ upstream, facts, signal }: ServerCall, path: string, body: JsonObject): Promise<void> {
  const answer = await upstream.open(facts.upstream, { method: 'POST', path, body, ...facts.waits, signal })
  answer.finish()
}

interface QueueItem {
  number: number
  id: string | undefined
  clientId: string | undefined
}

/** Reads `[number, id, workflow, extra data, outputs, ...]`. */
function queueItem(item: unknown): QueueItem {
  const [number, id, , extra] = Array.isArray(item) ? item : []
  return { number: typeof number === 'number' ? number : 0, id: textOf(id), clientId: textOf(objectOf(extra).client_id) }
}

function queuedIn(queue: Json, isIt: (item: QueueItem) => boolean): PromptState {
  const { queue_running: runningNow, queue_pending: pending } = objectOf(queue)
  if (!Array.isArray(runningNow) || !Array.isArray(pending))
    throw new GatewayError('upstream_error', 'The ComfyUI server answered with something that is no queue; its base_url may be wrong.')
  const running = runningNow.map(queueItem).find(isIt)
  if (running?.id !== undefined) return { state: 'running', promptId: running.id }
  const items = pending.map(queueItem)
  const waiting = items.find(isIt)
  if (waiting?.id === undefined) return { state: 'absent' }
  // The server keeps a heap, so the order in its answer is not the order of the queue.
  const place = items.filter(({ number }) => number < waiting.number).length + 1
  return { state: 'waiting', promptId: waiting.id, place }
}
