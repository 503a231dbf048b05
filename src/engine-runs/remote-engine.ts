/** Drivers for engines that run on other nodes. They are created from the declarations of the
 *  engines, for a node without the role engines (docs/decisions/0055). */
import { setTimeout as sleep } from 'node:timers/promises'
import { defineEngine, type EngineSpec, once, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError, LostRunError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { wasNeverConnected } from '@generation-gateway/kit/never-connected.ts'
import type { Driver, Job, Offer, Offers, Outcome } from '@generation-gateway/kit/requests/job.ts'
import { RunningCounts } from '@generation-gateway/kit/running-counts.ts'
import type { EngineDeclaration } from './declared-engines.ts'
import type { EngineNodes } from './engine-nodes.ts'
import { StaleTokenError } from './run-token.ts'
import { NodeFailure, type RemotePart, type RemoteRun, type RunSender, sendRun } from './send-run.ts'

/** Largest number of runs of one engine that this node has on other nodes at a time, including
 *  those that wait there. */
const slots = 1_024

/** A run fails when the connections to this many nodes have broken during it: the first number
 *  is for the first run of a job, the second for each later run. The work itself may be what
 *  makes the nodes fail. A task has three tries, so it meets at most 5 such nodes: 3 + 1 + 1. */
const mostBrokenOff = 3
const mostBrokenOffLater = 1

/** After this many answers from draining nodes, a run does not try a draining node again. */
const mostDraining = 4

/** Wait in ms before a new token is issued for a node that has refused a token because it was
 *  issued before the start of the node (`StaleTokenError`). */
const newTokenMs = 1_000

/** Error codes of a connection that the other side closed. */
const closedCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** The two things that a run on another node needs: the list of nodes with engines, and the
 *  client that sends runs. */
export interface EngineLink {
  nodes: EngineNodes
  sender: RunSender
  /** Largest number of simultaneous runs of one engine that this node has on other nodes for one
   *  account; by default half of `slots`. */
  mostOfAccount?: number
}

/** Returns a driver that runs the engine on other nodes. Commands that run no jobs pass no link;
 *  the engine then always counts as usable. */
export function remoteEngine(declaration: EngineDeclaration, link?: EngineLink): EngineSpec {
  const { queue, offers, ...declared } = declaration
  const { id, title } = declared
  return defineEngine({
    ...declared,
    kind: 'engine',
    open: (): Driver => {
      const running = new RunningCounts()
      return {
        ...{ id, title, queue: { name: queue, slots } },
        // The cast is safe: the declaration was created from the offers of these capabilities.
        offers: Object.fromEntries(
          Object.entries(offers).map(([capability, offer]) => [capability, remoteOffer({ engine: id, capability, link, offer, running })]),
        ) as Offers,
        unusable: (_settings, model) => link?.nodes.reasonAgainst(id, model),
      }
    },
  })
}

interface RemoteOffer {
  engine: string
  capability: string
  link: EngineLink | undefined
  offer: { kind: 'once' | 'streamed'; follows?: readonly string[] }
  /** Counts the engine's runs on other nodes, by account. */
  running: RunningCounts
}

function remoteOffer({ engine, capability, link, offer: { kind, follows }, running }: RemoteOffer): Offer<JsonObject, object> {
  const run = (job: Job<JsonObject>): AsyncGenerator<RemotePart> => {
    if (!link) throw new GatewayError('capability_unavailable', 'This node has no role engines.')
    return counted(runSomewhere(link, { engine, capability, job }), running, { job, most: link.mostOfAccount ?? slots / 2 })
  }
  const facts = follows ? { follows: [...follows] } : {}
  return kind === 'once' ? once(job => outcomeOf(run(job)), facts) : streamed<JsonObject, object>(run, facts)
}

/** Yields the parts of a run, and counts the run for its account until it ends. Throws
 *  `engine_busy` when the account already has `most` runs. Without this limit, one account could
 *  take all slots, because jobs whose callers wait are claimed in the order of their arrival. */
async function* counted(
  parts: AsyncGenerator<RemotePart>,
  running: RunningCounts,
  { job: { account = '' }, most }: { job: Job<JsonObject>; most: number },
): AsyncGenerator<RemotePart> {
  if (running.of(account) >= most) throw new GatewayError('engine_busy', 'The engine and its queue are full.', { retryAfterSeconds: 5 })
  using _run = running.enter(account)
  yield* parts
}

/** Runs the work on the most suitable node. If the node fails before a part of its answer has
 *  arrived, runs the work on the next one. When no other node is left, tries those nodes once more,
 *  with a new token, that refused the first token because it was issued before they were
 *  started. */
async function* runSomewhere({ nodes, sender }: EngineLink, run: RemoteRun): AsyncGenerator<RemotePart> {
  const { engine, job } = run
  const tried = new Set<string>()
  const askedAgain = new Set<string>()
  const restarted = new Set<string>()
  let hasWaited = false
  const most = job.attempt > 1 ? mostBrokenOffLater : mostBrokenOff
  let last: GatewayError | undefined
  let lost: LostRunError | undefined
  let brokenOff = 0
  let draining = 0
  for (;;) {
    const node = nodes.choose(engine, job.model, tried)
    if (!node && !hasWaited && restarted.size > 0) {
      hasWaited = true
      await sleep(newTokenMs, undefined, { signal: job.signal }).catch(() => job.signal.throwIfAborted())
      for (const id of restarted) tried.delete(id)
      continue
    }
    // When a connection broke after its node had accepted the run (a lost run), this error is
    // thrown rather than those of other nodes. With an error such as `engine_busy`, the task would
    // wait and run again, although it may make one node after the other fail.
    if (!node) throw lost ?? last ?? nodes.noNode(engine)
    tried.add(node.id)
    let hasBegun = false
    using _run = nodes.enter(node)
    try {
      for await (const part of sendRun(sender, node, run)) {
        hasBegun = true
        yield part
      }
      return
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error
      // The connection was kept from an earlier run, and the node may have closed it at the moment
      // at which it was used again. The same node is therefore tried once more.
      if (isClosedUnanswered(error) && !askedAgain.has(node.id)) {
        askedAgain.add(node.id)
        tried.delete(node.id)
        continue
      }
      if (error.isAway) nodes.failed(node)
      if (hasBegun) throw error.failure
      if (error.failure instanceof LostRunError) lost = error.failure
      if (error.failure instanceof StaleTokenError) restarted.add(node.id)
      const isDraining = error.failure.code === 'draining'
      // Several processes of a machine may share this address, so the next try may reach a process
      // that is not draining.
      if (isDraining && ++draining < mostDraining) tried.delete(node.id)
      // Only connections that broke after they were made are counted: a node that was not reached
      // says nothing about the work. The error thrown here must not let the task wait for another
      // node, because the task might make that node fail as well.
      if (error.isAway && !wasNeverConnected(error.failure) && ++brokenOff === most) throw error.failure
      // If all nodes fail, the caller gets one of the errors. An error such as `engine_busy` says
      // more than the fact that a node could not be reached or is draining.
      last = error.isAway || isDraining ? (last ?? nodes.noNode(engine)) : error.failure
    }
  }
}

function isClosedUnanswered({ isAway, failure }: NodeFailure): boolean {
  return isAway && !(failure instanceof LostRunError) && closedCodes.has(Object(failure.cause).code)
}

async function outcomeOf(parts: AsyncIterable<RemotePart>): Promise<Outcome> {
  for await (const part of parts) if (part.type === 'outcome') return part.outcome
  throw new GatewayError('upstream_error', 'The engine ended without an outcome.')
}
