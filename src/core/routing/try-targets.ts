/** The failover loop of all work: calls, relays, sub-requests of engines, and tasks
 *  (docs/decisions/0017). */
import { type GatewayError, toGatewayError } from '@generation-gateway/kit/errors.ts'
import type { FairRequest, QueueSlot } from '@generation-gateway/kit/process/fair-queue.ts'
import type { FailoverKind } from '@generation-gateway/kit/requests/capability.ts'
import { mayFailOver, type Route, soonest } from './router.ts'
import type { TargetHealth } from './target-health.ts'
import type { TargetPlaces } from './target-places.ts'

/** Shared by all uses of targets: the breakers, and the places at targets with a limit. */
export interface TargetAccess {
  health: TargetHealth
  places: TargetPlaces
}

/** One exchange with one target. It holds the target's place, and reports to the target's health
 *  how the exchange ended.
 *  Its creator disposes of it. */
export class TargetUse implements Disposable {
  readonly route: Route
  readonly #access: TargetAccess
  #place: QueueSlot | undefined
  #hasAnswered = false
  #isReported = false
  #isOver = false

  constructor(route: Route, access: TargetAccess) {
    this.route = route
    this.#access = access
  }

  /** Takes a place at a target with a limit; undefined when the target has no limit. Rejects with
   *  the signal's reason.
   *  A place that is granted after the end of the exchange is returned. */
  enter(request: FairRequest): Promise<void> | undefined {
    return this.#access.places.enter(this.route.target, request)?.then(place => {
      this.#place = place
      if (this.#isOver) this.#leavePlace()
    })
  }

  /** Waits for a place and does the work. An error the work throws is a failure of the target,
   *  unless the signal is aborted. */
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

  /** The target has begun to answer: if the exchange is the trial of its breaker, other calls may
   *  use it from now on. */
  answers(): void {
    this.#hasAnswered = true
    this.#access.health.answers(this.#id)
  }

  /** The target did the work, or has accepted it. The place is held until `end`. */
  succeeded(): void {
    if (this.#isReported) return
    this.#isReported = true
    this.#access.health.succeeded(this.#id)
  }

  /** The exchange ended with an error of the target, possibly after the target accepted the
   *  work. */
  failed(error: GatewayError): void {
    this.#isReported = true
    this.#access.health.failed(this.#id, error)
    this.end()
  }

  /** Ends the exchange and returns the place. An exchange without a report was stopped by the
   *  gateway or its caller:
   *  it counts as a success when the target had begun to answer, and otherwise not at all. */
  end(): void {
    this.#isOver = true
    this.#leavePlace()
    if (this.#isReported) return
    if (this.#hasAnswered) this.succeeded()
    else this.#access.health.released(this.#id)
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
  /** The work can wait: targets with an open breaker are not tried. Otherwise, when all breakers
   *  are open, the target whose breaker closes first is tried. */
  canWait?: boolean
}

/** The targets of one piece of work in the order to try, and the exchange with the current one. */
export class TargetTries<Try extends { route: Route }> implements Disposable {
  readonly #terms: TryTerms
  #all: readonly Try[]
  #at = -1
  #use: TargetUse | undefined

  constructor(all: readonly Try[], terms: TryTerms) {
    this.#all = all
    this.#terms = terms
  }

  /** Valid only after `next` has returned true. */
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
    this.#use = new TargetUse(this.current.route, this.#terms.access)
    return true
  }

  /** Like `next`, after an error of the current target; false also when no other target may do
   *  the work after this error. */
  nextAfter(error: GatewayError): boolean {
    return this.mayFailOver(error) && this.next()
  }

  /** Releases all tries but the current one, which `current` replaces: from here on there is no
   *  failover. */
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
    for (let at = this.#at + 1; at < all.length; at++) if (access.health.mayTry(all[at]!.route.target.id)) return at
    if (canWait || this.#at >= 0 || all.length === 0) return -1
    const routes = all.map(({ route }) => route)
    return routes.indexOf(soonest(routes, access.health))
  }
}

interface Attempt<Try, Result> {
  signal: AbortSignal
  /** Does the work at the current target within `use.run`, and reports its success. The use stays
   *  open for the owner of the tries. */
  run(use: TargetUse, current: Try): Promise<Result>
  /** The failure that a result represents and that `run` has reported. */
  failureOf?(result: Result): GatewayError | undefined
  /** True when another target may do the work after a failure; `result` is undefined when `run`
   *  threw. Without this function, `mayFailOver` decides. */
  mayGoOn?(failure: GatewayError, result: Result | undefined): boolean
  /** Returns the result when no target may be tried at all; may throw. */
  whenNone?(): Result
}

/** Tries the targets in order until one does the work, none is left, the error forbids another
 *  one, or the signal is aborted.
 *  Returns the last one's result or throws its error. */
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
