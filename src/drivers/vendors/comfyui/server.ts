/** Requests to the HTTP interface of a ComfyUI server, as its server.py and execution.py of 2024 to
 *  2026 implement it. A prompt, in ComfyUI's terms, is one run of a workflow. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { isObject, type Json, type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { InputFile } from '@generation-gateway/kit/requests/job.ts'
import { postBody } from '../../shared/upstream/post-body.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import { formBody, jsonBody, type SentBody } from '../../shared/upstream/sent-body.ts'
import type { Upstream } from '../../shared/upstream/upstream.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { headersOf } from '../../shared/upstream/upstream-target.ts'
import type { UrlGuard } from '../../shared/upstream/url-guard.ts'
import type { TargetFacts } from './settings.ts'

/** The tools and facts with which the functions of this file send the requests of one job. */
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

/** The state of a prompt. `entry` is the server's history entry of an ended prompt. */
export type PromptState =
  | { state: 'ended'; promptId: string; entry: JsonObject }
  | { state: 'running'; promptId: string }
  /** `place` is the position in the queue; 1 is the next one. */
  | { state: 'waiting'; promptId: string; place: number }
  | { state: 'absent' }

/** The server's answer to a submitted workflow: the id of its prompt, with errors of single nodes,
 *  or a refusal. */
export type Submitted = { promptId: string; nodeErrors: JsonObject } | { refusal: JsonObject }

/** A picture that the history lists among the outputs of a node. */
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
/** Milliseconds allowed for a whole answer, in addition to the wait for its first byte. The time
 *  is long only because a connection may be slow; the server itself answers polls at once. */
const checkEveryMs = 120_000
/** Largest number of history entries that are searched for a prompt on a server that assigns
 *  prompt ids itself. */
const oldestEntries = 200

/** Returns the state of the prompt with this id. The history is read once before and once after the
 *  queue, because the prompt may move from the queue to the history between two requests. */
export async function poll(call: ServerCall, promptId: string): Promise<PromptState> {
  const entry = await historyOf(call, promptId)
  if (entry) return { state: 'ended', promptId, entry }
  const queued = queuedIn(await get(call, '/queue', maxQueueBytes), ({ id }) => id === promptId)
  if (queued.state !== 'absent') return queued
  const ended = await historyOf(call, promptId)
  return ended ? { state: 'ended', promptId, entry: ended } : queued
}

/** Returns the state of the prompt that an earlier start of the job submitted; `absent` when the
 *  server has none. Older servers ignore the requested id and assign their own, so the prompt is
 *  also recognized by its client id. */
export async function findStarted(call: ServerCall, ownId: string, isRepeated: boolean): Promise<PromptState> {
  const entry = await historyOf(call, ownId)
  if (entry) return { state: 'ended', promptId: ownId, entry }
  const queued = queuedIn(await get(call, '/queue', maxQueueBytes), ({ id, clientId }) => id === ownId || clientId === ownId)
  if (queued.state !== 'absent' || !isRepeated) return queued
  const recent = objectOf(await get(call, `/history?max_items=${oldestEntries}`, maxQueueBytes))
  for (const [promptId, found] of Object.entries(recent)) {
    const { prompt } = objectOf(found)
    const { clientId } = queueItem(prompt)
    if (isObject(found) && idOf(promptId) !== undefined && (promptId === ownId || clientId === ownId))
      return { state: 'ended', promptId, entry: found }
  }
  return queued
}

/** Submits a workflow, which queues a prompt. A refusal of the workflow is returned; any other
 *  failure is thrown. */
export async function submit(call: ServerCall, ownId: string, graph: JsonObject): Promise<Submitted> {
  // The client id is needed for servers before 2026-07: without one, they leave cached results out
  // of the history (Comfy-Org/ComfyUI#14939).
  try {
    const said = await postOnce(call, '/prompt', jsonBody({ prompt: graph, prompt_id: ownId, client_id: ownId }))
    const promptId = idOf(said.prompt_id)
    if (promptId === undefined) throw new GatewayError('upstream_error', 'The ComfyUI server did not name the prompt it took.')
    return { promptId, nodeErrors: objectOf(said.node_errors) }
  } catch (error) {
    // With status 400 the server refuses the workflow; the body states the errors of each node.
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
  // A waiting prompt may start running while the request to remove it is on its way; the second
  // pass then finds it running and interrupts it.
  for (let looks = 0; looks < 2; looks++) {
    const seen = queuedIn(await get(call, '/queue', maxQueueBytes), ({ id }) => id === promptId)
    if (seen.state === 'absent') return
    // Servers that support `prompt_id` interrupt only this prompt. Older servers interrupt
    // whichever prompt is running, which is this one, as the queue has just shown.
    if (seen.state === 'running') return post(call, '/interrupt', { prompt_id: promptId })
    await post(call, '/queue', { delete: [promptId] })
  }
}

/** Returns the URL of an output, and the headers for the request to the server. */
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

/** Sends a POST whose answer is not read. */
async function post({ upstream, facts, signal }: ServerCall, path: string, body: JsonObject): Promise<void> {
  const answer = await upstream.open(facts.upstream, { method: 'POST', path, body, ...facts.waits, signal })
  answer.finish()
}

interface QueueItem {
  number: number
  id: string | undefined
  clientId: string | undefined
}

/** Reads an item of the queue, which is an array `[number, id, workflow, extra data, outputs,
 *  ...]`. */
function queueItem(item: unknown): QueueItem {
  const [number, id, , extra] = Array.isArray(item) ? item : []
  return { number: typeof number === 'number' ? number : 0, id: idOf(id), clientId: textOf(objectOf(extra).client_id) }
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
  // The server stores its queue as a heap, so its answer does not list the items in the order in
  // which they run. They run in the order of their numbers.
  const place = items.filter(({ number }) => number < waiting.number).length + 1
  return { state: 'waiting', promptId: waiting.id, place }
}
