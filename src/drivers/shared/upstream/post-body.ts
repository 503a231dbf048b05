/** Sends a POST whose body is read while it is sent. The request is never repeated automatically,
 *  not even when a reused connection breaks, because its body can be read only once. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { SentBody } from './sent-body.ts'
import type { Upstream } from './upstream.ts'
import { AnswerSink, type UpstreamAnswer } from './upstream-answer.ts'
import type { UpstreamTarget } from './upstream-target.ts'

export interface PostedBody {
  upstream: Upstream
  target: UpstreamTarget
  /** Path, which is appended to the target's path. */
  path: string
  body: SentBody
  /** Headers of this request, sent in addition to those of the target. */
  headers?: Readonly<Record<string, string>>
  signal: AbortSignal
  /** `firstByteMs` is the longest wait for the first byte of the answer; `idleMs` is the longest
   *  pause between two parts of the answer. Both in milliseconds. */
  firstByteMs: number
  idleMs: number
  /** Milliseconds allowed for the answer after its first byte; default two minutes. The whole
   *  request must end within `firstByteMs`, this time and the time allowed for the upload
   *  together. */
  answerMs?: number
  /** The name of the service in messages: `Black Forest Labs`. */
  owner: string
}

const usualAnswerMs = 120_000
/** Slowest upload that still ends within the time limit: 64 kB a second. A body of 20 MiB, in
 *  base64, then has seven minutes. */
const slowestBytesPerMs = 64

/** Sends the body and returns what `read` derives from a successful answer. Throws the error to
 *  which a refusal or a network failure is mapped, `upstream_timeout`, `cancelled`, and the errors
 *  of `read`. */
export async function postBody<Result>(post: PostedBody, read: (answer: UpstreamAnswer) => Promise<Result>): Promise<Result> {
  return wholeOf(postInParts(post, inOnePart(read)))
}

/** Like `postBody`, for an answer that is forwarded while it arrives: yields the parts that `read`
 *  yields and returns its result. Leaving the loop cuts the connection. */
export async function* postInParts<Part, Result>(
  post: PostedBody,
  read: (answer: UpstreamAnswer) => Parts<Part, Result>,
): Parts<Part, Result> {
  const { upstream, target, path, body, signal, firstByteMs, idleMs, answerMs = usualAnswerMs } = post
  const late = AbortSignal.timeout(firstByteMs + answerMs + Math.ceil(body.bytes / slowestBytesPerMs))
  const sink = new AnswerSink(AbortSignal.any([signal, late]))
  const headers = { ...post.headers, 'content-type': body.contentType }
  // The target's headers for bodies (`withBody`) state the content type JSON, so its plain headers
  // are used: this body brings its own content type.
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

/** A generator that yields the parts of an answer and returns the result of the whole. */
export type Parts<Part, Result> = AsyncGenerator<Part, Result, undefined>

/** Returns a reader that yields no parts and returns the result of `read`. */
export function inOnePart<Answer, Result>(read: (answer: Answer) => Promise<Result>): (answer: Answer) => Parts<never, Result> {
  // biome-ignore lint/correctness/useYield: its only result is its end.
  return async function* (answer) {
    return read(answer)
  }
}

/** Returns the result of a reader that yields no parts. */
export async function wholeOf<Result>(parts: Parts<never, Result>): Promise<Result> {
  // The type `never` ensures that nothing is yielded, so the first value is the result.
  const { value } = await parts.next()
  return value
}
