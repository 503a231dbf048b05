import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { type Capability, capabilities, capabilityNames, isStreamed } from '@generation-gateway/kit/requests/capabilities.ts'
import type { CapabilityFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { Offers, Outcome, StreamEvent } from '@generation-gateway/kit/requests/job.ts'
import { cachedSearch, freshMs } from '../../shared/search/cached-search.ts'
import { embeddingsProtocol, embedOffer } from '../../shared/text/embed-offer.ts'
import { moderateOffer, moderationsProtocol } from '../../shared/text/moderate-offer.ts'
import { completionsProtocol } from '../../shared/text/protocols.ts'
import { rerankOffer, rerankProtocol } from '../../shared/text/rerank-offer.ts'
import { inputCount } from '../../shared/text/text-count.ts'
import { conversationRelay, relayOffer } from '../../shared/text/text-relay.ts'
import { respondOffer } from '../../shared/text/text-respond.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { Versions } from './offers.ts'
import { type AnyRequest, refusesForeignSlides } from './run-request.ts'
import { settings } from './settings.ts'
import { streamedRun } from './streamed-run.ts'
import { type RunTools, taskRun } from './task-run.ts'
import { remoteTemplates } from './templates.ts'

interface GatewayDriverOptions {
  /** Waits in milliseconds. A submit whose outcome is unknown is repeated once after each wait. */
  repeatAfterMs: readonly number[]
  /** Versions of the protocol between gateways that this gateway supports, newest first. Default:
   *  the versions of this program. */
  versions?: readonly [number, ...number[]]
}

const streams = ['speech.synthesize', 'audio.transcribe', 'audio.translate'] as const
const searches = [
  ['search.keyword', freshMs.keyword],
  ['search.vertical', freshMs.vertical],
  ['search.top', freshMs.top],
] as const
/** Capabilities that do not run as ordinary tasks at the other gateway. */
const others: readonly Capability[] = ['slides.render', ...streams, ...searches.map(([name]) => name)]
const tasks = capabilityNames.filter(name => !isStreamed(name) && !others.includes(name))

export default gatewayDriver({ repeatAfterMs: [200, 1_000, 3_000] })

/** Returns a driver whose upstream is another instance of this gateway. Conversations,
 *  embeddings, rankings and moderations are sent over their own protocols; all other work is
 *  sent as neutral requests (docs/decisions/0044). */
export function gatewayDriver({ repeatAfterMs, versions }: GatewayDriverOptions): UpstreamSpec {
  const { targetOf } = settings
  return serviceDriver({
    id: 'gateway',
    title: 'Another gateway',
    settings,
    open: given => {
      const tools: RunTools = { ...given, repeatAfterMs, versions: new Versions(given, versions) }
      return {
        offers: {
          ...runOffers(tools),
          'text.respond': respondOffer(tools.upstream, targetOf),
          'text.embed': embedOffer(tools.upstream, targetOf),
          'text.rerank': rerankOffer(tools.upstream, targetOf),
          'text.moderate': moderateOffer(tools.upstream, targetOf),
        },
        countInput: inputCount(tools.upstream, targetOf),
        templates: requested => remoteTemplates(tools, requested),
        relays: {
          chat: conversationRelay(tools.upstream, 'chat', { targetOf, fits: () => true }),
          responses: conversationRelay(tools.upstream, 'responses', { targetOf, fits: () => true }),
          messages: conversationRelay(tools.upstream, 'messages', { targetOf, fits: () => true }),
          'generate-content': conversationRelay(tools.upstream, 'generate-content', { targetOf, fits: () => true }),
          embeddings: relayOffer(tools.upstream, embeddingsProtocol, { targetOf, fits: () => true }),
          rerank: relayOffer(tools.upstream, rerankProtocol, { targetOf, fits: () => true }),
          moderations: relayOffer(tools.upstream, moderationsProtocol, { targetOf, fits: () => true }),
          completions: relayOffer(tools.upstream, completionsProtocol, { targetOf, fits: () => true }),
        },
      }
    },
  })
}

function runOffers(tools: RunTools): Offers {
  const offers = [
    ...tasks.map(name => [name, taskRun(tools, name)] as const),
    ['slides.render', taskRun(tools, 'slides.render', refusesForeignSlides)] as const,
    ...streams.map(name => [name, streamedRun(tools, name, true)] as const),
  ].map(([name, offer]) => [name, { ...offer, follows: extrasOf(name) }])
  const found = searches.map(([name, lifetimeMs]) => {
    const { run } = streamedRun(tools, name, false)
    return [name, cachedSearch<AnyRequest>(lifetimeMs, job => endOf(run(job)), { isRepeatable: true })]
  })
  // The cast is safe: each offer gets requests of its own capability and forwards them unchanged.
  return Object.fromEntries([...offers, ...found]) as Offers
}

/** Returns the extra fields of a capability. The driver forwards all of them, because the other
 *  gateway refuses or reports those that its targets do not support. */
function extrasOf(name: Capability): string[] {
  const { extras = {} } = capabilities[name] as CapabilityFacts<object, unknown, unknown>
  return Object.keys(extras)
}

async function endOf(parts: AsyncIterable<StreamEvent<JsonObject>>): Promise<Outcome> {
  for await (const part of parts) if (part.type === 'outcome') return part.outcome
  throw new TypeError('a run ends with an outcome')
}
