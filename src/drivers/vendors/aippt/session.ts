/** Sends requests with an access token. The token is obtained by a signed request and is valid for
 *  about three days. */
import { createHmac } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import { askJson } from '../../shared/upstream/ask-json.ts'
import { beforeSubmit } from '../../shared/upstream/before-submit.ts'
import { submitPaid } from '../../shared/upstream/paid-submit.ts'
import { postBody } from '../../shared/upstream/post-body.ts'
import { formBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import type { ServiceAddress } from '../../shared/upstream/service-settings.ts'
import type { UpstreamAnswer } from '../../shared/upstream/upstream-answer.ts'
import { withHeaders } from '../../shared/upstream/upstream-target.ts'
import { answerIn, codes, dataOf, type ServiceAnswer } from './codes.ts'
import { owner, settings } from './settings.ts'

/** The target's settings and the abort signal of the job or template query for which a request is
 *  sent. */
export interface SessionUser {
  settings: JsonObject
  signal: AbortSignal
}

interface SessionRequest {
  path: string
  /** Form fields that are sent by POST; without a form the request is a GET. */
  form?: Readonly<Record<string, string>>
}

/** The path that is signed. It is the vendor's own path, even when the base URL contains another
 *  path. */
const signedPath = '/api/grant/token/'
const usualLifeMs = 3 * 24 * 3_600_000
/** A token is no longer used during the last milliseconds of its life, so that it does not expire
 *  during a request. */
const spareMs = 10 * 60_000
const maxAnswerBytes = 4 * 1024 * 1024
/** Largest answer to a submit in bytes; it contains little more than an id. */
const maxSubmitBytes = 64 * 1024
/** Largest number of sessions that are kept in memory. There is one session for each API key and
 *  customer. */
const mostSessions = 200

interface Session {
  target: ServiceAddress
  endsAt: number
}

export class Sessions {
  readonly #tools: ServiceTools
  readonly #kept = new Map<string, Session>()

  constructor(tools: ServiceTools) {
    this.#tools = tools
  }

  /** Returns the vendor's answer with any code. When the token has expired, it is renewed and the
   *  request is sent once more. */
  async ask(asking: SessionUser, { path, form }: SessionRequest): Promise<ServiceAnswer> {
    const { upstream } = this.#tools
    const { signal } = asking
    return this.#withToken(asking, async target => {
      if (form === undefined) return answerIn(await askJson(upstream, target, { path, signal, maxBytes: maxAnswerBytes }))
      const post = { upstream, target: target.upstream, path, body: formBody(form), signal, owner, ...target.waits }
      return postBody(post, answer => readAnswer(answer, maxAnswerBytes))
    })
  }

  /** Returns the answer to a paid request. The request has no idempotency key, so it is sent only
   *  once. Only a request with an expired token is sent again, because the vendor refuses such a
   *  request before creating anything. */
  submit(job: Job<unknown>, { path, form }: Required<SessionRequest>): Promise<ServiceAnswer> {
    const { submits } = this.#tools
    const read = (answer: UpstreamAnswer) => readAnswer(answer, maxSubmitBytes)
    return this.#withToken(job, target => submitPaid({ submits, job, target, path, owner, body: formBody(form), read }))
  }

  /** Opens an answer that is streamed. When the answer is not a stream, throws the error to which
   *  its code is mapped. */
  async open(asking: SessionUser, path: string): Promise<UpstreamAnswer> {
    const opened: { answer?: UpstreamAnswer } = {}
    const reported = await this.#withToken(asking, async ({ upstream: target, waits }) => {
      const answer = await this.#tools.upstream.open(target, { method: 'GET', path, isStored: true, signal: asking.signal, ...waits })
      if (answer.mediaType === 'application/json') return readAnswer(answer, maxAnswerBytes)
      opened.answer = answer
      return { code: 0, data: undefined }
    })
    dataOf(reported)
    if (opened.answer) return opened.answer
    throw new GatewayError('upstream_error', `${owner} answered with something other than a stream.`)
  }

  /** Runs a request with a token. When the token has expired, runs it once more with a new one. */
  async #withToken(asking: SessionUser, run: (target: ServiceAddress) => Promise<ServiceAnswer>): Promise<ServiceAnswer> {
    const reported = await run(await this.#target(asking))
    if (reported.code !== codes.tokenExpired) return reported
    this.#kept.delete(keyOf(asking.settings))
    return run(await this.#target(asking))
  }

  async #target(asking: SessionUser): Promise<ServiceAddress> {
    const key = keyOf(asking.settings)
    const kept = this.#kept.get(key)
    if (kept && kept.endsAt > Date.now()) return kept.target
    const session = await beforeSubmit(() => this.#begin(asking))
    if (this.#kept.size >= mostSessions) this.#kept.clear()
    this.#kept.set(key, session)
    return session.target
  }

  async #begin({ settings: given, signal }: SessionUser): Promise<Session> {
    const target = settings.targetOf(given)
    const { upstream, waits, uid, channel, signingSecret } = target
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha1', signingSecret).update(`GET@${signedPath}@${timestamp}`).digest('base64')
    const answer = await askJson(this.#tools.upstream, target, {
      path: `/grant/token?${new URLSearchParams({ uid, channel })}`,
      headers: { 'x-timestamp': timestamp, 'x-signature': signature },
      signal,
      maxBytes: maxAnswerBytes,
    })
    const { token, time_expire: seconds } = objectOf(dataOf(answerIn(answer)))
    const value = textOf(token)
    if (value === undefined) throw new GatewayError('upstream_error', `${owner} gave no token.`)
    const signed = withHeaders(upstream, { 'x-channel': channel, 'x-token': value })
    const lifeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : usualLifeMs
    return {
      target: { upstream: { ...signed, secrets: [...upstream.secrets, value] }, waits },
      endsAt: Date.now() + lifeMs - Math.min(spareMs, lifeMs / 2),
    }
  }
}

async function readAnswer(answer: UpstreamAnswer, maxBytes: number): Promise<ServiceAnswer> {
  return answerIn(await answer.json(maxBytes))
}

/** Returns the key under which the session of these settings is kept. The key is built from values,
 *  because a stored job has a different settings object with the same values. */
function keyOf(given: JsonObject): string {
  const { service, channel, upstream, signingSecret } = settings.targetOf(given)
  return JSON.stringify([service, channel, upstream.headers, signingSecret])
}
