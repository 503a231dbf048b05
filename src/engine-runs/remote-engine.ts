/** Engines that run on other nodes: drivers made from declarations, for a node without the role
 *  engines (docs/decisions/0055). */
import { defineEngine, type EngineSpec, once, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Driver, Job, Offer, Offers, Outcome } from '@generation-gateway/kit/requests/job.ts'
import type { EngineDeclaration } from './declared-engines.ts'
import type { EngineNodes } from './engine-nodes.ts'
import { NodeFailure, type RemotePart, type RemoteRun, type RunSender, sendRun } from './send-run.ts'

/** Most calls of one engine that this node has at other nodes, or waiting for them, at a time. */
const slots = 1_024

/** Number of nodes that may break off in one run: the work itself may be the cause. */
const mostAway = 3

/** The way to nodes with engines. */
export interface EngineLink {
  nodes: EngineNodes
  sender: RunSender
}

/** Returns the engine as a driver that runs it on other nodes. Without a link, in commands that
 *  run nothing, it counts as usable. */
export function remoteEngine(declaration: EngineDeclaration, link?: EngineLink): EngineSpec {
  const { queue, offers, ...declared } = declaration
  const { id, title } = declared
  return defineEngine({
    ...declared,
    kind: 'engine',
    open: (): Driver => ({
      ...{ id, title, queue: { name: queue, slots } },
      // The cast is safe: the declaration was made from the offers of these capabilities.
      offers: Object.fromEntries(
        Object.entries(offers).map(([capability, offer]) => [capability, remoteOffer({ engine: id, capability, link, offer })]),
      ) as Offers,
      unusable: (_settings, model) => link?.nodes.reasonAgainst(id, model),
    }),
  })
}

interface RemoteOffer {
  engine: string
  capability: string
  link: EngineLink | undefined
  offer: { kind: 'once' | 'streamed'; follows?: readonly string[] }
}

function remoteOffer({ engine, capability, link, offer: { kind, follows } }: RemoteOffer): Offer<JsonObject, object> {
  const run = (job: Job<JsonObject>): AsyncGenerator<RemotePart> => {
    if (!link) throw new GatewayError('capability_unavailable', 'This node has no role engines.')
    return runSomewhere(link, { engine, capability, job })
  }
  const facts = follows ? { follows: [...follows] } : {}
  return kind === 'once' ? once(job => outcomeOf(run(job)), facts) : streamed<JsonObject, object>(run, facts)
}

/** Runs the work on the best node, and on the next one while nothing of an answer has arrived. */
async function* runSomewhere({ nodes, sender }: EngineLink, run: RemoteRun): AsyncGenerator<RemotePart> {
  const { engine, job } = run
  const tried = new Set<string>()
  let last: GatewayError | undefined
  let away = 0
  for (;;) {
    const node = nodes.choose(engine, job.model, tried)
    if (!node) throw last ?? nodes.noNode(engine)
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
      if (error.isAway) nodes.failed(node)
      if (hasBegun) throw error.failure
      // That a node is away says less than that another one is busy.
      last = error.isAway ? (last ?? nodes.noNode(engine)) : error.failure
      if (error.isAway && ++away === mostAway) throw last
    }
  }
}

async function outcomeOf(parts: AsyncIterable<RemotePart>): Promise<Outcome> {
  for await (const part of parts) if (part.type === 'outcome') return part.outcome
  throw new GatewayError('upstream_error', 'The engine ended without an outcome.')
}
