import { defineDriver } from '../../contract/driver.ts'
import { relayOffer } from '../text-relay.ts'
import { respondOffer } from '../text-respond.ts'
import { createUpstream } from '../upstream.ts'
import { acceptsChat, acceptsResponses } from './accepts.ts'
import { factsOf, settingsSchema } from './settings.ts'

const title = 'OpenAI-compatible service'

/** Chat and responses of any server that speaks OpenAI's interface: OpenAI, Ollama, vLLM, llama.cpp, LocalAI, Volcengine Ark. */
export default defineDriver({
  id: 'openai-compatible',
  title,
  kind: 'upstream',
  settings: settingsSchema,
  hosts: [],
  capabilities: ['text.respond'],
  open: () => {
    const upstream = createUpstream()
    return {
      id: 'openai-compatible',
      title,
      queue: { name: 'upstream:openai-compatible', slots: 64 },
      offers: { 'text.respond': respondOffer(upstream, factsOf) },
      relays: {
        chat: relayOffer(upstream, 'chat', { targetOf: factsOf, fits: (body, { dialect }) => acceptsChat(body, dialect) }),
        responses: relayOffer(upstream, 'responses', { targetOf: factsOf, fits: (body, { dialect }) => acceptsResponses(body, dialect) }),
      },
      unusable: settings => factsOf(settings).problem,
      close: () => upstream.close(),
    }
  },
})
