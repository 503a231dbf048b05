/** Runs engines of this node for other nodes (docs/decisions/0055). */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readAs } from '@generation-gateway/kit/check-json.ts'
import { openRoom } from '@generation-gateway/kit/disk-room.ts'
import { GatewayError, NotServedError, TargetRefusal, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { parsedJson } from '@generation-gateway/kit/json.ts'
import type { Driver, InputFile, Job, Offer, RunSubRequest } from '@generation-gateway/kit/requests/job.ts'
import Type from 'typebox'
import type { Duty } from '../core/duty.ts'
import type { BlobStore } from '../core/ports/blobs.ts'
import type { WorkerLog } from '../core/work/worker-deps.ts'
import type { HttpDeps } from '../http/deps.ts'
import type { Exchange, Handler } from '../http/request/exchange.ts'
import { AnswerWriter } from './answer-writer.ts'
import { receiveFile } from './receive-file.ts'
import type { RunPlaces } from './run-places.ts'
import { digestOf, type RunClaims, type RunTokens } from './run-token.ts'
import { FrameReader, mostRequestBytes, type RunHead, wireErrorOf, wireVersion } from './wire.ts'

export interface ServeRunsDeps {
  tokens: RunTokens
  /** The engines of this node, by id. */
  engines: ReadonlyMap<string, Driver>
  places: ReadonlyMap<string, RunPlaces>
  duty: Pick<Duty, 'reason'>
  blobs: Pick<BlobStore, 'scratch'>
  /** Returns the function with which a job requests work from other models (sub-requests). */
  subRequests(job: Job<JsonObject>): RunSubRequest
  http: Pick<HttpDeps, 'connections' | 'wrongKeys'>
  log: WorkerLog
  /** Time in ms without any byte of a request after which its connection is cut. */
  silenceMs?: number
  /** Time in ms that a run may continue after its abort. After that time, another run may use its
   *  place. */
  graceMs?: number
}

/** Default of `silenceMs`. The other node only reads the request from its disk, so it has no reason
 *  to send nothing for this long. */
const usualSilenceMs = 20_000
const usualGraceMs = 30_000

const runHead = Type.Object({
  version: Type.Integer(),
  id: Type.String(),
  capability: Type.String(),
  model: Type.String(),
  settings: Type.Object({}),
  request: Type.Object({}),
  attempt: Type.Integer({ minimum: 1 }),
  inputs: Type.Array(Type.Object({ role: Type.String(), mediaType: Type.String(), bytes: Type.Integer({ minimum: 0 }) })),
})

/** Returns the handler of `POST /internal/engine-runs`. When the run is accepted, it answers 200
 *  at once and then sends frames; otherwise it answers with the status of the error. When the
 *  other node closes the connection, the run is aborted. */
export function serveRuns(deps: ServeRunsDeps): Handler {
  return async exchange => {
    try {
      const claims = await accepted(deps, exchange)
      await answer(deps, exchange, claims)
    } catch (error) {
      refuse(exchange, toGatewayError(error))
    }
  }
}

/** Checks the token of a request and returns its contents. Throws the errors of `RunTokens.accept`,
 *  `draining` when this node is draining, and `capability_unavailable` when this node does not have
 *  the engine. */
async function accepted({ tokens, engines, duty, http }: ServeRunsDeps, { request, requestHeaders, ip }: Exchange): Promise<RunClaims> {
  const [, presented] = /^Bearer (.+)$/i.exec(requestHeaders.authorization ?? '') ?? []
  let claims: RunClaims
  try {
    claims = tokens.accept(presented)
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_api_key') await http.wrongKeys.slow(ip)
    throw error
  }
  // From here on the connection counts neither towards the limit of an address nor towards that of
  // an access key, because those limits are for callers. Runs of other nodes are limited by the
  // places of the engine.
  http.connections.claim(request.socket, `run ${claims.run}`)
  if (duty.reason !== undefined) throw new GatewayError('draining', duty.reason, { retryAfterSeconds: 5 })
  if (engines.has(claims.engine)) return claims
  throw new NotServedError('capability_unavailable', `This node does not run the engine ${claims.engine}.`)
}

function refuse(exchange: Exchange, error: GatewayError): void {
  if (exchange.response.headersSent) return void exchange.response.destroy()
  const isBusy = error.code === 'engine_busy' || error.code === 'overloaded'
  if (isBusy || error.code === 'draining') exchange.headers['retry-after'] = String(error.retryAfterSeconds ?? 5)
  // Closes the connection, so that the next try uses a new one, which may lead to another process
  // of this machine.
  if (error.code === 'draining') exchange.headers.connection = 'close'
  exchange.sendJson({ error: wireErrorOf(error) }, isBusy ? 503 : error.status)
}

/** Waits for a place, then reads the request, runs the engine and sends the parts of the result. */
async function answer(deps: ServeRunsDeps, exchange: Exchange, claims: RunClaims): Promise<void> {
  const { response } = exchange
  const gone = new AbortController()
  const onClose = () => gone.abort(new GatewayError('cancelled', 'The node that requested the run has left.'))
  response.on('close', onClose)
  const turn = takeTurn(deps, claims, gone.signal)
  exchange.headers['content-type'] = 'application/x-gateway-frames'
  response.writeHead(200, exchange.headers)
  response.flushHeaders()
  using writer = new AnswerWriter(response, gone.signal)
  let scratch: string | undefined
  const running: { job?: string } = {}
  try {
    using _place = await turn
    scratch = await deps.blobs.scratch(`engine-run-${claims.run}`)
    const run = runInto(deps, { exchange, claims, scratch, writer, signal: gone.signal, onJob: id => (running.job = id) })
    const grace = { signal: gone.signal, graceMs: deps.graceMs ?? usualGraceMs }
    if (await endsInTime(run, grace)) return
    const { run: id, engine, from } = claims
    deps.log.error({ ...running, run: id, engine, from }, 'a run for another node goes on after its abort; its place is given to others')
  } catch (error) {
    if (gone.signal.aborted) return
    const failure = toGatewayError(error)
    if (failure.code === 'internal_error') {
      const { run, engine, from } = claims
      deps.log.warn({ err: failure.cause ?? failure, ...running, run, engine, from }, 'a run for another node failed')
    }
    await writer.error(failure)
  } finally {
    // The answer ends before the files are removed, because the other node waits for its end.
    response.end()
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true })
  }
}

