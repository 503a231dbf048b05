import type { ExpectedTokens } from '@generation-gateway/kit/requests/expected-tokens.ts'
import type { FurtherRequest } from '@generation-gateway/kit/requests/job.ts'
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { tokensIn } from '@generation-gateway/kit/requests/token-estimate.ts'
import type { TextRunEvent } from '../../contract/needs/respond.ts'
import type { Route, RouteRefusal } from '../../core/routing/router.ts'
import type { Call } from '../call/call.ts'
import { createCallCheck } from '../call/call-check.ts'
import { firstRecordAt, isCounted, type Run } from '../call/call-counts.ts'
import { CallRequests } from '../call/call-requests.ts'
import { inCallersWords, warningsFor } from '../call/callers-words.ts'
import { holdCall, raiseToExpected, recordReportedUsage } from '../call/quotas.ts'
import { withHops } from '../call/submission.ts'
import type { CallScope, Provision } from './provision.ts'

export const respond: Provision<'respond'> = ({ deps, family, call }) => {
  // The run is added before its first event is requested. When a call has several runs, the hold of
  // the call then covers all of them.
  return (request, stop) => events({ deps, family, call }, request, { ...addRun(call, request), stop })
}

interface NewRun {
  run: Run
  expected: ExpectedTokens
  requests: CallRequests
  /** Id of the conversation, for upstreams that support idempotency keys. */
  id: string
  stop?: AbortSignal | undefined
}

function addRun(call: Call, request: TextRequest): NewRun {
  call.requests ??= new CallRequests()
  const { requests } = call
  const expected = requests.add(request)
  const run: Run = { inputTokens: expected.inputTokens, said: 0, isSent: false, expected }
  const id = `${call.requestId}${call.runs.length === 0 ? '' : `-${call.runs.length}`}`
  call.runs.push(run)
  return { run, expected, requests, id }
}

async function* events(scope: CallScope, request: TextRequest, added: NewRun): AsyncGenerator<TextRunEvent> {
  const { family, call } = scope
  call.conversations += 1
  try {
    // This loop replaces `yield*`, which would take more time per event than the handling of the
    // event.
    for await (const event of conversation(scope, request, added)) yield event
  } catch (error) {
    throw inCallersWords(family, error, call.body.value)
  } finally {
    call.conversations -= 1
    if (call.conversations === 0) call.onLastEnd?.()
  }
}

async function* conversation({ deps, family, call }: CallScope, request: TextRequest, added: NewRun): AsyncGenerator<TextRunEvent> {
  const { run, requests, id, stop } = added
  if (!call.model) throw new TypeError('this operation does not choose a model')
  const usable = call.routes ?? deps.router.callRoutes(call.model, 'text.respond')
  const refusalOf = (route: Route) => lackOfTool(request, route)
  const routes = deps.router.accepting(usable, 'text.respond', { request, inputs: [], refusalOf })
  expectRuns(call)
  await holdCall(deps, call)
  raiseToExpected(deps, call)
  const stopping = stop && new Stopping(run, stop)
  let limit = firstRecordAt(call)
  const signal = stopping ? AbortSignal.any([call.signal(), stopping.signal]) : call.signal()
  const further = new FurtherRuns({ deps, call }, added, signal)
  const requested = {
    capability: 'text.respond' as const,
    id,
    account: call.key.accountId,
    key: call.key.id,
    request: withHops(call, request),
    routes,
    signal,
    onSent: (isAtWork: boolean) => {
      run.isSent = isAtWork
      stopping?.check()
    },
    onWarning: warningsFor(family, call),
    again: (tokens: number) => further.begin(tokens),
  }
  const check = createCallCheck(request.tools)
  using place = await requests.admit('first', signal)
  for await (const event of deps.calls.run(requested)) {
    place?.[Symbol.dispose]()
    stopping?.begin()
    if (event.type === 'finish') {
      call.target = event.route.target.id
      run.usage = event.result.usage
      further.end()
    } else if ('delta' in event) {
      run.said += tokensIn(event.delta)
      if (run.said >= limit) limit = recordReportedUsage(deps, call, { run, said: run.said })
    }
    if (event.type !== 'finish') check.add(event)
    yield event
  }
  // Warnings are sent as headers. A stream has already sent its headers, so it cannot get warnings.
  if (!call.isAnswered) call.warnings.push(...(await check.misfits()))
}

