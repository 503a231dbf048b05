import { defineDriver } from '@generation-gateway/kit/driver.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { relayOffer } from '../text/text-relay.ts'
import { respondOffer } from '../text/text-respond.ts'
import { createUpstream } from '../upstream/upstream.ts'
import { createUrlGuard } from '../upstream/url-guard.ts'
import { acceptsChat, acceptsResponses } from './accepts.ts'
import { imageOffer } from './images.ts'
import { createKeeping } from './keeping.ts'
import { factsOf, settingsSchema } from './settings.ts'

const title = 'OpenAI-compatible service'

/** Chat, responses and images of any server that speaks OpenAI's interface: OpenAI, Ollama, vLLM, llama.cpp, LocalAI, Volcengine Ark. */
export default defineDriver({
  id: 'openai-compatible',
  title,
  kind: 'upstream',
  settings: settingsSchema,
  open: ({ allowPrivateUrls, log }) => {
    const upstream = createUpstream()
    const keeps = createKeeping({ upstream, targetOf: factsOf, log })
    const images = { upstream: createUpstream(), guard: createUrlGuard({ allowPrivate: allowPrivateUrls }) }
    return {
      id: 'openai-compatible',
      title,
      queue: { name: 'upstream:openai-compatible', slots: 64 },
      offers: {
        'text.respond': respondOffer(upstream, factsOf),
        'image.generate': imageOffer<ImageGenerateRequest>(images),
        'image.edit': imageOffer<ImageEditRequest>(images),
      },
      relays: {
        chat: relayOffer(upstream, 'chat', { targetOf: factsOf, fits: (body, { dialect }) => acceptsChat(body, dialect) }),
        responses: relayOffer(upstream, 'responses', {
          targetOf: factsOf,
          fits: (body, { dialect }) => acceptsResponses(body, dialect),
          keeps,
        }),
      },
      unusable: settings => factsOf(settings).problem,
      close: async () => {
        await Promise.all([upstream.close(), images.upstream.close(), images.guard.close()])
      },
    }
  },
})
