/** Runs an engine on one other node, over HTTP. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError, LostRunError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { parsedJson } from '@generation-gateway/kit/json.ts'
import type { InputFile, Job, OutputFile, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { Agent, type Dispatcher, request } from 'undici'
import type { Clock } from '../core/ports/store.ts'
import type { EngineNode } from './engine-nodes.ts'
import { receiveFile } from './receive-file.ts'
import { digestOf, signRun } from './run-token.ts'
import {
  type AnswerHead,
  aliveEveryMs,
  enginePath,
  errorFromWire,
  FrameReader,
  frameOf,
  mostAnswerBytes,
  mostRequestBytes,
  type RunHead,
  type WireError,
  wireVersion,
} from './wire.ts'

/** The parts of this node that are needed to send runs to other nodes. */
export interface RunSender {
  /** Key that signs the tokens (`runTokenKey`). */
  key: Buffer
  /** Name of this node. */
  from: string
  clock: Clock
  agent: Dispatcher
}

/** A job for an engine, to be run on another node. */
export interface RemoteRun {
  engine: string
  capability: string
  job: Job<JsonObject>
}

export type RemotePart = StreamEvent<object>

/** Thrown when a node did not do the work, but another node may be able to do it. Either the
 *  node could not be reached, or it does not accept the run now, or the connection to it broke.
 *  `isAway` is true when the node could not be reached or the connection broke. `failure` is a
 *  `LostRunError` when the connection broke after the node had accepted the run. */
export class NodeFailure extends Error {
  readonly failure: GatewayError
  readonly isAway: boolean

  constructor(failure: GatewayError, isAway: boolean) {
    super(failure.message, { cause: failure })
    this.failure = failure
    this.isAway = isAway
  }
}

const connectMs = 3_000
/** Largest number of bytes that are read from the answer of a node that refuses a run. */
const mostRefusalBytes = 64 * 1024
const retryAfterSeconds = 5
/** Longest wait in ms for the end of an answer after its last frame was read. */
const longestEndMs = 1_000
/** Default time in ms without any data after which a connection to a node is ended. A node that
 *  is working sends a frame at least every 5 s, so three of these are missing then. */
const usualSilenceMs = 3 * aliveEveryMs + 1_000

/** Creates the HTTP client for other nodes. It keeps connections between runs for a few seconds,
 *  and never uses a proxy, even if the environment names one. It ends a connection on which a
 *  node has sent nothing for `silenceMs`. */
export function createRunAgent(silenceMs = usualSilenceMs): Agent {
  return new Agent({ connect: { timeout: connectMs }, headersTimeout: silenceMs, bodyTimeout: silenceMs })
}

/** Runs the job on the other node and yields the parts of its answer. Files that the other node
 *  sends are written to the scratch folder of the job. Throws `NodeFailure` when another node
 *  may be able to do the work, the errors of the engine, `disk_full` or `internal_error` when this
 *  node cannot write or read a file, and the signal's reason. */
export async function* sendRun(sender: RunSender, node: EngineNode, { engine, capability, job }: RemoteRun): AsyncGenerator<RemotePart> {
  const head = headOf(capability, job)
  const run = randomUUID()
  const token = signRun(
    sender.key,
    {
      ...{ run, engine, account: job.account ?? '', key: job.key ?? '' },
      ...{ from: sender.from, to: node.address, head: digestOf(head.subarray(4)) },
    },
    sender.clock.now(),
  )
  // Ends the request when the consumer of this generator stops early.
  const stop = new AbortController()
  const signal = AbortSignal.any([job.signal, stop.signal])
  let isAccepted = false
  try {
    const answer = await request(node.address + enginePath, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-gateway-frames' },
      body: Readable.from(bodyOf(head, job.inputs), { objectMode: false }),
      dispatcher: sender.agent,
      signal,
    })
    if (answer.statusCode !== 200) throw refusalOf(node, answer.statusCode, await beginningOf(answer.body))
    isAccepted = true
    yield* partsOf(node, { job, run }, new FrameReader(answer.body))
  } catch (error) {
    job.signal.throwIfAborted()
    if (error instanceof NodeFailure || error instanceof GatewayError) throw error
    throw brokenOff(node, { isAccepted, cause: error })
  } finally {
    stop.abort()
  }
}

/** Returns the first frame of the request. Throws `payload_too_large` when the request does not
 *  fit into it. */
function headOf(capability: string, { id, model, settings, request, attempt, inputs }: Job<JsonObject>): Buffer {
  const facts = inputs.map(({ path: _path, ...input }) => input)
  const head: RunHead = { version: wireVersion, id, capability, model, settings, request, attempt, inputs: facts }
  const frame = frameOf(head)
  if (frame.length - 4 <= mostRequestBytes) return frame
  const sentence = `The request has ${frame.length - 4} bytes without its files; an engine on another node takes at most ${mostRequestBytes}.`
  throw new GatewayError('payload_too_large', sentence)
}