/** Stops a conversation whose result is no longer needed. It stops at once, except when a target
 *  got the request and has sent no event yet: it then waits for the first event, which shows that
 *  the target accepted the work and that its usage must be counted. */
class Stopping {
  readonly #run: Run
  readonly #stop: AbortSignal
  readonly #controller = new AbortController()
  #hasBegun = false

  constructor(run: Run, stop: AbortSignal) {
    this.#run = run
    this.#stop = stop
    stop.addEventListener('abort', () => this.check())
    this.check()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Must be called when the target has sent an event. */
  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.check()
  }

  /** Must be called whenever `run.isSent` has changed. */
  check(): void {
    if (this.#stop.aborted && (this.#hasBegun || !this.#run.isSent)) this.#controller.abort(this.#stop.reason)
  }
}

/** The further requests that a driver sends to the model within one conversation. Each of them is
 *  counted as a run of its own, until the usage of the whole conversation is known: that usage
 *  includes the further requests. */
class FurtherRuns {
  readonly #scope: Pick<CallScope, 'deps' | 'call'>
  readonly #of: Pick<NewRun, 'run' | 'expected' | 'requests'>
  readonly #signal: AbortSignal
  readonly #runs = new Set<Run>()

  constructor(scope: Pick<CallScope, 'deps' | 'call'>, of: Pick<NewRun, 'run' | 'expected' | 'requests'>, signal: AbortSignal) {
    this.#scope = scope
    this.#of = of
    this.#signal = signal
  }

  /** Waits until a further request may be sent, and adds its expected usage to the hold of the
   *  call. `added` is the number of tokens by which its input is longer than that of the first
   *  request. */
  async begin(added: number): Promise<FurtherRequest> {
    const { deps, call } = this.#scope
    const { run, expected: first, requests } = this.#of
    const place = await requests.admit('further', this.#signal)
    const expected = { ...first, inputTokens: first.inputTokens + added }
    const further: Run = { inputTokens: expected.inputTokens, said: 0, isSent: true, expected }
    // The tokens that the further request adds to the input are output that the model wrote before,
    // even if no event has shown that output.
    run.said += added
    this.#runs.add(further)
    call.runs.push(further)
    if (call.expected) {
      call.expected.inputTokens += expected.inputTokens
      call.expected.outputTokens += expected.outputTokens
    }
    raiseToExpected(deps, call)
    return {
      begun: () => {
        place?.[Symbol.dispose]()
        // The target has begun to answer, so at least one output token is counted. A run with
        // output is recorded even when the call fails (`endCall`).
        further.said ||= 1
      },
      ended: usage => {
        if (usage) further.usage = usage
        else further.isSent = false
      },
    }
  }

  /** Must be called when the usage of the whole conversation is known. */
  end(): void {
    const { call } = this.#scope
    if (isCounted(this.#of.run)) call.runs = call.runs.filter(run => !this.#runs.has(run))
  }
}

/** Makes the expected usage of the call cover the input of all its conversations. A continued
 *  conversation also sends its earlier turns to the model, and each of several answers is a
 *  conversation with the whole input, so the input may be larger than the request body. */
function expectRuns(call: Call): void {
  let inputTokens = 0
  let outputTokens = 0
  for (const { expected } of call.runs) {
    inputTokens += expected?.inputTokens ?? 0
    outputTokens += expected?.outputTokens ?? 0
  }
  // Only operations that can be relayed have an estimate of the expected usage at this point.
  if (call.expected) call.expected.inputTokens = Math.max(call.expected.inputTokens, inputTokens)
  else call.expect(() => ({ inputTokens, outputTokens }))
}

/** Returns a refusal when the request asks for a hosted tool by a field of the caller's protocol
 *  and the target does not speak this protocol. Only a target that speaks the protocol can have
 *  the tool. */
function lackOfTool({ extras: { hosted, protocol } }: TextRequest, { driver, target }: Route): RouteRefusal | undefined {
  if (hosted === undefined || driver.relays?.[protocol]?.accepts({}, target.settings)) return undefined
  return { field: hosted, message: `${hosted} is not supported: this model has no hosted tools.` }
}
