import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import { relayOffer } from '../../shared/text/text-relay.ts'
import { respondOffer } from '../../shared/text/text-respond.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { imageTasks } from './image-tasks.ts'
import { musicThere } from './music.ts'
import { searchOffers } from './search.ts'
import { settings } from './settings.ts'
import { renderedSlides, templatesThere, writtenSlides } from './slides.ts'
import { speechThere } from './speech.ts'
import { transcriptionThere, translationThere } from './transcription.ts'
import { gatewayVideos } from './videos.ts'

interface GatewayDriverOptions {
  /** Waits before a submit of unknown fate is repeated, milliseconds; one repeat for each. */
  repeatAfterMs: readonly number[]
}

export default gatewayDriver({ repeatAfterMs: [200, 1_000, 3_000] })

const extras = ['series', 'watermark', 'guidance', 'webSearch', 'promptMode', 'flags'] as const

/** Another gateway of this kind, over this very interface: pictures over F1 to F4, videos over S, V, H and K, music, speech and recognition over M, T1 to T3 and R1 to R5, presentations, conversations over chat and responses, and search. */
export function gatewayDriver({ repeatAfterMs }: GatewayDriverOptions): UpstreamSpec {
  const { targetOf } = settings
  return serviceDriver({
    id: 'gateway',
    title: 'Another gateway',
    settings,
    open: tools => ({
      offers: {
        'text.respond': respondOffer(tools.upstream, targetOf),
        // A family that has no field for one of these refuses it, or its task tells that it was not followed.
        'image.generate': { ...imageTasks<ImageGenerateRequest>({ ...tools, repeatAfterMs }, 'image.generate'), follows: extras },
        'image.edit': { ...imageTasks<ImageEditRequest>({ ...tools, repeatAfterMs }, 'image.edit'), follows: [...extras, 'regions'] },
        'image.upscale': imageTasks<ImageUpscaleRequest>({ ...tools, repeatAfterMs }, 'image.upscale'),
        'video.generate': gatewayVideos({ ...tools, repeatAfterMs }),
        'music.song': musicThere(tools, 'song'),
        'music.instrumental': musicThere(tools, 'instrumental'),
        'speech.synthesize': speechThere(tools),
        'audio.transcribe': transcriptionThere(tools),
        'audio.translate': translationThere(tools),
        ...searchOffers(tools.upstream),
        'slides.write': writtenSlides(tools),
        'slides.render': renderedSlides(tools),
      },
      templates: asked => templatesThere(tools, asked),
      relays: {
        chat: relayOffer(tools.upstream, 'chat', { targetOf, fits: () => true }),
        responses: relayOffer(tools.upstream, 'responses', { targetOf, fits: () => true }),
      },
    }),
  })
}