/** Yields the bytes of the request. Throws `internal_error` when an input file cannot be read. */
async function* bodyOf(head: Buffer, inputs: readonly InputFile[]): AsyncGenerator<Buffer> {
  yield head
  for (const { path, bytes } of inputs) {
    // The other node expects exactly the number of bytes that the head has announced, even if the
    // file has grown since.
    if (bytes === 0) continue
    try {
      yield* createReadStream(path, { end: bytes - 1 })
    } catch (error) {
      throw toGatewayError(error)
    }
  }
}

/** Returns the text of an error answer. A long answer is cut: if an address belongs to another
 *  program by mistake, that program may send any amount of data. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    parts.push(part)
    bytes += part.length
    if (bytes > mostRefusalBytes) break
  }
  return Buffer.concat(parts).toString()
}

/** Returns the error for an answer with an error status. The other node has done nothing then. */
function refusalOf(node: EngineNode, status: number, text: string): GatewayError | NodeFailure {
  const { error } = Object(parsedJson(text)) as { error?: WireError }
  if (error?.code === undefined || error.message === undefined)
    return new NodeFailure(new GatewayError('upstream_error', `Node ${node.name} answered ${status} to a run of an engine.`), false)
  const refusal = errorFromWire(error)
  if (refusal.code !== 'rate_limited' && refusal.code !== 'too_many_connections') return sortedOut(node, refusal)
  // The other node has reached its own limit of connections, which has nothing to do with the
  // caller or the engine. After an error with the code `rate_limited`, the gateway would not use
  // the engine for any account for a while, so the code is replaced.
  const sentence = `Node ${node.name}, which has the engine, takes no more connections now.`
  return new NodeFailure(new GatewayError('engine_busy', sentence, { retryAfterSeconds }), false)
}

/** Returns a `NodeFailure` when another node may be able to do the work; otherwise the error
 *  itself. */
function sortedOut(node: EngineNode, error: GatewayError): GatewayError | NodeFailure {
  switch (error.code) {
    case 'draining':
    case 'engine_busy':
    case 'overloaded':
    case 'disk_full':
    case 'capability_unavailable':
      return new NodeFailure(error, false)
    case 'invalid_api_key':
    case 'not_found':
      // The other node refused the token of this node. The caller's access key has nothing to do
      // with this, so the error code of the refusal would mislead the caller.
      return new NodeFailure(new GatewayError('upstream_error', `Node ${node.name} refuses runs of engines: ${error.message}`), false)
    default:
      return error
  }
}

function brokenOff(node: EngineNode, { isAccepted, cause }: { isAccepted: boolean; cause?: unknown }): NodeFailure {
  const sentence = `The connection to node ${node.name}, which runs the engine, broke.`
  const Failure = isAccepted ? LostRunError : GatewayError
  return new NodeFailure(new Failure('upstream_unreachable', sentence, { cause }), true)
}

async function* partsOf(
  node: EngineNode,
  { job, run }: { job: Job<JsonObject>; run: string },
  reader: FrameReader,
): AsyncGenerator<RemotePart> {
  const made: OutputFile[] = []
  for (let count = 0; ; count++) {
    const text = await reader.head(mostAnswerBytes)
    if (text === undefined) throw brokenOff(node, { isAccepted: true })
    // The cast is safe: only a node with the same secret key and message version sends this answer.
    const head = JSON.parse(text.toString()) as AnswerHead
    switch (head.type) {
      case 'progress':
        job.progress(head.fraction)
        break
      case 'event':
        yield { type: 'event', event: head.bytes === undefined ? head.event : { ...head.event, bytes: await reader.bytes(head.bytes) } }
        break
      case 'file': {
        // Another run of the same job may have left files in the folder, so the name contains the
        // id of the run.
        const path = join(job.scratch, `${run}-${count}${safeExtension(head.extension)}`)
        await receiveFile(path, head.bytes ?? 0, reader)
        if (head.isOutcome) made.push({ ...head.file, path })
        else yield { type: 'file', file: { ...head.file, path } }
        break
      }
      case 'outcome':
        await endOf(reader)
        yield { type: 'outcome', outcome: head.outcome.state === 'done' ? { ...head.outcome, files: made } : head.outcome }
        return
      case 'error':
        await endOf(reader)
        throw sortedOut(node, errorFromWire(head))
      default:
        // Frames of all other types (`alive`, and types of newer versions) are skipped with their
        // bytes.
        if (head.bytes !== undefined) await reader.bytes(head.bytes)
    }
  }
}

/** Waits for the end of an answer after its last frame, so that its connection can be used again.
 *  Waits at most `longestEndMs`; the connection is cut when the answer has not ended then. */
async function endOf(reader: FrameReader): Promise<void> {
  const rest = async () => {
    while ((await reader.head(mostAnswerBytes)) !== undefined);
  }
  const late = new AbortController()
  await Promise.race([rest().catch(() => {}), sleep(longestEndMs, undefined, { signal: late.signal }).catch(() => {})])
  late.abort()
}

/** Returns the extension when it is a dot with 1 to 16 letters, digits or underscores; otherwise
 *  ''. The answer of the other node is not signed, and a file name made from it must not lead
 *  out of the folder. */
function safeExtension(extension: string): string {
  return /^\.\w{1,16}$/.test(extension) ? extension : ''
}
