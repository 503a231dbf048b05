import { defineDriver } from '../../contract/driver.ts'
import { createUpstream } from '../upstream.ts'
import { relayOffer } from './relay.ts'
import { respondOffer } from './respond.ts'
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
      offers: { 'text.respond': respondOffer(upstream) },
      relays: { chat: relayOffer(upstream, 'chat'), responses: relayOffer(upstream, 'responses') },
      unusable: settings => factsOf(settings).problem,
      close: () => upstream.close(),
    }
  },
})
