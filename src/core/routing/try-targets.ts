/** The loop that tries one target after another. All work uses it: calls, relays, sub-requests
 *  of engines, and tasks (docs/decisions/0017). */
import { type GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { FairRequest, QueueSlot } from '@generation-gateway/kit/process/fair-queue.ts'
import type { FailoverKind } from '@generation-gateway/kit/requests/capability.ts'
import { mayFailOver, type Route, soonest } from './router.ts'
import type { TargetHealth } from './target-health.ts'
import type { TargetPlaces } from './target-places.ts'

/** The state that all exchanges share: the circuit breakers of the targets, and the limits on
 *  the number of exchanges with a target at a time. */
export interface TargetAccess {
  health: TargetHealth
  places: TargetPlaces
}

/** One exchange with one target. It takes one of the target's limited places, and reports to the
 *  circuit breaker how it ended. The code that creates it must dispose of it. */
export class TargetUse implements Disposable {
  readonly route: Route
  readonly #access: TargetAccess
  readonly #call: object
  #place: QueueSlot | undefined
  #hasAnswered = false
  #isReported = false
  #isOver = false

  /** `call` is the object that was passed to `mayTry` of the circuit breaker. It may be left out
   *  when `mayTry` was not called. */
  constructor(route: Route, access: TargetAccess, call: object = {}) {
    this.route = route
    this.#access = access
    this.#call = call
  }

  /** Waits for a place at a target with a limit; undefined when the target has no limit. Rejects
   *  with the signal's reason. A place that is granted after the exchange has ended is returned at
   *  once. */
  enter(request: FairRequest): Promise<void> | undefined {
    return this.#access.places.enter(this.route.target, request)?.then(place => {
      this.#place = place
      if (this.#isOver) this.#leavePlace()
    })
  }

  /** Waits for a place and does the work. An error that the work throws counts as a failure of the
   *  target, unless the signal was aborted. */
  async run<Result>(request: FairRequest, work: () => Promise<Result>): Promise<Result> {
    try {
      await this.enter(request)
      return await work()
    } catch (error) {
      if (request.signal.aborted) this.end()
      else this.failed(toGatewayError(error))
      throw error
    }
  }

  /** Reports that the target has begun to answer: if the exchange is the trial of its circuit
   *  breaker, other calls may use the target from now on. */
  answers(): void {
    this.#hasAnswered = true
    this.#access.health.answers(this.#id, this.#call)
  }

  /** Reports that the target has done the work, or has accepted it. The exchange keeps its place
   *  at the target until `end`. */
  succeeded(): void {
    if (this.#isReported) return
    this.#isReported = true
    this.#access.health.succeeded(this.#id, this.#call)
  }

  /** Reports that the exchange ended with an error of the target. `succeeded` may have been
   *  called before, when the target had accepted the work. */
  failed(error: GatewayError): void {
    this.#isReported = true
    this.#access.health.failed(this.#id, error, this.#call)
    this.end()
  }

  /** Ends the exchange and returns the place. When neither success nor failure was reported, the
   *  gateway or its caller stopped the exchange: it then counts as a success if the target had
   *  begun to answer, and otherwise not at all. */
  end(): void {
    this.#isOver = true
    this.#leavePlace()
    if (this.#isReported) return
    if (this.#hasAnswered) this.succeeded()
    else this.#access.health.released(this.#id, this.#call)
    this.#isReported = true
  }

  [Symbol.dispose](): void {
    this.end()
  }

  get #id(): string {
    return this.route.target.id
  }

  #leavePlace(): void {
    this.#place?.[Symbol.dispose]()
    this.#place = undefined
  }
}

export interface TryTerms {
  access: TargetAccess
  failover: FailoverKind
  /** True for work that can wait, such as a queued task: a target with an open breaker is then
   *  not tried. False for work that cannot: while all breakers are open, the target whose
   *  breaker closes first is tried. */
  canWait?: boolean
}

/** The targets for one piece of work in the order in which they are tried, and the exchange with
 *  the current one. */
export class TargetTries<Try extends { route: Route }> implements Disposable {
  readonly #terms: TryTerms
  #all: readonly Try[]
  #at = -1
  #use: TargetUse | undefined

  constructor(all: readonly Try[], terms: TryTerms) {
    this.#all = all
    this.#terms = terms
  }

  /** The target that is being tried. Valid only after `next` has returned true. */
  get current(): Try {
    return this.#all[this.#at]!
  }

  /** The exchange with the current target. */
  get use(): TargetUse {
    return this.#use!
  }

  /** Position of the current target, from 1. */
  get number(): number {
    return this.#at + 1
  }

  /** Begins an exchange with the next target that may be tried now; false when none is left. */
  next(): boolean {
    const at = this.#nextAt()
    if (at < 0) return false
    this.#at = at
    this.#use = new TargetUse(this.current.route, this.#terms.access, this.current)
    return true
  }

  /** Begins an exchange with the next target after the current one has failed. Returns false when
   *  no target is left, or when no other target may be tried after this error. */
  nextAfter(error: GatewayError): boolean {
    return this.mayFailOver(error) && this.next()
  }

  /** Replaces the current try by `current` and drops all others, so that no other target is tried
   *  from now on. */
  keepOnly(current: Try): void {
    this.#all = [current]
    this.#at = 0
  }

  mayFailOver(error: GatewayError): boolean {
    return mayFailOver(error, this.#terms.failover)
  }

  [Symbol.dispose](): void {
    this.#use?.end()
  }

  #nextAt(): number {
    const { access, canWait = false } = this.#terms
    const all = this.#all
    for (let at = this.#at + 1; at < all.length; at++) if (access.health.mayTry(all[at]!.route.target.id, all[at])) return at
    if (canWait || this.#at >= 0 || all.length === 0) return -1
    const routes = all.map(({ route }) => route)
    return routes.indexOf(soonest(routes, access.health))
  }
}

interface Attempt<Try, Result> {
  signal: AbortSignal
  /** Does the work at the current target within `use.run`, and reports its success. After a
   *  success, the exchange stays open until the code that created `tries` ends it. */
  run(use: TargetUse, current: Try): Promise<Result>
  /** Returns the failure that the result contains; undefined for a success. Needed only when `run`
   *  reports its own failures and returns them as results instead of throwing them. */
  failureOf?(result: Result): GatewayError | undefined
  /** True when another target may do the work after this failure; `result` is undefined when `run`
   *  threw. Without this function, `mayFailOver` decides. */
  mayGoOn?(failure: GatewayError, result: Result | undefined): boolean
  /** Returns the result for the case that none of the targets can be tried. The function can
   *  also throw. */
  whenNone?(): Result
}

/** Tries the targets in order until one does the work, none is left, the error forbids a further
 *  try, or the signal is aborted. Returns the result of the last target, or throws its error. */
export async function tryTargets<Try extends { route: Route }, Result>(
  tries: TargetTries<Try>,
  { signal, run, failureOf, mayGoOn = failure => tries.mayFailOver(failure), whenNone }: Attempt<Try, Result>,
): Promise<Result> {
  let last: PromiseSettledResult<Result> | undefined
  let hasNext = tries.next()
  while (hasNext) {
    last = await settled(run(tries.use, tries.current))
    const result = last.status === 'fulfilled' ? last.value : undefined
    const failure = last.status === 'rejected' ? toGatewayError(last.reason) : failureOf?.(last.value)
    hasNext = failure !== undefined && !signal.aborted && mayGoOn(failure, result) && tries.next()
  }
  if (last?.status === 'fulfilled') return last.value
  if (last) throw last.reason
  if (whenNone) return whenNone()
  throw new TypeError('there is no target to try')
}

function settled<Result>(work: Promise<Result>): Promise<PromiseSettledResult<Result>> {
  return work.then(
    value => ({ status: 'fulfilled', value }),
    (reason: unknown) => ({ status: 'rejected', reason }),
  )
}
