/** The nodes that run engines, as seen by a node that runs none itself. */
import { type GatewayError, NotServedError } from '@generation-gateway/kit/errors.ts'
import { RunningCounts } from '@generation-gateway/kit/running-counts.ts'
import { minuteMs } from '@generation-gateway/kit/units.ts'
import type { Nodes } from '../core/ports/nodes.ts'
import type { Clock } from '../core/ports/store.ts'
import type { EngineState, NodeStatus } from '../core/records/node.ts'
import type { StoreAlarm } from '../core/store-alarm.ts'

/** Interval in ms at which the list of nodes is read. */
const lookEveryMs = 2_000
/** Time in ms for which tasks are still accepted when no node has their engine any more: a node
 *  may come back. */
const waitForNodeMs = 5 * minuteMs
/** Time in ms after a failed connection to a node. In this time the node is used only when no
 *  other node can run the engine. */
const avoidMs = 5_000
const retryAfterSeconds = 5

/** A node that can run an engine now. */
export interface EngineNode {
  id: string
  name: string
  address: string
}

interface EngineNodesDeps {
  nodes: Pick<Nodes, 'list'>
  clock: Clock
  alarm: Pick<StoreAlarm, 'failed' | 'worked'>
}

export class EngineNodes {
  readonly #deps: EngineNodesDeps
  readonly #startedAt: number
  /** The living nodes that have engines, whether they are ready or draining. */
  #living: readonly NodeStatus[] = []
  /** The latest time at which a living node had an engine, in Unix milliseconds, by engine. */
  readonly #lastSeenAt = new Map<string, number>()
  /** Number of runs that this node has on each other node now, by node id. */
  readonly #runs = new RunningCounts()
  /** The time until which a node is avoided, in Unix milliseconds, by node id. */
  readonly #avoidUntil = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(deps: EngineNodesDeps) {
    this.#deps = deps
    this.#startedAt = deps.clock.now()
  }

  /** Reads the list of nodes, and from now on every 2 s until `close`. */
  async start(): Promise<void> {
    await this.look()
    this.#timer = setInterval(() => void this.look(), lookEveryMs)
    this.#timer.unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Reads the list of nodes now. While the store does not answer, the last list stays in use. */
  async look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const { nodes, clock, alarm } = this.#deps
    try {
      const now = clock.now()
      this.#living = (await nodes.list(now)).filter(({ isAlive, facts }) => isAlive && facts?.engines !== undefined)
      for (const { facts } of this.#living) for (const engine of Object.keys(facts?.engines ?? {})) this.#lastSeenAt.set(engine, now)
      for (const [id, until] of this.#avoidUntil) if (until <= now) this.#avoidUntil.delete(id)
      alarm.worked('looks for nodes with engines')
    } catch (error) {
      alarm.failed('looks for nodes with engines', error)
    } finally {
      this.#isLooking = false
    }
  }

  /** Returns the reason why work for this model of an engine cannot be accepted; undefined when
   *  a node can run it. Also undefined when no node has the engine now, but one had it, or this
   *  node started, within the last 5 minutes: a node may come back. */
  reasonAgainst(engine: string, model: string): string | undefined {
    const having = this.#having(engine)
    const reasons = having.map(({ name, facts }) => reasonOf(name, facts?.engines?.[engine], model))
    if (reasons.length > 0) return reasons.includes(undefined) ? undefined : reasons[0]
    const seenAt = this.#lastSeenAt.get(engine) ?? this.#startedAt
    if (this.#deps.clock.now() - seenAt < waitForNodeMs) return undefined
    return `No node with the role engines that has the engine ${engine} has run within the last 5 minutes.`
  }

  /** Chooses the node for the next run of an engine among the nodes that can run the model now
   *  and whose ids are not in `except`. Returns the one on which this node has the fewest runs;
   *  when several have the same number, one of them at random. Undefined when there is none. */
  choose(engine: string, model: string, except: ReadonlySet<string>): EngineNode | undefined {
    const now = this.#deps.clock.now()
    const able = this.#having(engine).flatMap(({ id, name, facts }): EngineNode[] => {
      const { state, address, engines } = facts ?? {}
      const isAble = state === 'ready' && address !== undefined && reasonOf(name, engines?.[engine], model) === undefined
      return isAble && !except.has(id) ? [{ id, name, address }] : []
    })
    const reachable = able.filter(({ id }) => (this.#avoidUntil.get(id) ?? 0) <= now)
    const ranked = (reachable.length > 0 ? reachable : able).map(node => ({
      node,
      load: this.#runs.of(node.id) + Math.random() / 2,
    }))
    return ranked.toSorted((a, b) => a.load - b.load)[0]?.node
  }

  /** Counts a run on the given node until the returned object is disposed of. */
  enter({ id }: EngineNode): Disposable {
    return this.#runs.enter(id)
  }

  /** Returns, for each living node with engines, the number of runs that this node has there. */
  runs(): { node: string; running: number }[] {
    return this.#living.map(({ id, name }) => ({ node: name, running: this.#runs.of(id) }))
  }

  /** Reports that the connection to a node failed; the node is avoided for a few seconds. */
  failed({ id }: EngineNode): void {
    this.#avoidUntil.set(id, this.#deps.clock.now() + avoidMs)
  }

  /** Returns the error for a call whose engine no node can run now. */
  noNode(engine: string): GatewayError {
    const draining = this.#having(engine).some(({ facts }) => facts?.state === 'draining')
    const why = draining ? 'all of them are draining' : 'none answers'
    const message = `This node has no role engines, and of the nodes that have the engine ${engine}, ${why}; try again in ${retryAfterSeconds} s.`
    return new NotServedError('capability_unavailable', message, { retryAfterSeconds })
  }

  /** Returns the names of the nodes that can take runs of this engine now. */
  namesOf(engine: string): string[] {
    return this.#having(engine)
      .filter(({ facts }) => facts?.state === 'ready' && typeof facts.engines?.[engine] !== 'string')
      .map(({ name }) => name)
  }

  #having(engine: string): NodeStatus[] {
    return this.#living.filter(({ facts }) => facts?.engines?.[engine] !== undefined)
  }
}

function reasonOf(node: string, state: EngineState | undefined, model: string): string | undefined {
  const reason = typeof state === 'object' ? state[model] : state
  return typeof reason === 'string' ? `Node ${node}: ${reason}` : undefined
}
