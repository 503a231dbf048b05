/** Reads the answers of the vendor (docs/vendors/ark.md#image-answers, #image-stream, #errors). An
 *  answer is one JSON object, or a stream with an event for each picture. Both forms are accepted,
 *  independent of which one was requested. */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { Failed } from '@generation-gateway/kit/requests/job.ts'
import { failed } from '../../shared/failed.ts'
import { countOf, upstreamJson } from '../../shared/upstream/read-json.ts'
import { readSse } from '../../shared/upstream/sse-reader.ts'
import type { UpstreamAnswer } from '../../shared/upstream/upstream-answer.ts'
import { answerBehind, streamFailure } from '../../shared/upstream/upstream-failures.ts'
import { owner } from './settings.ts'

/** A part of an answer: each picture or refusal in the order of the answer, then the end. `url` is
 *  undefined when the vendor reports a picture without a link. */
export type AnswerPart = { type: 'picture'; url: string | undefined } | { type: 'refused'; reasons: string[] } | AnswerEnd

export interface AnswerEnd {
  type: 'end'
  /** The usage that the vendor reports, except the number of pictures. */
  usage: UsageUnits[]
  /** Number of pictures that the vendor reports as made; undefined when it reports none. */
  made: number | undefined
  /** The failure that kept the vendor from making further pictures; undefined when there was
   *  none. */
  failure: Failed | undefined
}

/** Largest size of an answer in bytes, whole or streamed. It is far more than needed: 15 pictures
 *  are 15 links of a few hundred characters. An answer of this size that consists only of line ends
 *  takes a second to parse. */
const maxBytes = 4 * 2 ** 20
const maxWords = 500
/** Largest number of tokens that is charged. Fifteen 4K pictures use less than a million tokens, so
 *  a larger number is an error of the vendor and is ignored. */
const mostTokens = 10_000_000
const mostSearches = 1_000

/** Yields the parts of an answer: pictures and refusals, then the end. Pictures and refusals beyond
 *  the first `most` are ignored. Removes the `secrets` from the vendor's texts. Throws
 *  `upstream_error` for an invalid answer and for one that ends early, and the errors of
 *  reading. */
export async function* answerParts(
  answer: UpstreamAnswer,
  most: number,
  secrets: readonly string[],
): AsyncGenerator<AnswerPart, void, undefined> {
  const reading = new AnswerReading(most, secrets)
  if (answer.mediaType !== 'text/event-stream') yield* reading.whole(objectOf(await answer.json(maxBytes)))
  else yield* reading.stream(answer)
  yield reading.end
}

/** Returns the moderation verdict in an error: the code says whether the request or the finished
 *  picture was refused, and `reasons` contain the vendor's code. Undefined for other errors. */
export function reviewIn(error: unknown): { code: 'request_moderated' | 'content_moderated'; reasons: string[] } | undefined {
  if (!(error instanceof GatewayError) || error.code !== 'request_moderated') return undefined
  const word = answerBehind(error)?.upstreamCode ?? ''
  return { code: /^Output/.test(word) ? 'content_moderated' : 'request_moderated', reasons: /^[\w.]+$/.test(word) ? [word] : [] }
}

class AnswerReading {
  readonly #most: number
  readonly #secrets: readonly string[]
  #told = 0
  readonly end: AnswerEnd = { type: 'end', usage: [], made: undefined, failure: undefined }

  constructor(most: number, secrets: readonly string[]) {
    this.#most = most
    this.#secrets = secrets
  }

  *whole(body: JsonObject): Generator<AnswerPart> {
    for (const item of objectsOf(body.data)) yield* this.#item(item)
    this.#close(body)
  }

  async *stream(answer: UpstreamAnswer): AsyncGenerator<AnswerPart> {
    try {
      for await (const { event, data } of readSse(limited(answer.chunks()))) {
        if (data === '[DONE]') return
        const body = objectOf(upstreamJson(data, `${owner} sent an event that is no JSON.`))
        const isOver = yield* this.#event(textOf(body.type) ?? event, body)
        if (isOver) return answer.finish()
      }
    } catch (error) {
      if (!this.#isSettled) throw error
    }
    if (!this.#isSettled) throw new GatewayError('upstream_error', `${owner} broke off its answer.`)
  }

  /** Yields the parts in one event; returns true when the event ends the stream. */
  *#event(type: string | undefined, body: JsonObject): Generator<AnswerPart, boolean> {
    switch (type) {
      case 'image_generation.partial_succeeded':
      case 'image_generation.partial_failed':
        yield* this.#item(body)
        return false
      case 'image_generation.completed':
        this.#close(body)
        return true
      default:
        if (type !== 'error' && body.error === undefined) return false
        this.#fail(body.error ?? body)
        return true
    }
  }

  /** True when a broken stream does no harm: the pictures and refusals read so far are as many
   *  as the pictures that the request allows, or a failure has ended the answer. */
  get #isSettled(): boolean {
    return this.#told >= this.#most || this.end.failure !== undefined
  }

  *#item({ url, error }: JsonObject): Generator<AnswerPart> {
    if (this.#told >= this.#most) return
    if (error === undefined || error === null) {
      this.#told++
      yield { type: 'picture', url: textOf(url) }
      return
    }
    const review = reviewIn(this.#failureOf(error))
    if (review === undefined) return this.#fail(error)
    this.#told++
    yield { type: 'refused', reasons: review.reasons }
  }

  #close({ usage, error }: JsonObject): void {
    const { generated_images: made, output_tokens: tokens, tool_usage: tools } = objectOf(usage)
    if (typeof made === 'number') this.end.made = countOf(made)
    this.end.usage = [
      { unit: 'output_tokens', units: trustedUsage(tokens, mostTokens) },
      { unit: 'searches', units: trustedUsage(objectOf(tools).web_search, mostSearches) },
    ].filter(({ units }) => units > 0)
    if (error !== undefined && error !== null) this.#fail(error)
  }

  /** Records a failure; only the first one is kept. */
  #fail(error: Json): void {
    const { code, message, reasons } = this.#sentence(this.#failureOf(error))
    this.end.failure ??= failed(code, message, reasons)
  }

  #sentence(failure: GatewayError): { code: ErrorCode; message: string; reasons?: string[] } {
    const review = reviewIn(failure)
    return review ? { ...review, message: reviewSays(review.code) } : { code: failure.code, message: failure.message.slice(0, maxWords) }
  }

  #failureOf(error: Json): GatewayError {
    const { message, code, type } = typeof error === 'string' ? { message: error } : objectOf(error)
    return streamFailure({ message: textOf(message) ?? 'No reason was given.', code: textOf(code), type: textOf(type) }, this.#secrets)
  }
}

export function reviewSays(code: 'request_moderated' | 'content_moderated'): string {
  return code === 'content_moderated' ? `${owner} withheld the picture.` : `${owner} refused the prompt or an input picture.`
}

async function* limited(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new GatewayError('upstream_error', `${owner} sent a stream of more than ${maxBytes} bytes.`)
    yield chunk
  }
}

function trustedUsage(units: Json | undefined, most: number): number {
  const count = countOf(units)
  return count <= most ? count : 0
}
