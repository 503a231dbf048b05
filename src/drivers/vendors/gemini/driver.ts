import { acceptsContent, acceptsCount } from '../../shared/text/gemini/gemini-accepts.ts'
import { geminiEmbedOffer } from '../../shared/text/gemini/gemini-embed.ts'
import { inputCount } from '../../shared/text/text-count.ts'
import { conversationRelay } from '../../shared/text/text-relay.ts'
import { respondOffer } from '../../shared/text/text-respond.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { settings } from './settings.ts'

const { targetOf } = settings

/** The driver for language and embedding models of Google's Gemini API, in its own protocol. */
export default serviceDriver({
  id: 'gemini',
  title: 'Gemini',
  settings,
  open: ({ upstream }) => ({
    offers: { 'text.respond': respondOffer(upstream, targetOf), 'text.embed': geminiEmbedOffer(upstream, targetOf) },
    relays: {
      'generate-content': conversationRelay(upstream, 'generate-content', {
        targetOf,
        fits: (body, target, minor) => (minor === 'count' ? acceptsCount(body, target) : acceptsContent(body)),
      }),
    },
    countInput: inputCount(upstream, targetOf),
  }),
})
