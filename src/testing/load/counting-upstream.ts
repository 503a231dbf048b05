/** A fake upstream that counts. For each call it records what it received, how many tokens it
 *  wrote and which counts it sent. The test plans the answers; each word of an answer is one
 *  delta and one token. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import {
  type AnswerPlan,
  type Attempt,
  chatAnswer,
  chatFrames,
  type Fault,
  type PlannedFrame,
  responseAnswer,
  responseFrames,
} from './counting-answers.ts'

export interface CountingUpstream {
  /** Returns a base URL. Answers under `faulty` have the planned faults; answers under `good` do
   *  not. */
  baseUrl(side: 'good' | 'faulty'): string
  plan(call: number, answer: AnswerPlan): void
  attempts(call: number): Attempt[]
  /** Resolves once the call has arrived. */
  arrived(call: number): Promise<void>
  close(): Promise<void>
}

type OnAttempt = (attempt: Attempt, body: unknown, text: string) => void

interface Exchange {
  attempt: Attempt
  plan: AnswerPlan
  response: ServerResponse
  /** True when the caller of a streamed chat completion has requested the usage. */
  wantsUsage: boolean
  isChat: boolean
}

const statuses: { [Kind in Fault]?: number } = { 'rate-limited': 429, failed: 500, refused: 400 }

/** Starts the service on a free port; the caller closes it. `onAttempt` is called with each request
 *  before its answer begins. */
export async function startCountingUpstream(onAttempt: OnAttempt = () => {}): Promise<CountingUpstream> {
  const books = new AttemptLog(onAttempt)
  const server = createServer((request, response) => {
    // The gateway closes the connection in the middle of a body when its own caller does so, or
    // when it is killed.
    books.serve(request, response).catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: the server listens on a host and port, so the address is neither null nor a
  // path.
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: side => `http://127.0.0.1:${port}/${side}/v1`,
    plan: (call, plan) => books.plans.set(call, plan),
    attempts: call => books.attempts.get(call) ?? [],
    arrived: call => books.arrivalOf(call).promise,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface PendingAnswer {
  attempt: Attempt
  plan: AnswerPlan
  reads: number
}

class AttemptLog {
  readonly plans = new Map<number, AnswerPlan>()
  readonly attempts = new Map<number, Attempt[]>()
  readonly #arrivals = new Map<number, PromiseWithResolvers<void>>()
  readonly #kept = new Map<string, PendingAnswer>()
  readonly #onAttempt: OnAttempt

  constructor(onAttempt: OnAttempt) {
    this.#onAttempt = onAttempt
  }

  arrivalOf(call: number): PromiseWithResolvers<void> {
    const arrival = this.#arrivals.get(call) ?? Promise.withResolvers<void>()
    this.#arrivals.set(call, arrival)
    return arrival
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request)
    const [, side = '', , ...rest] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? []
    if (request.method === 'GET') {
      this.#read(rest.at(-1) ?? '', response)
      return
    }
    const text = bytes.toString()
    const call = Number([...text.matchAll(/@(\d+)@/g)].at(-1)?.[1])
    const plan = this.plans.get(call)
    if (plan === undefined) throw new Error(`nobody planned ${text.slice(0, 200)}`)
    const body: unknown = JSON.parse(text)
    const isChat = rest.at(-1) === 'completions'
    const attempt = this.#note({ call, side, plan, body })
    this.#onAttempt(attempt, body, text)
    const wantsUsage = Reflect.get(Object(Reflect.get(Object(body), 'stream_options')), 'include_usage') === true
    const own = { ...plan, answers: isChat ? answersOf(body) : 1 }
    await answer({ attempt, plan: side === 'faulty' ? own : withoutFault(own), response, wantsUsage, isChat })
  }

  #note({ call, side, plan, body }: { call: number; side: string; plan: AnswerPlan; body: unknown }): Attempt {
    const field = (name: string): unknown => Reflect.get(Object(body), name)
    const before = this.#kept.get(String(field('previous_response_id')))?.attempt.count
    const own = wordsIn(field('messages')) + wordsIn(field('input')) + wordsIn(field('instructions'))
    const promptTokens = own + (before ? before.input + before.output : 0)
    const list = this.attempts.get(call) ?? []
    this.attempts.set(call, list)
    const answers = field('messages') === undefined ? 1 : answersOf(body)
    const attempt: Attempt = {
      call,
      side,
      isStream: field('stream') === true,
      isBackground: field('background') === true && field('messages') === undefined,
      state: 'received',
      promptTokens,
      written: 0,
      bytes: 0,
      count: {
        input: promptTokens,
        cached: Math.min(plan.cached, promptTokens),
        output: answers * plan.words + plan.hidden,
        reasoning: plan.hidden,
      },
      hasTold: false,
      wasReadEnded: false,
      responseId: `resp_${call}x${list.length}`,
    }
    list.push(attempt)
    this.#kept.set(attempt.responseId, { attempt, plan: { ...plan, answers }, reads: 0 })
    this.arrivalOf(call).resolve()
    return attempt
  }

  /** Answers a read of a background response: as in progress for the planned number of reads,
   *  then as finished. */
  #read(id: string, response: ServerResponse): void {
    const kept = this.#kept.get(id)
    if (kept === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such response"}}')
      return
    }
    const { attempt, plan } = kept
    kept.reads += 1
    const hasEnded = kept.reads > (plan.readsUntilEnd ?? 0)
    if (hasEnded) attempt.wasReadEnded = true
    sendJson(response, responseAnswer(attempt, plan, hasEnded ? 'completed' : 'in_progress'))
  }
}

