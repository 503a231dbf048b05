import { embeddingsProtocol, embedOffer } from '../../shared/text/embed-offer.ts'
import { acceptsMessages } from '../../shared/text/messages/messages-accepts.ts'
import { moderateOffer, moderationsProtocol } from '../../shared/text/moderate-offer.ts'
import { completionsProtocol } from '../../shared/text/protocols.ts'
import { rerankOffer, rerankProtocol } from '../../shared/text/rerank-offer.ts'
import { inputCount } from '../../shared/text/text-count.ts'
import { conversationRelay, relayOffer } from '../../shared/text/text-relay.ts'
import { respondOffer } from '../../shared/text/text-respond.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { acceptsChat, acceptsEmbeddings, acceptsRerank, acceptsResponses } from './accepts.ts'
import { imageOffer } from './images.ts'
import { settings } from './settings.ts'
import { speechOffer } from './speech.ts'
import { createStorageProbe } from './storage-probe.ts'
import { transcriptionOffer } from './transcribe.ts'
import { videoOffer } from './videos.ts'

const { targetOf } = settings

/** The driver for any server with OpenAI's interface for chat, Responses, embeddings, images,
 *  videos, speech or transcription, such as OpenAI, Ollama, vLLM, llama.cpp, LocalAI and
 *  Volcengine Ark. */
export default serviceDriver({
  id: 'openai-compatible',
  title: 'OpenAI-compatible service',
  settings,
  open: tools => {
    const { upstream, log } = tools
    const keeps = createStorageProbe({ upstream, targetOf, log })
    return {
      offers: {
        'text.respond': respondOffer(upstream, targetOf),
        'text.embed': embedOffer(upstream, targetOf),
        'text.rerank': rerankOffer(upstream, targetOf),
        'text.moderate': moderateOffer(upstream, targetOf),
        'image.generate': imageOffer(tools),
        'image.edit': imageOffer(tools),
        'video.generate': videoOffer(tools),
        'speech.synthesize': speechOffer(tools),
        'audio.transcribe': transcriptionOffer(tools),
      },
      countInput: inputCount(upstream, targetOf),
      voices: given => targetOf(given).voices,
      relays: {
        chat: conversationRelay(upstream, 'chat', { targetOf, fits: (body, { dialect }) => acceptsChat(body, dialect) }),
        responses: conversationRelay(upstream, 'responses', {
          targetOf,
          fits: (body, { dialect }) => acceptsResponses(body, dialect),
          keeps,
        }),
        completions: relayOffer(upstream, completionsProtocol, { targetOf, fits: (_, { speaksCompletions }) => speaksCompletions }),
        messages: conversationRelay(upstream, 'messages', { targetOf, fits: acceptsMessages }),
        embeddings: relayOffer(upstream, embeddingsProtocol, { targetOf, fits: (body, { dialect }) => acceptsEmbeddings(body, dialect) }),
        moderations: relayOffer(upstream, moderationsProtocol, { targetOf, fits: () => true }),
        rerank: relayOffer(upstream, rerankProtocol, { targetOf, fits: acceptsRerank }),
      },
    }
  },
})
