/** A POST whose body is read while it is sent: so it is never sent again by itself, also when a kept connection breaks under it. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { SentBody } from './sent-body.ts'
import type { Upstream } from './upstream.ts'
import { AnswerSink, type UpstreamAnswer } from './upstream-answer.ts'
import type { UpstreamTarget } from './upstream-target.ts'

export interface PostedBody {
  upstream: Upstream
  target: UpstreamTarget
  /** After the target's path. */
  path: string
  body: SentBody
  /** Beside those of the target. */
  headers?: Readonly<Record<string, string>>
  signal: AbortSignal
  /** Longest wait for the first byte of the answer, and between two of its parts. Milliseconds. */
  firstByteMs: number
  idleMs: number
  /** From the first byte of the answer to its last one. Milliseconds; default two minutes: this is for answers that trickle. */
  answerMs?: number
  /** Whose service it is, in sentences: `Black Forest Labs`. */
  owner: string
}

const usualAnswerMs = 120_000
/** 64 kB a second: 20 MiB as base64 then have seven minutes. */
const slowestBytesPerMs = 64

/** What `read` makes of a good answer. Throws what a refusal or the network is mapped to, `upstream_timeout`, `cancelled`, and what `read` throws. */
export async function postBody<Result>(post: PostedBody, read: (answer: UpstreamAnswer) => Promise<Result>): Promise<Result> {
  return wholeOf(postInParts(post, inOnePart(read)))
}

/** The same for an answer that is given on while it comes: what `read` yields, and then what it makes of the whole. Leaving it cuts the connection. */
export async function* postInParts<Part, Result>(
  post: PostedBody,
  read: (answer: UpstreamAnswer) => Parts<Part, Result>,
): Parts<Part, Result> {
  const { upstream, target, path, body, signal, firstByteMs, idleMs, answerMs = usualAnswerMs } = post
  const late = AbortSignal.timeout(firstByteMs + answerMs + Math.ceil(body.bytes / slowestBytesPerMs))
  const sink = new AnswerSink(AbortSignal.any([signal, late]))
  const headers = { ...post.headers, 'content-type': body.contentType }
  // The target's own headers without the content type of JSON: the body says its own.
  const plain = { ...target, withBody: target.headers }
  upstream.relay(plain, path, { method: 'POST', suffix: '', query: '', settings: {}, body, headers, firstByteMs, idleMs }, sink)
  try {
    return yield* read(await sink.answer)
  } catch (error) {
    if (late.aborted && !signal.aborted) throw new GatewayError('upstream_timeout', `No answer of ${post.owner} came in time.`)
    throw error
  } finally {
    body.stream.destroy()
  }
}

/** Parts of an answer, one by one, and at their end what came of the whole. */
export type Parts<Part, Result> = AsyncGenerator<Part, Result, undefined>

/** A reading that yields nothing on its way. */
export function inOnePart<Answer, Result>(read: (answer: Answer) => Promise<Result>): (answer: Answer) => Parts<never, Result> {
  // biome-ignore lint/correctness/useYield: its only result is its end.
  return async function* (answer) {
    return read(answer)
  }
}

/** The end of a reading that yields nothing. */
export async function wholeOf<Result>(parts: Parts<never, Result>): Promise<Result> {
  // Nothing of the type `never` is ever yielded.
  const { value } = await parts.next()
  return value
}