/** Returns the number of answers that a body requests (`n`). A gateway that translates sends a
 *  separate request for each answer. */
function answersOf(body: unknown): number {
  return Number(Reflect.get(Object(body), 'n') ?? 1)
}

function withoutFault({ fault: _, ...plan }: AnswerPlan): AnswerPlan {
  return plan
}

async function answer(exchange: Exchange): Promise<void> {
  const { attempt, plan, response } = exchange
  const { fault } = plan
  response.on('close', () => {
    if (!response.writableFinished && (attempt.state === 'received' || attempt.state === 'answering')) attempt.state = 'cut'
  })
  const status = fault && statuses[fault]
  if (status !== undefined) {
    attempt.state = 'refused'
    const error = { message: `planned ${fault}`, type: 'invalid_request_error', code: null, param: null }
    sendJson(response, { error }, status)
    return
  }
  if (fault === 'closed') {
    attempt.state = 'closed'
    response.socket?.destroy()
    return
  }
  if (fault === 'garbage') {
    attempt.state = 'garbage'
    sendNonsense(exchange)
    return
  }
  if (plan.waits === 'head') {
    await once(response, 'close')
    return
  }
  attempt.state = 'answering'
  if (attempt.isStream) await sendStream(exchange)
  else await sendWhole(exchange)
}

function sendNonsense({ attempt, response }: Exchange): void {
  const text = '<html><body>usage {"usage":{"prompt_tokens":1,"completion_tokens":1}}</body></html>'
  attempt.bytes = text.length
  response.writeHead(200, { 'content-type': attempt.isStream ? 'text/event-stream' : 'application/json' })
  response.end(attempt.isStream ? undefined : text)
}

async function sendWhole({ attempt, plan, response, isChat }: Exchange): Promise<void> {
  if (attempt.isBackground) {
    attempt.state = 'ended'
    sendJson(response, responseAnswer(attempt, plan, 'in_progress'))
    return
  }
  const text = JSON.stringify(isChat ? chatAnswer(attempt, plan) : responseAnswer(attempt, plan, 'completed'))
  attempt.written = plan.words * plan.answers
  attempt.bytes = Buffer.byteLength(text)
  if (plan.fault === 'broken') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': attempt.bytes })
    await breakOff(attempt, response, text.slice(0, -2))
    return
  }
  attempt.hasTold = plan.givesUsage
  attempt.state = 'ended'
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': attempt.bytes }).end(text)
}

async function sendStream({ attempt, plan, response, wantsUsage, isChat }: Exchange): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const frames = isChat ? chatFrames(attempt, plan, wantsUsage) : responseFrames(attempt, plan)
  const breaksAt = plan.fault === 'broken' ? Math.floor((plan.words * plan.answers) / 2) : Number.POSITIVE_INFINITY
  for (const [index, frame] of frames.entries()) {
    if (frame.isGate && plan.waits === 'usage') await once(response, 'close')
    if (response.destroyed) return
    if (attempt.written >= breaksAt) {
      await breakOff(attempt, response, ': the last words\n\n')
      return
    }
    write(attempt, response, frame)
    if (index % 16 === 15) await (plan.isSlow ? sleep(8) : nextTurn())
  }
  attempt.state = 'ended'
  response.end()
}

function write(attempt: Attempt, response: ServerResponse, { text, words, tells }: PlannedFrame): void {
  attempt.written += words
  if (tells) attempt.hasTold = true
  response.write(text)
}

/** Writes the text and then ends the connection in an orderly way, so that everything written
 *  arrives. */
async function breakOff(attempt: Attempt, response: ServerResponse, text: string): Promise<void> {
  await new Promise<void>(resolve => response.write(text, () => resolve()))
  if (!response.destroyed) attempt.state = 'broken'
  response.socket?.destroy()
}

function sendJson(response: ServerResponse, value: object, status = 200): void {
  const text = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}

/** Returns the number of words in the texts of a conversation. */
function wordsIn(value: unknown): number {
  if (typeof value === 'string') return value.split(/\s+/).filter(part => part !== '').length
  if (Array.isArray(value)) return value.reduce<number>((sum, member) => sum + wordsIn(member), 0)
  return typeof value === 'object' && value !== null ? wordsIn(Reflect.get(value, 'content')) + wordsIn(Reflect.get(value, 'text')) : 0
}