/** Waits for the end of the run, and throws its error. Resolves with true when the run has ended,
 *  and with false when it has not ended `graceMs` after the signal was aborted. */
async function endsInTime(run: Promise<void>, { signal, graceMs }: { signal: AbortSignal; graceMs: number }): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(late.resolve, graceMs, false)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([run.then(() => true), late.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
  }
}

/** Resolves with a place at the engine. Throws `engine_busy` at once when too many runs already
 *  wait. */
function takeTurn({ places }: ServeRunsDeps, { engine, account }: RunClaims, signal: AbortSignal): Promise<Disposable> {
  const own = places.get(engine)
  if (!own) throw new TypeError(`there are no places of the engine ${engine}`)
  return own.take({ account, signal })
}

interface Running {
  exchange: Exchange
  claims: RunClaims
  scratch: string
  writer: AnswerWriter
  signal: AbortSignal
  /** Called with the id of the job as soon as the head of the request was read. */
  onJob(id: string): void
}

async function runInto(deps: ServeRunsDeps, running: Running): Promise<void> {
  const { claims, scratch, writer, signal } = running
  openRoom(join(scratch, 'x')).close()
  const { capability, inputs, ...head } = await requestOf(running, deps.silenceMs ?? usualSilenceMs)
  const driver = deps.engines.get(claims.engine)
  // The cast is safe: the other node has made the request for this capability.
  const offer = driver?.offers[capability as keyof Driver['offers']] as Offer<JsonObject, object> | undefined
  const why = driver?.unusable?.(head.settings, head.model)
  if (!driver || !offer || why !== undefined)
    throw new NotServedError('capability_unavailable', why ?? `This node does not offer ${capability} of the engine ${claims.engine}.`)
  const refusal = offer.refuses?.({ ...head, inputs })
  if (refusal) throw new TargetRefusal('invalid_request', refusal.message, refusal.field === undefined ? {} : { field: refusal.field })
  const job: Job<JsonObject> = {
    ...{ id: head.id, account: claims.account, key: claims.key, inputs, scratch, signal },
    ...{ request: head.request, model: head.model, settings: head.settings, attempt: head.attempt },
    progress: fraction => writer.progress(fraction),
  }
  job.subRequest = deps.subRequests(job)
  await runOffer(offer, job, writer)
}

/** Reads the request with its files. The number of received bytes is compared every `silenceMs`;
 *  when it has not changed, the connection is cut. Otherwise a node that hangs or has lost its
 *  network would keep its place at the engine. */
async function requestOf(
  { exchange, claims, scratch, onJob }: Running,
  silenceMs: number,
): Promise<Omit<RunHead, 'inputs'> & { inputs: InputFile[] }> {
  const { request, response } = exchange
  const { socket } = request
  let before = -1
  const timer = setInterval(() => {
    if (socket.bytesRead === before) response.destroy()
    before = socket.bytesRead
  }, silenceMs)
  try {
    const reader = new FrameReader(request)
    const { inputs, ...head } = await headOf(reader, claims)
    onJob(head.id)
    return { ...head, inputs: await received(reader, inputs, scratch) }
  } finally {
    clearInterval(timer)
  }
}

async function headOf(reader: FrameReader, claims: RunClaims): Promise<RunHead> {
  const text = await reader.head(mostRequestBytes)
  if (text === undefined) throw new GatewayError('invalid_request', 'The request has no head.')
  if (digestOf(text) !== claims.head) throw new GatewayError('invalid_api_key', 'The token is for another request.')
  const head = parsedJson(text.toString())
  const { version } = Object(head)
  if (version !== wireVersion)
    throw new NotServedError('capability_unavailable', `This node runs engines by version ${wireVersion} of the messages, not ${version}.`)
  // The cast is safe: the schema checks the members that this node uses, and only a node with the
  // same secret key can have sent the others.
  return readAs(runHead, head, 'the run of an engine') as unknown as RunHead
}

/** Writes the input files, whose bytes follow the head of the request, into the folder. */
async function received(reader: FrameReader, facts: RunHead['inputs'], scratch: string): Promise<InputFile[]> {
  const inputs: InputFile[] = []
  for (const [index, input] of facts.entries()) {
    const path = join(scratch, `input-${index}`)
    await receiveFile(path, input.bytes, reader)
    inputs.push({ ...input, path })
  }
  return inputs
}

async function runOffer(offer: Offer<JsonObject, object>, job: Job<JsonObject>, writer: AnswerWriter): Promise<void> {
  if (offer.kind === 'once') return writer.outcome(await offer.run(job))
  if (offer.kind === 'polled') throw new TypeError('an engine has a polled offer')
  for await (const part of offer.run(job)) {
    job.signal.throwIfAborted()
    if (part.type === 'event') await writer.event(part.event)
    else if (part.type === 'file') await writer.file(part.file, false)
    else return writer.outcome(part.outcome)
  }
  throw new GatewayError('upstream_error', 'The engine ended without an outcome.')
}
